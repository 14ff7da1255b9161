// iree-org/iree #13964: reads and writes of vectors are hoisted out of loops by an analysis for loops that run one iteration after the
// other. Once tensors are buffers and loops run in parallel, what an iteration writes is no other one's.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct transfer_read {
  using effects = tn::effects<tn::effect::reads>;
};
struct transfer_write {
  using effects = tn::effects<tn::effect::writes>;
};
struct contract;
struct forall {
  using region_keeps = tn::effects<tn::effect::writes>;
};
struct thread_id;
struct vectors {
  static constexpr tn::fixed_string name = "vectors";
  using op_list = tn::ops<transfer_read, transfer_write, contract, forall, thread_id>;
  using op_effects = tn::effects<tn::effect::reads, tn::effect::writes>;
};
struct hoist_transfers {
  static constexpr tn::fixed_string name = "hoist_transfers";
  using runs_in = vectors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::reads, tn::effect::writes>;
};
struct map_to_threads {  // the body of a parallel loop is what each thread runs
  static constexpr tn::fixed_string name = "map_to_threads";
  using runs_in = vectors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<forall>;
  using handles = tn::ops<forall>;
  using emits = tn::ops<thread_id>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<map_to_threads, hoist_transfers>;
#else
// CHECK: tenon-E045: pass 'hoist_transfers' (1st) may take an op with effect 'writes' out of a region of 'forall', each run of which has its own, and phase 'vectors' lists it: move 'hoist_transfers' after 'map_to_threads', or say 'using keeps_inside
using order = tn::pipeline<hoist_transfers, map_to_threads>;
#endif
