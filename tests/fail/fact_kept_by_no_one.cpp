// A pass that says neither breaks nor keeps breaks every fact.
#include "house.hpp"

using namespace house;

struct careless {
  static constexpr tn::fixed_string name = "careless";
  using runs_in = graph;
  using needs = tn::facts<>;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using keeps = tn::all_facts;
#endif
};
// CHECK: tenon-E003: pass 'legalize_ops' (4th) needs 'shapes_known', which pass 'careless' (3rd) breaks after 'infer_shapes' (2nd) gave it: move 'careless' before 'infer_shapes', or move 'legalize_ops' before 'careless'
using order = tn::pipeline<lift_lambdas, infer_shapes, careless, legalize_ops, to_code>;
