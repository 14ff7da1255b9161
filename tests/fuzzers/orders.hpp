/// @file orders: the passes that orders are written with, as `tenon opt` has them where there is no LLVM.
#pragma once

#include <tenon/judge/order.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/xsimd.hpp>

namespace tenon::fuzzing {

using passes_of_orders =
    pass_list<passes::lift_lambdas, passes::inline_calls, passes::bind_inputs, passes::infer_shapes,
              passes::fold_constants, passes::simplify, passes::fold_batch_norm, passes::use_byte_products,
              passes::eliminate_common, passes::eliminate_dead, passes::note_purity, passes::unwrap_pure_calls,
              passes::fold_extents, passes::outline_regions, passes::require_static_shapes,
              passes::require_known_extents, passes::convert_layout, passes::use_winograd, passes::fuse_attention,
              passes::pack_weights, passes::fuse, passes::legalize_ops, passes::to_lowering, passes::vectorize,
              passes::parallelize, passes::tile, passes::plan_memory, passes::lower_builtins, passes::emit_c,
              passes::partition_for<targets::xsimd>, passes::run_external_codegen<targets::xsimd>>;

}  // namespace tenon::fuzzing
