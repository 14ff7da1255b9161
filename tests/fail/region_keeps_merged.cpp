// Buffers whose lives do not meet are made one: of those of a parallel loop there is one for each iteration.
#include "lanes.hpp"

using namespace lanes;

struct reuse_buffers {
  static constexpr tn::fixed_string name = "reuse_buffers";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<tn::effect::allocates>;
  using leaves = tn::effects<tn::effect::reads, tn::effect::writes>;
#ifdef TENON_TWIN
  using keeps_inside = merges;  // with those of the same iteration
#endif
};
// CHECK: tenon-E045: pass 'reuse_buffers' (2nd) may take an op with effect 'allocates' out of a region of 'parallel_for', each run of which has its own, and pass 'parallelize' (1st) emits it:
using order = tn::pipeline<parallelize, reuse_buffers, outline_loops>;
