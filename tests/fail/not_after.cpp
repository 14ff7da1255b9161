// A pass runs after one behind which it may not run any more.
#include "house.hpp"

using namespace house;

struct pin_layout {
  static constexpr tn::fixed_string name = "pin_layout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using not_after = infer_shapes;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, pin_layout, infer_shapes>;
#else
// CHECK: tenon-E019: pass 'pin_layout' (3rd) may not run after 'infer_shapes' (2nd): move 'pin_layout' before 'infer_shapes'
using order = tn::pipeline<lift_lambdas, infer_shapes, pin_layout>;
#endif
