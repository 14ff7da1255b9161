// An op-set fact whose set nobody would read: it would hold because a pass says so, whatever ops are left.
#include "house.hpp"

using namespace house;

struct no_closures {
  static constexpr tn::fixed_string name = "no_closures";
#ifdef TENON_TWIN
  using absent_ops = tn::ops<closure>;
#else
  using absent_op = tn::ops<closure>;
#endif
};
struct count_ops {
  static constexpr tn::fixed_string name = "count_ops";
  using runs_in = graph;
  using needs = tn::facts<no_closures>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E008: pass 'count_ops' names fact 'no_closures', which has a member 'absent_op' that means nothing to the judge: write 'absent_ops'
using order = tn::pipeline<lift_lambdas, count_ops>;
