// A pass that must follow another one at once does not.
#include "house.hpp"

using namespace house;

struct clean_up {
  static constexpr tn::fixed_string name = "clean_up";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using immediately_after = legalize_ops;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, clean_up, to_code>;
#else
// CHECK: tenon-E020: pass 'clean_up' (3rd) must run immediately after 'legalize_ops', and it follows 'infer_shapes' (2nd): move 'clean_up' after 'legalize_ops'
using order = tn::pipeline<lift_lambdas, infer_shapes, clean_up, legalize_ops, to_code>;
#endif
