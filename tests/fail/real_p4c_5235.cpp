// p4lang/p4c #5235: a back end takes calls of external methods only where each stands in a statement of its own, and copy propagation
// puts those without effects back into expressions, once for each use. Where ops stand is true of all of them together.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct method_call;
struct assign {
  using effects = tn::effects<tn::effect::writes>;
};
struct p4 {
  static constexpr tn::fixed_string name = "p4";
  using op_list = tn::ops<method_call, assign>;
  using op_effects = tn::effects<tn::effect::writes>;
};
struct calls_stand_alone {
  static constexpr tn::fixed_string name = "calls_stand_alone";
  using of_all = tn::ops<method_call>;
};
struct simplify_extern_calls {
  static constexpr tn::fixed_string name = "simplify_extern_calls";
  using runs_in = p4;
  using needs = tn::facts<>;
  using gives = tn::facts<calls_stand_alone>;
  using keeps = tn::all_facts;
  using emits = tn::ops<assign>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct local_copy_propagation {
  static constexpr tn::fixed_string name = "local_copy_propagation";
  using runs_in = p4;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::effects<>;
  using leaves = tn::effects<tn::effect::writes>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct to_json {
  static constexpr tn::fixed_string name = "to_json";
  using runs_in = p4;
  using needs = tn::facts<calls_stand_alone>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<local_copy_propagation, simplify_extern_calls, to_json>;
#else
// CHECK: tenon-E003: pass 'to_json' (3rd) needs 'calls_stand_alone', which pass 'local_copy_propagation' (2nd) breaks, since it duplicates ops, after 'simplify_extern_calls' (1st) gave it: move 'local_copy_propagation' before 'simplify_extern_calls'
using order = tn::pipeline<simplify_extern_calls, local_copy_propagation, to_json>;
#endif
