// One op is pinned to two targets.
#include "house.hpp"
#include <tenon/compile/constrain.hpp>

using namespace house;

struct my_cpu {
  static constexpr tn::fixed_string name = "cpu";
};
struct my_npu {
  static constexpr tn::fixed_string name = "npu";
};
struct beam_search {
  static constexpr tn::fixed_string name = "beam_search";
};
#ifdef TENON_TWIN
using home = my_npu;
#else
using home = my_cpu;
#endif
// CHECK: tenon-E074: op 'beam_search' is constrained to 'npu' (1st pin) and to 'cpu' (3rd pin): leave one of them out, or let them agree
tn::pins<tn::op_pin<beam_search, my_npu>, tn::pin<"beam_search", my_cpu>, tn::op_pin<beam_search, home>> p;
