// A pass that eliminates an op leaves none of it; so it does not emit it.
#include "house.hpp"

using namespace house;

struct split_products {
  static constexpr tn::fixed_string name = "split_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using emits = tn::ops<add>;
#else
  using emits = tn::ops<add, mul>;
#endif
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
};
// CHECK: tenon-E035: pass 'split_products' eliminates op 'mul', and emits it: say what it 'emits' without it, or leave it out of 'eliminates'
using order = tn::pipeline<lift_lambdas, split_products>;
