// Lists that follow from shapes cannot be folded before shapes are known.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents>;
#else
// CHECK: tenon-E002: pass 'fold_extents' (1st) needs 'shapes_known', which no pass before it gives: move 'infer_shapes' before 'fold_extents', or move 'fold_extents' after 'infer_shapes'
using order = tenon::pipeline<fold_extents, infer_shapes, require_known_extents>;
#endif
