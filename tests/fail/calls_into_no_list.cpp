// A phase says whom its functions call without a list: that says nothing, and advice to say it would not help.
#include "house.hpp"

using namespace house;

struct loop;
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<kernel_call, loop>;
  using early_ops = tn::ops<loop>;
};
struct graph_of_mine {
  static constexpr tn::fixed_string name = "graph_of_mine";
  using op_list = tn::ops<add, mul, kernel_call>;
#ifdef TENON_TWIN
  using calls_into = tn::phase_list<machine>;
#else
  using calls_into = machine;
#endif
};
struct make_kernels {
  static constexpr tn::fixed_string name = "make_kernels";
  using runs_in = graph_of_mine;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel_call>;
  using makes_functions_in = machine;
};
// CHECK: tenon-E008: pass 'make_kernels' runs in phase 'graph_of_mine', which has a member 'calls_into' that means nothing to the judge: write 'using calls_into = phase_list<...>'
using pipeline = tn::pipeline<make_kernels>;
