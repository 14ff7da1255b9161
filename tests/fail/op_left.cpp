// Ops that the next phase does not list are still there.
#include "house.hpp"

using namespace house;

struct leave_graph {
  static constexpr tn::fixed_string name = "leave_graph";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, leave_graph>;
#else
// CHECK: tenon-E004: pass 'leave_graph' (3rd) enters phase 'code', which does not list 'add' and 'mul', and no pass before it eliminates them: put a pass before it that 'eliminates' them, or let 'leave_graph' eliminate them itself
using order = tn::pipeline<lift_lambdas, infer_shapes, leave_graph>;
#endif
