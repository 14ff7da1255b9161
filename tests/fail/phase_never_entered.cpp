// A pass of a phase that the pipeline never enters.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants>;
#else
// CHECK: tenon-E001: pass 'schedule' (3rd) runs in phase 'code', but the module is in 'graph' since 'lift_lambdas' (1st): no place in this pipeline would do
using order = tn::pipeline<lift_lambdas, infer_shapes, schedule>;
#endif
