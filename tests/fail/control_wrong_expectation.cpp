// A control: the expected line is wrong, and FileCheck must say so.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants>;
#else
// CHECK: tenon-E003: pass 'fold_constants' (2nd) needs 'shapes_known'
using order = tn::pipeline<lift_lambdas, fold_constants, infer_shapes>;
#endif
