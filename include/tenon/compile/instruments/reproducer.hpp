/// @file reproducer: what a failure of a pass can be shown by: one file, written when it happens.
///
///     instruments watch(cx, instrument::reproducer{.path = "fails.tir"});     // then: tenon opt fails.tir
///
/// The file is the text of the module as the pass found it, of the facts that were known, the passes that were left
/// with their options, the flags, and the target; `tenon opt` runs them. It is complete or not there at all. Of a pass
/// that ran inside of another one, the outer one is shown. Cost: a copy of the module before each pass.
#pragma once

#include <memory>
#include <string>

#include <tenon/compile/instrument.hpp>

namespace tenon::instrument {

struct reproducer {
  std::string path;
  bool written = false;

  void before(const pass_event& e);
  void failed(const pass_event& e, const std::exception& why);

  std::shared_ptr<const ir::module> found = {};  ///< by the pass that is running
};

}  // namespace tenon::instrument
