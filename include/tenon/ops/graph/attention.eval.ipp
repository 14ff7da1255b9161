/// @file attention.eval.ipp: reference evaluation of attention; scores, weights and sums are kept in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <tenon/interpret/eval.hpp>
#include <tenon/interpret/scalar.hpp>
#include <tenon/ops/graph/attention.hpp>

namespace tenon::op {
namespace attention_detail {

/// Where the element at a place of the scores' shape, or the matrix at a place of its leading dimensions, is in an
/// operand that broadcasts to it.
inline i64 broadcast_place(const std::vector<i64>& shape, const std::vector<i64>& all, i64 number) {
  i64 place = 0, step = 1;
  for (size_t d = all.size(); d-- > 0; number /= all[d]) {
    const size_t behind = all.size() - d;
    if (behind > shape.size()) break;
    const i64 extent = shape[shape.size() - behind];
    if (extent != 1) place += number % all[d] * step;
    step *= extent;
  }
  return place;
}

/// numpy's rule; extents that do not meet fail.
inline std::vector<i64> broadcast_shape(const eval_context& cx, const std::vector<i64>& a, const std::vector<i64>& b) {
  std::vector<i64> r(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < r.size(); ++i) {
    const i64 x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) cx.fail("shapes " + shape_text(a) + " and " + shape_text(b));
    r[r.size() - 1 - i] = x == 1 ? y : x;
  }
  return r;
}

}  // namespace attention_detail

void evaluate(const attention& op, eval_context& cx) {
  const tensor &q = cx.operand(0), &k = cx.operand(1), &v = cx.operand(2);
  if (q.rank() < 2 || k.rank() < 2 || v.rank() < 2) cx.fail("operands " + q.describe() + ", " + k.describe());
  const auto leading = [](const tensor& t) { return std::vector<i64>(t.shape().begin(), t.shape().end() - 2); };
  const i64 queries = q.shape()[q.shape().size() - 2], depth = q.shape().back();
  const i64 keys = k.shape().back(), columns = v.shape().back();
  if (k.shape()[k.shape().size() - 2] != depth || v.shape()[v.shape().size() - 2] != keys)
    cx.fail("shapes " + shape_text(q.shape()) + ", " + shape_text(k.shape()) + " and " + shape_text(v.shape()));
  std::vector<i64> batch =
      attention_detail::broadcast_shape(cx, attention_detail::broadcast_shape(cx, leading(q), leading(k)), leading(v));
  std::vector<i64> all = batch, shape = batch;
  all.insert(all.end(), {queries, keys});
  shape.insert(shape.end(), {queries, columns});
  const tensor* mask = cx.has(3) ? &cx.operand(3) : nullptr;
  if (mask != nullptr && attention_detail::broadcast_shape(cx, all, mask->shape()) != all)
    cx.fail("the mask has more elements than there are scores");

  const tensor a = q.cast(dtype::f64), b = k.cast(dtype::f64), c = v.cast(dtype::f64);
  tensor y(dtype::f64, shape);
  std::vector<double> weights(static_cast<size_t>(keys));
  for (i64 n = 0; n < element_count(batch); ++n) {
    const double* pa =
        a.data<double>().data() + attention_detail::broadcast_place(leading(q), batch, n) * queries * depth;
    const double* pb = b.data<double>().data() + attention_detail::broadcast_place(leading(k), batch, n) * depth * keys;
    const double* pc =
        c.data<double>().data() + attention_detail::broadcast_place(leading(v), batch, n) * keys * columns;
    for (i64 i = 0; i < queries; ++i) {
      double top = -std::numeric_limits<double>::infinity(), sum = 0;
      for (i64 j = 0; j < keys; ++j) {
        double s = 0;
        for (i64 d = 0; d < depth; ++d) s += pa[i * depth + d] * pb[d * keys + j];
        s *= op.scale;
        if (mask != nullptr) {
          const i64 at = attention_detail::broadcast_place(mask->shape(), all, (n * queries + i) * keys + j);
          if (mask->type() == dtype::boolean) s = mask->at_i64(at) != 0 ? s : op.fill;
          else s += mask->at_f64(at);
        }
        weights[static_cast<size_t>(j)] = s;
        top = apply_wide(loop::scalar_fn::max, top, s, 0.0);
      }
      for (double& w : weights) w = std::exp(w - top), sum += w;
      double* to = y.data<double>().data() + (n * queries + i) * columns;
      for (i64 e = 0; e < columns; ++e) {
        double s = 0;
        for (i64 j = 0; j < keys; ++j) s += weights[static_cast<size_t>(j)] / sum * pc[j * columns + e];
        to[e] = s;
      }
    }
  }
  cx.result(y.cast(q.type()));
}

}  // namespace tenon::op
