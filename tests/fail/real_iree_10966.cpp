// iree-org/iree #10966: producers are cloned into dispatch regions, and eliminating common subexpressions before the regions become
// functions takes them out again: "the only way is to make the op isolated from above". One that goes region by region may run.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct insert_slice;
struct dispatch_region {
  using region_keeps = tn::any_effects;
};
struct dispatch_workgroups;
struct flow {
  static constexpr tn::fixed_string name = "flow";
  using op_list = tn::ops<insert_slice, dispatch_region, dispatch_workgroups>;
};
struct clone_producers {
  static constexpr tn::fixed_string name = "clone_producers";
  using runs_in = flow;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::effects<>;
  using works_on = tn::ops<dispatch_region>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct cse {
  static constexpr tn::fixed_string name = "cse";
  using runs_in = flow;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<>;
#ifdef TENON_TWIN
  using keeps_inside = tn::any_effects;
#endif
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
// CHECK: tenon-E045: pass 'cse' (2nd) may take ops out of a region of 'dispatch_region', which keeps what stands in it, and phase 'flow' lists it: say 'using keeps_inside = tenon::any_effects' if ops stay in the regions where they stand, or, if modules come without 'dispatch_region', let the phase say so: 'using begins_with = tenon::facts<...>' of a fact with 'absent_ops'
using order = tn::pipeline<clone_producers, cse>;
