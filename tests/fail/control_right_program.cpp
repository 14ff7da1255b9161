// A control: the program that should be wrong is right, and the driver must say so.
#include "house.hpp"

using namespace house;

// CHECK: tenon-E003
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants>;
