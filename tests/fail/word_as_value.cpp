// A word of a pass that stands for a list, said as a flag: it would say nothing, and ops with effects would be merged
// unasked.
#include "house.hpp"

using namespace house;

struct deduplicate {
  static constexpr tn::fixed_string name = "deduplicate";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using merges = tn::effects<>;
#else
  static constexpr bool merges = true;
#endif
};
// CHECK: tenon-E008: pass 'deduplicate' has a member 'merges', which means nothing to the judge: write 'using merges = effects<...>'
using order = tn::pipeline<lift_lambdas, deduplicate>;
