// Two constraints meet, and neither is weaker than the other.
#include "house.hpp"
#include <tenon/compile/constrain.hpp>

using namespace house;

struct my_cpu {
  static constexpr tn::fixed_string name = "cpu";
};
struct my_npu {
  static constexpr tn::fixed_string name = "npu";
};
#ifdef TENON_TWIN
using other = my_cpu;
#else
using other = my_npu;
#endif
// CHECK: tenon-E074: one thing is constrained to 'cpu' and to 'npu': leave one of them out, or let them agree
tn::join_t<my_cpu, other> j;
