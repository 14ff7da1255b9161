// Scratch of a lane belongs to each iteration of a parallel loop, scratch of a group to all of them: the effect says
// which, by the memory that it names, and only the former stays where it is.
#include "house.hpp"

using namespace house;
namespace effect = tn::effect;

struct lane_memory;
struct group_memory;
struct lane_scratch {
  using effects = tn::effects<effect::allocates_of<lane_memory>>;
};
struct group_scratch {
  using effects = tn::effects<effect::allocates_of<group_memory>>;
};
struct parallel_for {
  using region_keeps = tn::effects<effect::allocates_of<lane_memory>>;
};
struct kernel {
  static constexpr tn::fixed_string name = "kernel";
  using op_list = tn::ops<lane_scratch, group_scratch, parallel_for>;
};
struct hoist_scratch {
  static constexpr tn::fixed_string name = "hoist_scratch";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using moves = tn::effects<effect::allocates_of<group_memory>>;  // shared: once is enough
  using leaves = tn::effects<effect::allocates_of<lane_memory>>;
#else
  using moves = tn::effects<effect::allocates>;
#endif
};
// CHECK: tenon-E045: pass 'hoist_scratch' (1st) may take an op with effect 'allocates_of<lane_memory>' out of a region of 'parallel_for', each run of which has its own, and phase 'kernel' lists it
using order = tn::pipeline<hoist_scratch>;
