// A control: the twin is wrong too, and the driver must say so.
#include "house.hpp"

using namespace house;

// CHECK: tenon-E002
using order = tn::pipeline<lift_lambdas, fold_constants, infer_shapes>;
