// A pass finishes functions in a phase that those of its own phase may not call.
#include "house.hpp"

using namespace house;

struct loop;
struct machine {  // where kernels are finished
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<loop>;
  using early_ops = tn::ops<loop>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::callable_across<graph, machine> = true;
#endif
struct make_kernels {
  static constexpr tn::fixed_string name = "make_kernels";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
  using makes_functions_in = machine;
};
// CHECK: tenon-E032: pass 'make_kernels' makes functions in phase 'machine', which those of phase 'graph' may not call: add 'machine' to the 'calls_into' of 'graph', or specialize tenon::callable_across<graph, machine>
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, make_kernels>;
