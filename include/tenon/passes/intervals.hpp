/// @file intervals: where built-in passes come too late to do what they are for.
///
/// A pass that is blind to what another one made would do nothing, in silence: so it says where it may not run. Where
/// an op blinds it, whoever emits that op opens the interval, a pass of a user's own too.
#pragma once

#include <tenon/judge/pass_desc.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::passes {

struct fold_constants;
struct legalize_ops;
struct pack_weights;
struct to_lowering;
struct parallelize;
struct tile;
struct lower_builtins;

/// Groups are single ops to whoever looks for ops one by one, until each becomes a kernel: whoever made them.
using while_grouped = interval<emitter_of<op::fused>, legalize_ops>;
/// What quantized weights were is gone once they are folded to the numbers that they stand for.
using after_folding = interval<fold_constants, legalize_ops>;
/// Weights in panels are in the order of one kernel: who wants another one comes before.
using after_packing = interval<pack_weights, legalize_ops>;
/// Kernels are made for the extents and the ops of their day: what changes those later does not reach them.
using after_kernels = interval<legalize_ops, to_lowering>;
/// A loop that several threads share is not turned into a vector loop any more.
using after_parallel = interval<parallelize, lower_builtins>;
/// Blocks are chosen for the rows that a thread gets.
using after_tiling = interval<tile, lower_builtins>;

}  // namespace tenon::passes
