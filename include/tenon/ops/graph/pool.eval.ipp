/// @file pool.eval.ipp: reference evaluation of pools.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/pool.hpp>
#include <tenon/ops/graph/sums.hpp>

namespace tenon::op {

namespace detail {

/// One window of a pool, as `for_each_window` shows it.
struct pool_place {
  i64 result = 0;  ///< linear index of the result element
  i64 batch = 0, channel = 0;
  std::array<i64, 3> output{};
};

/// The geometry of a pool over an actual image: three spatial dimensions, missing leading ones of extent 1.
struct pool_shape {
  std::vector<i64> result;
  std::array<window, 3> windows;
  i64 batches = 0, channels = 0;
  std::array<i64, 5> image{}, output{};  ///< strides: batch, channel, spatial
};

template <class Op>
pool_shape make_pool_shape(const Op& op, const eval_context& cx) {
  const std::vector<i64>& x = cx.operand(0).shape();
  const size_t n = op.kernel.size();
  if (n < 1 || n > 3 || x.size() != n + 2) cx.fail("an image of shape " + shape_text(x));
  check_window_lists(cx, n, op.strides, op.dilations, op.pads);
  pool_shape r;
  r.result = x;
  const std::vector<window> w = make_windows(op.kernel, op.strides, op.dilations, op.pads);
  const size_t first = spatial_axis(op.layout), channel = channel_axis(op.layout, x.size());
  for (size_t i = 0; i < n; ++i) {
    window& v = r.windows[3 - n + i];
    v = w[i];
    v.input = x[first + i];
    v.output = r.result[first + i] = window_count(v.input, v, op.ceil_mode);
  }
  r.batches = x[0], r.channels = x[channel];
  const std::vector<i64> sx = row_major_strides(x), sy = row_major_strides(r.result);
  r.image = {sx[0], sx[channel], 0, 0, 0}, r.output = {sy[0], sy[channel], 0, 0, 0};
  for (size_t i = 0; i < n; ++i) r.image[5 - n + i] = sx[first + i], r.output[5 - n + i] = sy[first + i];
  return r;
}

template <class F>
void for_each_window(const pool_shape& s, F&& f) {
  pool_place p;
  for (p.batch = 0; p.batch < s.batches; ++p.batch)
    for (p.channel = 0; p.channel < s.channels; ++p.channel)
      for (p.output[0] = 0; p.output[0] < s.windows[0].output; ++p.output[0])
        for (p.output[1] = 0; p.output[1] < s.windows[1].output; ++p.output[1])
          for (p.output[2] = 0; p.output[2] < s.windows[2].output; ++p.output[2]) {
            p.result = p.batch * s.output[0] + p.channel * s.output[1];
            for (size_t i = 0; i < 3; ++i) p.result += p.output[i] * s.output[2 + i];
            f(static_cast<const pool_place&>(p));
          }
}

/// Calls `f(linear index, spatial indices)` for the taps of a window that read the image.
template <class F>
void for_each_tap(const pool_shape& s, const pool_place& p, F&& f) {
  const auto& w = s.windows;
  std::array<i64, 3> at;
  const auto place = [&](size_t d, i64 k) { return p.output[d] * w[d].stride - w[d].pad_begin + k * w[d].dilation; };
  for (i64 k0 = w[0].first_tap(p.output[0]); k0 < w[0].end_tap(p.output[0]); ++k0)
    for (i64 k1 = w[1].first_tap(p.output[1]); k1 < w[1].end_tap(p.output[1]); ++k1)
      for (i64 k2 = w[2].first_tap(p.output[2]); k2 < w[2].end_tap(p.output[2]); ++k2) {
        at = {place(0, k0), place(1, k1), place(2, k2)};
        f(p.batch * s.image[0] + p.channel * s.image[1] + at[0] * s.image[2] + at[1] * s.image[3] + at[2] * s.image[4],
          static_cast<const std::array<i64, 3>&>(at));
      }
}

/// How many taps of a window lie in the padded image.
inline i64 padded_taps(const pool_shape& s, const pool_place& p) {
  i64 n = 1;
  for (size_t d = 0; d < 3; ++d) {
    const window& w = s.windows[d];
    const i64 room = w.input + w.pad_begin + w.pad_end - p.output[d] * w.stride;
    n *= std::clamp<i64>((room + w.dilation - 1) / w.dilation, 0, w.kernel);
  }
  return n;
}

}  // namespace detail

void evaluate(const max_pool& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const detail::pool_shape s = detail::make_pool_shape(op, cx);
  tensor y(x.type(), s.result), at(dtype::i64, op.indices ? s.result : std::vector<i64>{0});
  detail::visit_sums(cx, x.type(), [&]<class T>(T) {
    const T* px = x.data<T>().data();
    T* py = y.data<T>().data();
    i64* pat = at.data<i64>().data();
    const auto& w = s.windows;
    detail::for_each_window(s, [&](const detail::pool_place& p) {
      T best{};
      if constexpr (std::is_integral_v<T>) best = std::numeric_limits<T>::lowest();
      else best = T(-std::numeric_limits<float>::infinity());
      i64 where = -1;
      detail::for_each_tap(s, p, [&](i64 i, const std::array<i64, 3>& k) {
        if (where >= 0 && !(px[i] > best) && px[i] == px[i]) return;
        if (where >= 0 && best != best) return;  // the first NaN wins
        best = px[i];
        const i64 plane = op.column_major ? (k[2] * w[1].input + k[1]) * w[0].input + k[0]
                                          : (k[0] * w[1].input + k[1]) * w[2].input + k[2];
        where = (p.batch * s.channels + p.channel) * w[0].input * w[1].input * w[2].input + plane;
      });
      py[p.result] = best;
      if (op.indices) pat[p.result] = where;
    });
  });
  cx.result(0, std::move(y));
  if (op.indices) cx.result(1, std::move(at));
}

void evaluate(const average_pool& op, eval_context& cx) {
  const detail::pool_shape s = detail::make_pool_shape(op, cx);
  detail::result_in_doubles(cx, s.result, [&](std::span<const double> x, std::span<double> y) {
    detail::for_each_window(s, [&](const detail::pool_place& p) {
      double sum = 0;
      i64 count = 0;
      detail::for_each_tap(s, p, [&](i64 i, const std::array<i64, 3>&) { sum += x[static_cast<size_t>(i)], ++count; });
      if (op.count_include_pad) count = detail::padded_taps(s, p);
      y[static_cast<size_t>(p.result)] = sum / static_cast<double>(count);
    });
  });
}

void evaluate(const lp_pool& op, eval_context& cx) {
  const detail::pool_shape s = detail::make_pool_shape(op, cx);
  const double p = static_cast<double>(op.p);
  detail::result_in_doubles(cx, s.result, [&](std::span<const double> x, std::span<double> y) {
    detail::for_each_window(s, [&](const detail::pool_place& place) {
      double sum = 0;
      detail::for_each_tap(s, place, [&](i64 i, const std::array<i64, 3>&) {
        sum += std::pow(std::fabs(x[static_cast<size_t>(i)]), p);
      });
      y[static_cast<size_t>(place.result)] = std::pow(sum, 1 / p);
    });
  });
}

}  // namespace tenon::op
