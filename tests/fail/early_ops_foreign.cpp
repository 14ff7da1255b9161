// What functions may hold before their module is there, the phase holds when it is: its own list says so.
#include "house.hpp"

using namespace house;

struct loop;
struct machine {
  static constexpr tn::fixed_string name = "machine";
#ifdef TENON_TWIN
  using op_list = tn::ops<kernel_call, loop>;
#else
  using op_list = tn::ops<kernel_call>;
#endif
  using early_ops = tn::ops<loop>;
};
template <>
inline constexpr bool tenon::callable_across<graph, machine> = true;
struct make_kernels {
  static constexpr tn::fixed_string name = "make_kernels";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel_call>;
  using makes_functions_in = machine;
};
// CHECK: tenon-E033: pass 'make_kernels' makes functions ahead of the module, and functions that are in phase 'machine' before their module may hold 'loop', which the phase does not list: leave it out of its 'early_ops', or add it to its 'op_list'
using pipeline = tn::pipeline<lift_lambdas, make_kernels>;
