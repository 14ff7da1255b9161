// No graph has random ops until a pass puts some in; and whoever runs ops again comes behind it.
#include "random_net.hpp"

using namespace random_net;

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
#ifdef TENON_TWIN
using order = tn::pipeline<clear, rematerialize, regularize>;
#else
// CHECK: tenon-E043: pass 'rematerialize' (3rd) may run 'dropout' again, whose effect 'random' does not allow that, and pass 'regularize' (2nd) emits it: move 'rematerialize' before 'regularize', or
using order = tn::pipeline<clear, regularize, rematerialize>;
#endif
