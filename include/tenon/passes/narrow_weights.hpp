/// @file narrow_weights: constant weights of products have elements of 16 or 8 bits, where they came so or may be
/// rounded.
///
/// Before: %y = matmul(%x, cast(const f16 [K, N]))      After: %y = matmul(%x, const f16 [K, N])
///         %y = conv(%x, transpose(cast(const bf16)))          %y = conv(%x, const bf16)
///         %e = gather(cast(const f16), %i)                    %e = cast(gather(const f16, %i))
///         %y = matmul(%a, %b) : f16                           %y = cast(matmul(cast(%a), cast(%b)) : f32)
/// Nothing is rounded there: kernels widen in registers what memory has as the model has it, so that it takes half of
/// the memory, and of the time where memory is the limit. With `precision` f16 or bf16 weights of f32 are rounded:
///         %y = matmul(%x, const f32 [K, N])                   %y = matmul(%x, const f16 [K, N])
/// and with int8 to i8, each output by a scale of its own, whose largest weight is 127:
///         %y = conv(%x, const f32 [k..., C, O], %b)           %y = conv(%x, const i8) · const f32 [O] + %b
/// These are the products that pack_weights makes panels for, from 4096 weights on. Other users of a constant have it
/// as it was; weights that are infinite or NaN, or too large for f16, and integers with scales, stay as they are. What
/// was done is in the context: `cx.find<narrowing_report>()`. Cost: O(ops + elements of the weights). Idempotent.
#pragma once

#include <string>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

/// What became of the weights of products.
struct narrowing_report {
  i64 as_given = 0;  ///< those that have the elements of 16 bits that they came in
  i64 rounded = 0, too_large = 0;
  i64 bytes_of_f32 = 0, bytes = 0;  ///< of those that are narrow now: as f32, and as they are
  double error = 0;                 ///< the largest that rounding made, of the largest weight of the same output
  std::string text() const;
};

struct narrow_weights {
  static constexpr fixed_string name = "narrow_weights";
  using runs_in = phases::optimization;
  using needs = facts<fact::channels_last>;  // other convolutions have no panels
  using keeps = graph_facts;
  using emits = ops<op::constant, op::transpose, op::reshape, op::matmul, op::conv, op::conv_transpose, op::gather,
                    op::cast, op::mul, op::add>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = after_packing;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
