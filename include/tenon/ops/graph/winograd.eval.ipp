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

}  // namespace detail

void evaluate(const winograd_conv& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &u = cx.operand(1);
  const i64 n = op.reach(), places = op.places(), panel = op.panel, outputs = op.columns;
  if (x.type() != dtype::f32 || u.type() != dtype::f32 || x.rank() != 4 || u.rank() != 4 || panel < 1 || outputs < 1 ||
      (op.tile != 2 && op.tile != 4) ||
      u.shape() != std::vector<i64>{quotient_up(outputs, panel), places, x.shape()[3], panel} || x.shape()[1] < 3 ||
      x.shape()[2] < 3 || (cx.has(2) && cx.operand(2).size() != outputs))
    cx.fail("shapes " + shape_text(x.shape()) + " and " + shape_text(u.shape()));
  const i64 height = x.shape()[1], width = x.shape()[2], channels = x.shape()[3];
  tensor y(dtype::f32, {x.shape()[0], height - 2, width - 2, outputs});
  const winograd_matrices m = make_winograd_matrices(op.tile);
  const float *px = x.data<float>().data(), *pu = u.data<float>().data();
  float* py = y.data<float>().data();
  const auto at = [](i64 i) { return static_cast<size_t>(i); };
  std::vector<double> image(at(places * channels)), sums(at(places * outputs));
  for (i64 b = 0; b < x.shape()[0]; ++b)
    for (i64 row = 0; row < height - 2; row += op.tile)
      for (i64 column = 0; column < width - 2; column += op.tile) {
        std::fill(image.begin(), image.end(), 0.);
        for (i64 i = 0; i < std::min(n, height - row); ++i)
          for (i64 j = 0; j < std::min(n, width - column); ++j) {
            const float* from = px + ((b * height + row + i) * width + column + j) * channels;
            std::copy(from, from + channels, image.begin() + (i * n + j) * channels);
          }
        const std::vector<double> v = detail::transformed_square(m.input, image, channels);
        std::fill(sums.begin(), sums.end(), 0.);
        for (i64 p = 0; p < places; ++p)
          for (i64 c = 0; c < channels; ++c)
            for (i64 o = 0; o < outputs; ++o)
              sums[at(p * outputs + o)] +=
                  v[at(p * channels + c)] *
                  static_cast<double>(pu[((o / panel * places + p) * channels + c) * panel + o % panel]);
        const std::vector<double> out = detail::transformed_square(m.output, sums, outputs);
        for (i64 i = 0; i < std::min(op.tile, height - 2 - row); ++i)
          for (i64 j = 0; j < std::min(op.tile, width - 2 - column); ++j)
            for (i64 o = 0; o < outputs; ++o)
              py[((b * (height - 2) + row + i) * (width - 2) + column + j) * outputs + o] = static_cast<float>(
                  out[at((i * op.tile + j) * outputs + o)] + (cx.has(2) ? cx.operand(2).at_f64(o) : 0.));
      }
  cx.result(std::move(y));
}

}  // namespace tenon::op
