// A function names extents by symbols of its own: in its caller, nobody knows them.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<inline_calls, infer_shapes, fold_extents, require_known_extents, fuse, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E003: pass 'fuse' (5th) needs 'extents_known', which pass 'inline_calls' (4th) breaks after 'require_known_extents' (3rd) gave it: move
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, inline_calls, fuse, legalize_ops, to_lowering>;
#endif
