/// @file winograd.ipp: definitions of ops/graph/winograd.hpp.
#pragma once

#include <algorithm>
#include <limits>

#include <tenon/ops/graph/winograd.hpp>

namespace tenon::op {

void infer(const winograd_conv& op, ir::infer_context& cx) {
  if (op.tile != 2 && op.tile != 4) cx.fail("tiles of " + std::to_string(op.tile) + " outputs, they have 2 or 4");
  constexpr i64 most = i64{1} << 40;
  if (op.panel < 1 || op.columns < 1 || op.panel > most || op.columns > most) cx.fail("sizes are out of range");
  if (op.workspaces < 0 || op.workspaces > 4096) cx.fail(std::to_string(op.workspaces) + " workspaces");
  if (op.block.size() > 2 || std::any_of(op.block.begin(), op.block.end(), [](i64 n) { return n < 1 || n > most; }))
    cx.fail("a block of tiles has one or two extents, and they are positive");
  const ir::type &x = cx.operand(0), &u = cx.operand(1);
  const bool bytes = x.is_tensor() && x.elem == dtype::u8;
  const dtype types[] = {bytes ? dtype::u8 : dtype::f32, bytes ? dtype::i16 : dtype::f32,
                         bytes ? dtype::i32 : dtype::f32};
  for (int i = 0; i < cx.operand_count(); ++i)
    if (cx.has(i) && (!cx.operand(i).is_tensor() || cx.operand(i).elem != types[i]))
      cx.fail("operand " + std::to_string(i) + " is not of " + std::string(name_of(types[i])));
  if (bytes && op.tile != 2) cx.fail("tiles of " + std::to_string(op.tile) + " outputs for bytes, they have 2");
  const i64 together = winograd_interleave(types[0]);
  const int rank = together > 1 ? 5 : 4;
  const auto require = [&](const char* what, ir::dim d, i64 n) {
    if (d.is_static() && d != ir::dim(n)) cx.fail(std::string(what) + ": " + std::to_string(d.extent()));
    if (d.is_symbol()) cx.same(d, n);
  };
  if (u.ranked) {
    if (u.rank() != rank)
      cx.fail("the weight has " + std::to_string(u.rank()) + " dimensions, expected " + std::to_string(rank));
    require("number of panels", u.shape[0], quotient_up(op.columns, op.panel));
    require("places of a tile", u.shape[1], op.places());
    require("width of the panels", u.shape[3], op.panel);
    if (together > 1) require("channels together", u.shape[4], together);
  }
  if (cx.has(2) && cx.operand(2).ranked) {
    if (cx.operand(2).rank() != 1) cx.fail("the bias has " + std::to_string(cx.operand(2).rank()) + " dimensions");
    require("output channels of the bias", cx.operand(2).shape[0], op.columns);
  }
  std::vector<ir::dim> r(4);
  r[3] = op.columns;
  if (!x.ranked) return cx.result(ir::type::tensor(types[2], std::move(r)));
  if (x.rank() != 4) cx.fail("the image has " + std::to_string(x.rank()) + " dimensions, expected 4");
  if (u.ranked) {
    const ir::dim c = x.shape[3];
    ir::dim of_weight = u.shape[2];
    if (together > 1)
      of_weight = of_weight.is_static() ? ir::dim(checked_mul(of_weight.extent(), together)) : ir::dim();
    if (c.is_static() && of_weight.is_static() && c != of_weight)
      cx.fail("the image has " + std::to_string(c.extent()) + " channels, the weight is for " +
              std::to_string(of_weight.extent()));
    if (!c.is_unknown() && !of_weight.is_unknown()) cx.same(c, of_weight);
  }
  r[0] = x.shape[0];
  const std::vector<window> windows = make_windows({3, 3}, {}, {}, {});
  for (size_t d = 0; d < 2; ++d) {
    r[1 + d] = window_dim(cx, x.shape[1 + d], windows[d]);
    if (op.block.size() != 2 || !r[1 + d].is_static()) continue;
    const i64 tiles = quotient_up(r[1 + d].extent(), op.tile);
    if (tiles % op.block[d] != 0)
      cx.fail("blocks of " + std::to_string(op.block[d]) + " tiles do not divide " + std::to_string(tiles));
  }
  cx.result(ir::type::tensor(types[2], std::move(r)));
}

std::vector<double> winograd_points(i64 tile) {
  // Small products with both signs and little between the least and the greatest power keep errors small; these are
  // exact in f32, and so are their powers and products. (Barabasz et al., "Error analysis and improving the accuracy of
  // Winograd convolution for deep neural networks", ACM TOMS 46(4), 2020, on the choice.)
  return tile == 2 ? std::vector<double>{1} : std::vector<double>{5. / 8, 3. / 2};
}

winograd_matrices make_winograd_matrices(i64 tile) {
  std::vector<double> points{0};
  for (double p : winograd_points(tile)) points.insert(points.end(), {p, -p});
  const size_t n = points.size() + 1;
  winograd_matrices m;
  for (size_t i = 0; i < n; ++i) {
    const bool at_infinity = i == points.size();
    // The product of all x - p but that of the own point.
    std::vector<double> polynomial(n, 0.);
    polynomial[0] = 1;
    double scale = 1;
    for (size_t j = 0; j < points.size(); ++j) {
      if (j == i) continue;
      for (size_t k = n; k-- > 0;) polynomial[k] = (k > 0 ? polynomial[k - 1] : 0.) - points[j] * polynomial[k];
      if (!at_infinity) scale *= points[i] - points[j];
    }
    m.input.push_back(polynomial);
    if (at_infinity) m.weight.push_back({0, 0, 1});
    else m.weight.push_back({1 / scale, points[i] / scale, points[i] * points[i] / scale});
  }
  for (i64 k = 0; k < tile; ++k) {
    std::vector<double> row;
    for (double p : points) {
      double power = 1;
      for (i64 e = 0; e < k; ++e) power *= p;
      row.push_back(power);
    }
    row.push_back(k + 1 == tile ? 1. : 0.);
    m.output.push_back(row);
  }
  return m;
}

bool winograd_sums_fit(const tensor& u) {
  // A place of the transformed image has at most four bytes' sum, and an output is a sum of products at all places.
  constexpr i64 most_of_image = 4 * 255;
  const i64 panel = u.shape()[3], together = u.shape()[4], row = panel * together;
  const i16* from = u.data<i16>().data();
  for (i64 p = 0; p < u.shape()[0]; ++p) {
    std::vector<i64> sums(static_cast<size_t>(panel));
    for (i64 i = 0; i < u.shape()[1] * u.shape()[2] * row; ++i, ++from)
      sums[static_cast<size_t>(i % row / together)] += *from < 0 ? -*from : *from;
    for (i64 s : sums)
      if (s > std::numeric_limits<i32>::max() / most_of_image) return false;
  }
  return true;
}

}  // namespace tenon::op
