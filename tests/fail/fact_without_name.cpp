// A fact is known by its name.
#include "house.hpp"

using namespace house;

struct folded {
#ifdef TENON_TWIN
  static constexpr tn::fixed_string name = "folded";
#endif
};
struct fold {
  static constexpr tn::fixed_string name = "fold";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<folded>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E008: pass 'fold' names 'folded' as a fact, which has no name here: define it before, with 'static constexpr tenon::fixed_string name = "..."'
using order = tn::pipeline<lift_lambdas, fold>;
