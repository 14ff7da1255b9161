// No graph has random ops until a pass puts some in; and whoever runs ops again comes behind it.
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
struct clear {
  static constexpr tn::fixed_string name = "clear";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dropout>;
  using handles = tn::ops<dropout>;
  using emits = tn::ops<>;
};
struct regularize {
  static constexpr tn::fixed_string name = "regularize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dropout, relu>;
};
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::any_effects;
};
#ifdef TENON_TWIN
using order = tn::pipeline<clear, rematerialize, regularize>;
#else
// CHECK: tenon-E043: pass 'rematerialize' (3rd) may run 'dropout' again, whose effect 'random' does not allow that, and pass 'regularize' (2nd) emits it: move 'rematerialize' before 'regularize', or
using order = tn::pipeline<clear, regularize, rematerialize>;
#endif
