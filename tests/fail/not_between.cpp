// A pass runs in an interval that it excludes.
#include "house.hpp"

using namespace house;

struct pin_layout {
  static constexpr tn::fixed_string name = "pin_layout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using not_between = tn::interval<infer_shapes, legalize_ops>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, pin_layout, infer_shapes, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'pin_layout' (3rd) may not run between 'infer_shapes' (2nd) and 'legalize_ops' (4th): move 'pin_layout' before 'infer_shapes', or move 'pin_layout' after 'legalize_ops'
using order = tn::pipeline<lift_lambdas, infer_shapes, pin_layout, legalize_ops>;
#endif
