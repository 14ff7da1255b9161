// A member whose name is nearly right would be ignored in silence.
#include "house.hpp"

using namespace house;

struct vectorize {
  static constexpr tn::fixed_string name = "vectorize";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using gives = tn::facts<shapes_known>;
#else
  using give = tn::facts<shapes_known>;
#endif
  using emits = tn::ops<>;
};
// CHECK: tenon-E008: pass 'vectorize' has a member 'give', which means nothing to the judge: write 'gives'
using order = tn::pipeline<lift_lambdas, vectorize, legalize_ops>;
