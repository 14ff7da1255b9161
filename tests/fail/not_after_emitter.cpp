// A pass runs after one that makes the ops behind which it may not run any more.
#include "house.hpp"

using namespace house;

struct pin_layout {
  static constexpr tn::fixed_string name = "pin_layout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using not_after = tn::emitter_of<kernel_call>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, pin_layout, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'pin_layout' (4th) may not run after 'legalize_ops' (3rd), which emits 'kernel_call': move 'pin_layout' before 'legalize_ops'
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, pin_layout>;
#endif
