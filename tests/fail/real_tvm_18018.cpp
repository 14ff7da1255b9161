// apache/tvm #18018: the stages of a loop's software pipeline were written down for the blocks that it had, and other passes
// gave it others before the stages were injected (3 vs. 4). vectorize is this library's own, and never heard of such notes.
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;
namespace passes = tenon::passes;

struct stages_annotated {
  static constexpr tn::fixed_string name = "stages_annotated";
};
struct annotate_stages {
  static constexpr tn::fixed_string name = "annotate_stages";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<>;
  using gives = tn::facts<stages_annotated>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct inject_pipeline {
  static constexpr tn::fixed_string name = "inject_pipeline";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<stages_annotated>;
  using keeps = tn::facts<tn::fact::loops_scheduled, tn::fact::memory_planned>;
  using emits = tn::loop_ops;
};
using tn::insert_after;
using tn::insert_before;
#ifdef TENON_TWIN
using pipelined = tn::targets::cpu::pipeline::edit<insert_before<passes::plan_memory, annotate_stages>, insert_before<passes::plan_memory, inject_pipeline>>;
#else
using pipelined = tn::targets::cpu::pipeline::edit<insert_before<passes::vectorize, annotate_stages>, insert_before<passes::plan_memory, inject_pipeline>>;  // CHECK: tenon-E003: pass 'inject_pipeline' ({{.*}}) needs 'stages_annotated', which pass 'vectorize' ({{.*}}) breaks after 'annotate_stages' ({{.*}}) gave it
#endif
