// The module goes past the phase in which a pass left functions: nobody brings these on, and nobody there may call them.
#include "house.hpp"

using namespace house;

struct loop;
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<kernel_call, loop>;
  using early_ops = tn::ops<loop>;
};
template <>
inline constexpr bool tenon::callable_across<graph, machine> = true;

struct make_kernels {
  static constexpr tn::fixed_string name = "make_kernels";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
  using makes_functions_in = machine;
};
struct to_machine {
  static constexpr tn::fixed_string name = "to_machine";
  using from = graph;
  using to = machine;
  using needs = tn::facts<ops_legalized>;
  using emits = tn::ops<>;
};
struct machine_to_code {
  static constexpr tn::fixed_string name = "machine_to_code";
  using from = machine;
  using to = code;
  using needs = tn::facts<>;
  using eliminates = tn::ops<loop>;
  using handles = tn::ops<loop>;
  using emits = tn::ops<jump>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<lift_lambdas, make_kernels, to_machine, machine_to_code>;
#else
// CHECK: tenon-E032: pass 'to_code' (3rd) takes the module to phase 'code', whose functions may not call those that 'make_kernels' (2nd) left in phase 'machine': enter 'machine' on the way, add 'machine' to the 'calls_into' of 'code', or specialize tenon::callable_across<code, machine>
using pipeline = tn::pipeline<lift_lambdas, make_kernels, to_code>;
#endif
