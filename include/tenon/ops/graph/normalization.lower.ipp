/// @file normalization.lower.ipp: loop nests of normalizations.
#pragma once

#include <tenon/ops/graph/normalization.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

void lower(const lrn& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const ir::type x = cx.operand_type(0);
  const dtype t = sum_type(x.elem);
  const size_t axis = channel_axis(op.layout, x.shape.size());
  const index_expr channels = cx.extent(x.shape[axis]);
  const i64 before = (op.size - 1) / 2;
  const bool last = axis + 1 == x.shape.size();
  b.nest(cx.extents(x), [&](const index_list& at) {
    const value_id v = b.convert(cx.load(0, at), t);
    const auto square = [&](value_id u) {
      u = b.convert(u, t);
      return b.mul(u, u);
    };
    value_id sum = b.real(t, 0);
    index_list from = at;
    if (last && op.size <= 16) {
      // Channels are the vectorized dimension: a fixed number of guarded reads instead of bounds that depend on it.
      const value_id zero = b.real(x.elem, 0);
      for (i64 k = 0; k < op.size; ++k) {
        from[axis] = at[axis] + (k - before);
        sum = b.add(sum, square(cx.operand_or(zero, 0, from)));
      }
    } else {
      const index_expr lo = b.max(0, at[axis] - before), hi = b.min(channels, at[axis] + (op.size - before));
      sum = b.reduce(lo, hi, {sum}, [&](const index_expr& k, std::vector<value_id>& acc) {
        from[axis] = k;
        acc[0] = b.add(acc[0], square(cx.load(0, from)));
      })[0];
    }
    const value_id alpha = b.real(t, op.alpha / static_cast<double>(op.size));
    const value_id scale = b.add(b.real(t, op.bias), b.mul(alpha, sum));
    value_id divisor;
    if (op.beta == 1) divisor = scale;
    else if (op.beta == 0.5) divisor = b.apply(scalar_fn::sqrt, {scale});
    else if (op.beta == 0.75) {
      const value_id root = b.apply(scalar_fn::sqrt, {scale});
      divisor = b.mul(root, b.apply(scalar_fn::sqrt, {root}));
    } else {
      divisor = b.apply(scalar_fn::pow, {scale, b.real(t, op.beta)});
    }
    cx.store(b.convert(b.div(v, divisor), x.elem), 0, at);
  });
}

}  // namespace tenon::op
