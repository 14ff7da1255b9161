/// @file block_product.eval.ipp: reference evaluation of products by matrices of a few bits; sums are kept in double.
#pragma once

#include <vector>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/graph/block_product.ipp>

namespace tenon::op {

void evaluate(const matmul_nbits& op, eval_context& cx) {
  const tensor &a = cx.operand(0), &b = cx.operand(1), &scales = cx.operand(2);
  const tensor zeros = cx.has(3) ? cx.operand(3) : tensor();
  const i64 depth = op.depth, blocks = op.blocks(), words = op.words(), panel = op.panel;
  const i64 panels = panel > 0 ? quotient_up(op.columns, panel) : 0;
  if (a.rank() < 1 || a.shape().back() != depth) cx.fail("a is " + a.describe());
  if (b.bytes() != (panel > 0 ? panels * panel : op.columns) * words * 4 ||
      scales.size() != (panel > 0 ? panels * panel : op.columns) * blocks)
    cx.fail("b is " + b.describe() + ", the scales are " + scales.describe());
  std::vector<i64> shape = a.shape();
  shape.back() = op.columns;
  tensor y(a.type(), shape);
  const i64 rows = a.size() / depth;
  std::vector<double> x(static_cast<size_t>(a.size())), w(static_cast<size_t>(depth));
  for (size_t i = 0; i < x.size(); ++i) x[i] = a.at_f64(static_cast<i64>(i));
  const u8* bytes = static_cast<const u8*>(b.data());
  for (i64 c = 0; c < op.columns; ++c) {
    // Where a row's numbers begin, and how far apart they are.
    const auto place = [&](i64 count, i64 i) {
      return panel > 0 ? (c / panel * count + i) * panel + c % panel : c * count + i;
    };
    for (i64 j = 0; j < blocks; ++j) {
      const double scale = scales.at_f64(place(blocks, j));
      double zero = static_cast<double>(i64{1} << (op.bits - 1));
      if (cx.has(3) && (panel > 0 || zeros.type() != dtype::u8)) zero = zeros.at_f64(place(blocks, j));
      else if (cx.has(3))
        zero = detail::bits_at(static_cast<const u8*>(zeros.data()) + c * quotient_up(blocks * op.bits, 8), j, op.bits);
      for (i64 k = j * op.block; k < std::min(depth, (j + 1) * op.block); ++k) {
        const u8* word = bytes + place(words, k / op.per_word()) * 4;
        w[static_cast<size_t>(k)] = (detail::bits_at(word, k % op.per_word(), op.bits) - zero) * scale;
      }
    }
    for (i64 r = 0; r < rows; ++r) {
      const double* from = x.data() + r * depth;
      double sum = 0;
      for (i64 k = 0; k < depth; ++k) sum += from[k] * w[static_cast<size_t>(k)];
      y.set_f64(r * op.columns + c, sum);
    }
  }
  cx.result(std::move(y));
}

}  // namespace tenon::op
