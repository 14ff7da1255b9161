/// @file normalization.eval.ipp: reference evaluation of normalizations.
#pragma once

#include <cmath>
#include <span>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/normalization.hpp>
#include <tenon/ops/graph/sums.hpp>

namespace tenon::op {

void evaluate(const lrn& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (x.rank() < 2 || op.size < 1) cx.fail("an operand " + x.describe());
  const size_t axis = channel_axis(op.layout, x.shape().size());
  const i64 channels = x.shape()[axis], step = row_major_strides(x.shape())[axis];
  const i64 before = (op.size - 1) / 2;
  detail::result_in_doubles(cx, x.shape(), [&](std::span<const double> from, std::span<double> to) {
    for (i64 i = 0; i < x.size(); ++i) {
      const i64 c = i / step % channels;
      double sum = 0;
      for (i64 k = std::max<i64>(0, c - before); k < std::min(channels, c - before + op.size); ++k) {
        const double v = from[static_cast<size_t>(i + (k - c) * step)];
        sum += v * v;
      }
      const double scale = std::pow(op.bias + op.alpha / static_cast<double>(op.size) * sum, op.beta);
      to[static_cast<size_t>(i)] = from[static_cast<size_t>(i)] / scale;
    }
  });
}

}  // namespace tenon::op
