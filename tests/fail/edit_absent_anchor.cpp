// An edit names a pass that the pipeline does not have.
#include "house.hpp"

using namespace house;
using common = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code>;

#ifdef TENON_TWIN
using order = common::edit<tn::append<schedule>>;
#else
// CHECK: tenon-E023: an edit names pass 'schedule', which is not in this pipeline: name a pass that is, or 'append' to it
using order = common::edit<tn::insert_after<schedule, fold_constants>>;
#endif
