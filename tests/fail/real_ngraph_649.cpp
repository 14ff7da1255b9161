// NervanaSystems/ngraph #649: ops were eliminated behind the analysis of which tensor lives how long. It is true of all ops together.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct get_output;
struct add;
struct call;
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<get_output, add, call>;
};
struct liveness_known {
  static constexpr tn::fixed_string name = "liveness_known";
  using of_all = tn::any_ops;
};
struct analyze_liveness {
  static constexpr tn::fixed_string name = "analyze_liveness";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<liveness_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct eliminate_get_outputs {
  static constexpr tn::fixed_string name = "eliminate_get_outputs";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<get_output>;
  using handles = eliminates;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct assign_memory {
  static constexpr tn::fixed_string name = "assign_memory";
  using runs_in = graph;
  using needs = tn::facts<liveness_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<eliminate_get_outputs, analyze_liveness, assign_memory>;
#else
// CHECK: tenon-E003: pass 'assign_memory' (3rd) needs 'liveness_known', which pass 'eliminate_get_outputs' (2nd) breaks, since it eliminates 'get_output', after 'analyze_liveness' (1st) gave it: move 'eliminate_get_outputs' before 'analyze_liveness'
using order = tn::pipeline<analyze_liveness, eliminate_get_outputs, assign_memory>;
#endif
