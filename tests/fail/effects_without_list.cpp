// An effect where a list of effects is meant.
#include "house.hpp"

using namespace house;

struct clean {
  static constexpr tn::fixed_string name = "clean";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using deletes = tn::effects<tn::effect::writes>;
#else
  using deletes = tn::effect::writes;
#endif
  using emits = tn::ops<>;
};
// CHECK: tenon-E018: pass 'clean' says what it 'deletes' without a list: write 'using deletes = tenon::effects<...>'
using order = tn::pipeline<lift_lambdas, clean>;
