// A plan begins with two phases: a pass stands where the second is meant.
#include "house.hpp"
#include <tenon/judge/plan.hpp>

using namespace house;

#ifdef TENON_TWIN
using order = tn::arrange<front, graph, lift_lambdas, infer_shapes>;
#else
// CHECK: tenon-E034: 'lift_lambdas' is a pass, and stands where a phase is meant: write arrange<From, To, passes...>
using order = tn::arrange<front, lift_lambdas, infer_shapes>;
#endif
