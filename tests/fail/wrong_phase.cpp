// A pass after the transition out of its phase.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code, schedule>;
#else
// CHECK: tenon-E001: pass 'fold_constants' (5th) runs in phase 'graph', but the module is in 'code' since 'to_code' (4th): move 'fold_constants' before 'legalize_ops'
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_code, fold_constants, schedule>;
#endif
