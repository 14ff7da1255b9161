/// @file stop_after: ends a run behind a pass, and keeps the module as that pass left it.
///
///     instruments watch(cx, instrument::stop_after{.pass = "fuse"});
///     try { … build<targets::cpu>(std::move(m), cx) … } catch (const passes_stopped&) { … }
///     print(*watch.get<instrument::stop_after>().module)
///
/// A pass inside of another one is not looked for. Throws `passes_stopped`, "pass.stopped".
#pragma once

#include <memory>
#include <string>

#include <tenon/compile/instrument.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::instrument {

struct stop_after {
  std::string pass;
  std::shared_ptr<const ir::module> module = {};  ///< null: that pass did not run
  std::string phase = {};
  std::vector<std::string> facts = {};  ///< that are known of it

  void after(const pass_event& e) {
    if (e.depth != 0 || e.pass != pass) return;
    module = std::make_shared<const ir::module>(*e.module), phase = e.phase, facts = e.known_behind();
    throw passes_stopped("pass.stopped", "the passes were stopped behind '" + pass + "'");
  }
};

}  // namespace tenon::instrument
