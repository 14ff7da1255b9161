// The planner finds no order, and says how far it came.
#include "house.hpp"
#include <tenon/judge/plan.hpp>

using namespace house;

#ifdef TENON_TWIN
using order = tn::arrange<front, code, to_code, legalize_ops, fold_constants, infer_shapes, lift_lambdas>;
#else
// CHECK: tenon-E027: no order of these passes leads from phase 'front' to phase 'code': after 'lift_lambdas', pass 'fold_constants' still needs 'shapes_known', and none of them gives it: add a pass that does
using order = tn::arrange<front, code, to_code, fold_constants, legalize_ops, lift_lambdas>;
#endif
