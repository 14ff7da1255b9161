// Xilinx/mlir-aie #1549: buffer descriptors got their numbers, and the pass behind that made more of them, of object FIFOs.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct dma_bd;
struct objectfifo;
struct aie {
  static constexpr tn::fixed_string name = "aie";
  using op_list = tn::ops<dma_bd, objectfifo>;
};
struct bd_ids_assigned {
  static constexpr tn::fixed_string name = "bd_ids_assigned";
  using of_each = tn::ops<dma_bd>;
};
struct assign_bd_ids {
  static constexpr tn::fixed_string name = "assign_bd_ids";
  using runs_in = aie;
  using needs = tn::facts<>;
  using gives = tn::facts<bd_ids_assigned>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<dma_bd>;
};
struct objectfifo_transform {
  static constexpr tn::fixed_string name = "objectfifo_transform";
  using runs_in = aie;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<objectfifo>;
  using handles = tn::ops<objectfifo>;
  using emits = tn::ops<dma_bd>;
};
struct write_xclbin {
  static constexpr tn::fixed_string name = "write_xclbin";
  using runs_in = aie;
  using needs = tn::facts<bd_ids_assigned>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<objectfifo_transform, assign_bd_ids, write_xclbin>;
#else
// CHECK: tenon-E003: pass 'write_xclbin' (3rd) needs 'bd_ids_assigned', which pass 'objectfifo_transform' (2nd) breaks, since it emits 'dma_bd', after 'assign_bd_ids' (1st) gave it: move 'objectfifo_transform' before 'assign_bd_ids'
using order = tn::pipeline<assign_bd_ids, objectfifo_transform, write_xclbin>;
#endif
