// llvm/llvm-project #54859: a pass runs a pipeline of its own in its body, and what those passes make was declared by them
// only: nobody asked them. Here a pass that says that it makes nothing runs one inside that makes kernel calls.
#include "house.hpp"
#include <tenon/compile/run_inside.hpp>

using namespace house;

struct lower_affine {
  static constexpr tn::fixed_string name = "lower_affine";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel_call>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct tile_and_lower {
  static constexpr tn::fixed_string name = "tile_and_lower";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using emits = tn::ops<kernel_call>;
#else
  using emits = tn::ops<>;
#endif
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    // CHECK: tenon-E036: pass 'tile_and_lower' runs 'lower_affine' inside, which emits 'kernel_call', and does not say so itself: add it to its 'emits'
    tn::run_inside<lower_affine>(*this, m, cx);
  }
};
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, tile_and_lower>;
