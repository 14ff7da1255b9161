// A pass may not run after an optional one any more: the order is wrong when the flag is on.
#include "house.hpp"

using namespace house;

struct pin_layout {
  static constexpr tn::fixed_string name = "pin_layout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using not_after = infer_shapes;
};
using infer = tn::optional<infer_shapes, tn::when<"infer">>;
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, pin_layout, infer>;
#else
// CHECK: tenon-E025: when 'infer' is on, pass 'pin_layout' (3rd) may not run after 'infer_shapes' (2nd): move 'pin_layout' before 'infer_shapes'
using order = tn::pipeline<lift_lambdas, infer, pin_layout>;
#endif
