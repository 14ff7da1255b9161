// A pass that may run once runs twice.
#include "house.hpp"

using namespace house;

struct number_layers {
  static constexpr tn::fixed_string name = "number_layers";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  static constexpr bool at_most_once = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, number_layers, infer_shapes, fold_constants>;
#else
// CHECK: tenon-E015: pass 'number_layers' (4th) may run at most once, and ran before (2nd): drop 'number_layers'
using order = tn::pipeline<lift_lambdas, number_layers, infer_shapes, number_layers>;
#endif
