/// @file winograd_test: winograd_conv against the correlation that it stands for: matrices, weights, evaluation,
/// lowering.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <tenon/ops/graph/winograd.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using namespace tenon::testing;

/// The correlation of x [N, H, W, C] by w [3, 3, C, O], in double: of floats, or of bytes in i32.
tensor naive(const tensor& x, const tensor& w, const tensor& bias) {
  const auto &s = x.shape(), &t = w.shape();
  tensor y(is_float(w.type()) ? dtype::f32 : dtype::i32, {s[0], s[1] - 2, s[2] - 2, t[3]});
  for (i64 i = 0; i < y.size(); ++i) {
    const i64 o = i % t[3], column = i / t[3] % (s[2] - 2), row = i / t[3] / (s[2] - 2) % (s[1] - 2);
    const i64 n = i / t[3] / (s[2] - 2) / (s[1] - 2);
    double sum = bias.defined() ? bias.at_f64(o) : 0;
    for (i64 k = 0; k < 9 * t[2]; ++k) {
      const i64 c = k % t[2], down = k / t[2] / 3, across = k / t[2] % 3;
      sum += x.at_f64(((n * s[1] + row + down) * s[2] + column + across) * s[3] + c) * w.at_f64(k * t[3] + o);
    }
    if (is_float(w.type())) y.set_f64(i, sum);
    else y.set_i64(i, static_cast<i64>(sum));
  }
  return y;
}

struct example {
  std::vector<i64> x;
  i64 outputs, panel;
  std::vector<i64> block{};
  i64 workspaces = 1;
};

std::vector<tensor> operands_of(const example& e, i64 tile, bool bias, tensor& want) {
  const tensor x = random_tensor(dtype::f32, e.x, 1), w = random_tensor(dtype::f32, {3, 3, e.x[3], e.outputs}, 2);
  const tensor added = bias ? random_tensor(dtype::f32, {e.outputs}, 3) : tensor();
  want = naive(x, w, added);
  std::vector<tensor> r{x, op::winograd_weights(w, tile, e.panel)};
  if (bias) r.push_back(added);
  return r;
}

}  // namespace

TEST_CASE("the matrices are an algorithm: transformed back, the product of transforms is the correlation") {
  std::mt19937 random(1);
  for (i64 tile : {2, 4}) {
    const op::winograd_matrices m = op::make_winograd_matrices(tile);
    const size_t n = static_cast<size_t>(tile) + 2;
    REQUIRE(m.input.size() == n);
    REQUIRE(m.weight.size() == n);
    REQUIRE(m.output.size() == n - 2);
    std::vector<double> x(n), w(3);
    for (double& v : x) v = static_cast<double>(random() % 17) - 8;
    for (double& v : w) v = static_cast<double>(random() % 17) - 8;
    for (size_t i = 0; i < n - 2; ++i) {
      double y = 0;
      for (size_t p = 0; p < n; ++p) {
        double a = 0, b = 0;
        for (size_t k = 0; k < n; ++k) a += m.input[p][k] * x[k];
        for (size_t k = 0; k < 3; ++k) b += m.weight[p][k] * w[k];
        y += m.output[i][p] * a * b;
      }
      CHECK(y == doctest::Approx(x[i] * w[0] + x[i + 1] * w[1] + x[i + 2] * w[2]).epsilon(1e-13));
    }
  }
}

TEST_CASE("weights of one tap: transforms of its number in each place, columns that no output has are zeros") {
  tensor w(dtype::f32, {3, 3, 1, 3});
  w.set_f64(4 * 3 + 1, 2);  // the tap in the middle, output 1
  const tensor u = op::winograd_weights(w, 2, 2);
  CHECK(u.shape() == std::vector<i64>{2, 16, 1, 2});
  const op::winograd_matrices m = op::make_winograd_matrices(2);
  for (i64 p = 0; p < 16; ++p) {
    CHECK(u.at_f64(p * 2) == 0);
    CHECK(u.at_f64(p * 2 + 1) == 2 * m.weight[static_cast<size_t>(p / 4)][1] * m.weight[static_cast<size_t>(p % 4)][1]);
    CHECK(u.at_f64((16 + p) * 2 + 1) == 0);
  }
}

TEST_CASE("winograd_conv means the correlation, and lowers to it: whole tiles and parts, blocks, workspaces") {
  for (i64 tile : {2, 4})
    for (const example& e : std::vector<example>{{{1, 6, 6, 4}, 4, 4},
                                                 {{1, 3, 3, 1}, 1, 1},
                                                 {{2, 7, 9, 5}, 7, 4},
                                                 {{1, 10, 10, 16}, 20, 8, {1, 1}},
                                                 {{1, 10, 10, 3}, 20, 8, {1, 2}, 0},
                                                 {{1, 11, 13, 3}, 5, 8, {1, 1}, 3},
                                                 {{3, 10, 10, 3}, 9, 8, {2, 2}, 2},
                                                 {{5, 10, 10, 3}, 3, 8, {1, 2}, 4},
                                                 {{1, 4, 21, 3}, 3, 8, {}, 0},
                                                 {{0, 6, 6, 3}, 3, 8, {}, 2},
                                                 {{2, 7, 9, 5}, 7, 4, {3}},
                                                 {{1, 10, 10, 3}, 20, 8, {2}, 0},
                                                 {{3, 10, 13, 3}, 9, 8, {5}, 2},
                                                 {{5, 12, 30, 3}, 3, 8, {6}, 3},
                                                 {{1, 11, 13, 3}, 5, 8, {1}, 3},
                                                 {{1, 3, 3, 1}, 1, 1, {100}, 4},
                                                 {{0, 6, 6, 3}, 3, 8, {4}, 2}})
      for (bool bias : {false, true}) {
        CAPTURE(tile);
        CAPTURE(shape_text(e.x));
        CAPTURE(e.workspaces);
        op::winograd_conv op{
            .tile = tile, .panel = e.panel, .columns = e.outputs, .block = e.block, .workspaces = e.workspaces};
        for (size_t d = 0; op.block.size() == 2 && d < 2; ++d)  // they are for tiles of four
          if (op::quotient_up(e.x[1 + d] - 2, tile) % op.block[d] != 0) op.block[d] = 1;
        tensor want;
        const std::vector<tensor> operands = operands_of(e, tile, bias, want);
        CHECK(distance(one_op<op::winograd_conv>(op, operands).evaluated()[0], want) < 1e-4);
        CHECK(lowering_error(op, operands) < 4e-4);
      }
}

TEST_CASE("bytes are convolved exactly, at the ends of their types too") {
  for (const example& e : std::vector<example>{{{1, 6, 6, 4}, 4, 4},
                                               {{1, 3, 3, 2}, 1, 1},
                                               {{2, 7, 9, 6}, 7, 4},
                                               {{1, 10, 10, 16}, 20, 8, {1, 1}},
                                               {{1, 10, 10, 34}, 20, 8, {1, 2}, 0},
                                               {{1, 11, 13, 4}, 5, 8, {1, 1}, 3},
                                               {{2, 11, 13, 4}, 5, 8, {4}, 2},
                                               {{0, 6, 6, 4}, 3, 8, {}, 2}})
    for (bool ends : {false, true}) {
      CAPTURE(shape_text(e.x));
      CAPTURE(ends);
      tensor x = random_tensor(dtype::u8, e.x, 1, 0, 255);
      tensor w = random_tensor(dtype::i8, {3, 3, e.x[3], e.outputs}, 2, -128, 127);
      for (i64 i = 0; ends && i < x.size(); ++i) x.set_i64(i, i % 3 == 0 ? 0 : 255);
      for (i64 i = 0; ends && i < w.size(); ++i) w.set_i64(i, i % e.outputs % 2 == 0 ? -128 : 127);
      const tensor bias = random_tensor(dtype::i32, {e.outputs}, 3, -100000, 100000), want = naive(x, w, bias);
      const op::winograd_conv op{
          .tile = 2, .panel = e.panel, .columns = e.outputs, .block = e.block, .workspaces = e.workspaces};
      const tensor u = op::winograd_weights(w, 2, e.panel);
      CHECK(u.type() == dtype::i16);
      CHECK(op::winograd_sums_fit(u));
      CHECK(distance(one_op<op::winograd_conv>(op, {x, u, bias}).evaluated()[0], want) == 0);
      CHECK(lowering_error(op, {x, u, bias}) == 0);
    }
}

TEST_CASE("sums of bytes that could leave 32 bits are known ahead") {
  const auto fits = [](i64 channels, i64 weight) {
    tensor w(dtype::i8, {3, 3, channels, 1});
    for (i64 i = 0; i < w.size(); ++i) w.set_i64(i, weight);
    return op::winograd_sums_fit(op::winograd_weights(w, 2, 1));
  };
  CHECK(fits(512, 30));
  CHECK(fits(128, -128));
  CHECK(!fits(1024, 127));
}

TEST_CASE("the error of f32 is about that of direct sums") {
  // Root of the mean square of errors, relative to that of results; 64 channels, inputs not centred, as behind relu.
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  tensor x(dtype::f32, {1, 18, 18, 64}), w(dtype::f32, {3, 3, 64, 8});
  for (float& v : x.data<float>()) v = std::fabs(normal(random));
  for (float& v : w.data<float>()) v = normal(random);
  const tensor want = naive(x, w, {});
  const auto error_of = [&](auto&& value) {
    double error = 0, size = 0;
    for (i64 i = 0; i < want.size(); ++i) {
      error += std::pow(value(i) - want.at_f64(i), 2);
      size += std::pow(want.at_f64(i), 2);
    }
    return std::sqrt(error / size);
  };
  const double direct = error_of([&](i64 i) {
    const i64 o = i % 8, column = i / 8 % 16, row = i / 8 / 16;
    float sum = 0;
    for (i64 k = 0; k < 9 * 64; ++k)
      sum = std::fma(x.data<float>()[static_cast<size_t>(((row + k / 192) * 18 + column + k / 64 % 3) * 64 + k % 64)],
                     w.data<float>()[static_cast<size_t>(k * 8 + o)], sum);
    return static_cast<double>(sum);
  });
  for (i64 tile : {2, 4}) {
    const op::winograd_conv op{.tile = tile, .panel = 8, .columns = 8};
    const tensor got = one_op<op::winograd_conv>(op, {x, op::winograd_weights(w, tile, 8)}).lowered()[0];
    const double error = error_of([&](i64 i) { return got.at_f64(i); });
    MESSAGE("tiles of " << tile << ": " << error << ", direct " << direct);
    CHECK(error < (tile == 2 ? 1 : 2) * direct);
    CHECK(error < 1e-6);
  }
}

TEST_CASE("an infinite element reaches the outputs of its tile, and no other") {
  tensor x = random_tensor(dtype::f32, {1, 10, 10, 1}, 1);
  x.set_f64(2 * 10 + 2, std::numeric_limits<double>::infinity());
  const tensor u = op::winograd_weights(random_tensor(dtype::f32, {3, 3, 1, 1}, 2), 4, 1);
  const tensor y = one_op<op::winograd_conv>({.tile = 4, .panel = 1, .columns = 1}, {x, u}).lowered()[0];
  CHECK(!std::isfinite(y.at_f64(0)));
  CHECK(!std::isfinite(y.at_f64(3 * 8 + 3)));  // a direct sum would not read it
  CHECK(std::isfinite(y.at_f64(4)));
  CHECK(std::isfinite(y.at_f64(4 * 8)));
}

TEST_CASE("winograd_conv refuses what it cannot be") {
  const op::winograd_conv op{.tile = 4, .panel = 8, .columns = 8, .block = {2, 1}};
  const auto said = [&](auto&& change, std::vector<i64> x = {1, 10, 10, 3}, std::vector<i64> u = {1, 36, 3, 8},
                        dtype t = dtype::f32) {
    op::winograd_conv q = op;
    change(q);
    return refusal(q, {tensor(t, std::move(x)), tensor(t, std::move(u))});
  };
  const auto same = [](op::winograd_conv&) {};
  CHECK(contains(said([](auto& q) { q.tile = 3; }), "tiles of 3 outputs"));
  CHECK(contains(said([](auto& q) { q.panel = 0; }), "out of range"));
  CHECK(contains(said([](auto& q) { q.workspaces = -1; }), "-1 workspaces"));
  CHECK(contains(said([](auto& q) { q.block = {2, 1, 1}; }), "one or two extents"));
  CHECK(contains(said([](auto& q) { q.block = {0}; }), "positive"));
  CHECK(contains(said([](auto& q) { q.block = {3, 1}; }), "blocks of 3 tiles do not divide 2"));
  CHECK(contains(said(same, {1, 10, 10, 4}), "the image has 4 channels, the weight is for 3"));
  CHECK(contains(said(same, {1, 10, 10, 3}, {2, 36, 3, 8}), "number of panels: 2"));
  CHECK(contains(said(same, {1, 10, 10, 3}, {1, 16, 3, 8}), "places of a tile: 16"));
  CHECK(contains(said(same, {1, 10, 30}), "the image has 3 dimensions"));
  CHECK(contains(said(same, {1, 10, 10, 3}, {1, 36, 3, 8}, dtype::f64), "operand 0 is not of f32"));
  CHECK(contains(said(same, {1, 10, 10, 3}, {1, 36, 3, 8}, dtype::u8), "operand 1 is not of i16"));
  const auto bytes = [](i64 tile, std::vector<i64> u) {
    return refusal(op::winograd_conv{.tile = tile, .panel = 8, .columns = 8},
                   {tensor(dtype::u8, {1, 10, 10, 4}), tensor(dtype::i16, std::move(u))});
  };
  CHECK(contains(bytes(4, {1, 36, 2, 8, 2}), "tiles of 4 outputs for bytes"));
  CHECK(contains(bytes(2, {1, 16, 4, 8}), "has 4 dimensions, expected 5"));
  CHECK(contains(bytes(2, {1, 16, 2, 8, 4}), "channels together: 4"));
  CHECK(contains(bytes(2, {1, 16, 3, 8, 2}), "the image has 4 channels, the weight is for 6"));
}
