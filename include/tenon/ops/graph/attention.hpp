/// @file attention: scaled dot-product attention as one op, whose scores are never in memory as a whole.
///
/// ONNX: MatMul, Softmax and MatMul with what stands between them, which is what Attention is imported as, too:
/// passes/fuse_attention makes the op of these.
#pragma once

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `%y = attention(%q, %k, %v, %mask?)`: softmax(scale · q k + mask) v, with the softmax along keys. Operands are laid
/// out as `matmul` has them: q [..., queries, depth], k [..., depth, keys], v [..., keys, columns], and the result is
/// [..., queries, columns]; leading dimensions broadcast. A mask broadcasts to [..., queries, keys]. One of q's type is
/// added to the scores; one of bool says which scores count, and the others are `fill`. Scores and weights are kept in
/// f32 or f64. A query without any score above -inf gives NaN, as softmax does, and no keys give zeros.
struct attention {
  static constexpr fixed_string name = "attention";
  static constexpr op_traits traits{.min_operands = 3,
                                    .max_operands = 4,
                                    .fusion = {.anchor = true, .contraction = true},
                                    .excess = {excess_precision::computes}};
  double scale = 1, fill = 0;
  TENON_ATTRIBUTES(scale, fill)
};

void infer(const attention&, ir::infer_context&);

void evaluate(const attention&, eval_context&);

void lower(const attention&, lower_context&);

}  // namespace tenon::op
