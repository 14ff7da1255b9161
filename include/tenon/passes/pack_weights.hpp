/// @file pack_weights: constant right operands of matrix products become panels, as the kernels read them.
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
#include <tenon/passes/windows.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct pack_weights {
  static constexpr fixed_string name = "pack_weights";
  using runs_in = phases::optimization;
  using needs = facts<fact::channels_last>;  // other convolutions have no panels
  using keeps = graph_facts;
  using emits =
      ops<op::constant, op::pack_panels, op::conv, op::conv_transpose, op::matmul, op::matmul_nbits, op::gather>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  i64 panel = 0;  ///< 0: as `panel_width` says for the target's vectors
  TENON_ATTRIBUTES(panel)
  void run(ir_module<runs_in>& m, context& cx) const;
};

/// The width of panels for a product with `columns` columns and `rows` rows, on vectors of `lanes` elements.
/// A kernel keeps a block of (28 / v) rows by v vectors of a panel in registers. Two vectors are best for long columns
/// of rows. Three avoid a thin last panel when they divide the columns and two do not. Four suit products with few
/// rows, or of blocks of seven that fourteen does not divide: the block then fits the rows. Panels are never wider than
/// the columns rounded up to whole vectors.
i64 panel_width(i64 columns, i64 rows, i64 lanes);

}  // namespace tenon::passes
