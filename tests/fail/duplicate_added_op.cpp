// An op that a pipeline adds, and whoever lowers it: the pass that runs ops again comes behind.
#include "house.hpp"

using namespace house;

struct draw {
  using effects = tn::effects<tn::effect::random>;
};
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::any_effects;
};
template <>
struct tenon::lower_with<legalize_ops, draw> {};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, rematerialize, to_code>::with_ops<draw>;
#else
// CHECK: tenon-E043: pass 'rematerialize' (3rd) may run 'draw' again, whose effect 'random' does not allow that
using order = tn::pipeline<lift_lambdas, infer_shapes, rematerialize, legalize_ops, to_code>::with_ops<draw>;
#endif
