// Folding after legalizing makes ops that are not legal. Nobody had to remember to say so: it follows from `emits`.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code>;
#else
// CHECK: tenon-E003: pass 'to_code' (5th) needs 'ops_legalized', which pass 'fold_constants' (4th) breaks after 'legalize_ops' (3rd) gave it: move 'fold_constants' before 'legalize_ops', or run 'legalize_ops' again after it
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, fold_constants, to_code>;
#endif
