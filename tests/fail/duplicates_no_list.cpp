// What a pass duplicates is a list of effects.
#include "random_net.hpp"

using namespace house;

using random_net::net;
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using duplicates = tn::effects<tn::effect::random>;
#else
  using duplicates = tn::effect::random;
#endif
};
// CHECK: tenon-E018: pass 'unroll' says what it 'duplicates' or 'recomputes' without a list: write 'using duplicates = tenon::effects<...>', or tenon::any_effects
using order = tn::pipeline<unroll>;
