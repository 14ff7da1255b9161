// What functions say of their effects can be relied on where each of them says something.
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/note_purity.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

/// Runs calls of pure functions side by side.
struct run_calls_together {
  static constexpr tenon::fixed_string name = "run_calls_together";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<tenon::fact::purity_said>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<>;
  void run(tenon::ir_module<runs_in>&, tenon::context&) const {}
};

#ifdef TENON_TWIN
using order = tenon::pipeline<eliminate_dead, note_purity, run_calls_together>;
#else
// CHECK: tenon-E002: pass 'run_calls_together' (2nd) needs 'purity_said'
// CHECK-SAME: insert 'note_purity'
using order = tenon::pipeline<eliminate_dead, run_calls_together>;
#endif
