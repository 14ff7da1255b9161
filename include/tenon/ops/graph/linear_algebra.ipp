/// @file linear_algebra.ipp: definitions of ops/graph/linear_algebra.hpp.
#pragma once

#include <tenon/ops/graph/linear_algebra.hpp>

namespace tenon::op {

namespace linear_algebra_detail {

/// Square matrices of floats; if their rank is known, their rows and columns are said to be as many.
inline ir::type matrices(ir::infer_context& cx) {
  ir::type x = cx.operand(0);
  if (!x.is_tensor() || !is_float(x.elem)) cx.fail("the operand is not a tensor of a float type");
  if (!x.ranked) return x;
  if (x.rank() < 2) cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions, a matrix has two");
  ir::dim &rows = x.shape[x.shape.size() - 2], &columns = x.shape.back();
  if (rows.is_static() && columns.is_static() && rows != columns)
    cx.fail("the matrix is not square: " + std::to_string(rows.extent()) + " rows and " +
            std::to_string(columns.extent()) + " columns");
  if (rows.is_unknown() || columns.is_unknown()) rows = columns = rows.is_unknown() ? columns : rows;
  else rows = columns = cx.same(rows, columns);
  return x;
}

}  // namespace linear_algebra_detail

void infer(const determinant&, ir::infer_context& cx) {
  ir::type x = linear_algebra_detail::matrices(cx);
  if (x.ranked) x.shape.resize(x.shape.size() - 2);
  cx.result(x);
}
void infer(const inverse&, ir::infer_context& cx) { cx.result(linear_algebra_detail::matrices(cx)); }

}  // namespace tenon::op
