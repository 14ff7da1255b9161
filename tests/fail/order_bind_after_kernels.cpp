// Kernels were made for the extents that were known: sizes that come later reach the graph, and not its kernels.
#include <tenon/passes/bind_inputs.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<bind_inputs, infer_shapes, fold_extents, require_known_extents, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E019: pass 'bind_inputs' (5th) may not run between 'legalize_ops' (4th) and 'to_lowering' (6th): move 'bind_inputs' before 'legalize_ops'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, legalize_ops, bind_inputs, to_lowering>;
#endif
