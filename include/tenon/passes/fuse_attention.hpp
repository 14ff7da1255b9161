/// @file fuse_attention: products with a softmax between them become one op, which keeps no scores.
///
/// Before: %1 = matmul(%q, %k); %2 = mul(%1, const s); %3 = add(%2, %m); %4 = softmax(%3); %5 = matmul(%4, %v)
/// After:  %5 = attention(%q, %k, %v, %m) {scale = s}
/// div by a constant counts as mul, where(%m, %2, const f) as a mask of bool with fill = f; scale and mask may be
/// missing. What is between the products must be used nowhere else. Left as they are: fewer than 16 queries, as steps
/// of a decoder have them; scores that the second-level cache holds anyway; constant keys or values, whose panels are
/// made beforehand; floats of 16 bits, which are rounded between the products; and what `kernel_options` say there is
/// no kernel for. Rounding changes. Cost: O(ops). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct fuse_attention {
  static constexpr fixed_string name = "fuse_attention";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = graph_facts;
  using emits = ops<op::attention, op::logical_not>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  i64 least_scores = 1 << 14;  ///< of one matrix, where its shape is known
  TENON_ATTRIBUTES(least_scores)
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
