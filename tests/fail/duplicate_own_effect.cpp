// An effect of a user: a channel between devices has one sender. What an effect does not say that it allows, it does not.
#include "house.hpp"

using namespace house;

struct channel {
  static constexpr tn::fixed_string name = "channel";
#ifdef TENON_TWIN
  static constexpr bool duplicable = true;
#endif
};
struct send {
  using effects = tn::effects<channel>;
};
struct spmd {
  static constexpr tn::fixed_string name = "spmd";
  using op_list = tn::ops<send>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = spmd;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using duplicates = tn::any_effects;
};
// CHECK: tenon-E043: pass 'unroll' (1st) may leave more than one of 'send', whose effect 'channel' does not allow that
using order = tn::pipeline<unroll>;
