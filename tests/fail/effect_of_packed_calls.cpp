// Graphs may call functions of the host, which do what they like: a pass that deletes ops says what it does with those.
#include <tenon/phases/all.hpp>
#include <tenon/pipeline.hpp>

/// Deletes what nobody uses.
struct clean {
  static constexpr tenon::fixed_string name = "clean";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<>;
  using deletes = tenon::effects<>;
#ifdef TENON_TWIN
  using leaves = tenon::effects<tenon::effect::random, tenon::effect::io>;
#else
  using leaves = tenon::effects<tenon::effect::random>;
#endif
  void run(tenon::ir_module<runs_in>&, tenon::context&) const {}
};
// CHECK: tenon-E016: pass 'clean' deletes, merges or moves ops, and does not say how it treats the effect 'io' of phase 'optimization'
using order = tenon::pipeline<clean>;
