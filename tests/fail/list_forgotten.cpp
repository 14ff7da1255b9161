// A fact where a list of facts is meant: it would break nothing.
#include "house.hpp"

using namespace house;

struct rewrite {
  static constexpr tn::fixed_string name = "rewrite";
  using runs_in = graph;
  using needs = tn::facts<>;
#ifdef TENON_TWIN
  using breaks = tn::facts<shapes_known>;
#else
  using breaks = shapes_known;
#endif
  using emits = tn::ops<>;
};
// CHECK: tenon-E018: pass 'rewrite' says what it 'breaks' without a list: write 'using breaks = tenon::facts<...>', or tenon::all_facts
using order = tn::pipeline<lift_lambdas, infer_shapes, rewrite>;
