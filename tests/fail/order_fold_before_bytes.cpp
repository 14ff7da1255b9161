// Folded weights are floats: that they were bytes can be seen before only.
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/use_byte_products.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, use_byte_products, fold_constants, fold_extents, require_known_extents, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'use_byte_products' (3rd) may not run between 'fold_constants' (2nd) and 'legalize_ops' (6th): move 'use_byte_products' before 'fold_constants'
using order = tenon::pipeline<infer_shapes, fold_constants, use_byte_products, fold_extents, require_known_extents, legalize_ops>;
#endif
