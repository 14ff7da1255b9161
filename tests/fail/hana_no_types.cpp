// What is computed of a list and holds no types is no pipeline.
// needs: hana
#include <tenon/hana.hpp>

#include "house.hpp"

using namespace house;
namespace hana = boost::hana;
constexpr auto passes = tn::pass_list<lift_lambdas, infer_shapes>{};
constexpr auto named = [](auto p) { return hana::make_pair(p, hana::size_c<decltype(p)::type::name.size()>); };

#ifdef TENON_TWIN
using order = decltype(tn::as_pipeline(hana::transform(hana::transform(passes, named), hana::first)));
#else
// CHECK: tenon-E018: a pipeline is made of passes, and an element of this sequence is no type: write 'hana::type_c<pass>' for a pass
using order = decltype(tn::as_pipeline(hana::transform(passes, named)));
#endif
