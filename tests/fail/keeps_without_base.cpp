// A pass says that it keeps a fact that rests on one that it breaks. llvm/llvm-project #76696: passes that change phi nodes said that they
// preserve the uniformity of values, and did not preserve the cycles that it is computed from.
#include "house.hpp"

using namespace house;

struct cycles_known {
  static constexpr tn::fixed_string name = "cycles_known";
};
struct uniformity_known {
  static constexpr tn::fixed_string name = "uniformity_known";
  using rests_on = tn::facts<cycles_known>;
};
struct rewrite_undefined {
  static constexpr tn::fixed_string name = "rewrite_undefined";
  using runs_in = graph;
  using needs = tn::facts<uniformity_known>;
#ifdef TENON_TWIN
  using keeps = tn::facts<>;
#else
  using keeps = tn::facts<uniformity_known>;
#endif
  using emits = tn::ops<add>;
};
// CHECK: tenon-E017: pass 'rewrite_undefined' says that it keeps 'uniformity_known', which rests on 'cycles_known', and neither keeps nor gives that: do so, or do not list 'uniformity_known' in 'keeps'
static_assert(tn::sound_pass<rewrite_undefined>);
