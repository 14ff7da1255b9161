/// @file random_net: a phase with a random op, whoever lowers it and whoever runs ops again, for the fail tests of copies.
#pragma once

#include "house.hpp"

namespace random_net {
namespace tn = tenon;

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

}  // namespace random_net
