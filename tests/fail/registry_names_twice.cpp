// Two passes with one name in a registry: a text that names one would always get the first.
#include <tenon/judge/order.hpp>

#include "house.hpp"

using namespace house;

struct fold : fold_constants {
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct fold_more : fold {
#ifdef TENON_TWIN
  static constexpr tn::fixed_string name = "fold_more";
#endif
};
// CHECK: tenon-E009: two passes of a registry have one name, so that text finds the first only: rename one of them
const tn::registry& known = tn::registry_of<tn::pass_list<fold, fold_more>>;
