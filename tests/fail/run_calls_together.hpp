// A pass that goes by what functions say of their effects.
#pragma once

#include <tenon/passes/note_purity.hpp>
#include <tenon/pipeline.hpp>

/// Runs calls of pure functions side by side.
struct run_calls_together {
  static constexpr tenon::fixed_string name = "run_calls_together";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<tenon::fact::purity_said>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<>;
  void run(tenon::ir_module<runs_in>&, tenon::context&) const {}
};
