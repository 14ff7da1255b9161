// One function is to run on two targets.
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
using decoder = tn::unconstrained;
#else
using decoder = my_npu;
#endif
// CHECK: tenon-E074: function 'encoder' is constrained to 'cpu' (1st pin) and to 'npu' (3rd pin): leave one of them out, or let them agree
tn::pins<tn::pin<"encoder", my_cpu>, tn::pin<"decoder", my_npu>, tn::pin<"encoder", decoder>> p;
