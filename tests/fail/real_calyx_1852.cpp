// calyxir/calyx #1852 (#1909): calls were given the latency of what they call, and then a pass made that shorter.
// Latencies are what functions say of themselves; that calls agree with them is true of functions together.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct invoke;
struct static_invoke;
struct seq;
struct static_seq;
struct static_par;
struct fsm;
struct control {
  static constexpr tn::fixed_string name = "control";
  using op_list = tn::ops<invoke, static_invoke, seq, static_seq, static_par>;
};
struct fsms {
  static constexpr tn::fixed_string name = "fsms";
  using op_list = tn::ops<fsm>;
};
struct latencies_agree {
  static constexpr tn::fixed_string name = "latencies_agree";
  using of_all = tn::any_functions;
};
struct static_promotion {
  static constexpr tn::fixed_string name = "static_promotion";
  using runs_in = control;
  using needs = tn::facts<>;
  using gives = tn::facts<latencies_agree>;
  using keeps = tn::all_facts;
  using emits = tn::ops<static_invoke, static_seq>;
  static constexpr bool changes_functions = true;
};
struct schedule_compaction {
  static constexpr tn::fixed_string name = "schedule_compaction";
  using runs_in = control;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<static_par>;
  using works_on = tn::ops<static_seq, seq>;
  static constexpr bool changes_functions = true;
};
struct compile_static {
  static constexpr tn::fixed_string name = "compile_static";
  using from = control;
  using to = fsms;
  using needs = tn::facts<latencies_agree>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<invoke, static_invoke, seq, static_seq, static_par>;
  using handles = eliminates;
  using emits = tn::ops<fsm>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<schedule_compaction, static_promotion, compile_static>;
#else
// CHECK: tenon-E003: pass 'compile_static' (3rd) needs 'latencies_agree', which pass 'schedule_compaction' (2nd) breaks, since it changes functions, after 'static_promotion' (1st) gave it: move 'schedule_compaction' before 'static_promotion', or run 'static_promotion' again after it
using order = tn::pipeline<static_promotion, schedule_compaction, compile_static>;
#endif
