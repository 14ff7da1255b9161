// pytorch/executorch #19276: batch normalizations were decomposed before the pass that folds them into convolutions, which found
// none and said nothing.
#include "house.hpp"

using namespace house;

struct conv;
struct batch_norm;
struct edge {
  static constexpr tn::fixed_string name = "edge";
  using op_list = tn::ops<conv, batch_norm, mul, add>;
};
struct fuse_batch_norm {
  static constexpr tn::fixed_string name = "fuse_batch_norm";
  using runs_in = edge;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using works_on = tn::ops<batch_norm>;
  using emits = tn::ops<conv>;
};
struct decompose_batch_norm {
  static constexpr tn::fixed_string name = "decompose_batch_norm";
  using runs_in = edge;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<batch_norm>;
  using handles = tn::ops<batch_norm>;
  using emits = tn::ops<mul, add>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<fuse_batch_norm, decompose_batch_norm>;
#else
// CHECK: tenon-E038: pass 'fuse_batch_norm' (2nd) works on 'batch_norm', and pass 'decompose_batch_norm' (1st) leaves none of it: move 'fuse_batch_norm' before 'decompose_batch_norm'
using order = tn::pipeline<decompose_batch_norm, fuse_batch_norm>;
#endif
