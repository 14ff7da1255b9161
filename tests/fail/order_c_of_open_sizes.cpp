// Loops of any size are right for code that is made once for all sizes, and C is not: what asks for known extents
// does not ask for numbers.
#include <tenon/passes/emit_c.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, fold_extents, require_static_shapes, legalize_ops, to_lowering, plan_memory,
                              lower_builtins, emit_c>;
#else
// CHECK: tenon-E002: pass 'emit_c' (8th) needs 'static_shapes', which no pass before it gives
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, legalize_ops, to_lowering, plan_memory,
                              lower_builtins, emit_c>;
#endif
