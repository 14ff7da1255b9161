// Nobody is known to give the fact: the sentence says so, and offers nothing that was not judged.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants>;
#else
// CHECK: tenon-E002: pass 'fold_constants' (2nd) needs 'shapes_known', which no pass before it gives, nor any pass known to give it would: add one before it that 'gives' it
using order = tn::pipeline<lift_lambdas, fold_constants>;
#endif
