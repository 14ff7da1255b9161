// iree-org/iree #20534: barriers are eliminated by a pass that reads structured loops, so it has to run before they become
// branches. The phase lists branches, and modules come to it without: it begins with that fact, or nobody could rely on it.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct loop;
struct branch;
struct structured {
  static constexpr tn::fixed_string name = "structured";
  using absent_ops = tn::ops<branch>;
};
struct kernels {
  static constexpr tn::fixed_string name = "kernels";
  using op_list = tn::ops<loop, branch>;
#ifdef TENON_TWIN
  using begins_with = tn::facts<structured>;
#endif
};
struct lower_loops {
  static constexpr tn::fixed_string name = "lower_loops";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<loop>;
  using handles = tn::ops<loop>;
  using emits = tn::ops<branch>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct eliminate_barriers {
  static constexpr tn::fixed_string name = "eliminate_barriers";
  using runs_in = kernels;
  using needs = tn::facts<structured>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
// CHECK: tenon-E002: pass 'eliminate_barriers' (1st) needs 'structured', which no pass before it gives, since the module may hold 'branch': run a pass before it that eliminates it, or let the phase say 'using begins_with = tenon::facts<structured>'
using order = tn::pipeline<eliminate_barriers, lower_loops>;
