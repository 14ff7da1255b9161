// Both lists are said: what of a fact that is in neither?
#include "house.hpp"

using namespace house;

struct reorder {
  static constexpr tn::fixed_string name = "reorder";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::facts<shapes_known>;
#ifndef TENON_TWIN
  using breaks = tn::facts<ops_legalized>;
#endif
  using emits = tn::ops<>;
};
// CHECK: tenon-E007: pass 'reorder' says both 'breaks' and 'keeps': say 'breaks' (the rest is kept) or 'keeps' (the rest is broken)
using order = tn::pipeline<lift_lambdas, reorder>;
