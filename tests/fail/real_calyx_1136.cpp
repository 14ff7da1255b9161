// calyxir/calyx #1136: groups became invocations, and passes that merge groups found few. One pass takes invocations
// apart again, into groups: behind it both are found, so the pass that merges goes there.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct group;
struct invoke;
struct par;
struct calyx {
  static constexpr tn::fixed_string name = "calyx";
  using op_list = tn::ops<group, invoke, par>;
};
struct group_to_invoke {
  static constexpr tn::fixed_string name = "group_to_invoke";
  using runs_in = calyx;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<invoke>;
  using deletes = tn::effects<>;
};
struct merge_static_par {
  static constexpr tn::fixed_string name = "merge_static_par";
  using runs_in = calyx;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<group>;
  using works_on = tn::ops<group>;
  using merges = tn::effects<>;
  using not_after = tn::emitter_of<invoke>;
};
struct compile_invoke {
  static constexpr tn::fixed_string name = "compile_invoke";
  using runs_in = calyx;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<invoke>;
  using handles = eliminates;
  using emits = tn::ops<group>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<group_to_invoke, compile_invoke, merge_static_par>;
#else
// CHECK: tenon-E019: pass 'merge_static_par' (2nd) may not run after 'group_to_invoke' (1st), which emits 'invoke': move 'merge_static_par' after 'compile_invoke', or move 'merge_static_par' before 'group_to_invoke'
using order = tn::pipeline<group_to_invoke, merge_static_par, compile_invoke>;
#endif
