// A program that counts its calls of the host's functions must not be given some that passes still merge.
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/unwrap_pure_calls.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

/// Notes where each function of the host is called.
struct list_calls {
  static constexpr tenon::fixed_string name = "list_calls";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<tenon::fact::pure_calls_unwrapped>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<>;
  void run(tenon::ir_module<runs_in>&, tenon::context&) const {}
};

#ifdef TENON_TWIN
using order = tenon::pipeline<eliminate_common, unwrap_pure_calls, list_calls>;
#else
// CHECK: tenon-E002: pass 'list_calls' (2nd) needs 'pure_calls_unwrapped'
// CHECK-SAME: insert 'unwrap_pure_calls'
using order = tenon::pipeline<eliminate_common, list_calls>;
#endif
