/// @file resize.lower.ipp: resize, grid_sample and affine_grid at loop level: coordinates and weights are loop scalars.
///
/// Sums are in f64 for f64 and integers, in f32 for the other floats. Nearest with a whole ratio is an affine division.
#pragma once

#include <tenon/ops/graph/resize.hpp>
#include <tenon/ops/graph/resize_by_axes.lower.ipp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace movement_detail {

/// Sums the taps of one result element, one dimension after the other, the first one outermost.
class resize_sampler {
 public:
  resize_sampler(const resize& op, element_context& cx, const std::vector<sampled_axis>& axes, const index_list& at)
      : op_(op), cx_(cx), m_{cx.b()}, axes_(axes), at_(at), in_(cx.extents(cx.operand_type(0))),
        type_(sum_type(cx.operand_type(0).elem)) {
    for (size_t d = 0; d < axes.size(); ++d) {
      value_id x, base, rest;
      if (!axes[d].same && !(op.mode == interpolation::nearest && axes[d].integer_ratio != 0)) {
        x = source_coordinate(m_, axes[d], at[d]);
        base = m_.floor(x);
        rest = m_.b.sub(x, base);
      }
      x_.push_back(x), base_.push_back(base), rest_.push_back(rest);
    }
  }

  value_id value() {
    const dtype t = cx_.operand_type(0).elem;
    index_list from(axes_.size(), index_expr(0));
    value_id v = op_.mode == interpolation::nearest ? nearest(from) : m_.b.convert(sum(0, from), t);
    for (size_t d = 0; d < axes_.size(); ++d)
      if (axes_[d].extrapolates) {
        const value_id outside = m_.either(
            m_.less(x_[d], m_.number(0)),
            m_.less(axes_[d].last_value ? axes_[d].last_value : m_.number(static_cast<double>(axes_[d].in - 1)),
                    x_[d]));
        v = m_.b.select(outside, literal_of(m_.b, t, op_.extrapolation_value), v);
      }
    return v;
  }

 private:
  value_id nearest(index_list& from) {
    for (size_t d = 0; d < axes_.size(); ++d) {
      const sampled_axis& a = axes_[d];
      from[d] = a.same                 ? at_[d]
                : a.integer_ratio == 1 ? at_[d]
                : a.integer_ratio != 0 ? m_.b.floor_div(at_[d], a.integer_ratio)
                                       : nearest_source(m_, in_[d], op_.nearest, x_[d]);
    }
    return cx_.operand(0, from);
  }

  /// The weight of tap number k, and where it is.
  value_id weigh(size_t d, const index_expr& k, index_list& from) {
    const sampled_axis& a = axes_[d];
    const index_expr step = k + a.first, source = m_.to_index(base_[d]) + step;
    value_id w = tap_weight(op_, m_, a, step, rest_[d]);
    if (op_.exclude_outside)
      w = m_.b.select(m_.either(m_.b.less(source, 0), m_.b.less(in_[d] - 1, source)), m_.number(0), w);
    from[d] = clamped(m_.b, source, in_[d]);
    return w;
  }

  value_id sum(size_t d, index_list& from) {
    if (d == axes_.size()) return m_.b.convert(cx_.operand(0, from), type_);
    const sampled_axis& a = axes_[d];
    if (a.same) {
      from[d] = at_[d];
      return sum(d + 1, from);
    }
    const bool normalized = op_.exclude_outside || a.stretch_value || a.stretch < 1;
    std::vector<value_id> acc{m_.b.real(type_, 0), m_.number(0)};
    const auto add = [&](const index_expr& k, std::vector<value_id>& to) {
      const value_id w = weigh(d, k, from);
      to[0] = add_tap(m_.b, to[0], w, sum(d + 1, from), is_float(cx_.operand_type(0).elem));
      if (normalized) to[1] = m_.b.add(to[1], w);
    };
    if (a.count.is_constant() && a.count.constant() <= 4) {
      for (i64 k = 0; k < a.count.constant(); ++k) add(k, acc);
    } else {
      acc = m_.b.reduce(0, a.count, acc, add);
    }
    if (!normalized) return acc[0];
    const value_id total = m_.b.select(m_.b.apply(scalar_fn::eq, {acc[1], m_.number(0)}), m_.number(1), acc[1]);
    return m_.b.div(acc[0], m_.b.convert(total, type_));
  }

  const resize& op_;
  element_context& cx_;
  real_math m_;
  const std::vector<sampled_axis>& axes_;
  const index_list& at_;
  index_list in_;
  dtype type_;
  std::vector<value_id> x_, base_, rest_;
};

/// grid_sample's sum; see grid_taps in the evaluation. Where it reads is the same for all channels of a place.
class grid_sampler {
 public:
  /// `at`: batch and place of the result.
  grid_sampler(const grid_sample& op, element_context& cx, const index_list& at)
      : op_(op), cx_(cx), m_{cx.b(), coordinate_type(cx.operand_type(1).elem)}, shape_(cx.extents(cx.operand_type(0))),
        type_(sum_type(cx.operand_type(0).elem)) {
    from_ = {at[0], 0};
    from_.resize(shape_.size());
    index_list which = at;
    which.emplace_back(0);
    for (size_t d = 2; d < shape_.size(); ++d) {
      which.back() = index_expr(static_cast<i64>(shape_.size() - 1 - d));
      taps_.push_back(taps_at(coordinate(m_.take(cx.operand(1, which)), shape_[d]), shape_[d]));
    }
  }
  value_id value(const index_expr& channel) {
    from_[1] = channel;
    return m_.b.convert(sum(2), cx_.operand_type(0).elem);
  }

 private:
  value_id coordinate(value_id g, const index_expr& n) {
    ir::loop_builder& b = m_.b;
    const value_id extent = real(n), last = real(n - 1);
    value_id x = b.add(g, m_.number(1));
    if (op_.align_corners) x = b.mul(b.mul(x, m_.number(0.5)), last);
    else x = b.mul(b.sub(b.mul(x, extent), m_.number(1)), m_.number(0.5));
    if (op_.mode == interpolation::nearest) x = b.apply(scalar_fn::round, {x});
    if (op_.padding == sample_padding::border && op_.mode != interpolation::cubic)
      x = b.min(b.max(x, m_.number(0)), last);
    if (op_.padding == sample_padding::reflection) {
      const value_id lo = m_.number(op_.align_corners ? 0 : -0.5),
                     hi = op_.align_corners ? last : b.sub(extent, m_.number(0.5));
      value_id there = m_.number(0);
      const bool point = op_.align_corners && n == 1;
      if (!point) {
        // One element has no range to be reflected in: whatever comes of it is not taken.
        const value_id range = op_.align_corners ? n.is_constant() ? last : b.max(last, m_.number(1)) : extent;
        const value_id far = m_.abs(b.sub(x, lo)), times = m_.floor(b.div(far, range)),
                       rest = b.sub(far, b.mul(times, range)), half = b.mul(times, m_.number(0.5)),
                       even = b.apply(scalar_fn::eq, {half, m_.floor(half)});
        there = b.select(even, b.add(lo, rest), b.sub(hi, rest));
        if (op_.align_corners && !n.is_constant()) there = b.select(b.equal(n, 1), m_.number(0), there);
      }
      x = b.select(m_.either(m_.less(x, lo), m_.less(hi, x)), there, x);
    }
    return b.select(m_.less(m_.abs(x), m_.number(1e9)), x, m_.number(-1e9));
  }
  value_id real(const index_expr& n) const {
    return n.is_constant() ? m_.number(static_cast<double>(n.constant())) : m_.from_index(n);
  }

  index_expr source(const index_expr& i, const index_expr& n) {
    ir::loop_builder& b = m_.b;
    if (op_.padding == sample_padding::zeros) return i;
    if (op_.padding == sample_padding::border || n == 1) return clamped(b, i, n);
    index_expr period = op_.align_corners ? (n - 1) * 2 : n * 2;
    if (!n.is_constant()) period = b.max(period, 1);
    const index_expr folded = b.floor_mod(i, period);
    return b.min(folded, (op_.align_corners ? period : period - 1) - folded);
  }

  struct tap {
    value_id weight;  ///< none: 1
    index_expr source;
  };
  std::vector<tap> taps_at(value_id x, const index_expr& n) {
    ir::loop_builder& b = m_.b;
    if (op_.mode == interpolation::nearest) return {{{}, source(m_.to_index(b.apply(scalar_fn::round, {x})), n)}};
    const value_id base = m_.floor(x), rest = b.sub(x, base);
    const index_expr first = m_.to_index(base);
    const bool cubic = op_.mode == interpolation::cubic;
    std::vector<tap> r;
    for (i64 k = cubic ? -1 : 0; k <= (cubic ? 2 : 1); ++k) {
      const value_id distance = b.sub(m_.number(static_cast<double>(k)), rest);
      const value_id w = cubic ? m_.cubic(distance, -0.75) : m_.triangle(distance);
      r.push_back({b.convert(w, type_), source(first + k, n)});
    }
    return r;
  }

  value_id sum(size_t d) {
    ir::loop_builder& b = m_.b;
    if (d == shape_.size()) {
      const dtype t = cx_.operand_type(0).elem;
      if (op_.padding != sample_padding::zeros) return b.convert(cx_.operand(0, from_), type_);
      return b.convert(cx_.operand_or(b.integer(t, 0), 0, from_), type_);
    }
    value_id total;
    for (const tap& t : taps_[d - 2]) {
      from_[d] = t.source;
      const value_id v = sum(d + 1), part = t.weight ? b.mul(t.weight, v) : v;
      total = total ? b.add(total, part) : part;
    }
    return total;
  }

  const grid_sample& op_;
  element_context& cx_;
  real_math m_;
  index_list shape_;
  dtype type_;
  index_list from_;
  std::vector<std::vector<tap>> taps_;  ///< of each spatial dimension
};

/// An axis from `n` to `out` elements, not both of them numbers; `scale` is 0 where a size is given. The formulas of
/// `resize_axes`, with what depends on the extents computed when it runs.
inline sampled_axis symbolic_resize_axis(const resize& op, const real_math& m, const index_expr& n,
                                         const index_expr& out, float scale, float begin, float end) {
  ir::loop_builder& b = m.b;
  const value_id have = m.from_index(n), want = m.from_index(out), one = m.number(1);
  const float roi = op.coordinates == coordinate_mode::tf_crop_and_resize ? end - begin : 1.0f;
  const value_id ratio = scale > 0 ? m.number(static_cast<double>(scale)) : b.div(want, have);
  value_id width = want;
  if (scale > 0) {
    width = roi == 1.0f ? have : b.mul(have, m.number(static_cast<double>(roi)));
    width = b.mul(width, ratio);
  }
  const auto scaled = [&](float by, value_id v) { return b.mul(m.number(static_cast<double>(by)), v); };
  const value_id last = b.sub(have, one), single = b.equal(out, 1);
  sampled_axis a;
  a.same = false;
  switch (op.coordinates) {
    case coordinate_mode::half_pixel: a.shift = 0.5f, a.divisor_value = ratio, a.offset = -0.5f; break;
    case coordinate_mode::half_pixel_symmetric:
      a.shift = 0.5f, a.divisor_value = ratio;
      a.offset_value = b.sub(b.mul(b.div(have, m.number(2)), b.sub(one, b.div(want, width))), m.number(0.5));
      break;
    case coordinate_mode::pytorch_half_pixel:
      a.shift = 0.5f, a.divisor_value = ratio;
      a.factor_value = b.select(single, m.number(0), one),
      a.offset_value = b.select(single, m.number(0), m.number(-0.5));
      break;
    case coordinate_mode::align_corners: {
      const value_id point = m.either(single, b.apply(scalar_fn::eq, {width, one}));
      a.factor_value = b.select(point, m.number(0), last), a.divisor_value = b.select(point, one, b.sub(width, one));
      break;
    }
    case coordinate_mode::asymmetric: a.divisor_value = ratio; break;
    case coordinate_mode::tf_half_pixel_for_nn:  // an axis of scale 1 stays
      a.shift = 0.5f, a.divisor_value = ratio;
      a.offset_value = b.select(b.apply(scalar_fn::eq, {ratio, one}), m.number(-0.5), m.number(0));
      break;
    case coordinate_mode::tf_crop_and_resize:
      a.extrapolates = true, a.last_value = last;
      a.factor_value = b.select(single, m.number(0), scaled(roi, last));
      a.divisor_value = b.select(single, one, b.sub(width, one));
      a.offset_value = b.select(single, scaled(0.5f * (begin + end), last), scaled(begin, last));
      break;
  }
  const float support = op.mode == interpolation::cubic ? 2.0f : 1.0f;
  a.first = 1 - static_cast<i64>(support), a.count = index_expr(2) - a.first * 2;
  if (op.antialias && op.mode != interpolation::nearest && !(scale >= 1)) {
    a.stretch_value = b.select(m.less(ratio, one), ratio, one);
    a.first = m.to_index(m.floor(b.div(m.number(-static_cast<double>(support)), a.stretch_value))) + 1;
    a.count = index_expr(2) - a.first * 2;
  }
  return a;
}

/// The axes of a resize whose extents are symbols.
inline std::vector<sampled_axis> symbolic_resize_axes(const lowering_view& view, const resize& op) {
  const ir::type x = view.cx.operand_type(0), y = view.cx.result_type();
  const size_t rank = x.shape.size();
  if (op.keep_aspect_ratio != aspect_policy::stretch)
    view.fail("an aspect ratio of extents that are not numbers", "specialize on their sizes");
  // Sizes that are computed from extents are what the result's type says.
  auto request = resize_request_of(view, op, rank);
  if (!request) {
    if (!view.cx.has(3) || !op.axes.empty() || op.coordinates == coordinate_mode::tf_crop_and_resize)
      view.fail("scales or the region of interest are not constant");
    request = resize_request{extents(rank, 0), std::vector<float>(rank, 0), std::vector<float>(rank, 0),
                             std::vector<float>(rank, 1)};
  }
  // By a ratio that is one whole number for all extents, coordinates may be a quotient of integers.
  const bool by_ratio = op.coordinates == coordinate_mode::half_pixel ||
                        op.coordinates == coordinate_mode::pytorch_half_pixel ||
                        op.coordinates == coordinate_mode::asymmetric;
  const bool stays = op.coordinates != coordinate_mode::tf_crop_and_resize;
  std::vector<sampled_axis> axes;
  for (size_t d = 0; d < rank; ++d) {
    const extent_expr have = view.cx.expression(x.shape[d]), want = view.cx.expression(y.shape[d]);
    const bool asked = request->size[d] >= 0 || request->scale[d] > 0;
    const bool numbers = have.is_constant() && want.is_constant();
    if (!asked || (have == want && stays && (request->size[d] >= 0 || request->scale[d] == 1.0f))) {
      axes.emplace_back();
      continue;
    }
    const extent_expr ratio = floor_div(want, have.is_constant() && have.constant() == 0 ? extent_expr(1) : have);
    const bool whole = by_ratio && ratio.is_constant() && ratio.constant() >= 1 && ratio.constant() <= 1024 &&
                       ratio * have == want &&
                       (request->scale[d] == 0 || request->scale[d] == static_cast<float>(ratio.constant()));
    if (!numbers && !whole) {
      axes.push_back(symbolic_resize_axis(op, real_math{view.cx.b()}, view.cx.extent(x.shape[d]),
                                          view.cx.extent(y.shape[d]), request->size[d] >= 0 ? 0 : request->scale[d],
                                          request->begin[d], request->end[d]));
      continue;
    }
    resize_request one{{numbers && request->size[d] >= 0 ? want.constant() : i64{-1}},
                       {request->scale[d]},
                       {request->begin[d]},
                       {request->end[d]}};
    if (!numbers) one.size[0] = -1, one.scale[0] = static_cast<float>(ratio.constant());
    resize plain = op;
    plain.axes.clear();
    axes.emplace_back(resize_axes(view, plain, one, {numbers ? have.constant() : i64{1024}})[0]);
  }
  return axes;
}

inline std::vector<sampled_axis> sampled_axes(const lowering_view& view, const resize& op) {
  const ir::type x = view.cx.operand_type(0);
  if (!x.is_static() || !view.cx.result_type().is_static()) return symbolic_resize_axes(view, op);
  const std::vector<i64> in = static_extents(x);
  const auto request =
      view.known(resize_request_of(view, op, in.size()), "scales, sizes or the region of interest are");
  const auto planned = resize_axes(view, op, request, in);
  return {planned.begin(), planned.end()};
}

}  // namespace movement_detail

value_id element(const resize& op, element_context& cx, const index_list& at) {
  const auto axes = movement_detail::sampled_axes(movement_detail::lowering_view{cx}, op);
  return movement_detail::resize_sampler(op, cx, axes, at).value();
}

void lower(const resize& op, lower_context& cx) {
  const movement_detail::lowering_view view{cx};
  if (movement_detail::resize_by_axes::may_suit(op, cx.operand_type(0), cx.result_type())) {
    auto axes = movement_detail::sampled_axes(view, op);
    if (movement_detail::resize_by_axes::suits(axes))
      return movement_detail::resize_by_axes(op, cx, std::move(axes)).lower();
  }
  cx.b().nest(cx.extents(cx.result_type()), [&](const index_list& at) { cx.store(element(op, cx, at), 0, at); });
}

void lower(const grid_sample& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.result_type());
  index_list places(shape.begin(), shape.end() - 1);
  places.erase(places.begin() + 1);
  b.nest(places, [&](const index_list& outer) {
    // Neighbours of a row are lanes, for all channels one after the other.
    b.for_(0, shape.back(),
           [&](const index_expr& x) {
             index_list at = outer;
             at.push_back(x);
             movement_detail::grid_sampler one(op, cx, at);
             b.for_(
                 0, shape[1],
                 [&](const index_expr& c) {
                   index_list to = at;
                   to.insert(to.begin() + 1, c);
                   cx.store(one.value(c), 0, to);
                 },
                 loop::for_loop{});
           },
           {.kind = loop::loop_kind::vector, .independent = true});
  });
}

value_id element(const affine_grid& op, element_context& cx, const index_list& at) {
  const movement_detail::real_math m{cx.b(), movement_detail::coordinate_type(cx.result_type().elem)};
  const index_list to = cx.extents(cx.result_type());
  const i64 n = cx.result_type().shape.back().extent();
  value_id sum = m.take(cx.operand(0, {at[0], at.back(), index_expr(n)}));
  for (i64 k = 0; k < n; ++k) {
    const size_t d = static_cast<size_t>(n - k);
    const auto real = [&](const index_expr& e) {
      return e.is_constant() ? m.number(static_cast<double>(e.constant())) : m.from_index(e);
    };
    value_id g = m.number(0);
    if (!op.align_corners) {
      g = m.b.sub(m.b.div(m.from_index(at[d] * 2 + 1), real(to[d])), m.number(1));
    } else if (!(to[d] == 1)) {
      g = m.b.add(m.b.div(m.from_index(at[d] * 2), real(to[d] - 1)), m.number(-1));
      if (!to[d].is_constant()) g = m.b.select(m.b.equal(to[d], 1), m.number(0), g);
    }
    sum = m.b.add(sum, m.b.mul(m.take(cx.operand(0, {at[0], at.back(), index_expr(k)})), g));
  }
  return m.b.convert(sum, cx.result_type().elem);
}

}  // namespace tenon::op
