/// @file winograd.eval.ipp: reference evaluation of convolutions by transformed tiles, in double.
#pragma once

#include <algorithm>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/winograd.hpp>
#include <tenon/ops/graph/winograd.ipp>
#include <tenon/runtime/threads.hpp>

namespace tenon::op {

namespace detail {

/// Into r [panels, places, C / together, panel, together], times `scale`; columns a few at a time, as vectors of known
/// length: g++ makes no others at -O2.
template <class From, class To>
void transform_winograd_weights(const tensor& w, i64 tile, i64 panel, double scale, i64 together, tensor& r) {
  constexpr i64 few = 8, most = 6;  // columns; places down and across
  const i64 channels = w.shape()[2], outputs = w.shape()[3], n = tile + 2, panels = quotient_up(outputs, panel);
  if (n > most) throw error("eval", "tiles of " + std::to_string(tile) + " places are too large");
  const winograd_matrices m = make_winograd_matrices(tile);
  double weight[most][3] = {};
  for (i64 i = 0; i < n; ++i)
    for (i64 k = 0; k < 3; ++k) weight[i][k] = m.weight[static_cast<size_t>(i)][static_cast<size_t>(k)];
  const From* const from = w.data<From>().data();
  To* const to = r.data<To>().data();
  const auto transform = [&](i64 p, i64 c, i64 first, i64 count) {
    double taps[9][few] = {}, rows[most][3][few] = {};
    for (i64 k = 0; k < 9; ++k) {
      const From* const tap = from + (k * channels + c) * outputs + p * panel + first;
      for (i64 o = 0; o < count; ++o) taps[k][o] = static_cast<double>(tap[o]);
    }
    for (i64 i = 0; i < n; ++i)
      for (i64 k = 0; k < 9; ++k)
        for (i64 o = 0; o < few; ++o) rows[i][k % 3][o] += weight[i][k / 3] * taps[k][o];
    for (i64 i = 0; i < n; ++i)
      for (i64 j = 0; j < n; ++j) {
        double place[few] = {};
        for (i64 k = 0; k < 3; ++k)
          for (i64 o = 0; o < few; ++o) place[o] += weight[j][k] * rows[i][k][o];
        To* const out =
            to + (((p * n + i) * n + j) * channels + c / together * together) * panel + c % together + first * together;
        for (i64 o = 0; o < count; ++o) out[o * together] = static_cast<To>(scale * place[o]);
      }
  };
  parallel_for(panels * channels, 16, [&](i64 begin, i64 end) {
    for (i64 i = begin; i < end; ++i) {
      const i64 p = i / channels, count = std::min(panel, outputs - p * panel);
      for (i64 first = 0; first < count; first += few) transform(p, i % channels, first, std::min(few, count - first));
    }
  });
}

/// m x m' for a square x of rows of `width` neighbours each: [k, k, width] to [rows of m, rows of m, width].
inline std::vector<double> transformed_square(const std::vector<std::vector<double>>& m, const std::vector<double>& x,
                                              i64 width) {
  const i64 rows = static_cast<i64>(m.size()), k = static_cast<i64>(m[0].size());
  const auto at = [](i64 i) { return static_cast<size_t>(i); };
  std::vector<double> half(at(rows * k * width)), r(at(rows * rows * width));
  for (i64 i = 0; i < rows; ++i)
    for (i64 j = 0; j < k; ++j)
      for (i64 e = 0; e < k * width; ++e) half[at(i * k * width + e)] += m[at(i)][at(j)] * x[at(j * k * width + e)];
  for (i64 i = 0; i < rows; ++i)
    for (i64 j = 0; j < rows; ++j)
      for (i64 l = 0; l < k; ++l)
        for (i64 e = 0; e < width; ++e)
          r[at((i * rows + j) * width + e)] += m[at(j)][at(l)] * half[at((i * k + l) * width + e)];
  return r;
}

/// Of images of X by weights of U, which stand `together`, to sums of Y that are `scale` times as large.
template <class X, class U, class Y>
tensor convolve_by_tiles(const winograd_conv& op, const tensor& x, const tensor& u, const tensor* bias, i64 together,
                         double scale) {
  const i64 n = op.reach(), places = op.places(), panel = op.panel, outputs = op.columns;
  const i64 height = x.shape()[1], width = x.shape()[2], channels = x.shape()[3];
  tensor y(dtype_of<Y>, {x.shape()[0], height - 2, width - 2, outputs});
  const winograd_matrices m = make_winograd_matrices(op.tile);
  const X* px = x.data<X>().data();
  const U* pu = u.data<U>().data();
  Y* py = y.data<Y>().data();
  const auto at = [](i64 i) { return static_cast<size_t>(i); };
  std::vector<double> image(at(places * channels)), sums(at(places * outputs));
  for (i64 b = 0; b < x.shape()[0]; ++b)
    for (i64 row = 0; row < height - 2; row += op.tile)
      for (i64 column = 0; column < width - 2; column += op.tile) {
        std::fill(image.begin(), image.end(), 0.);
        for (i64 i = 0; i < std::min(n, height - row); ++i)
          for (i64 j = 0; j < std::min(n, width - column); ++j) {
            const X* from = px + ((b * height + row + i) * width + column + j) * channels;
            std::copy(from, from + channels, image.begin() + (i * n + j) * channels);
          }
        const std::vector<double> v = detail::transformed_square(m.input, image, channels);
        std::fill(sums.begin(), sums.end(), 0.);
        for (i64 p = 0; p < places; ++p)
          for (i64 c = 0; c < channels; ++c)
            for (i64 o = 0; o < outputs; ++o)
              sums[at(p * outputs + o)] +=
                  v[at(p * channels + c)] *
                  static_cast<double>(pu[((o / panel * places + p) * channels + c / together * together) * panel +
                                         o % panel * together + c % together]);
        const std::vector<double> out = detail::transformed_square(m.output, sums, outputs);
        for (i64 i = 0; i < std::min(op.tile, height - 2 - row); ++i)
          for (i64 j = 0; j < std::min(op.tile, width - 2 - column); ++j)
            for (i64 o = 0; o < outputs; ++o)
              py[((b * (height - 2) + row + i) * (width - 2) + column + j) * outputs + o] = static_cast<Y>(
                  out[at((i * op.tile + j) * outputs + o)] / scale + (bias != nullptr ? bias->at_f64(o) : 0.));
      }
  return y;
}

}  // namespace detail

void evaluate(const winograd_conv& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &u = cx.operand(1);
  const bool bytes = x.type() == dtype::u8;
  const i64 panel = op.panel, outputs = op.columns, together = winograd_interleave(x.type());
  const tensor* bias = cx.has(2) ? &cx.operand(2) : nullptr;
  std::vector<i64> weight{quotient_up(outputs, std::max<i64>(panel, 1)), op.places(), 0, panel};
  if (x.rank() == 4) weight[2] = x.shape()[3] / together;
  if (together > 1) weight.push_back(together);
  if ((!bytes && x.type() != dtype::f32) || u.type() != (bytes ? dtype::i16 : dtype::f32) || x.rank() != 4 ||
      panel < 1 || outputs < 1 || (op.tile != 2 && (bytes || op.tile != 4)) || u.shape() != weight ||
      x.shape()[3] % together != 0 || x.shape()[1] < 3 || x.shape()[2] < 3 ||
      (bias != nullptr && bias->size() != outputs))
    cx.fail("shapes " + shape_text(x.shape()) + " and " + shape_text(u.shape()));
  if (!bytes) return cx.result(detail::convolve_by_tiles<float, float, float>(op, x, u, bias, 1, 1));
  cx.result(detail::convolve_by_tiles<u8, i16, i32>(op, x, u, bias, together, 1 << winograd_scale_bits));
}

tensor winograd_weights(const tensor& w, i64 tile, i64 panel) {
  const i64 channels = w.shape()[2], panels = quotient_up(w.shape()[3], panel), places = (tile + 2) * (tile + 2);
  if (w.type() == dtype::f32) {
    tensor r(dtype::f32, {panels, places, channels, panel});
    detail::transform_winograd_weights<float, float>(w, tile, panel, 1, 1, r);
    return r;
  }
  const i64 together = winograd_interleave(dtype::u8);
  tensor r(dtype::i16, {panels, places, channels / together, panel, together});
  detail::transform_winograd_weights<i8, i16>(w, tile, panel, 1 << winograd_scale_bits, together, r);
  return r;
}

}  // namespace tenon::op
