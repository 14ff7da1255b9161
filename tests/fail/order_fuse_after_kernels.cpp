// What has become kernels is grouped no more: fusing late would group what is left, which is nothing.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, fuse, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E019: pass 'fuse' (5th) may not run between 'legalize_ops' (4th) and 'to_lowering' (7th): move 'fuse' before 'legalize_ops'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, legalize_ops, fuse, legalize_ops, to_lowering>;
#endif
