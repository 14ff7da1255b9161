// A group is one op, which no region takes: what it holds would be left to the host.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, outline_regions, fold_extents, require_known_extents, fuse, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'outline_regions' (5th) may not run between 'fuse' (4th), which emits 'fused', and 'legalize_ops' (6th): move 'outline_regions' before 'fuse'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, fuse, outline_regions, legalize_ops>;
#endif
