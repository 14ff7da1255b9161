// Surgery is judged at its end, on the line of the user.
#include "house.hpp"

using namespace house;
using common = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code>;

#ifdef TENON_TWIN
using order = common::edit<tn::without<fold_constants>, tn::insert_after<infer_shapes, fold_constants>>;
#else
// CHECK: tenon-E003: pass 'to_code' (5th) needs 'ops_legalized', which pass 'fold_constants' (4th) breaks after 'legalize_ops' (3rd) gave it: move 'fold_constants' before 'legalize_ops', or run 'legalize_ops' again after it
using order = common::edit<tn::without<fold_constants>, tn::insert_after<legalize_ops, fold_constants>>;
#endif
