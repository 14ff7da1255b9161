// A pass breaks a fact that a later one needs.
#include "house.hpp"

using namespace house;

struct relayout {
  static constexpr tn::fixed_string name = "relayout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes_known>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, relayout, infer_shapes, legalize_ops, to_code>;
#else
// CHECK: tenon-E003: pass 'legalize_ops' (4th) needs 'shapes_known', which pass 'relayout' (3rd) breaks after 'infer_shapes' (2nd) gave it: move 'relayout' before 'infer_shapes', or move 'legalize_ops' before 'relayout'
using order = tn::pipeline<lift_lambdas, infer_shapes, relayout, legalize_ops, to_code>;
#endif
