// What passes that are repeated need is needed of the order that they stand in.
#include "house.hpp"
#include <tenon/compile/repeat.hpp>

using namespace house;

struct simplify {
  static constexpr tn::fixed_string name = "simplify";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, tn::repeat<simplify, fold_constants>>;
#else
// CHECK: tenon-E002: pass 'repeat(simplify+fold_constants)' (2nd) needs 'shapes_known', which no pass before it gives: move 'infer_shapes' before 'repeat(simplify+fold_constants)', or move 'repeat(simplify+fold_constants)' after 'infer_shapes'
using order = tn::pipeline<lift_lambdas, tn::repeat<simplify, fold_constants>, infer_shapes>;
#endif
