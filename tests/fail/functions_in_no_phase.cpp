// Functions are ahead in a phase, and this is an op.
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
  using emits = tn::ops<kernel_call>;
#ifdef TENON_TWIN
  using makes_functions_in = machine;
#else
  using makes_functions_in = loop;
#endif
};
// CHECK: tenon-E018: pass 'make_kernels' makes functions in a type that is no phase: a phase has a 'name' and an 'op_list'
using pipeline = tn::pipeline<lift_lambdas, make_kernels>;
