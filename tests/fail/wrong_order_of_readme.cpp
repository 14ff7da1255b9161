// What README shows first: a pass of one's own between the library's, behind the one whose work it may undo.
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon;
using namespace tenon::passes;

// [pass]
struct tidy_up {
  static constexpr fixed_string name = "tidy_up";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = all_facts;  // yet it may emit any op of its phase: nothing is said of `emits`
};
// [end]

#ifdef TENON_TWIN
using mine = pipeline<inline_calls, infer_shapes, require_static_shapes, tidy_up, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E003: pass 'to_lowering' (6th) needs 'ops_legalized', which pass 'tidy_up' (5th) breaks after 'legalize_ops' (4th) gave it: move 'tidy_up' before 'legalize_ops', or run 'legalize_ops' again after it
// [order]
using mine = pipeline<inline_calls, infer_shapes, require_static_shapes, legalize_ops, tidy_up, to_lowering>;
// [end]
#endif
