// What is put in as a list is judged as if it were written out.
#include "house.hpp"

using namespace house;

using first = tn::pipeline<lift_lambdas, infer_shapes>;
using last = tn::pass_list<legalize_ops, to_code>;

#ifdef TENON_TWIN
using order = first::edit<tn::append<fold_constants, last>>;
#else
// CHECK: tenon-E003: pass 'to_code' (5th) needs 'ops_legalized', which pass 'fold_constants' (4th) breaks after 'legalize_ops' (3rd)
using order = first::edit<tn::append<last>, tn::insert_after<legalize_ops, fold_constants>>;
#endif
