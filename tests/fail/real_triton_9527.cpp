// triton-lang/triton #9527: barriers of a whole cluster were put where tensor memory is given back, while code for some
// warps still stood in regions. Such a region holds no barrier that all warps have to reach, and its op says so.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct cluster_barrier {
  using effects = tn::effects<tn::effect::sync>;
};
struct warp_specialize {
  using region_forbids = tn::ops<cluster_barrier>;
};
struct tensor_memory;
struct branch;
struct kernels {
  static constexpr tn::fixed_string name = "kernels";
  using op_list = tn::ops<warp_specialize, tensor_memory, cluster_barrier, branch>;
};
struct assembly {
  static constexpr tn::fixed_string name = "assembly";
  using op_list = tn::ops<cluster_barrier, branch>;
};
struct lower_warps {
  static constexpr tn::fixed_string name = "lower_warps";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<warp_specialize>;
  using handles = eliminates;
  using emits = tn::ops<branch>;
};
struct lower_memory {
  static constexpr tn::fixed_string name = "lower_memory";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<tensor_memory>;
  using handles = eliminates;
  using emits = tn::ops<cluster_barrier>;
};
struct to_assembly {
  static constexpr tn::fixed_string name = "to_assembly";
  using from = kernels;
  using to = assembly;
  using needs = tn::facts<>;
  using eliminates = tn::ops<>;
  using handles = eliminates;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lower_warps, lower_memory, to_assembly>;
#else
// CHECK: tenon-E042: pass 'lower_memory' (1st) may emit 'cluster_barrier', which a region of 'warp_specialize' does not allow, and there may be one: phase 'kernels' lists it: move 'lower_memory' after 'lower_warps'
using order = tn::pipeline<lower_memory, lower_warps, to_assembly>;
#endif
