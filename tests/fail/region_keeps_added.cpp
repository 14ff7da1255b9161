// An op that a pipeline adds has regions that keep what they allocate; nobody answered for a pass of the pipeline.
#include "lanes.hpp"

using namespace lanes;

struct task {
  using region_keeps = tn::effects<tn::effect::allocates>;
};
struct hoist_buffers {
  static constexpr tn::fixed_string name = "hoist_buffers";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates>;
  using leaves = tn::effects<tn::effect::reads, tn::effect::writes>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::treats<hoist_buffers, tenon::effect::allocates> = true;
#endif
using order = tn::pipeline<hoist_buffers>;
// CHECK: tenon-E045: pass 'hoist_buffers' (1st) may take an op with effect 'allocates' out of a region of 'task', each run of which has its own, and phase 'kernel' lists it: say 'using keeps_inside = tenon::effects<allocates>' if such ops stay in the regions where they stand
using with_tasks = order::with_ops<task>;
