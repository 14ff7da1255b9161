// What functions say of their effects can be relied on where each of them says something.
#include <tenon/passes/eliminate_dead.hpp>

#include "run_calls_together.hpp"

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<eliminate_dead, note_purity, run_calls_together>;
#else
// CHECK: tenon-E002: pass 'run_calls_together' (2nd) needs 'purity_said'
// CHECK-SAME: insert 'note_purity'
using order = tenon::pipeline<eliminate_dead, run_calls_together>;
#endif
