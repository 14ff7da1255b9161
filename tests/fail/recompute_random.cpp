// Cheap ops run again instead of being kept, whatever they are: a dropout that runs again drops others.
#include "house.hpp"

using namespace house;

struct relu;
struct dropout {
  using effects = tn::effects<tn::effect::random>;
};
struct net {
  static constexpr tn::fixed_string name = "net";
  using op_list = tn::ops<relu, dropout>;
  using op_effects = tn::effects<tn::effect::random>;
};
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::any_effects;
};
struct lower_dropout {
  static constexpr tn::fixed_string name = "lower_dropout";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dropout>;
  using handles = tn::ops<dropout>;
  using emits = tn::ops<relu>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lower_dropout, rematerialize>;
#else
// CHECK: tenon-E043: pass 'rematerialize' (1st) may run 'dropout' again, whose effect 'random' does not allow that, and phase 'net' lists it: move 'rematerialize' after 'lower_dropout', or say 'using leaves = tenon::effects<random>' if the pass leaves such ops alone, or, if modules come without 'dropout', let the phase say so: 'using begins_with = tenon::facts<...>' of a fact with 'absent_ops'
using order = tn::pipeline<rematerialize, lower_dropout>;
#endif
