// A pass that takes buffers out of regions, run by hand on a module that may have parallel loops.
#include <tenon/compile/run.hpp>

#include "lanes.hpp"

using namespace lanes;

struct hoist_buffers {
  static constexpr tn::fixed_string name = "hoist_buffers";
  using runs_in = kernel;
#ifdef TENON_TWIN
  using needs = tn::facts<all_serial>;
#else
  using needs = tn::facts<>;
#endif
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates>;
  using leaves = tn::effects<tn::effect::reads, tn::effect::writes>;
  void run(tn::ir_module<runs_in>&, tn::context&) const;
};
#ifdef TENON_TWIN
void hoist(tn::ir_module<kernel, all_serial> m, tn::context& cx) {
#else
void hoist(tn::ir_module<kernel> m, tn::context& cx) {
#endif
  // CHECK: tenon-E045: pass 'hoist_buffers' may take an op with effect 'allocates' out of a region of 'parallel_for', each run of which has its own, and this module may have it: say 'using keeps_inside = tenon::effects<allocates>' if such ops stay in the regions where they stand, or run a pass that eliminates it first
  auto hoisted = tn::run<hoist_buffers>(std::move(m), cx);
  static_cast<void>(hoisted);
}
