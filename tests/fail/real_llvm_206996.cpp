// llvm/llvm-project #206996: an alias analysis was cached, counters were put into bodies, and functions were inferred
// to touch no memory. What follows from bodies is true of all ops together.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct load;
struct store;
struct counter;
struct globals_aa {
  static constexpr tn::fixed_string name = "globals_aa";
  using of_all = tn::any_ops;
};
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<call, load, store, counter>;
};
struct require_globals_aa {
  static constexpr tn::fixed_string name = "require_globals_aa";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using gives = tn::facts<globals_aa>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct pgo_instrument {
  static constexpr tn::fixed_string name = "pgo_instrument";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<counter>;
};
struct function_attrs {
  static constexpr tn::fixed_string name = "function_attrs";
  using runs_in = llvm;
  using needs = tn::facts<globals_aa>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<pgo_instrument, require_globals_aa, function_attrs>;
#else
// CHECK: tenon-E003: pass 'function_attrs' (3rd) needs 'globals_aa', which pass 'pgo_instrument' (2nd) breaks, since it emits 'counter', after 'require_globals_aa' (1st) gave it: move 'pgo_instrument' before 'require_globals_aa', or move 'function_attrs' before 'pgo_instrument'
using order = tn::pipeline<require_globals_aa, pgo_instrument, function_attrs>;
#endif
