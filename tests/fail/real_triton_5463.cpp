// triton-lang/triton #5463 (#5429): loops were pipelined behind the pass that sets barriers, and memory ops went across these. Where they
// stand is true of barriers and memory ops together: who moves some ends it.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct load {
  using effects = tn::effects<tn::effect::reads>;
};
struct store {
  using effects = tn::effects<tn::effect::writes>;
};
struct barrier {
  using effects = tn::effects<tn::effect::sync>;
};
struct ttg {
  static constexpr tn::fixed_string name = "ttg";
  using op_list = tn::ops<load, store, barrier>;
};
struct barriers_placed {
  static constexpr tn::fixed_string name = "barriers_placed";
  using of_all = tn::ops<load, store, barrier>;
};
struct insert_barriers {
  static constexpr tn::fixed_string name = "insert_barriers";
  using runs_in = ttg;
  using needs = tn::facts<>;
  using gives = tn::facts<barriers_placed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<barrier>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct pipeline_loops {
  static constexpr tn::fixed_string name = "pipeline_loops";
  using runs_in = ttg;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::reads>;
  using leaves = tn::effects<tn::effect::writes, tn::effect::sync>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower_to_llvm {
  static constexpr tn::fixed_string name = "lower_to_llvm";
  using runs_in = ttg;
  using needs = tn::facts<barriers_placed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<pipeline_loops, insert_barriers, lower_to_llvm>;
#else
// CHECK: tenon-E003: pass 'lower_to_llvm' (3rd) needs 'barriers_placed', which pass 'pipeline_loops' (2nd) breaks, since it deletes, merges or moves ops, after 'insert_barriers' (1st) gave it: move 'pipeline_loops' before 'insert_barriers'
using order = tn::pipeline<insert_barriers, pipeline_loops, lower_to_llvm>;
#endif
