// An analysis by hand rests on a fact that this module's type does not know, and that nothing can prove.
#include <tenon/compile/analysis.hpp>

#include "house.hpp"

using namespace house;

struct extents_summed {
  static constexpr tn::fixed_string name = "extents_summed";
  using rests_on = tn::facts<shapes_known>;
  static int compute(const tn::ir::module&) { return 0; }
};
#ifdef TENON_TWIN
using module = tn::ir_module<graph, shapes_known>;
#else
using module = tn::ir_module<graph>;
#endif
int f(const module& m, tn::context& cx) {
  // CHECK: tenon-E044: 'extents_summed' rests on 'shapes_known', which is not known of this module, and has no checker: run a pass that gives it first, and do not edit() in between
  return cx.analysis<extents_summed>(m);
}
