/// @file pack_weights: constant right operands of matrix products become panels, as the kernels read them. Which ops
/// have them so is asked of the op (`use_panels`, ops/weight_panels.hpp), a user's too.
///
/// Before: %y = matmul(%x, const [K, N])     After: %p = const [ceil(N / panel), K, panel]
///                                                  %y = matmul(%x, %p) {panel, columns = N}
///         %y = conv(%x, const [k..., C, O]) {channels_last, no padding, one group}, conv_transpose {channels_last, one
///         group}, and the state's weight of a recurrence: the same
///         %y = matmul_nbits(%x, const u8 [N, blocks, bytes], …)     const u32 [ceil(N / panel), words, panel], …
///         %y = matmul(%x, dequantize(const i8 [K, N], …)), or transposed   the same, from 4096 weights on
///         %e = gather(const [N, K], %i), whose transpose is %p     %e = gather(%p, %i) {panel, columns = N}
/// Weights with other uses are copied. Cost: O(ops + elements of the weights). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct pack_weights {
  static constexpr fixed_string name = "pack_weights";
  using runs_in = phases::optimization;
  using needs = facts<fact::channels_last>;  // other convolutions have no panels
  using keeps = graph_facts;
  using emits = ops<op::constant, op::pack_panels, op::matmul_nbits>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  i64 panel = 0;  ///< 0: what suits the op on the target's vectors
  TENON_ATTRIBUTES(panel)
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
