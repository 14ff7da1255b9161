// A transition under a flag: what follows would run in either of two phases, unless another one leads there too.
#include "house.hpp"

using namespace house;

struct to_code_slowly : to_code {
  static constexpr tn::fixed_string name = "to_code_slowly";
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, tn::optional<to_code, tn::when<"fast">>,
                           tn::optional<to_code_slowly, tn::unless<"fast">>, schedule>;
#else
// CHECK: tenon-E025: when 'fast' is off, pass 'schedule' (5th) runs in phase 'code', but the module is in 'graph' since 'lift_lambdas' (1st): run 'to_code' always
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, tn::optional<to_code, tn::when<"fast">>, schedule>;
#endif
