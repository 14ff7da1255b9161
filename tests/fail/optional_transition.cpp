// A transition cannot be optional: what follows would run in either of two phases.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_code>;
#else
// CHECK: tenon-E025: a pass that leads to another phase cannot be optional
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, tn::optional<to_code, tn::when<"lower">>>;
#endif
