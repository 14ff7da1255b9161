/// @file fold_batch_norm: a scale and an offset per channel after a convolution become part of its weights and bias.
///
/// Before: %1 = conv(%x, const w, const b?); %2 = mul(%1, const s); %3 = add(%2, const c)
/// After:  %3 = conv(%x, const w · s, const b · s + c)
/// s and c have one element per output channel, or one at all; div and sub by constants count as mul and add. The
/// convolution must have no other use. Rounding changes. Weights of f16 and bf16 stay as they are: a product would be
/// rounded again, and a kernel scales its sums at hardly any cost. Cost: O(ops + weights). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct fold_batch_norm {
  static constexpr fixed_string name = "fold_batch_norm";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = graph_facts;
  using emits = ops<op::constant, op::conv, op::conv_transpose>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
