/// @file reduce.lower: loop nests of reductions.
///
/// Before: %r = reduce_sum(%x[N,K,M]) {axes = [1]}
/// After:  for n, for m (independent): s = reduce k from 0 { s + x[n,k,m] }; r[n,0,m] = s
/// Kept dimensions are outside in order, so that the innermost independent loop runs along the contiguous one where it
/// is kept, and the innermost serial loop where it is reduced. 16-bit floats accumulate in f32.
#pragma once

#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace reduce_detail {
void lower_reduction(reduction kind, const std::vector<i64>& axes, bool keep_dims, lower_context& cx);
void lower_position(bool maximum, i64 axis, bool keep_dims, bool last, lower_context& cx);
void lower_softmax(i64 axis, bool log, lower_context& cx);
void lower_cumulative(reduction kind, i64 axis, bool exclusive, bool reverse, lower_context& cx);
}  // namespace reduce_detail

template <reduces Op>
void lower(const Op& op, lower_context& cx) {
  reduce_detail::lower_reduction(Op::kind, op.axes, op.keep_dims, cx);
}
template <finds_position Op>
void lower(const Op& op, lower_context& cx) {
  reduce_detail::lower_position(Op::kind == reduction::maximum, op.axis, op.keep_dims, op.select_last, cx);
}
template <is_softmax Op>
void lower(const Op& op, lower_context& cx) {
  reduce_detail::lower_softmax(op.axis, Op::logarithm, cx);
}
template <accumulates Op>
void lower(const Op& op, lower_context& cx) {
  reduce_detail::lower_cumulative(Op::kind, op.axis, op.exclusive, op.reverse, cx);
}

}  // namespace tenon::op
