// A slip of the pen: the pass would be judged as one that eliminates nothing.
#include "house.hpp"

using namespace house;

struct expand_products {
  static constexpr tn::fixed_string name = "expand_products";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
#ifdef TENON_TWIN
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
#else
  using elminates = tn::ops<mul>;
#endif
};
// CHECK: tenon-E008: pass 'expand_products' has a member 'elminates', which means nothing to the judge: write 'eliminates'
using order = tn::pipeline<lift_lambdas, infer_shapes, expand_products>;
