// A pass finishes functions in a phase that does not say what functions hold which are there before their module.
#include "house.hpp"

using namespace house;

struct loop;
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<loop>;
#ifdef TENON_TWIN
  using early_ops = tn::ops<loop>;
#endif
};
template <>
inline constexpr bool tenon::callable_across<graph, machine> = true;
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
// CHECK: tenon-E033: pass 'make_kernels' makes functions in phase 'machine', where none can be before its module is: let the phase say 'early_ops', the ops that such functions may hold
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, make_kernels>;
