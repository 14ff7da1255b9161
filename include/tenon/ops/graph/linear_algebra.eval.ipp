/// @file linear_algebra.eval.ipp: reference evaluation of determinants and inverses.
#pragma once

#include <vector>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/linear_algebra.hpp>
#include <tenon/ops/graph/sums.hpp>

namespace tenon::op {

namespace linear_algebra_detail {

/// The operand, whose matrices a type may not have known to be square.
inline const tensor& matrices(eval_context& cx) {
  const tensor& x = cx.operand(0);
  const std::vector<i64>& shape = x.shape();
  if (shape.size() < 2 || shape[shape.size() - 2] != shape.back())
    cx.fail("the operand is " + x.describe() + ", whose matrices are not square");
  return x;
}
/// f(first element of a matrix, its number), for matrices of n rows.
template <class F>
void each_matrix(eval_context& cx, const tensor& x, F&& f) {
  const i64 n = x.shape().back(), matrices = n == 0 ? 0 : x.size() / (n * n);
  detail::visit_sums(cx, x.type(), [&]<class T>(T) {
    for (i64 i = 0; i < matrices; ++i) f(x.data<T>().data() + i * n * n, i);
  });
}

}  // namespace linear_algebra_detail

void evaluate(const determinant&, eval_context& cx) {
  const tensor& x = linear_algebra_detail::matrices(cx);
  const i64 n = x.shape().back();
  std::vector<i64> shape(x.shape().begin(), x.shape().end() - 2);
  tensor y(x.type(), shape);
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, 1);
  linear_algebra_detail::each_matrix(cx, x, [&]<class T>(const T* from, i64 number) {
    y.data<T>()[static_cast<size_t>(number)] =
        convert_element<T>(static_cast<double>(eliminated_rows<T>(from, n, n).determinant()));
  });
  cx.result(std::move(y));
}

void evaluate(const inverse&, eval_context& cx) {
  const tensor& x = linear_algebra_detail::matrices(cx);
  const i64 n = x.shape().back();
  tensor y(x.type(), x.shape());
  linear_algebra_detail::each_matrix(cx, x, [&]<class T>(const T* from, i64 number) {
    eliminated_rows<T> rows(from, n, 2 * n);
    rows.invert();
    T* to = y.data<T>().data() + number * n * n;
    for (i64 i = 0; i < n; ++i)
      for (i64 j = 0; j < n; ++j) to[i * n + j] = convert_element<T>(static_cast<double>(rows.at(i, n + j)));
  });
  cx.result(std::move(y));
}

}  // namespace tenon::op
