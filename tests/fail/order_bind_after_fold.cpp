// Once inputs have values, more follows from them than was folded.
#include <tenon/passes/bind_inputs.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<bind_inputs, infer_shapes, fold_extents, require_known_extents>;
#else
// CHECK: tenon-E003: pass 'require_known_extents' (5th) needs 'extents_folded', which pass 'bind_inputs' (3rd) breaks after 'fold_extents' (2nd) gave it: move 'require_known_extents' before 'bind_inputs'
using order = tenon::pipeline<infer_shapes, fold_extents, bind_inputs, infer_shapes, require_known_extents>;
#endif
