/// @file reduce.eval.ipp: the reference evaluation of reductions.
///
/// Floats accumulate in double in row-major order and round once; integers in 64 bits, and wrap.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/interpret/eval.hpp>
#include <tenon/interpret/scalar.hpp>
#include <tenon/ops/graph/reduce.hpp>

namespace tenon::op {
namespace reduce_detail {

inline loop::scalar_fn combine_fn(reduction kind) {
  switch (kind) {
    case reduction::sum: return loop::scalar_fn::add;
    case reduction::product: return loop::scalar_fn::mul;
    case reduction::minimum: return loop::scalar_fn::min;
    case reduction::maximum: break;
  }
  return loop::scalar_fn::max;
}

/// What a reduction of no elements of type T gives.
template <class T, class Wide>
Wide identity(reduction kind) {
  if (kind == reduction::sum) return Wide{0};
  if (kind == reduction::product) return Wide{1};
  const bool low = kind == reduction::maximum;
  if constexpr (std::is_same_v<Wide, double>)
    return low ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  else return static_cast<Wide>(low ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
}

inline size_t axis_of(const eval_context& cx, i64 a, int rank) {
  if (a < -rank || a >= std::max(rank, 1))
    cx.fail("axis " + std::to_string(a) + " is outside of the " + std::to_string(rank) + " dimensions of the operand");
  return static_cast<size_t>(a < 0 ? a + rank : a);
}

/// The axes by attribute, else by operand; none: all.
inline std::vector<bool> marked(const eval_context& cx, std::vector<i64> axes, int rank) {
  if (axes.empty() && cx.has(1))
    for (i64 i = 0; i < cx.operand(1).size(); ++i) axes.push_back(cx.operand(1).at_i64(i));
  std::vector<bool> m(static_cast<size_t>(rank), axes.empty());
  for (i64 a : axes) {
    const size_t d = axis_of(cx, a, rank);
    if (rank != 0) m[d] = true;
  }
  return m;
}

inline std::vector<i64> reduced_shape(const std::vector<i64>& shape, const std::vector<bool>& reduced, bool keep) {
  std::vector<i64> r;
  for (size_t d = 0; d < shape.size(); ++d)
    if (!reduced[d]) r.push_back(shape[d]);
    else if (keep) r.push_back(1);
  return r;
}

template <class T, class Wide>
tensor reduce_wide(reduction kind, const tensor& x, const std::vector<bool>& reduced) {
  const std::vector<i64> kept = reduced_shape(x.shape(), reduced, true), own = row_major_strides(kept);
  tensor out(dtype_of<Wide>, kept);
  const std::span<Wide> o = out.data<Wide>();
  std::fill(o.begin(), o.end(), identity<T, Wide>(kind));
  const loop::scalar_fn fn = combine_fn(kind);
  std::vector<i64> at(x.shape().size(), 0);
  i64 to = 0;
  for (const Wide v : x.data<Wide>()) {
    o[static_cast<size_t>(to)] = apply_wide(fn, o[static_cast<size_t>(to)], v, Wide{});
    for (size_t d = at.size(); d-- > 0;) {
      const i64 step = reduced[d] ? 0 : own[d];
      to += step;
      if (++at[d] < x.shape()[d]) break;
      to -= step * x.shape()[d];
      at[d] = 0;
    }
  }
  return out;
}

void evaluate(axes_reduction op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const std::vector<bool> reduced = marked(cx, op.axes, x.rank());
  const tensor wide = visit(x.type(), [&]<class T>(T) {
    using w = wide_scalar<T>;
    const tensor converted = x.cast(dtype_of<w>);
    return reduce_wide<T, w>(op.kind, converted, reduced);
  });
  cx.result(wide.cast(x.type()).reshaped(reduced_shape(x.shape(), reduced, op.keep_dims)));
}

/// A tensor as lines along an axis: element k of line l is at `start(l) + k * step`.
struct lines {
  i64 count = 1, length = 1, step = 1;

  lines(const eval_context& cx, const tensor& x, i64 axis) {
    if (x.rank() == 0) {
      axis_of(cx, axis, 0);
      return;
    }
    const size_t a = axis_of(cx, axis, x.rank());
    length = x.shape()[a];
    for (size_t d = 0; d < x.shape().size(); ++d)
      if (d != a) count *= x.shape()[d];
    for (size_t d = a + 1; d < x.shape().size(); ++d) step *= x.shape()[d];
  }
  i64 start(i64 line) const { return line / step * step * length + line % step; }
};

template <class Wide>
i64 position(const Wide* p, const lines& l, bool maximum, bool last) {
  const auto is_nan = [](Wide v) { return v != v; };
  i64 best = 0;
  for (i64 k = 1; k < l.length; ++k) {
    const Wide v = p[k * l.step], b = p[best * l.step];
    const bool better = is_nan(v) ? !is_nan(b) : maximum ? v > b : v < b;
    const bool same = is_nan(v) ? is_nan(b) : v == b;
    if (better || (last && same)) best = k;
  }
  return best;
}

void evaluate(position_search op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const lines l(cx, x, op.axis);
  if (l.length == 0) cx.fail("axis " + std::to_string(op.axis) + " of " + x.describe() + " has no elements");
  tensor r(dtype::i64, reduced_shape(x.shape(), marked(cx, {op.axis}, x.rank()), op.keep_dims));
  const std::span<i64> out = r.data<i64>();
  visit(x.type(), [&]<class T>(T) {
    using w = wide_scalar<T>;
    const tensor wide = x.cast(dtype_of<w>);
    for (i64 i = 0; i < l.count; ++i)
      out[static_cast<size_t>(i)] =
          position(static_cast<const w*>(wide.data()) + l.start(i), l, op.kind == reduction::maximum, op.last);
  });
  cx.result(std::move(r));
}

void evaluate(softmax_along op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const lines l(cx, x, op.axis);
  const tensor in = x.cast(dtype::f64);
  tensor out(dtype::f64, x.shape());
  for (i64 i = 0; i < l.count && out.size() != 0; ++i) {
    const double* p = static_cast<const double*>(in.data()) + l.start(i);
    double* o = static_cast<double*>(out.data()) + l.start(i);
    double top = p[0], sum = 0;
    for (i64 k = 1; k < l.length; ++k) top = apply_wide(loop::scalar_fn::max, top, p[k * l.step], 0.0);
    for (i64 k = 0; k < l.length; ++k) sum += std::exp(p[k * l.step] - top);
    for (i64 k = 0; k < l.length; ++k) {
      const double v = p[k * l.step] - top;
      o[k * l.step] = op.log ? v - std::log(sum) : std::exp(v) / sum;
    }
  }
  cx.result(out.cast(x.type()));
}

void evaluate(running_reduction op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (cx.has(1)) {
    if (cx.operand(1).size() != 1) cx.fail(std::to_string(cx.operand(1).size()) + " axes are given, not one");
    op.axis = cx.operand(1).at_i64(0);
  }
  const lines l(cx, x, op.axis);
  cx.result(visit(x.type(), [&]<class T>(T) {
    using w = wide_scalar<T>;
    const tensor in = x.cast(dtype_of<w>);
    tensor out(dtype_of<w>, x.shape());
    for (i64 i = 0; i < l.count && out.size() != 0; ++i) {
      const w* p = static_cast<const w*>(in.data()) + l.start(i);
      w* o = static_cast<w*>(out.data()) + l.start(i);
      w sum = identity<T, w>(op.kind);
      for (i64 n = 0; n < l.length; ++n) {
        const i64 k = (op.reverse ? l.length - 1 - n : n) * l.step;
        if (op.exclusive) o[k] = sum;
        sum = apply_wide(combine_fn(op.kind), sum, p[k], w{});
        if (!op.exclusive) o[k] = sum;
      }
    }
    return out.cast(x.type());
  }));
}

}  // namespace reduce_detail

}  // namespace tenon::op
