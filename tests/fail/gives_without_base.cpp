// A pass gives a fact that rests on one that it breaks.
#include "house.hpp"

using namespace house;

struct cycles_known {
  static constexpr tn::fixed_string name = "cycles_known";
};
struct uniformity_known {
  static constexpr tn::fixed_string name = "uniformity_known";
  using rests_on = tn::facts<cycles_known>;
};
struct find_uniformity {
  static constexpr tn::fixed_string name = "find_uniformity";
  using runs_in = graph;
  using needs = tn::facts<cycles_known>;
  using gives = tn::facts<uniformity_known>;
#ifdef TENON_TWIN
  using keeps = tn::all_facts;
#endif
  using emits = tn::ops<>;
};
// CHECK: tenon-E021: pass 'find_uniformity' says that it gives 'uniformity_known', which rests on 'cycles_known', and neither keeps nor gives that: do so, or do not list 'uniformity_known' in 'gives'
static_assert(tn::sound_pass<find_uniformity>);
