// openxla/xla #26554: rematerialization left computations that nobody calls, behind the pass that removes such, and
// later passes crashed on them.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct inst;
struct call;
struct thunk;
struct all_called {
  static constexpr tn::fixed_string name = "all_called";
  using of_all = tn::ops<call, tn::any_functions>;
};
struct hlo {
  static constexpr tn::fixed_string name = "hlo";
  using op_list = tn::ops<inst, call>;
};
struct thunks {
  static constexpr tn::fixed_string name = "thunks";
  using op_list = tn::ops<thunk>;
};
struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using gives = tn::facts<all_called>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<>;
  static constexpr bool removes_functions = true;
};
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::effects<>;
  using deletes = tn::effects<>;
  static constexpr bool adds_functions = true;
};
struct emit_thunks {
  static constexpr tn::fixed_string name = "emit_thunks";
  using from = hlo;
  using to = thunks;
  using needs = tn::facts<all_called>;
  using eliminates = tn::ops<inst, call>;
  using handles = eliminates;
  using emits = tn::ops<thunk>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<rematerialize, eliminate_dead, emit_thunks>;
#else
// CHECK: tenon-E003: pass 'emit_thunks' (3rd) needs 'all_called', which pass 'rematerialize' (2nd) breaks, since it adds functions, after 'eliminate_dead' (1st) gave it: move 'rematerialize' before 'eliminate_dead', or run 'eliminate_dead' again after it
using order = tn::pipeline<eliminate_dead, rematerialize, emit_thunks>;
#endif
