/// @file reduce.eval: the reference evaluation of reductions.
///
/// Floats accumulate in double in row-major order and round once; integers in 64 bits, and wrap.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/reduce.hpp>

namespace tenon::op {

namespace reduce_detail {
void evaluate_reduction(reduction kind, const std::vector<i64>& axes, bool keep_dims, eval_context& cx);
void evaluate_position(bool maximum, i64 axis, bool keep_dims, bool last, eval_context& cx);
void evaluate_softmax(i64 axis, bool log, eval_context& cx);
void evaluate_cumulative(reduction kind, i64 axis, bool exclusive, bool reverse, eval_context& cx);
}  // namespace reduce_detail

template <reduces Op>
void evaluate(const Op& op, eval_context& cx) {
  reduce_detail::evaluate_reduction(Op::kind, op.axes, op.keep_dims, cx);
}
template <finds_position Op>
void evaluate(const Op& op, eval_context& cx) {
  reduce_detail::evaluate_position(Op::kind == reduction::maximum, op.axis, op.keep_dims, op.select_last, cx);
}
template <is_softmax Op>
void evaluate(const Op& op, eval_context& cx) {
  reduce_detail::evaluate_softmax(op.axis, Op::logarithm, cx);
}
template <accumulates Op>
void evaluate(const Op& op, eval_context& cx) {
  reduce_detail::evaluate_cumulative(Op::kind, op.axis, op.exclusive, op.reverse, cx);
}

}  // namespace tenon::op
