// apache/tvm #15009: calls that are given the memory of their results end with the phase of loops. Whoever enters
// `build` by another way than `lower_builtins` must make something else of them.
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

struct keep_calls {
  static constexpr tenon::fixed_string name = "keep_calls";
  using from = tenon::phases::lowering;
  using to = tenon::phases::build;
  using needs = tenon::facts<tenon::fact::memory_planned>;
  using keeps = tenon::all_facts;
  using eliminates = tenon::ops<tenon::op::alloc>;
  using handles = tenon::ops<tenon::op::alloc>;
  using emits = tenon::ops<tenon::op::slot>;
};

#ifdef TENON_TWIN
using order = tenon::pipeline<plan_memory, lower_builtins>;
#else
// CHECK: tenon-E004: pass 'keep_calls' (2nd) enters phase 'build', which does not list 'call_dps'
using order = tenon::pipeline<plan_memory, keep_calls>;
#endif
