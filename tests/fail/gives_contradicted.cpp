// A pass says that it gives a fact that what it emits contradicts.
#include "house.hpp"

using namespace house;

struct half_legalize {
  static constexpr tn::fixed_string name = "half_legalize";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<ops_legalized>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using emits = tn::ops<kernel_call>;
#endif
};
// CHECK: tenon-E021: pass 'half_legalize' says that it gives 'ops_legalized', but it may emit 'add' and 'mul': name what it 'emits' without them, or do not list 'ops_legalized' in 'gives'
using order = tn::pipeline<lift_lambdas, half_legalize>;
