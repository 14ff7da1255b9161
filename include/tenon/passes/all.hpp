/// @file all: the built-in passes.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/passes/bind_inputs.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fold_batch_norm.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/fuse_attention.hpp>
#include <tenon/passes/generate_code.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/narrow_weights.hpp>
#include <tenon/passes/note_purity.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/passes/parallelize.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/passes/tensorize.hpp>
#include <tenon/passes/tile.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/passes/unwrap_pure_calls.hpp>
#include <tenon/passes/use_byte_products.hpp>
#include <tenon/passes/use_winograd.hpp>
#include <tenon/passes/vectorize.hpp>
#include <tenon/passes/widen_halves.hpp>

namespace tenon {

/// In the order in which a pipeline has them. Passes that make code for one target come with the target
/// (targets/all.hpp).
using built_in_passes =
    pass_list<passes::lift_lambdas, passes::inline_calls, passes::bind_inputs, passes::infer_shapes,
              passes::fold_constants, passes::simplify, passes::fold_batch_norm, passes::use_byte_products,
              passes::eliminate_common, passes::eliminate_dead, passes::note_purity, passes::unwrap_pure_calls,
              passes::fold_extents, passes::outline_regions, passes::require_static_shapes,
              passes::require_known_extents, passes::widen_halves, passes::convert_layout, passes::use_winograd,
              passes::fuse_attention, passes::narrow_weights, passes::pack_weights, passes::fuse, passes::legalize_ops,
              passes::to_lowering, passes::vectorize, passes::parallelize, passes::tile, passes::plan_memory,
              passes::lower_builtins>;

}  // namespace tenon
