// A pipeline that goes back to a phase it left.
#include "house.hpp"

using namespace house;

struct to_graph {
  static constexpr tn::fixed_string name = "to_graph";
  using from = code;
  using to = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<jump>;
  using handles = tn::ops<jump>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_code, schedule>;
#else
// CHECK: tenon-E011: the phases of a pipeline form a chain, and pass 'to_graph' (5th) takes the module back to 'graph', which it left by 'to_code' (4th): drop 'to_graph'
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_code, to_graph>;
#endif
