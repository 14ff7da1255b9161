/// @file statistics: how many ops there were before and after each pass: in `context::records`.
#pragma once

#include <tenon/compile/instrument.hpp>

namespace tenon::instrument {

struct statistics {
  void before(const pass_event& e) { e.record->ops_before = count(*e.module); }
  void after(const pass_event& e) { e.record->ops_after = count(*e.module); }
  static size_t count(const ir::module& m);
};

}  // namespace tenon::instrument
