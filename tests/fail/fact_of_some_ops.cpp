// That ops are absent is said of modules: it follows from what passes eliminate, and they are not asked where.
#include "house.hpp"

using namespace house;

struct lowered {
  static constexpr tn::fixed_string name = "lowered";
#ifndef TENON_TWIN
  using absent_ops = tn::ops<add>;
#endif
};
struct lower_some {
  static constexpr tn::fixed_string name = "lower_some";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<tn::of_some<lowered>>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E008: pass 'lower_some' names fact 'lowered_of_some', which has a member 'of_some' that means nothing to the judge: write 'static void check(const ir::module&, function_id)' in that fact, beside its 'name'
using order = tn::pipeline<lower_some>;
