// Passes that are repeated undo each other: they would never come to rest.
#include "house.hpp"
#include <tenon/compile/repeat.hpp>

using namespace house;

struct expand_products {
  static constexpr tn::fixed_string name = "expand_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct collect_sums {
  static constexpr tn::fixed_string name = "collect_sums";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using emits = tn::ops<>;
#else
  using emits = tn::ops<mul>;
#endif
  using eliminates = tn::ops<add>;
  using handles = tn::ops<add>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
// CHECK: tenon-E039: a repeat may never come to rest: pass 'expand_products' emits 'add', which 'collect_sums' eliminates, and 'collect_sums' emits 'mul', which 'expand_products' eliminates: leave one of them out, or let it run once, in front of the repeat
using order = tn::pipeline<lift_lambdas, tn::repeat<expand_products, collect_sums>>;
