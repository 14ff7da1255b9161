/// @file elementwise.eval: the reference evaluation of elementwise ops.
///
/// Floats are computed in double and rounded once, integers in 64 bits and wrapped: see interpret/scalar.hpp.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/elementwise.hpp>

namespace tenon::op {

void evaluate_scalar_op(loop::scalar_fn fn, eval_context& cx);
template <scalar_op Op>
void evaluate(const Op&, eval_context& cx) {
  evaluate_scalar_op(Op::fn, cx);
}
void evaluate(const pow&, eval_context&);
void evaluate(const is_inf&, eval_context&);
void evaluate(const where&, eval_context&);
void evaluate(const cast&, eval_context&);
void evaluate(const bit_cast&, eval_context&);
void evaluate(const dequantize&, eval_context&);

}  // namespace tenon::op
