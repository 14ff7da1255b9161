// triton-lang/triton #4770: hints for the scheduler were put into a loop, and pipelining copied them into what it peels
// off in front of the loop and behind. A hint orders what stands around it, so there is one for each loop.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct dot;
struct load {
  using effects = tn::effects<tn::effect::reads>;
};
struct sched_hint {
  using effects = tn::effects<tn::effect::sync>;
};
struct local_store;
struct sched_barrier {
  using effects = tn::effects<tn::effect::sync>;
};
struct no_hints {
  static constexpr tn::fixed_string name = "no_hints";
  using absent_ops = tn::ops<sched_hint, sched_barrier>;
};
struct kernels {
  static constexpr tn::fixed_string name = "kernels";
  using op_list = tn::ops<dot, load, local_store, sched_hint, sched_barrier>;
  using begins_with = tn::facts<no_hints>;
};
struct insert_hints {
  static constexpr tn::fixed_string name = "insert_hints";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<sched_hint>;
  using works_on = tn::ops<dot>;
};
struct pipeline_loops {
  static constexpr tn::fixed_string name = "pipeline_loops";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<local_store>;
  using moves = tn::effects<tn::effect::reads>;
  using duplicates = tn::effects<tn::effect::reads, tn::effect::sync>;
};
struct lower_hints {
  static constexpr tn::fixed_string name = "lower_hints";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<sched_hint>;
  using handles = eliminates;
  using emits = tn::ops<sched_barrier>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<pipeline_loops, insert_hints, lower_hints>;
#else
// CHECK: tenon-E043: pass 'pipeline_loops' (2nd) may leave more than one of 'sched_hint', whose effect 'sync' does not allow that, and pass 'insert_hints' (1st) emits it: move 'pipeline_loops' before 'insert_hints', or
using order = tn::pipeline<insert_hints, pipeline_loops, lower_hints>;
#endif
