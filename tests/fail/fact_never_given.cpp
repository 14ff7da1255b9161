// A pass before the one that gives what it needs.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code>;
#else
// CHECK: tenon-E002: pass 'fold_constants' (2nd) needs 'shapes_known', which no pass before it gives: move 'infer_shapes' before 'fold_constants', or move 'fold_constants' after 'infer_shapes'
using order = tn::pipeline<lift_lambdas, fold_constants, infer_shapes, legalize_ops, to_code>;
#endif
