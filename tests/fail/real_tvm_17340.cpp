// apache/tvm #17340: tensors are given back behind their last use while there are dataflow blocks, which hold pure ops only.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call_tir;
struct kill_tensor {
  using effects = tn::effects<tn::effect::writes>;
};
struct dataflow_block {
  using region_allows = tn::effects<>;
};
struct relax {
  static constexpr tn::fixed_string name = "relax";
  using op_list = tn::ops<call_tir, kill_tensor, dataflow_block>;
  using op_effects = tn::effects<tn::effect::writes>;
};
struct kill_after_last_use {
  static constexpr tn::fixed_string name = "kill_after_last_use";
  using runs_in = relax;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kill_tensor>;
};
struct to_non_dataflow {
  static constexpr tn::fixed_string name = "to_non_dataflow";
  using runs_in = relax;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dataflow_block>;
  using handles = tn::ops<dataflow_block>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<to_non_dataflow, kill_after_last_use>;
#else
// CHECK: tenon-E042: pass 'kill_after_last_use' (1st) may emit 'kill_tensor', which a region of 'dataflow_block' does not allow, and there may be one: phase 'relax' lists it: move 'kill_after_last_use' after 'to_non_dataflow', or say
using order = tn::pipeline<kill_after_last_use, to_non_dataflow>;
#endif
