/// @file use_byte_products: products of quantized tensors by constant weights are computed in bytes.
///
/// Before: %y = conv(dequantize(%x, %s, const z), dequantize(const w, const t, const v), %b)
/// After:  %y = cast(conv(%x, const w - v, const -z · sums of w - v)) · %s t + %b, with u8, i8 and sums in i32
/// The same for matmul, and for the integer form conv(cast(%x) - %z, const w), where %z need not be constant. Weights
/// less their zero point fit into i8, or lie within 255 for each output: then they are moved, and the sums of the image
/// move the result back. An image of i8 is moved by 128 to u8, padding gets the zero point's value, and channels are
/// padded to a multiple of 4, so that pack_weights can interleave them. What is left of dequantize and
/// what follows is elementwise and fuses. Rounding changes where the sums were floats. Where
/// `kernel_options` say that there are no kernels for such products nothing changes. Cost: O(ops + weights).
/// Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct use_byte_products {
  static constexpr fixed_string name = "use_byte_products";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = meta::concat_t<facts_of_extents,
                               facts<fact::regions_outlined>>;  // its convolutions are laid out as they were imported
  using emits = ops<op::constant, op::conv, op::matmul, op::cast, op::add, op::sub, op::mul, op::bit_xor, op::pad,
                    op::reduce_sum, op::reshape>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = after_folding;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
