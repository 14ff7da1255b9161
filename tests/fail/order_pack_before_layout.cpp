// Weights of convolutions become panels only if the channels come last (the class of iree #21355).
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, convert_layout, pack_weights>;
#else
// CHECK: tenon-E002: pass 'pack_weights' (2nd) needs 'channels_last', which no pass before it gives: move 'convert_layout' before 'pack_weights', or move 'pack_weights' after 'convert_layout'
using order = tenon::pipeline<infer_shapes, pack_weights, convert_layout>;
#endif
