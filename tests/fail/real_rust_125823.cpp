// rust-lang/rust #125823: calls must not have critical edges when code is made of them. The pass that takes these apart
// is a part of lowering; what simplifies the graph of blocks, and runs on higher levels only, may make new ones.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct jump;
struct critical_edge;
struct instruction;
struct mir {
  static constexpr tn::fixed_string name = "mir";
  using op_list = tn::ops<call, jump, critical_edge>;
};
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<instruction>;
};
struct add_call_guards {
  static constexpr tn::fixed_string name = "add_call_guards";
  using runs_in = mir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<critical_edge>;
  using handles = eliminates;
  using emits = tn::ops<jump>;
};
struct simplify_cfg {
  static constexpr tn::fixed_string name = "simplify_cfg";
  using runs_in = mir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<jump, critical_edge>;
};
struct generate {
  static constexpr tn::fixed_string name = "generate";
  using from = mir;
  using to = llvm;
  using needs = tn::facts<>;
  using eliminates = tn::ops<call, jump>;
  using handles = eliminates;
  using emits = tn::ops<instruction>;
};
using when_optimized = tn::optional<simplify_cfg, tn::when<"optimize">>;
#ifdef TENON_TWIN
using order = tn::pipeline<when_optimized, add_call_guards, generate>;
#else
// CHECK: tenon-E025: when 'optimize' is on, pass 'generate' (3rd) enters phase 'llvm', which does not list 'critical_edge', and pass 'simplify_cfg' (2nd) may emit it after 'add_call_guards' (1st) eliminated it: move 'simplify_cfg' before 'add_call_guards', or run 'add_call_guards' again after it
using order = tn::pipeline<add_call_guards, when_optimized, generate>;
#endif
