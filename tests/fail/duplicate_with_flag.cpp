// Whoever lowers the random ops is optional: without it they run again.
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
using order = tn::pipeline<lower_dropout, tn::optional<rematerialize, tn::when<"recompute">>>;
#else
// CHECK: tenon-E025: when 'inference' is off, pass 'rematerialize' (2nd) may run 'dropout' again, whose effect 'random' does not allow that
using order = tn::pipeline<tn::optional<lower_dropout, tn::when<"inference">>, rematerialize>;
#endif
