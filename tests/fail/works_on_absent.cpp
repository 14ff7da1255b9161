// A pass for ops that its phase does not list.
#include "house.hpp"

using namespace house;

struct inline_closures {
  static constexpr tn::fixed_string name = "inline_closures";
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  using works_on = tn::ops<closure>;
#ifdef TENON_TWIN
  using runs_in = front;
#else
  using runs_in = graph;
#endif
};
// CHECK: tenon-E038: pass 'inline_closures' (2nd) works on 'closure', and pass 'lift_lambdas' (1st) leaves none of it: drop 'inline_closures'
#ifdef TENON_TWIN
using order = tn::pipeline<inline_closures, lift_lambdas>;
#else
using order = tn::pipeline<lift_lambdas, inline_closures, infer_shapes>;
#endif
