// Ops that were eliminated are made again before the transition.
#include "house.hpp"

using namespace house;

struct leave_graph {
  static constexpr tn::fixed_string name = "leave_graph";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, unroll, legalize_ops, leave_graph>;
#else
// CHECK: tenon-E004: pass 'leave_graph' (5th) enters phase 'code', which does not list 'add', and pass 'unroll' (4th) may emit it after 'legalize_ops' (3rd) eliminated it: move 'unroll' before 'legalize_ops', or run 'legalize_ops' again after it
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, unroll, leave_graph>;
#endif
