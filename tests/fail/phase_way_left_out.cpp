// The pass that leads to a phase is not there; who does is known from `ways_into`.
// alone: what it specializes is for a type of house.hpp
#include "house.hpp"

template <>
struct tenon::ways_into<house::code> {
  using type = tenon::pass_list<house::to_code>;
};
using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_code, schedule>;
#else
// CHECK: tenon-E001: pass 'schedule' (4th) runs in phase 'code', but the module is in 'graph' since 'lift_lambdas' (1st): insert 'to_code' before 'schedule'
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, schedule>;
#endif
