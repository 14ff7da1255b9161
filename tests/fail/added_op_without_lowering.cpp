// A user's op in a pipeline: who must eliminate it has to be told how.
#include "house.hpp"

using namespace house;
using common = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, legalize_ops, to_code>;

struct my_softcap;
#ifdef TENON_TWIN
template <>
struct tenon::lower_with<legalize_ops, my_softcap> {};
#endif
// CHECK: tenon-E004: pass 'to_code' (5th) enters phase 'code', which does not list 'my_softcap', and no pass before it eliminates it: specialize tenon::lower_with<legalize_ops, my_softcap>
using order = common::with_ops<my_softcap>;
