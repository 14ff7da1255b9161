// A pass whose header is not included is only declared: nothing is known of it.
#include "house.hpp"

using namespace house;

struct quantize;
#ifdef TENON_TWIN
struct quantize {
  static constexpr tn::fixed_string name = "quantize";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#endif
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, quantize, legalize_ops, to_code>;  // CHECK: tenon-E018: pass 'quantize' is only declared where the pipeline is named: include the header that defines it before that
