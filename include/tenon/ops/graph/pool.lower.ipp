/// @file pool.lower.ipp: definitions of ops/graph/pool.lower.hpp.
#pragma once

#include <limits>

#include <tenon/ops/graph/pool.lower.hpp>
#include <tenon/ops/graph/window.lower.hpp>

namespace tenon::op {

namespace detail {

/// One window: its place, and the loops over its taps that read the image.
struct pool_window {
  index_expr n, c;
  index_list spatial;
  std::vector<tap_range> taps;
};

/// Calls `prepare(window)` for each place, outside of the channel loop when channels are last, then `f(window, what
/// prepare returned)` for each result element.
template <class Op, class P, class F>
void for_each_window(const Op& op, const std::vector<placed_window>& windows, lower_context& cx, P&& prepare, F&& f) {
  ir::loop_builder& b = cx.b();
  const ir::type y = cx.result_type();
  const bool last = op.layout == data_layout::channels_last;
  const index_list e = cx.extents(y);
  b.nest(index_list(e.begin(), last ? e.end() - 1 : e.end()), [&](const index_list& at) {
    pool_window w{at[0], last ? index_expr(0) : at[1], index_list(at.begin() + (last ? 1 : 2), at.end()), {}};
    w.taps = taps_of(b, windows, w.spatial);
    const auto prepared = prepare(static_cast<const pool_window&>(w));
    if (!last) return f(static_cast<const pool_window&>(w), prepared);
    b.for_(0, e.back(), [&](const index_expr& c) {
      w.c = c;
      f(static_cast<const pool_window&>(w), prepared);
    });
  });
}

template <class Op>
std::vector<placed_window> pool_windows(const Op& op, lower_context& cx) {
  auto windows = placed_windows(make_windows(op.kernel, op.strides, op.dilations, op.pads), op.layout,
                                cx.operand_type(0), cx.result_type(), cx);
  for (placed_window& w : windows)  // a last one may overhang
    w.ends = w.ends && (!op.ceil_mode || (w.in.is_constant() && w.out.is_constant()));
  return windows;
}

inline value_id lowest(ir::loop_builder& b, dtype t) {
  if (is_float(t)) return b.real(t, -std::numeric_limits<double>::infinity());
  if (!is_signed_int(t)) return b.integer(t, 0);
  return b.integer(t, -(i64{1} << (size_of(t) * 8 - 2)) * 2);
}

/// The place of an image's element in channels_first order.
inline index_list spatial_steps(const max_pool& op, const std::vector<placed_window>& w, ir::loop_builder& b) {
  index_list r(w.size(), 0);
  index_expr step = 1;
  for (size_t i = 0; i < w.size(); ++i) {
    const size_t d = op.column_major ? i : w.size() - 1 - i;
    r[d] = step;
    step = b.times(step, w[d].in);
  }
  return r;
}

}  // namespace detail

void lower(const max_pool& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const ir::type x = cx.operand_type(0);
  const std::vector<detail::placed_window> windows = detail::pool_windows(op, cx);
  const dtype t = sum_type(x.elem);
  const auto value = [&](const detail::pool_window& w, const index_list& k) {
    return b.convert(cx.load(0, detail::image_index(op.layout, w.n, w.c, detail::tap_places(windows, w.spatial, k))),
                     t);
  };
  const auto nothing = [](const detail::pool_window&) { return 0; };
  if (!op.indices) {
    detail::for_each_window(op, windows, cx, nothing, [&](const detail::pool_window& w, int) {
      const value_id best = detail::reduce_taps(
          b, w.taps, {detail::lowest(b, t)},
          [&](const index_list& k, std::vector<value_id>& acc) { acc[0] = b.max(acc[0], value(w, k)); })[0];
      cx.store(b.convert(best, x.elem), 0, detail::image_index(op.layout, w.n, w.c, w.spatial));
    });
    return;
  }
  index_expr plane = 1;
  for (const detail::placed_window& w : windows) plane = b.times(plane, w.in);
  const index_expr channels = cx.extent(x.shape[channel_axis(op.layout, x.shape.size())]);
  const index_list steps = detail::spatial_steps(op, windows, b);
  detail::for_each_window(op, windows, cx, nothing, [&](const detail::pool_window& w, int) {
    const auto init = std::vector<value_id>{detail::lowest(b, t), b.index(-1)};
    const std::vector<value_id> best =
        detail::reduce_taps(b, w.taps, init, [&](const index_list& k, std::vector<value_id>& acc) {
          const index_list at = detail::tap_places(windows, w.spatial, k);
          index_expr number = b.times(b.times(w.n, channels) + w.c, plane);
          for (size_t d = 0; d < at.size(); ++d) number = number + b.times(at[d], steps[d]);
          const value_id v = value(w, k);
          value_id better =
              b.apply(scalar_fn::bit_or, {b.apply(scalar_fn::gt, {v, acc[0]}), b.less(index_expr(acc[1]), 0)});
          if (is_float(t)) {  // the first NaN stays
            const value_id so_far = b.apply(scalar_fn::bit_not, {b.apply(scalar_fn::is_nan, {acc[0]})});
            better = b.apply(scalar_fn::bit_or,
                             {better, b.apply(scalar_fn::bit_and, {b.apply(scalar_fn::is_nan, {v}), so_far})});
          }
          acc = {b.select(better, v, acc[0]), b.select(better, b.index(number), acc[1])};
        });
    const index_list to = detail::image_index(op.layout, w.n, w.c, w.spatial);
    cx.store(b.convert(best[0], x.elem), 0, to);
    cx.store(b.convert(best[1], dtype::i64), 1, to);
  });
}

void lower(const average_pool& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype elem = cx.operand_type(0).elem, t = sum_type(elem);
  const std::vector<detail::placed_window> windows = detail::pool_windows(op, cx);
  std::vector<detail::placed_window> counted = windows;  // the taps that count: with padding, those of the padded image
  if (op.count_include_pad)
    for (detail::placed_window& w : counted) {
      w.in = w.in + (w.pad_begin + w.pad_end), w.input += w.pad_begin + w.pad_end, w.pad_begin = 0, w.pad_end = 0;
      w.ends = w.out.is_constant() && w.in.is_constant() ? static_cast<const window&>(w).ends_inside() : !op.ceil_mode;
    }
  const auto count = [&](const detail::pool_window& w) {
    const std::vector<detail::tap_range> taps = detail::taps_of(b, counted, w.spatial);
    i64 fixed = 1;
    value_id product;
    for (const detail::tap_range& k : taps) {
      const index_expr n = k.hi - k.lo;
      if (n.is_constant()) fixed *= n.constant();
      else product = product ? b.mul(product, b.index(n)) : b.index(n);
    }
    if (!product) return b.real(t, static_cast<double>(fixed));
    return b.convert(b.convert(b.index(index_expr(product) * fixed), dtype::i64), t);
  };
  detail::for_each_window(op, windows, cx, count, [&](const detail::pool_window& w, value_id n) {
    const value_id sum =
        detail::reduce_taps(b, w.taps, {b.real(t, 0)}, [&](const index_list& k, std::vector<value_id>& acc) {
          const index_list at = detail::image_index(op.layout, w.n, w.c, detail::tap_places(windows, w.spatial, k));
          acc[0] = b.add(acc[0], b.convert(cx.load(0, at), t));
        })[0];
    cx.store(b.convert(b.div(sum, n), elem), 0, detail::image_index(op.layout, w.n, w.c, w.spatial));
  });
}

void lower(const lp_pool& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype elem = cx.operand_type(0).elem, t = sum_type(elem);
  const std::vector<detail::placed_window> windows = detail::pool_windows(op, cx);
  const auto nothing = [](const detail::pool_window&) { return 0; };
  detail::for_each_window(op, windows, cx, nothing, [&](const detail::pool_window& w, int) {
    value_id s = detail::reduce_taps(b, w.taps, {b.real(t, 0)}, [&](const index_list& k, std::vector<value_id>& acc) {
      const index_list at = detail::image_index(op.layout, w.n, w.c, detail::tap_places(windows, w.spatial, k));
      value_id v = b.apply(scalar_fn::abs, {b.convert(cx.load(0, at), t)});
      if (op.p == 2) v = b.mul(v, v);
      else if (op.p != 1) v = b.apply(scalar_fn::pow, {v, b.real(t, static_cast<double>(op.p))});
      acc[0] = b.add(acc[0], v);
    })[0];
    if (op.p == 2) s = b.apply(scalar_fn::sqrt, {s});
    else if (op.p != 1) s = b.apply(scalar_fn::pow, {s, b.real(t, 1 / static_cast<double>(op.p))});
    cx.store(b.convert(s, elem), 0, detail::image_index(op.layout, w.n, w.c, w.spatial));
  });
}

}  // namespace tenon::op
