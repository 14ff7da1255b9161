// A pass that duplicates ops without effects answers for the others that its phase has.
#include "random_net.hpp"

using namespace house;

using random_net::net;
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::effects<>;
#ifdef TENON_TWIN
  using leaves = tn::effects<tn::effect::random>;
#endif
};
// CHECK: tenon-E016: pass 'rematerialize' duplicates or recomputes ops, and does not say how it treats the effect 'random' of phase 'net': add it to its 'duplicates', 'recomputes' or 'leaves', or specialize tenon::treats<rematerialize, effect>
using order = tn::pipeline<rematerialize>;
