/// @file block_product_test: matmul_nbits: types, evaluations against a naive definition, and lowerings of each form.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <tenon/ops/graph/block_product.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using namespace tenon::testing;

enum class zero_points { none, packed, real };

struct product {
  op::matmul_nbits op;
  tensor a, b, scales, zeros;
  std::vector<tensor> operands() const { return {a, b, scales, zeros}; }
};

tensor random_bytes(std::vector<i64> shape, unsigned seed) {
  tensor t(dtype::u8, std::move(shape));
  std::mt19937 r(seed);
  for (u8& v : t.data<u8>()) v = static_cast<u8>(r());
  return t;
}

product make(const op::matmul_nbits& op, std::vector<i64> leading, zero_points zeros, dtype t = dtype::f32) {
  product p{op, {}, {}, {}, {}};
  leading.push_back(op.depth);
  p.a = random_tensor(t, leading, 3);
  p.b = random_bytes({op.columns, op.blocks(), op.block * op.bits / 8}, 1);
  p.scales = random_tensor(t, {op.columns, op.blocks()}, 4);
  for (i64 i = 0; i < p.scales.size(); ++i) p.scales.set_f64(i, p.scales.at_f64(i) / 37 + .1);
  if (zeros == zero_points::packed) p.zeros = random_bytes({op.columns, (op.blocks() * op.bits + 7) / 8}, 2);
  if (zeros == zero_points::real) p.zeros = random_tensor(t, {op.columns, op.blocks()}, 5);
  if (zeros == zero_points::real)
    for (i64 i = 0; i < p.zeros.size(); ++i) p.zeros.set_f64(i, p.zeros.at_f64(i) + .25);
  return p;
}
product packed(product p, i64 panel) {
  const auto panels = op::pack_nbits(p.op, p.b, p.scales, p.zeros, panel);
  p.op.panel = panel;
  p.b = panels[0], p.scales = panels[1];
  if (p.zeros.defined()) p.zeros = panels[2];
  return p;
}

/// The definition, from the operator's page.
tensor naive(const product& p) {
  const op::matmul_nbits& op = p.op;
  std::vector<i64> shape = p.a.shape();
  shape.back() = op.columns;
  tensor y(p.a.type(), shape);
  const auto bits = [&](const tensor& t, i64 row_bytes, i64 row, i64 i) {
    const i64 bit = i * op.bits;
    return (t.at_i64(row * row_bytes + bit / 8) >> (bit % 8)) % (i64{1} << op.bits);
  };
  for (i64 r = 0; r < p.a.size() / op.depth; ++r)
    for (i64 c = 0; c < op.columns; ++c) {
      double sum = 0;
      for (i64 k = 0; k < op.depth; ++k) {
        const i64 j = k / op.block;
        double zero = std::pow(2, op.bits - 1);
        if (p.zeros.defined() && p.zeros.type() == dtype::u8)
          zero = static_cast<double>(bits(p.zeros, (op.blocks() * op.bits + 7) / 8, c, j));
        else if (p.zeros.defined()) zero = p.zeros.at_f64(c * op.blocks() + j);
        sum += p.a.at_f64(r * op.depth + k) *
               (static_cast<double>(bits(p.b, op.blocks() * op.block * op.bits / 8, c, k)) - zero) *
               p.scales.at_f64(c * op.blocks() + j);
      }
      y.set_f64(r * op.columns + c, sum);
    }
  return y;
}

}  // namespace

TEST_CASE("matmul_nbits by hand") {
  // Elements 8 and 9, then zeros: 0.5 · (1 · (8 - 8) + 4 · (9 - 8)).
  tensor b = tensor::from<u8>({1, 1, 8}, {0x98, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88}), a(dtype::f32, {16});
  a.set_f64(0, 1), a.set_f64(1, 4);
  const op::matmul_nbits op{.bits = 4, .block = 16, .depth = 16, .columns = 1};
  const product p{op, a, b, tensor::from<float>({1, 1}, {.5f}), {}};
  one_op<op::matmul_nbits> one(op, p.operands());
  CHECK(one.m.view(one.op).result_type().extents() == std::vector<i64>{1});
  CHECK(one.evaluated()[0].at_f64(0) == 2);
}

TEST_CASE("matmul_nbits: every form means the same, and lowers to it") {
  for (const auto& op : {op::matmul_nbits{.bits = 4, .block = 32, .depth = 64, .columns = 40},
                         op::matmul_nbits{.bits = 4, .block = 16, .depth = 37, .columns = 16},
                         op::matmul_nbits{.bits = 4, .block = 256, .depth = 300, .columns = 17},
                         op::matmul_nbits{.bits = 8, .block = 16, .depth = 50, .columns = 33},
                         op::matmul_nbits{.bits = 8, .block = 128, .depth = 128, .columns = 15},
                         op::matmul_nbits{.bits = 2, .block = 16, .depth = 41, .columns = 20},
                         op::matmul_nbits{.bits = 2, .block = 64, .depth = 100, .columns = 3}})
    for (zero_points zeros : {zero_points::none, zero_points::packed, zero_points::real})
      for (const std::vector<i64>& leading : std::vector<std::vector<i64>>{{}, {1}, {2, 2}, {3, 3}, {0}}) {
        CAPTURE(op.bits);
        CAPTURE(op.block);
        CAPTURE(op.depth);
        CAPTURE(static_cast<int>(zeros));
        const product p = make(op, leading, zeros);
        const tensor want = naive(p);
        // Of the largest sum of products, as terms may cancel.
        const double tolerance = std::max(1e-5, 1e-8 * static_cast<double>(op.depth << op.bits));
        for (i64 panel : {0, 8, 16}) {
          CAPTURE(panel);
          const product q = panel > 0 ? packed(p, panel) : p;
          CHECK(distance(one_op<op::matmul_nbits>(q.op, q.operands()).evaluated()[0], want) < tolerance);
          CHECK(lowering_error(q.op, q.operands()) < tolerance);
        }
      }
}

TEST_CASE("matmul_nbits of f16 and bf16") {
  for (dtype t : {dtype::f16, dtype::bf16})
    for (i64 rows : {1, 7}) {
      const product p = make({.bits = 4, .block = 32, .depth = 96, .columns = 32}, {rows}, zero_points::packed, t);
      CHECK(distance(one_op<op::matmul_nbits>(p.op, p.operands()).evaluated()[0], naive(p)) == 0);
      const product q = packed(p, 16);
      CHECK(lowering_error(q.op, q.operands()) < (t == dtype::f16 ? 2e-3 : 2e-2));
    }
}

TEST_CASE("an infinite element meets weights, not their zero points") {
  product p = make({.bits = 4, .block = 16, .depth = 16, .columns = 16}, {1}, zero_points::none);
  for (u8& v : p.b.data<u8>()) v = 0x99;  // all weights are 1 · scale
  for (float& s : p.scales.data<float>()) s = 1;
  p.a.set_f64(3, std::numeric_limits<double>::infinity());
  const product q = packed(p, 16);
  one_op<op::matmul_nbits> one(q.op, q.operands());
  CHECK(std::isinf(one.lowered()[0].at_f64(5)));
  CHECK(std::isinf(one.evaluated()[0].at_f64(5)));
}

TEST_CASE("matmul_nbits refuses what it cannot be") {
  const op::matmul_nbits op{.bits = 4, .block = 32, .depth = 64, .columns = 40};
  const product p = make(op, {2}, zero_points::packed);
  const auto with = [&](auto&& change) {
    product q = p;
    change(q);
    return refusal(q.op, q.operands());
  };
  CHECK(contains(with([](product& q) { q.op.bits = 3; }), "3 bits"));
  CHECK(contains(with([](product& q) { q.op.block = 12; }), "whole words"));
  CHECK(contains(with([](product& q) { q.op.depth = 65; }), "operand 1"));
  CHECK(contains(with([](product& q) { q.op.depth = 63; }), "rows of 64"));
  CHECK(contains(with([](product& q) { q.op.columns = 41; }), "[41,2,16]"));
  CHECK(contains(with([](product& q) { q.op.depth = i64{1} << 62; }), "out of range"));
  CHECK(contains(with([](product& q) { q.op.panel = 16; }), "b is u8"));
  CHECK(contains(with([](product& q) { q.a = tensor(dtype::i32, {2, 64}); }), "a is i32"));
  CHECK(contains(with([](product& q) { q.scales = tensor(dtype::f32, {40, 3}); }), "operand 2"));
  CHECK(contains(with([](product& q) { q.zeros = tensor(dtype::u8, {40, 2}); }), "operand 3"));
}
