// A pass stands further behind, where others need what it gives; it runs once more where a pass before misses that.
#include "house.hpp"

using namespace house;

struct split_add {
  static constexpr tn::fixed_string name = "split_add";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using emits = tn::ops<mul>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, split_add, infer_shapes, legalize_ops, to_code>;
#else
// CHECK: tenon-E002: pass 'split_add' (2nd) needs 'shapes_known', which no pass before it gives: run 'infer_shapes' before 'split_add' too
using order = tn::pipeline<lift_lambdas, split_add, infer_shapes, legalize_ops, to_code>;
#endif
