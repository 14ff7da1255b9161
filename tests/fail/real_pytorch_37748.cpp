// pytorch/pytorch #37748: freezing a module folds constants, too, and a fusion of linear layers no longer found the
// transpose that it looks for; TRTorch got slower layers in silence. What folds says nothing of transposes.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct transpose;
struct matmul;
struct add;
struct linear;
struct constant;
struct layers_whole {
  static constexpr tn::fixed_string name = "layers_whole";
  using of_all = tn::ops<transpose, matmul, add>;
  static void check(const tn::ir::module&);
};
struct jit {
  static constexpr tn::fixed_string name = "jit";
  using op_list = tn::ops<transpose, matmul, add, linear, constant>;
  using begins_with = tn::facts<layers_whole>;
};
struct freeze {
  static constexpr tn::fixed_string name = "freeze";
  using runs_in = jit;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  using deletes = tn::effects<>;
};
struct fuse_linear {
  static constexpr tn::fixed_string name = "fuse_linear";
  using runs_in = jit;
  using needs = tn::facts<layers_whole>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<tn::together<transpose, matmul, add>>;
  using emits = tn::ops<linear>;
  using deletes = tn::effects<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<fuse_linear, freeze>;
#else
// CHECK: tenon-E003: pass 'fuse_linear' (2nd) needs 'layers_whole', which pass 'freeze' (1st) breaks, since it deletes, merges or moves ops, after it held from the start: move 'fuse_linear' before 'freeze'
using order = tn::pipeline<freeze, fuse_linear>;
#endif
