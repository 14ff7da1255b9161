// A pipeline computed as a value of Hana is judged where it is named.
// needs: hana
#include <tenon/hana.hpp>

#include "house.hpp"

using namespace house;
namespace hana = boost::hana;
constexpr auto passes = tn::pass_list<lift_lambdas, infer_shapes, legalize_ops, to_code>{};

#ifdef TENON_TWIN
using order = decltype(tn::as_pipeline(passes));
#else
// CHECK: tenon-E002: pass 'to_code' (3rd) needs 'ops_legalized'
using order = decltype(tn::as_pipeline(hana::remove(passes, hana::type_c<legalize_ops>)));
#endif
