// The planner is asked for a fact that none of the passes gives.
#include "house.hpp"
#include <tenon/judge/plan.hpp>

using namespace house;

#ifdef TENON_TWIN
using order = tn::minimal<front, tn::goal<graph, tn::facts<shapes_known>>, fold_constants, infer_shapes, lift_lambdas>;
#else
// CHECK: tenon-E027: no order of these passes leads from phase 'front' to phase 'graph' with what is asked for: asked for is 'shapes_known', and none of them gives it: add a pass that does
using order = tn::minimal<front, tn::goal<graph, tn::facts<shapes_known>>, fold_constants, lift_lambdas>;
#endif
