// Convolutions that a pass makes in the imported layout come too late once layouts are chosen.
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/passes/use_byte_products.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, use_byte_products, convert_layout, pack_weights>;
#else
// CHECK: tenon-E003: pass 'pack_weights' (4th) needs 'channels_last', which pass 'use_byte_products' (3rd) breaks after 'convert_layout' (2nd) gave it: move 'use_byte_products' before 'convert_layout', or move 'pack_weights' before 'use_byte_products'
using order = tenon::pipeline<infer_shapes, convert_layout, use_byte_products, pack_weights>;
#endif
