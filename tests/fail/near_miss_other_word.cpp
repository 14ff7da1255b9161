// The word of another compiler, in a pass that is otherwise right: what it says would not hold.
#include "house.hpp"

using namespace house;

struct number_values {
  static constexpr tn::fixed_string name = "number_values";
  using runs_in = graph;
  using needs = tn::facts<>;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using keeps = tn::facts<shapes_known>;
#else
  using preserved = tn::facts<shapes_known>;
#endif
};
// CHECK: tenon-E008: pass 'number_values' has a member 'preserved', which means nothing to the judge: write 'keeps'
using order = tn::pipeline<lift_lambdas, infer_shapes, number_values, fold_constants>;
