/// @file resize_by_axes.lower.ipp: coordinates and weights of taps, and resizes of one axis after the other, for
/// resize.lower.ipp.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/resize_plan.hpp>

namespace tenon::op::movement_detail {

/// Arithmetic on loop scalars of f32, or of f64 where coordinates are that.
struct real_math {
  ir::loop_builder& b;
  dtype type = dtype::f32;
  value_id number(double v) const { return b.real(type, v); }
  value_id from_index(const index_expr& i) const { return b.convert(b.index(i), type); }
  value_id take(value_id v) const { return b.convert(v, type); }
  index_expr to_index(value_id x) const { return b.convert(x, dtype::index); }
  value_id floor(value_id x) const { return b.apply(scalar_fn::floor, {x}); }
  value_id ceil(value_id x) const { return b.apply(scalar_fn::ceil, {x}); }
  value_id abs(value_id x) const { return b.apply(scalar_fn::abs, {x}); }
  value_id less(value_id x, value_id y) const { return b.apply(scalar_fn::lt, {x, y}); }
  value_id either(value_id x, value_id y) const { return b.apply(scalar_fn::bit_or, {x, y}); }

  /// Keys' cubic filter at a distance: the formula of `cubic_weight` in the evaluation.
  value_id cubic(value_id distance, double a) const {
    const value_id x = abs(distance), c = number(a);
    const value_id near = b.add(b.mul(b.mul(b.sub(b.mul(number(a + 2), x), number(a + 3)), x), x), number(1));
    const value_id far =
        b.sub(b.mul(b.add(b.mul(b.sub(b.mul(c, x), number(5 * a)), x), number(8 * a)), x), number(4 * a));
    return b.select(less(number(1), x), b.select(less(x, number(2)), far, number(0)), near);
  }
  value_id triangle(value_id distance) const { return b.max(number(0), b.sub(number(1), abs(distance))); }
};

/// The type of coordinates that come in this one.
inline dtype coordinate_type(dtype t) { return t == dtype::f64 ? t : dtype::f32; }
/// The type in which weighted elements are summed.
inline dtype sum_type(dtype t) { return t == dtype::f64 || !is_float(t) ? dtype::f64 : dtype::f32; }

/// An axis whose extents may be symbols: numbers that depend on them are computed, and stand instead of the plan's.
struct sampled_axis : resize_axis {
  value_id factor_value, divisor_value, offset_value, stretch_value, last_value;  ///< last: the last source coordinate
  index_expr first = 0, count = 1;                                                ///< taps

  sampled_axis() = default;
  sampled_axis(const resize_axis& a) : resize_axis(a), first(a.first_tap), count(a.taps) {}
};

inline value_id source_coordinate(const real_math& m, const sampled_axis& a, const index_expr& i) {
  value_id x = m.from_index(i);
  const auto number = [&](value_id computed, float known) {
    return computed ? computed : m.number(static_cast<double>(known));
  };
  if (a.shift != 0) x = m.b.add(x, m.number(static_cast<double>(a.shift)));
  if (a.factor_value || a.factor != 1) x = m.b.mul(x, number(a.factor_value, a.factor));
  if (a.divisor_value || a.divisor != 1) x = m.b.div(x, number(a.divisor_value, a.divisor));
  if (a.offset_value || a.offset != 0) x = m.b.add(x, number(a.offset_value, a.offset));
  return x;
}

inline index_expr nearest_source(const real_math& m, const index_expr& in, nearest_mode mode, value_id x) {
  const value_id base = m.floor(x);
  if (mode == nearest_mode::floor) x = base;
  else if (mode == nearest_mode::ceil) x = m.ceil(x);
  else
    x = m.b.select(m.less(m.number(static_cast<double>(nearest_limit(mode))), m.b.sub(x, base)),
                   m.b.add(base, m.number(1)), base);
  return clamped(m.b, m.to_index(x), in);
}

/// The weight of the tap that is `step` elements behind the one at or before the coordinate, `rest` before it.
inline value_id tap_weight(const resize& op, const real_math& m, const sampled_axis& a, const index_expr& step,
                           value_id rest) {
  value_id distance = step.is_constant() ? m.number(static_cast<double>(step.constant())) : m.from_index(step);
  distance = m.b.sub(distance, rest);
  if (a.stretch_value) distance = m.b.mul(distance, a.stretch_value);
  else if (a.stretch < 1) distance = m.b.mul(distance, m.number(static_cast<double>(a.stretch)));
  return op.mode == interpolation::cubic ? m.cubic(distance, static_cast<double>(static_cast<float>(op.cubic_coeff_a)))
                                         : m.triangle(distance);
}
/// sum + weight * value. An infinite element beside a point that is one of the others has no part in it: else an axis
/// that stays as it is would have to be known.
inline value_id add_tap(ir::loop_builder& b, value_id sum, value_id weight, value_id value, bool may_be_infinite) {
  const dtype t = b.type_of(sum);
  value_id part = b.mul(b.convert(weight, t), value);
  if (may_be_infinite)
    part = b.select(b.apply(scalar_fn::eq, {weight, b.real(b.type_of(weight), 0)}), b.real(t, 0), part);
  return b.add(sum, part);
}

/// Sums over the taps of one axis after the other, the last one first: the same sums in the same order, of which those
/// along a row are made once for all rows that need them. Places and weights along the last axis are made once at all.
class resize_by_axes {
 public:
  resize_by_axes(const resize& op, lower_context& cx, std::vector<sampled_axis> axes)
      : op_(op), cx_(cx), b_(cx.b()), m_{b_}, axes_(std::move(axes)), type_(cx.operand_type(0).elem),
        in_(cx.extents(cx.operand_type(0))), out_(cx.extents(cx.result_type())) {}

  /// Are the sums between two axes of the result's type, and are there taps that an axis has anywhere?
  static bool may_suit(const resize& op, const ir::type& x, const ir::type& y) {
    const auto is_empty = [](const ir::type& t) { return t.is_static() && t.count() == 0; };
    return op.mode != interpolation::nearest && !op.exclude_outside && sum_type(x.elem) == x.elem && !is_empty(x) &&
           !is_empty(y);
  }
  /// And does each tap weigh the same for all rows?
  static bool suits(const std::vector<sampled_axis>& axes) {
    if (axes.empty() || axes.back().same) return false;
    return std::all_of(axes.begin(), axes.end(), [](const sampled_axis& a) {
      const bool stretches = a.stretch != 1 || a.stretch_value;
      return a.same || (!a.extrapolates && !stretches && a.count.is_constant() && a.count.constant() <= 4);
    });
  }

  void lower() {
    std::vector<ir::dim> shape = cx_.operand_type(0).shape;
    index_list sizes = in_;
    size_t first = 0;
    while (axes_[first].same) ++first;
    make_table();
    value_id from;
    for (size_t d = axes_.size(); d-- > first;) {
      if (axes_[d].same) continue;
      shape[d] = cx_.result_type().shape[d], sizes[d] = out_[d];
      value_id to;
      if (d != first) to = cx_.scratch(type_, shape);
      b_.nest(sizes, [&](const index_list& at) {
        const value_id v = sum_at(d, from, at);
        if (to) b_.store(v, to, at);
        else cx_.store(v, 0, at);
      });
      from = to;
    }
  }

 private:
  struct tap {
    value_id weight;
    index_expr place;
  };
  index_expr inside(size_t d, const index_expr& place) { return clamped(b_, place, in_[d]); }
  std::vector<tap> taps_at(size_t d, const index_expr& i) {
    const sampled_axis& a = axes_[d];
    const value_id x = source_coordinate(m_, a, i), base = m_.floor(x), rest = b_.sub(x, base);
    std::vector<tap> taps;
    for (i64 k = 0; k < a.count.constant(); ++k) {
      const i64 step = k + a.first.constant();
      taps.push_back({tap_weight(op_, m_, a, step, rest), inside(d, m_.to_index(base) + step)});
    }
    return taps;
  }
  void make_table() {
    const size_t last = axes_.size() - 1;
    const std::vector<ir::dim> shape{axes_[last].count.constant(), cx_.result_type().shape[last]};
    weights_ = cx_.scratch(dtype::f32, shape), places_ = cx_.scratch(dtype::i32, shape);
    b_.nest(index_list{out_[last]}, [&](const index_list& at) {
      i64 k = 0;
      for (const tap& t : taps_at(last, at[0])) {
        b_.store(t.weight, weights_, {k, at[0]});
        b_.store(b_.convert(b_.index(t.place), dtype::i32), places_, {k++, at[0]});
      }
    });
  }
  value_id sum_at(size_t d, value_id from, const index_list& at) {
    std::vector<tap> taps;
    if (d + 1 < axes_.size()) taps = taps_at(d, at[d]);
    else
      for (i64 k = 0; k < axes_[d].count.constant(); ++k)
        taps.push_back(
            {b_.load(weights_, {k, at[d]}), inside(d, b_.convert(b_.load(places_, {k, at[d]}), dtype::index))});
    value_id sum = b_.real(type_, 0);
    for (const tap& t : taps) {
      index_list place = at;
      place[d] = t.place;
      sum = add_tap(b_, sum, t.weight, from ? b_.load(from, place) : cx_.load(0, place), true);
    }
    return sum;
  }

  const resize& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  real_math m_;
  std::vector<sampled_axis> axes_;
  dtype type_;
  index_list in_, out_;        ///< extents of both images
  value_id weights_, places_;  ///< of the taps along the last axis
};

}  // namespace tenon::op::movement_detail
