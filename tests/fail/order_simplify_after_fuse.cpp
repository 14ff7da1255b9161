// What stands in a group is one op to whoever looks for identities.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, simplify, fold_extents, require_known_extents, fuse, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'simplify' (5th) may not run between 'fuse' (4th), which emits 'fused', and 'legalize_ops' (6th): move 'simplify' before 'fuse'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, fuse, simplify, legalize_ops>;
#endif
