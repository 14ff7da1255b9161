// A pass that fuses multiplications, behind the one that leaves none: it would find nothing, in silence.
#include "house.hpp"

using namespace house;

struct fuse_products {
  static constexpr tn::fixed_string name = "fuse_products";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mul>;
  using works_on = tn::ops<mul>;
};
struct expand_products {
  static constexpr tn::fixed_string name = "expand_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
};
// CHECK: tenon-E038: pass 'fuse_products' (4th) works on 'mul', and pass 'expand_products' (3rd) leaves none of it: move 'fuse_products' before 'expand_products'
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fuse_products, expand_products>;
#else
using order = tn::pipeline<lift_lambdas, infer_shapes, expand_products, fuse_products>;
#endif
