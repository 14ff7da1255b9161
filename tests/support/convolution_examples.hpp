// Convolutions of 3x3 taps that transformed tiles compute, for every target that has such kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>

#include "support/normal.hpp"

namespace tenon::testing {

struct convolution_example {
  std::vector<i64> x;  ///< [N, C, H, W]
  i64 outputs;
  std::vector<i64> pads{};
  bool symbolic_batch = false;
  bool residual = false;       ///< relu(conv + the image), for as many outputs as channels
  bool twice = false;          ///< one after the other: the first stores its result between zeros
  std::string_view open = "";  ///< which of "HW" only a run knows
};

inline ir::module module_of(const convolution_example& e) {
  ir::module m;
  std::vector<ir::dim> shape(e.x.begin(), e.x.end());
  if (e.symbolic_batch) shape[0] = ir::dim::symbol(m.symbol("n"));
  for (char d : e.open) shape[d == 'H' ? 2 : 3] = ir::dim::symbol(m.symbol(std::string(1, d)));
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, shape))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
  const auto conv = [&](value_id x, i64 from, unsigned seed) {
    return b.make(op::conv{.pads = e.pads},
                  {x, constant(normal({e.outputs, from, 3, 3}, seed)), constant(normal({e.outputs}, seed + 1))});
  };
  const value_id x = m[m[f].body].arguments[0];
  value_id y = conv(x, e.x[1], 2);
  if (e.residual) y = b.make(op::add{}, {y, x});
  y = b.make(op::maximum{}, {y, constant(tensor::from<float>({}, {0}))});
  if (e.twice) y = conv(y, e.outputs, 4);
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  return m;
}

/// An image of each batch that the example is for, and what the interpreter makes of it.
struct convolution_results {
  std::vector<tensor> images, wanted;
};
inline convolution_results results_of(const convolution_example& e, const ir::module& m) {
  convolution_results r;
  for (i64 batch : e.symbolic_batch ? std::vector<i64>{e.x[0], 1, 5} : std::vector<i64>{e.x[0]}) {
    std::vector<i64> shape = e.x;
    shape[0] = batch;
    r.images.push_back(normal(shape, 1));
    r.wanted.push_back(interpret(m, "main", {&r.images.back(), 1})[0]);
  }
  return r;
}

/// As `results_of`, for images of many heights and widths: one place, less than a tile, more than a block of tiles; and
/// for batches of 0, 1 and 2.
inline convolution_results results_of_sizes(const convolution_example& e, const ir::module& m) {
  convolution_results r;
  const auto image = [&](size_t d, i64 outputs) {  // so many at least
    return outputs + (e.pads.empty() ? 2 : std::max<i64>(2 - e.pads[d] - e.pads[2 + d], 0));
  };
  for (auto [height, width] : std::vector<std::array<i64, 2>>{
           {1, 1}, {2, 3}, {3, 2}, {1, 7}, {5, 5}, {4, 8}, {8, 4}, {13, 18}, {1, 90}, {70, 77}}) {
    std::vector<i64> shape = e.x;
    if (e.open.find('H') != e.open.npos) shape[2] = image(0, height);
    if (e.open.find('W') != e.open.npos) shape[3] = image(1, width);
    if (e.symbolic_batch) shape[0] = width % 3;
    r.images.push_back(normal(shape, 1));
    r.wanted.push_back(interpret(m, "main", {&r.images.back(), 1})[0]);
  }
  return r;
}

/// The largest error, relative to the largest result.
inline double error_of(const tensor& got, const tensor& want) {
  if (got.shape() != want.shape()) return 1e9;
  if (want.size() == 0) return 0;
  double error = 0, largest = 0;
  for (i64 i = 0; i < want.size(); ++i) {
    error = std::max(error, std::fabs(got.at_f64(i) - want.at_f64(i)));
    largest = std::max(largest, std::fabs(want.at_f64(i)));
  }
  return error / largest;
}

/// Images whose heights or widths only a run knows.
inline std::vector<convolution_example> open_convolution_examples() {
  const std::vector<i64> one{1, 1, 1, 1};
  return {
      {.x = {1, 16, 9, 9}, .outputs = 24, .pads = one, .open = "HW"},
      {.x = {2, 20, 8, 9}, .outputs = 17, .pads = {1, 0, 0, 1}, .open = "W"},
      {.x = {2, 24, 7, 9}, .outputs = 24, .pads = one, .symbolic_batch = true, .residual = true, .open = "HW"},
      {.x = {1, 16, 6, 9}, .outputs = 16, .pads = one, .twice = true, .open = "W"},
      {.x = {1, 16, 9, 5}, .outputs = 40, .open = "H"},
      {.x = {1, 128, 6, 9}, .outputs = 16, .pads = one, .symbolic_batch = true, .open = "W"},
  };
}

/// Sizes that leave rests, padding, batches, epilogues, stores between zeros.
inline std::vector<convolution_example> convolution_examples() {
  const std::vector<i64> one{1, 1, 1, 1};
  return {
      {{1, 16, 8, 8}, 16},
      {{1, 16, 9, 13}, 16, one},
      {{2, 20, 14, 14}, 24, one},
      {{3, 33, 7, 11}, 17, {1, 0, 0, 1}},
      {{2, 24, 12, 12}, 24, one, false, true},
      {{2, 16, 13, 10}, 16, one, true, true},
      {{1, 16, 20, 20}, 40, one, false, false, true},
      {{2, 32, 17, 17}, 32, {}, true, false, true},
      {{2, 16, 13, 18}, 24, one, true, false, true},
      {{1, 256, 6, 6}, 16, one},
      {{1, 48, 30, 50}, 48, one, false, true},
  };
}

}  // namespace tenon::testing
