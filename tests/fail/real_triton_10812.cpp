// triton-lang/triton #10812 (in review): barriers were hoisted to the entry of the kernel, so that they live longer, behind the pass that
// had laid out shared memory by how long each allocation lives.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct local_alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct init_barrier {
  using effects = tn::effects<tn::effect::writes>;
};
struct tma_load {
  using effects = tn::effects<tn::effect::reads, tn::effect::writes>;
};
struct ttgpu {
  static constexpr tn::fixed_string name = "ttgpu";
  using op_list = tn::ops<local_alloc, init_barrier, tma_load>;
  using op_effects = tn::effects<tn::effect::allocates, tn::effect::reads, tn::effect::writes>;
};
struct shared_memory_allocated {  // offsets, by the lives of allocations
  static constexpr tn::fixed_string name = "shared_memory_allocated";
  using of_all = tn::ops<local_alloc>;
};
struct allocate_shared_memory {
  static constexpr tn::fixed_string name = "allocate_shared_memory";
  using runs_in = ttgpu;
  using needs = tn::facts<>;
  using gives = tn::facts<shared_memory_allocated>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<local_alloc>;
};
struct hoist_mbarrier_lifecycle {
  static constexpr tn::fixed_string name = "hoist_mbarrier_lifecycle";
  using runs_in = ttgpu;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates, tn::effect::writes>;
  using leaves = tn::effects<tn::effect::reads>;
};
struct to_llvm {
  static constexpr tn::fixed_string name = "to_llvm";
  using runs_in = ttgpu;
  using needs = tn::facts<shared_memory_allocated>;
  using keeps = tn::all_facts;
};
#ifdef TENON_TWIN
using order = tn::pipeline<hoist_mbarrier_lifecycle, allocate_shared_memory, to_llvm>;
#else
// CHECK: tenon-E003: pass 'to_llvm' (3rd) needs 'shared_memory_allocated', which pass 'hoist_mbarrier_lifecycle' (2nd) breaks, since it deletes, merges or moves ops, after 'allocate_shared_memory' (1st) gave it: move 'hoist_mbarrier_lifecycle' before 'allocate_shared_memory'
using order = tn::pipeline<allocate_shared_memory, hoist_mbarrier_lifecycle, to_llvm>;
#endif
