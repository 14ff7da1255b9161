// With a flag on, loops are parallel when buffers are taken out of them.
#include "lanes.hpp"

using namespace lanes;

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
using order = tn::pipeline<hoist_buffers, tn::optional<parallelize, tn::when<"fast">>>;
#else
// CHECK: tenon-E025: when 'fast' is on, pass 'hoist_buffers' (2nd) may take an op with effect 'allocates' out of a region of 'parallel_for', each run of which has its own, and pass 'parallelize' (1st) emits it: move 'hoist_buffers' before 'parallelize', or say 'using keeps_inside = tenon::effects<allocates>' if such ops stay in the regions where they stand
using order = tn::pipeline<tn::optional<parallelize, tn::when<"fast">>, hoist_buffers>;
#endif
