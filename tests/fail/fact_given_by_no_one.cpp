// The pass that gives the fact is not there; who gives it is known from `givers_of`.
// alone: what it specializes is for a type of house.hpp
#include "house.hpp"

template <>
struct tenon::givers_of<house::shapes_known> {
  using type = tenon::pass_list<house::infer_shapes>;
};
using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code>;
#else
// CHECK: tenon-E002: pass 'fold_constants' (2nd) needs 'shapes_known', which no pass before it gives: insert 'infer_shapes' before 'fold_constants'
using order = tn::pipeline<lift_lambdas, fold_constants, legalize_ops, to_code>;
#endif
