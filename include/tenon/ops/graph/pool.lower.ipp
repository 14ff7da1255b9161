/// @file pool.lower.ipp: loop nests of pools; the innermost independent loop runs along the result's last dimension.
#pragma once

#include <limits>

#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/pool.hpp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/ops/lower.hpp>

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
  for (placed_window& w : windows)  // a last one may overhang, where windows are not at every place
    w.ends = w.ends && (!op.ceil_mode || w.stride == 1 || (w.in.is_constant() && w.out.is_constant()));
  return windows;
}

inline value_id lowest(ir::loop_builder& b, dtype t) {
  if (is_float(t)) return b.real(t, -std::numeric_limits<double>::infinity());
  if (!is_signed_int(t)) return b.integer(t, 0);
  return b.integer(t, -(i64{1} << (size_of(t) * 8 - 2)) * 2);
}

/// Windows one dimension after the other: what a pool combines must not depend on the order. Each pass but the last
/// writes an image of partial results; before the last one this has its rows' padding around it, so that windows along
/// a row all have the same taps and neighbours are lanes.
class pool_passes {
 public:
  template <class Op>
  pool_passes(const Op& op, const std::vector<placed_window>& windows, lower_context& cx)
      : layout_(op.layout), windows_(windows), cx_(cx) {
    for (size_t d = 0; d < windows.size(); ++d)
      if (!is_plain(windows[d])) passes_.push_back(d);
    const placed_window& w = windows.back();
    const bool wide = !w.out.is_constant() || w.out.constant() >= 4;
    padded_ = !is_last() && wide && !is_plain(w) && w.pad_begin >= 0 && !(w.starts_inside() && w.ends_inside());
    if (!padded_) return;
    // No window ends behind this.
    after_ = std::max<i64>(w.pad_end, 0) + (op.ceil_mode ? w.stride - 1 : 0);
  }
  /// Is it less work than a walk over all taps of each window?
  bool worth_it() const {
    if (padded_) return true;
    if (passes_.size() < 2) return false;
    double taps = 1, apart = 0, places = 1;  // of one element of the result
    for (const placed_window& w : windows_) taps *= static_cast<double>(w.kernel), places *= ratio(w);
    for (size_t d : passes_) {
      places /= ratio(windows_[d]);
      apart += places * static_cast<double>(windows_[d].kernel);
    }
    return 2 * apart <= taps;
  }

  /// `take(element)` begins, `combine(a, b)` goes on from `init`; `finish(value, prepared, window)` stores, with what
  /// `prepare(window)` returned outside of the channels' loop.
  template <class Take, class Combine, class Prepare, class Finish>
  void lower(value_id init, Take&& take, Combine&& combine, Prepare&& prepare, Finish&& finish) {
    ir::loop_builder& b = cx_.b();
    const dtype t = b.type_of(init);
    std::vector<ir::dim> shape = cx_.operand_type(0).shape;
    const std::vector<ir::dim> result = cx_.result_type().shape;
    const size_t first = spatial_axis(layout_);
    value_id from;  // null: the operand
    const auto read = [&](const index_list& at) { return from ? b.load(from, at) : take(cx_.load(0, at)); };
    const auto combined = [&](const pool_window& w, size_t d, const tap_range& taps, const placed_window& how) {
      return reduce_taps(b, {taps}, {init}, [&](const index_list& k, std::vector<value_id>& acc) {
        index_list place = w.spatial;
        place[d] = tap_place(how, w.spatial[d], k[0]);
        acc[0] = combine(acc[0], read(image_index(layout_, w.n, w.c, place)));
      })[0];
    };
    const size_t last = passes_.back();
    if (padded_ && passes_.size() == 1) from = copy_padded(init, shape, read);
    for (size_t d : passes_) {
      shape[first + d] = result[first + d];
      if (d == last) break;
      const bool pads = padded_ && d == passes_[passes_.size() - 2];
      const value_id to = cx_.scratch(t, pads ? with_padding(shape) : shape);
      each(
          shape, [&](const pool_window& w) { return taps_of(b, windows_[d], w.spatial[d]); },
          [&](const pool_window& w, const tap_range& taps) {
            index_list place = w.spatial;
            if (pads) place.back() = place.back() + windows_.back().pad_begin;
            b.store(combined(w, d, taps, windows_[d]), to, image_index(layout_, w.n, w.c, place));
          });
      if (pads) fill_padding(init, to, shape);
      from = to;
    }
    placed_window how = windows_[last];
    if (padded_) how.pad_begin = how.pad_end = 0;
    const auto prepared = [&](const pool_window& w) {
      return std::pair{padded_ ? tap_range{0, how.kernel} : taps_of(b, how, w.spatial[last]), prepare(w)};
    };
    each(shape, prepared,
         [&](const pool_window& w, const auto& p) { finish(combined(w, last, p.first, how), p.second, w); });
  }

 private:
  bool is_last() const { return layout_ == data_layout::channels_last; }
  static bool is_plain(const placed_window& w) {
    return w.kernel == 1 && w.stride == 1 && w.pad_begin == 0 && w.pad_end == 0;
  }
  static double ratio(const placed_window& w) {
    if (!w.in.is_constant() || !w.out.is_constant() || w.out == 0) return static_cast<double>(w.stride);
    return static_cast<double>(w.in.constant()) / static_cast<double>(w.out.constant());
  }
  /// Calls f(window, prepare(window)) for each place of an image, with the channels innermost where they are last.
  template <class P, class F>
  void each(const std::vector<ir::dim>& shape, P&& prepare, F&& f) {
    ir::loop_builder& b = cx_.b();
    index_list e;
    for (ir::dim d : shape) e.push_back(cx_.extent(d));
    const auto go = [&](const index_list& at, const index_expr& inner) {
      pool_window w{at[0], 0, index_list(at.begin() + (is_last() ? 1 : 2), at.end()), {}};
      if (!is_last()) w.c = at[1], w.spatial.push_back(inner);
      return w;
    };
    b.nest(index_list(e.begin(), e.end() - 1), [&](const index_list& at) {
      if (is_last()) {
        pool_window w = go(at, 0);
        const auto prepared = prepare(static_cast<const pool_window&>(w));
        b.for_(0, e.back(), [&](const index_expr& c) {
          w.c = c;
          f(static_cast<const pool_window&>(w), prepared);
        });
        return;
      }
      b.for_(0, e.back(), [&](const index_expr& x) {
        const pool_window w = go(at, x);
        f(w, prepare(w));
      });
    });
  }
  std::vector<ir::dim> with_padding(std::vector<ir::dim> shape) {
    shape.back() = ir::dim_of(cx_.b().mod(), cx_.expression(shape.back()) + (windows_.back().pad_begin + after_));
    return shape;
  }
  void fill_padding(value_id init, value_id image, const std::vector<ir::dim>& shape) {
    ir::loop_builder& b = cx_.b();
    const i64 before = windows_.back().pad_begin;
    index_list rows;
    for (size_t d = 0; d + 1 < shape.size(); ++d) rows.push_back(cx_.extent(shape[d]));
    const index_expr n = cx_.extent(shape.back());
    const auto fill = [&](index_list at, const index_expr& first, i64 count) {
      at.emplace_back();
      b.for_(0, count, [&](const index_expr& i) {
        at.back() = first + i;
        b.store(init, image, at);
      });
    };
    b.nest(rows, [&](const index_list& at) {
      if (before > 0) fill(at, 0, before);
      if (after_ > 0) fill(at, n + before, after_);
    });
  }
  template <class Read>
  value_id copy_padded(value_id init, const std::vector<ir::dim>& shape, Read&& read) {
    ir::loop_builder& b = cx_.b();
    const value_id to = cx_.scratch(b.type_of(init), with_padding(shape));
    index_list e;
    for (ir::dim d : shape) e.push_back(cx_.extent(d));
    b.nest(e, [&](const index_list& at) {
      index_list place = at;
      place.back() = place.back() + windows_.back().pad_begin;
      b.store(read(at), to, place);
    });
    fill_padding(init, to, shape);
    return to;
  }

  data_layout layout_;
  const std::vector<placed_window>& windows_;
  lower_context& cx_;
  std::vector<size_t> passes_;  ///< dimensions in which windows are more than an element
  bool padded_ = false;
  i64 after_ = 0;  ///< elements behind a row
};

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
    detail::pool_passes passes(op, windows, cx);
    if (passes.worth_it())
      return passes.lower(
          detail::lowest(b, t), [&](value_id v) { return b.convert(v, t); },
          [&](value_id best, value_id v) { return b.max(best, v); }, nothing,
          [&](value_id best, int, const detail::pool_window& w) {
            cx.store(b.convert(best, x.elem), 0, detail::image_index(op.layout, w.n, w.c, w.spatial));
          });
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
  const auto number = [&](value_id n) { return b.convert(b.convert(n, dtype::i64), t); };
  // How many taps count along a row of a plane, where lanes are neighbours, is a table: 64-bit integers are slow there.
  value_id along_row;
  const detail::placed_window& row = counted.back();
  if (op.layout == data_layout::channels_first && !(row.starts_inside() && row.ends_inside())) {
    const ir::dim places = cx.result_type().shape.back();
    along_row = cx.scratch(t, {places});
    b.for_(0, cx.extent(places), [&](const index_expr& at) {
      const detail::tap_range k = detail::taps_of(b, row, at);
      b.store(number(b.index(k.hi - k.lo)), along_row, {at});
    });
  }
  const auto count = [&](const detail::pool_window& w) {
    i64 fixed = 1;
    value_id product;
    for (size_t d = 0; d + (along_row ? 1 : 0) < counted.size(); ++d) {
      const detail::tap_range k = detail::taps_of(b, counted[d], w.spatial[d]);
      const index_expr n = k.hi - k.lo;
      if (n.is_constant()) fixed *= n.constant();
      else product = product ? b.mul(product, b.index(n)) : b.index(n);
    }
    const value_id all = product ? number(b.index(index_expr(product) * fixed)) : b.real(t, static_cast<double>(fixed));
    return along_row ? b.mul(all, b.load(along_row, {w.spatial.back()})) : all;
  };
  detail::pool_passes passes(op, windows, cx);
  if (passes.worth_it())
    return passes.lower(
        b.real(t, 0), [&](value_id v) { return b.convert(v, t); },
        [&](value_id sum, value_id v) { return b.add(sum, v); }, count,
        [&](value_id sum, value_id n, const detail::pool_window& w) {
          cx.store(b.convert(b.div(sum, n), elem), 0, detail::image_index(op.layout, w.n, w.c, w.spatial));
        });
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
  const auto power = [&](value_id x) {
    const value_id v = b.apply(scalar_fn::abs, {b.convert(x, t)});
    if (op.p == 2) return b.mul(v, v);
    return op.p == 1 ? v : b.apply(scalar_fn::pow, {v, b.real(t, static_cast<double>(op.p))});
  };
  const auto store = [&](value_id s, int, const detail::pool_window& w) {
    if (op.p == 2) s = b.apply(scalar_fn::sqrt, {s});
    else if (op.p != 1) s = b.apply(scalar_fn::pow, {s, b.real(t, 1 / static_cast<double>(op.p))});
    cx.store(b.convert(s, elem), 0, detail::image_index(op.layout, w.n, w.c, w.spatial));
  };
  detail::pool_passes passes(op, windows, cx);
  if (passes.worth_it())
    return passes.lower(b.real(t, 0), power, [&](value_id sum, value_id v) { return b.add(sum, v); }, nothing, store);
  detail::for_each_window(op, windows, cx, nothing, [&](const detail::pool_window& w, int) {
    const value_id s =
        detail::reduce_taps(b, w.taps, {b.real(t, 0)}, [&](const index_list& k, std::vector<value_id>& acc) {
          const index_list at = detail::image_index(op.layout, w.n, w.c, detail::tap_places(windows, w.spatial, k));
          acc[0] = b.add(acc[0], power(cx.load(0, at)));
        })[0];
    store(s, 0, w);
  });
}

}  // namespace tenon::op
