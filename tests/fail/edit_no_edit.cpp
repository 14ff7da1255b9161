// A pass where an edit is meant.
#include "house.hpp"

using namespace house;
using common = tn::pipeline<lift_lambdas, infer_shapes>;

#ifdef TENON_TWIN
using order = common::edit<tn::append<fold_constants>>;
#else
// CHECK: tenon-E023: 'fold_constants' is no edit: write append, prepend, without, or with a pass of the pipeline insert_before, insert_after, replace
using order = common::edit<fold_constants>;
#endif
