// An op that a pipeline adds has a region that is not for every op of its phases.
#include "house.hpp"

using namespace house;

struct pure_region {
  using region_allows = tn::ops<add, mul>;
};
struct call_kernels {
  static constexpr tn::fixed_string name = "call_kernels";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel_call>;
#ifdef TENON_TWIN
  using emits_outside = tn::ops<kernel_call>;
#endif
};
using order = tn::pipeline<call_kernels>;
// CHECK: tenon-E042: pass 'call_kernels' (1st) may emit 'kernel_call', which a region of 'pure_region' does not allow, and there may be one: phase 'graph' lists it: say 'using emits_outside = tenon::ops<kernel_call>' if it never puts it there
using with_region = order::with_ops<pure_region>;
