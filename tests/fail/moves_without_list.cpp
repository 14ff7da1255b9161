// "All effects" where a list of effects is meant; the word that says so is named.
#include "house.hpp"

using namespace house;

struct schedule_ops {
  static constexpr tn::fixed_string name = "schedule_ops";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using moves = tn::effects<tn::effect::reads>;
#else
  using moves = tn::any_effects;
#endif
};
// CHECK: tenon-E018: pass 'schedule_ops' says what it 'moves' without a list: write 'using moves = tenon::effects<...>'
using order = tn::pipeline<lift_lambdas, schedule_ops>;
