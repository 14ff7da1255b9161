// A pass that may not run while another one is still to come: an interval that is open from the start.
#include "house.hpp"

using namespace house;

struct pin_layout {
  static constexpr tn::fixed_string name = "pin_layout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using not_before = legalize_ops;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, pin_layout>;
#else
using order = tn::pipeline<lift_lambdas, pin_layout, infer_shapes, legalize_ops>;  // CHECK: tenon-E019: pass 'pin_layout' (2nd) may not run before 'legalize_ops' (4th): move 'pin_layout' after 'legalize_ops'
#endif
