// rust-lang/rust #70073: optimizations may see no generator whose control flow and variables were not lowered, and inlining brings some.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct yield;
struct switch_int;
struct assign;
struct mir {
  static constexpr tn::fixed_string name = "mir";
  using op_list = tn::ops<yield, switch_int, assign>;
};
struct no_yields {
  static constexpr tn::fixed_string name = "no_yields";
  using absent_ops = tn::ops<yield>;
};
struct const_prop {
  static constexpr tn::fixed_string name = "const_prop";
  using runs_in = mir;
  using needs = tn::facts<no_yields>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<assign>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct inline_calls {
  static constexpr tn::fixed_string name = "inline_calls";
  using runs_in = mir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<yield, switch_int, assign>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower_generators {
  static constexpr tn::fixed_string name = "lower_generators";
  using runs_in = mir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<yield>;
  using handles = eliminates;
  using emits = tn::ops<switch_int, assign>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<inline_calls, lower_generators, const_prop>;
#else
// CHECK: tenon-E003: pass 'const_prop' (3rd) needs 'no_yields', which pass 'inline_calls' (2nd) breaks after 'lower_generators' (1st) gave it: move 'inline_calls' before 'lower_generators'
using order = tn::pipeline<lower_generators, inline_calls, const_prop>;
#endif
