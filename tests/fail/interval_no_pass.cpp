// A fact where a pass is meant: an interval that nothing would ever open.
#include "house.hpp"

using namespace house;

struct name_ops {
  static constexpr tn::fixed_string name = "name_ops";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using not_after = infer_shapes;
#else
  using not_after = shapes_known;
#endif
};
// CHECK: tenon-E018: pass 'name_ops' names what is no pass in 'not_between', 'not_after', 'not_before' or 'immediately_after': name passes there, or tenon::emitter_of<op>, or rewriter_of<op>, where an interval begins, or for 'not_before'
using order = tn::pipeline<lift_lambdas, name_ops, infer_shapes>;
