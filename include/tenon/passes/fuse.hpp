/// @file fuse: groups graph ops so that each group becomes one kernel.
///
/// Before: %1 = conv(%x, %w); %2 = add(%1, %b); %3 = maximum(%2, %0)
/// After:  %3 = fused(%x, %w, %b, %0) ({ (…): conv, add, maximum; yield })
///
/// A group has at most one anchor, an op that is lowered to nests of its own; every other op is evaluated element by
/// element (`has_element`). Elementwise ops of the anchor's result shape join behind it; element ops whose values are
/// used inside only join before a reduction, a concat or an elementwise op, where each of their elements is read about
/// once. Zeros around an image that a contraction reads (`pad`) join behind the anchor that makes it: the image is
/// stored between its borders. A convolution reads a few planes as they are, without the transpose before it. A
/// reduction gets its own copy of a cheap op that others read too, and each elementwise op its own of what makes bytes
/// into floats, so that bytes are stored. Without an anchor, elementwise ops of one shape group, with what only they
/// read. At most four values leave a group. Groups never depend on each other in a cycle;
/// views and constants stay outside. Ops are put in a new order, in which ops with effects keep theirs. Cost: O(ops²)
/// at worst, O(ops) in practice. Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct fuse {
  static constexpr fixed_string name = "fuse";
  using runs_in = phases::optimization;
  using needs = facts<fact::extents_known>;
  using keeps = meta::concat_t<facts_of_extents,
                               facts<fact::channels_last>>;  // a group is none of the ops that a region may hold
  using emits = ops<op::fused, op::yield>;
  using moves = effects<>;
  using recomputes = effects<>;  // a cheap op that several groups read
  using leaves = side_effects;
  using not_between = after_kernels;
  i64 max_outputs = 4, max_ops = 64;
  TENON_ATTRIBUTES(max_outputs, max_ops)
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
