// Whatever the flags are, nothing is left for the pass.
#include "house.hpp"

using namespace house;

struct fuse_products {
  static constexpr tn::fixed_string name = "fuse_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using works_on = tn::ops<add, mul>;
};
// CHECK: tenon-E025: when 'fuse' is on, pass 'fuse_products' (4th) works on 'add' and 'mul', and pass 'legalize_ops' (3rd) leaves none of these: move 'fuse_products' before 'legalize_ops'
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, tn::optional<legalize_ops, tn::when<"legalize">>, fuse_products>;
#else
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, tn::optional<fuse_products, tn::when<"fuse">>>;
#endif
