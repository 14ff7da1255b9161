// Where neither of two neighbours of a wrong joint can be moved past the other, the place that cures the whole order is named.
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, convert_layout, pack_weights, fuse, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E019: pass 'convert_layout' (5th) may not run between 'fuse' (4th), which emits 'fused', and 'legalize_ops' (7th): move 'fuse' after 'pack_weights'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, fuse, convert_layout, pack_weights, legalize_ops, to_lowering>;
#endif
