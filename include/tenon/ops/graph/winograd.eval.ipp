/// @file winograd.eval.ipp: reference evaluation of convolutions by transformed tiles, in double.
#pragma once

#include <algorithm>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/winograd.hpp>
#include <tenon/ops/graph/winograd.ipp>

namespace tenon::op {

namespace detail {

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

}  // namespace tenon::op
