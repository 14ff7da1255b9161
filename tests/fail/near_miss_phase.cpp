// A phase whose effects nobody would read: passes that delete ops would not be asked how they treat them.
#include "house.hpp"

using namespace house;

struct memory {
  static constexpr tn::fixed_string name = "memory";
  using op_list = tn::ops<add, jump>;
#ifdef TENON_TWIN
  using op_effects = tn::effects<tn::effect::writes>;
#else
  using effects = tn::effects<tn::effect::writes>;
#endif
};
struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = memory;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<>;
  using leaves = tn::effects<tn::effect::writes>;
};
// CHECK: tenon-E008: pass 'eliminate_dead' runs in phase 'memory', which has a member 'effects' that means nothing to the judge: write 'op_effects'
using order = tn::pipeline<eliminate_dead>;
