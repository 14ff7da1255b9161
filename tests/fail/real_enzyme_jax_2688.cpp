// EnzymeAD/Enzyme-JAX #2688: functions that nobody calls were removed in front of the pass that outlines kernels, and what this left
// behind was lowered, too. Which functions there are is a fact of all of them: who adds some ends it.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct launch;
struct launch_func;
struct gpu {
  static constexpr tn::fixed_string name = "gpu";
  using op_list = tn::ops<call, launch, launch_func>;
};
struct no_dead_functions {
  static constexpr tn::fixed_string name = "no_dead_functions";
  using of_all = tn::any_functions;
};
struct eliminate_dead_functions {
  static constexpr tn::fixed_string name = "eliminate_dead_functions";
  using runs_in = gpu;
  using needs = tn::facts<>;
  using gives = tn::facts<no_dead_functions>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool removes_functions = true;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct outline_kernels {
  static constexpr tn::fixed_string name = "outline_kernels";
  using runs_in = gpu;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<launch>;
  using handles = eliminates;
  using emits = tn::ops<launch_func>;
  static constexpr bool adds_functions = true;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower_modules {
  static constexpr tn::fixed_string name = "lower_modules";
  using runs_in = gpu;
  using needs = tn::facts<no_dead_functions>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<outline_kernels, eliminate_dead_functions, lower_modules>;
#else
// CHECK: tenon-E003: pass 'lower_modules' (3rd) needs 'no_dead_functions', which pass 'outline_kernels' (2nd) breaks, since it adds functions, after 'eliminate_dead_functions' (1st) gave it: move 'outline_kernels' before 'eliminate_dead_functions', or move 'lower_modules' before 'outline_kernels'
using order = tn::pipeline<eliminate_dead_functions, outline_kernels, lower_modules>;
#endif
