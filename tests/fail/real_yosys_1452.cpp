// YosysHQ/yosys #1452: registers at the ports of memories were packed into multipliers first, and the memories were
// mapped to registers and gates. Neither pass names the other: one says that it comes before whoever takes registers.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct dff;
struct memrd;
struct mul;
struct dsp;
struct rtl {
  static constexpr tn::fixed_string name = "rtl";
  using op_list = tn::ops<dff, memrd, mul, dsp>;
};
struct memory_dff {
  static constexpr tn::fixed_string name = "memory_dff";
  using runs_in = rtl;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<memrd>;
  using works_on = tn::ops<tn::together<memrd, dff>>;
  using deletes = tn::effects<>;
  using not_after = tn::rewriter_of<dff>;
};
struct xilinx_dsp {
  static constexpr tn::fixed_string name = "xilinx_dsp";
  using runs_in = rtl;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dsp>;
  using works_on = tn::ops<tn::together<mul, dff>>;
  using deletes = tn::effects<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<memory_dff, xilinx_dsp>;
#else
// CHECK: tenon-E019: pass 'memory_dff' (2nd) may not run after 'xilinx_dsp' (1st), which rewrites 'dff': move 'memory_dff' before 'xilinx_dsp'
using order = tn::pipeline<xilinx_dsp, memory_dff>;
#endif
