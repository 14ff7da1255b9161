/// @file contraction_test: matmul, conv, conv_transpose, pack_panels: types, evaluations against hand-made numbers and
/// a naive definition, and lowerings against evaluations.
#include <doctest/doctest.h>

#include <tenon/ops/graph/contraction.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using tenon::op::data_layout;
using namespace tenon::testing;

template <class Op>
tensor evaluated(const Op& op, std::vector<tensor> operands) {
  return one_op<Op>(op, std::move(operands)).evaluated()[0];
}
template <class Op>
std::string type_text(const Op& op, std::vector<tensor> operands) {
  one_op<Op> o(op, std::move(operands));
  const ir::type& t = o.m.view(o.op).result_type();
  return std::string(name_of(t.elem)) + shape_text(t.extents());
}

/// x with its dimensions permuted: result dimension d is dimension p[d] of x.
tensor permuted(const tensor& x, std::vector<size_t> p) {
  std::vector<i64> shape;
  for (size_t d : p) shape.push_back(x.shape()[d]);
  tensor r(x.type(), shape);
  const std::vector<i64> from = row_major_strides(x.shape());
  for (i64 i = 0; i < r.size(); ++i) {
    i64 rest = i, at = 0;
    for (size_t d = p.size(); d-- > 0;) {
      at += rest % shape[d] * from[p[d]];
      rest /= shape[d];
    }
    r.set_f64(i, x.at_f64(at));
  }
  return r;
}
std::vector<size_t> order_last(size_t rank) {  // channels_first to channels_last
  std::vector<size_t> p{0};
  for (size_t d = 2; d < rank; ++d) p.push_back(d);
  p.push_back(1);
  return p;
}
std::vector<size_t> order_first(size_t rank) {
  std::vector<size_t> p{0, rank - 1};
  for (size_t d = 1; d + 1 < rank; ++d) p.push_back(d);
  return p;
}
std::vector<size_t> weight_last(size_t rank) {  // [O, C, k...] to [k..., C, O]
  std::vector<size_t> p;
  for (size_t d = 2; d < rank; ++d) p.push_back(d);
  p.push_back(1), p.push_back(0);
  return p;
}

/// The definition of a 2-D convolution, written with bounds checks, from the ONNX operator page.
tensor naive_conv(const op::conv& c, const tensor& x, const tensor& w, const tensor* bias) {
  const i64 N = x.shape()[0], H = x.shape()[2], W = x.shape()[3];
  const i64 O = w.shape()[0], C = w.shape()[1], KH = w.shape()[2], KW = w.shape()[3];
  const auto at = [](const std::vector<i64>& v, size_t i, i64 otherwise) { return v.empty() ? otherwise : v[i]; };
  const i64 sh = at(c.strides, 0, 1), sw = at(c.strides, 1, 1), dh = at(c.dilations, 0, 1), dw = at(c.dilations, 1, 1);
  const i64 top = at(c.pads, 0, 0), left = at(c.pads, 1, 0), bottom = at(c.pads, 2, 0), right = at(c.pads, 3, 0);
  const i64 OH = (H + top + bottom - dh * (KH - 1) - 1) / sh + 1, OW = (W + left + right - dw * (KW - 1) - 1) / sw + 1;
  tensor y(x.type(), {N, O, OH, OW});
  for (i64 n = 0; n < N; ++n)
    for (i64 o = 0; o < O; ++o)
      for (i64 i = 0; i < OH; ++i)
        for (i64 j = 0; j < OW; ++j) {
          double s = bias ? bias->at_f64(o) : 0;
          for (i64 q = 0; q < C; ++q)
            for (i64 a = 0; a < KH; ++a)
              for (i64 b = 0; b < KW; ++b) {
                const i64 u = i * sh - top + a * dh, v = j * sw - left + b * dw;
                if (u < 0 || u >= H || v < 0 || v >= W) continue;
                const i64 channel = o / (O / c.group) * C + q;
                s += x.at_f64(((n * (C * c.group) + channel) * H + u) * W + v) *
                     w.at_f64(((o * C + q) * KH + a) * KW + b);
              }
          y.set_f64(((n * O + o) * OH + i) * OW + j, s);
        }
  return y;
}

}  // namespace

TEST_CASE("matmul of small matrices, by hand") {
  const tensor a = tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const tensor b = tensor::from<float>({3, 2}, {7, 8, 9, 10, 11, 12});
  const tensor r = evaluated(op::matmul{}, {a, b});
  CHECK(same_bits(r, tensor::from<float>({2, 2}, {58, 64, 139, 154})));
  const tensor v = tensor::from<float>({3}, {1, 0, -1});
  CHECK(same_bits(evaluated(op::matmul{}, {v, v}), tensor::scalar(2.0f)));
  CHECK(same_bits(evaluated(op::matmul{}, {a, v}), tensor::from<float>({2}, {-2, -2})));
  CHECK(same_bits(evaluated(op::matmul{}, {v, b}), tensor::from<float>({2}, {-4, -4})));
}

TEST_CASE("matmul has numpy's shapes") {
  const auto t = [](std::vector<i64> s) { return tensor(dtype::f32, std::move(s)); };
  CHECK(type_text(op::matmul{}, {t({5, 2, 3}), t({3, 4})}) == "f32[5,2,4]");
  CHECK(type_text(op::matmul{}, {t({7, 1, 2, 3}), t({5, 3, 4})}) == "f32[7,5,2,4]");
  CHECK(type_text(op::matmul{}, {t({3}), t({5, 3, 4})}) == "f32[5,4]");
  CHECK(type_text(op::matmul{}, {t({5, 2, 3}), t({3})}) == "f32[5,2]");
  CHECK(type_text(op::matmul{.panel = 16, .columns = 20}, {t({2, 3}), t({2, 3, 16})}) == "f32[2,20]");
  CHECK_THROWS_WITH_AS(type_text(op::matmul{}, {t({2, 3}), t({4, 5})}), doctest::Contains("3 and 4"), error);
  CHECK_THROWS_AS(type_text(op::matmul{}, {t({2, 3}), tensor(dtype::f64, {3, 4})}), error);
  CHECK_THROWS_AS(type_text(op::matmul{}, {t({2, 3, 4}), t({3, 4, 5})}), error);
}

TEST_CASE("matmul: batches broadcast, and integers wrap") {
  const tensor a = random_tensor(dtype::i32, {2, 1, 3, 4}, 1), b = random_tensor(dtype::i32, {5, 4, 6}, 2);
  const tensor r = evaluated(op::matmul{}, {a, b});
  REQUIRE(r.shape() == std::vector<i64>{2, 5, 3, 6});
  for (i64 i = 0; i < 2; ++i)
    for (i64 j = 0; j < 5; ++j)
      for (i64 m = 0; m < 3; ++m)
        for (i64 n = 0; n < 6; ++n) {
          i64 s = 0;
          for (i64 k = 0; k < 4; ++k) s += a.at_i64((i * 3 + m) * 4 + k) * b.at_i64((j * 4 + k) * 6 + n);
          REQUIRE(r.at_i64(((i * 5 + j) * 3 + m) * 6 + n) == s);
        }
  const tensor big = tensor::from<i8>({1, 1}, {i8{100}});
  CHECK(evaluated(op::matmul{}, {big, big}).at_i64(0) == static_cast<i8>(10000));
}

TEST_CASE("packed operands mean the same") {
  for (i64 columns : {1, 15, 16, 17, 40}) {
    const tensor a = random_tensor(dtype::f32, {3, 7}, 3), b = random_tensor(dtype::f32, {7, columns}, 4);
    const tensor p = evaluated(op::pack_panels{.panel = 16}, {b});
    CHECK(p.shape() == std::vector<i64>{(columns + 15) / 16, 7, 16});
    const op::matmul packed{.panel = 16, .columns = columns};
    CHECK(same_bits(evaluated(packed, {a, p}), evaluated(op::matmul{}, {a, b})));
    CHECK(lowering_error(op::pack_panels{.panel = 16}, {b}) == 0);
    CHECK(lowering_error(packed, {a, p}) == 0);
  }
}

TEST_CASE("matmul: the lowering agrees with the evaluation") {
  const auto r = [](dtype t, std::vector<i64> s, unsigned seed) { return random_tensor(t, std::move(s), seed); };
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::bf16, dtype::i64, dtype::i32, dtype::u8, dtype::i8}) {
    INFO(name_of(t));
    CHECK(lowering_error(op::matmul{}, {r(t, {5, 9}, 1), r(t, {9, 6}, 2)}) == 0);
  }
  const dtype f = dtype::f32;
  const std::vector<std::pair<std::vector<i64>, std::vector<i64>>> shapes{
      {{1, 9}, {9, 130}},     {{4, 9}, {9, 1}},    {{9}, {9, 5}},
      {{4, 9}, {9}},          {{9}, {9}},          {{2, 3, 9}, {9, 70}},
      {{2, 3, 9}, {2, 9, 4}}, {{3, 9}, {2, 9, 4}}, {{2, 1, 3, 9}, {5, 9, 64}},
      {{2, 3, 9}, {1, 9, 4}}, {{2, 3, 9}, {9}},    {{9}, {2, 9, 3}},
      {{1, 1}, {1, 1}},       {{9}, {2, 9, 1}},    {{2, 2, 9}, {2, 9, 1}}};
  for (const auto& [a, b] : shapes) {
    INFO(shape_text(a), shape_text(b));
    CHECK(lowering_error(op::matmul{}, {r(f, a, 5), r(f, b, 6)}) == 0);
  }
}

TEST_CASE("conv of ones counts the taps inside") {
  const tensor x = tensor::from<float>({1, 1, 3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1});
  const tensor w = x;
  const tensor y = evaluated(op::conv{.pads = {1, 1, 1, 1}}, {x, w});
  CHECK(same_bits(y, tensor::from<float>({1, 1, 3, 3}, {4, 6, 4, 6, 9, 6, 4, 6, 4})));
}

TEST_CASE("conv types") {
  const auto t = [](std::vector<i64> s) { return tensor(dtype::f32, std::move(s)); };
  CHECK(type_text(op::conv{.strides = {2, 2}, .pads = {3, 3, 3, 3}}, {t({1, 3, 224, 224}), t({64, 3, 7, 7})}) ==
        "f32[1,64,112,112]");
  CHECK(type_text(op::conv{.dilations = {2}, .group = 2}, {t({1, 4, 10}), t({6, 2, 3})}) == "f32[1,6,6]");
  CHECK(type_text(op::conv{.layout = data_layout::channels_last, .panel = 32, .columns = 40},
                  {t({1, 8, 8, 3}), t({2, 3, 3, 3, 32})}) == "f32[1,6,6,40]");
  CHECK_THROWS_WITH_AS(type_text(op::conv{}, {t({1, 3, 8, 8}), t({4, 2, 3, 3})}), doctest::Contains("3 channels"),
                       error);
  CHECK_THROWS_AS(type_text(op::conv{}, {t({1, 3, 2, 2}), t({4, 3, 3, 3})}), error);
  CHECK_THROWS_AS(type_text(op::conv{.strides = {0, 1}}, {t({1, 3, 8, 8}), t({4, 3, 3, 3})}), error);
  CHECK_THROWS_AS(type_text(op::conv{.pads = {1}}, {t({1, 3, 8, 8}), t({4, 3, 3, 3})}), error);
  CHECK_THROWS_AS(type_text(op::conv{.group = 3}, {t({1, 3, 8, 8}), t({4, 1, 3, 3})}), error);
}

TEST_CASE("conv with unknown extents keeps what is known") {
  ir::module m;
  const symbol_id s = m.symbol("N");
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {ir::dim::symbol(s), 3, ir::dim(), 8})),
                           m.intern(ir::type::tensor(dtype::f32, {4, 3, 3, 3}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  ir::builder<> b(m, m[f].body);
  const auto arguments = m[m[f].body].arguments;
  const ir::type& t = m.type_of(b.make(op::conv{.pads = {1, 1, 1, 1}}, {arguments[0], arguments[1]}));
  CHECK(t.shape == std::vector<ir::dim>{ir::dim::symbol(s), 4, ir::dim(), 8});
}

TEST_CASE("conv: every layout is the definition, and lowers to it") {
  struct example {
    op::conv c;
    std::vector<i64> x, w;
  };
  const std::vector<example> examples{
      {{}, {2, 3, 6, 7}, {5, 3, 3, 2}},
      {{.pads = {1, 1, 1, 1}}, {1, 3, 6, 7}, {5, 3, 3, 3}},
      {{.strides = {2, 2}, .pads = {1, 2, 0, 1}}, {2, 3, 7, 8}, {5, 3, 3, 3}},
      {{.strides = {2, 3}, .dilations = {2, 1}, .pads = {2, 0, 2, 0}}, {1, 2, 9, 9}, {3, 2, 3, 2}},
      {{.dilations = {2, 3}, .pads = {3, 3, 3, 3}}, {1, 2, 7, 7}, {3, 2, 3, 3}},
      {{.strides = {2, 2}}, {1, 4, 6, 6}, {40, 4, 1, 1}},
      {{.pads = {1, 1, 1, 1}, .group = 2}, {1, 4, 5, 5}, {6, 2, 3, 3}},
      {{.group = 2}, {2, 4, 5, 5}, {6, 2, 3, 3}},
      {{.pads = {1, 1, 1, 1}, .group = 4}, {1, 4, 5, 5}, {4, 1, 3, 3}},
      {{.strides = {2, 2}, .group = 4}, {1, 4, 5, 5}, {4, 1, 3, 3}},
      {{.pads = {1, 1, 1, 1}, .group = 4}, {1, 4, 5, 5}, {8, 1, 3, 3}},
      {{.pads = {-1, 0, 0, -1}}, {1, 2, 7, 7}, {3, 2, 3, 3}},
      {{}, {1, 3, 3, 3}, {2, 3, 3, 3}},
  };
  for (const example& e : examples)
    for (bool with_bias : {false, true}) {
      INFO(shape_text(e.x), shape_text(e.w), shape_text(e.c.pads), with_bias);
      const tensor x = random_tensor(dtype::f32, e.x, 1), w = random_tensor(dtype::f32, e.w, 2);
      const tensor bias = with_bias ? random_tensor(dtype::f32, {e.w[0]}, 3) : tensor();
      const tensor expected = naive_conv(e.c, x, w, with_bias ? &bias : nullptr);
      CHECK(same_bits(evaluated(e.c, {x, w, bias}), expected));
      CHECK(lowering_error(e.c, {x, w, bias}) == 0);

      op::conv last = e.c;
      last.layout = data_layout::channels_last;
      const tensor xl = permuted(x, order_last(4)), wl = permuted(w, weight_last(4));
      CHECK(same_bits(permuted(evaluated(last, {xl, wl, bias}), order_first(4)), expected));
      CHECK(lowering_error(last, {xl, wl, bias}) == 0);

      if (e.c.group != 1) continue;
      last.panel = 16, last.columns = e.w[0];
      const tensor packed = evaluated(op::pack_panels{.panel = 16}, {wl});
      CHECK(same_bits(permuted(evaluated(last, {xl, packed, bias}), order_first(4)), expected));
      CHECK(lowering_error(last, {xl, packed, bias}) == 0);
    }
}

TEST_CASE("conv in one and three dimensions, and in other types") {
  const tensor x = random_tensor(dtype::f32, {2, 3, 1, 9}, 1), w = random_tensor(dtype::f32, {4, 3, 1, 3}, 2);
  const op::conv one{.strides = {2}, .pads = {1, 1}};
  const tensor flat = evaluated(one, {x.reshaped({2, 3, 9}), w.reshaped({4, 3, 3}), tensor()});
  const tensor wide = naive_conv({.strides = {1, 2}, .pads = {0, 1, 0, 1}}, x, w, nullptr);
  CHECK(same_bits(flat, wide.reshaped(flat.shape())));
  CHECK(lowering_error(one, {x.reshaped({2, 3, 9}), w.reshaped({4, 3, 3}), tensor()}) == 0);

  const op::conv three{.strides = {1, 2, 1}, .pads = {0, 1, 1, 0, 1, 1}};
  const tensor x3 = x.reshaped({2, 3, 1, 3, 3}), w3 = random_tensor(dtype::f32, {4, 3, 1, 3, 3}, 4);
  const tensor planes = naive_conv({.strides = {2, 1}, .pads = {1, 1, 1, 1}}, x.reshaped({2, 3, 3, 3}),
                                   w3.reshaped({4, 3, 3, 3}), nullptr);
  const tensor deep = evaluated(three, {x3, w3, tensor()});
  CHECK(same_bits(deep, planes.reshaped(deep.shape())));
  CHECK(lowering_error(three, {x3, w3, tensor()}) == 0);

  for (dtype t : {dtype::f64, dtype::f16, dtype::bf16, dtype::i32, dtype::i8}) {
    INFO(name_of(t));
    op::conv c{.pads = {1, 1, 1, 1}};
    const tensor xt = random_tensor(t, {1, 2, 4, 4}, 1), wt = random_tensor(t, {3, 2, 3, 3}, 2),
                 bt = random_tensor(t, {3}, 3);
    CHECK(lowering_error(c, {xt, wt, bt}) == 0);
    c.layout = data_layout::channels_last, c.pads = {};
    CHECK(lowering_error(c, {permuted(xt, order_last(4)), permuted(wt, weight_last(4)), bt}) == 0);
  }
}

TEST_CASE("conv_transpose by hand: ones spread over the result") {
  const tensor x = tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const tensor w = tensor::from<float>({1, 1, 2, 2}, {1, 1, 1, 1});
  CHECK(same_bits(evaluated(op::conv_transpose{}, {x, w}),
                  tensor::from<float>({1, 1, 3, 3}, {1, 3, 2, 4, 10, 6, 3, 7, 4})));
  CHECK(same_bits(evaluated(op::conv_transpose{.strides = {2, 2}}, {x, w}),
                  tensor::from<float>({1, 1, 4, 4}, {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4})));
}

TEST_CASE("conv_transpose is the gradient of conv") {
  // <conv(x, w), y> = <x, conv_transpose(y, w)> for every x and y.
  struct example {
    std::vector<i64> strides, dilations, pads, output_padding;
    i64 group;
  };
  for (const example& e : std::vector<example>{{{}, {}, {}, {}, 1},
                                               {{2, 2}, {}, {1, 1, 1, 1}, {}, 1},
                                               {{2, 3}, {}, {1, 0, 0, 1}, {1, 1}, 2},
                                               {{1, 2}, {2, 1}, {1, 1, 1, 1}, {}, 1},
                                               {{2, 2}, {2, 3}, {2, 1, 0, 2}, {1, 0}, 2}}) {
    INFO(shape_text(e.strides), shape_text(e.dilations), shape_text(e.pads), e.group);
    const tensor y = random_tensor(dtype::f64, {2, 4, 3, 4}, 1),
                 w = random_tensor(dtype::f64, {4, 6 / e.group, 3, 3}, 2);
    const op::conv_transpose t{e.strides, e.dilations, e.pads, e.output_padding, e.group};
    const tensor up = evaluated(t, {y, w});
    const tensor x = random_tensor(dtype::f64, up.shape(), 3);
    const tensor down = naive_conv({e.strides, e.dilations, e.pads, e.group}, x, w, nullptr);
    REQUIRE(down.shape()[2] >= 3);
    double left = 0, right = 0;
    for (i64 n = 0; n < 8; ++n)
      for (i64 i = 0; i < 3; ++i)
        for (i64 j = 0; j < 4; ++j)
          left += down.at_f64((n * down.shape()[2] + i) * down.shape()[3] + j) * y.at_f64((n * 3 + i) * 4 + j);
    for (i64 i = 0; i < x.size(); ++i) right += x.at_f64(i) * up.at_f64(i);
    CHECK(left == right);
    CHECK(lowering_error(t, {y, w, random_tensor(dtype::f64, {6}, 4)}) == 0);
    CHECK(lowering_error(t, {y, w, tensor()}) == 0);
  }
}

TEST_CASE("conv_transpose: every layout means the same, and lowers to it") {
  struct example {
    op::conv_transpose t;
    std::vector<i64> x, w;
  };
  const std::vector<example> examples{
      {{}, {2, 3, 5, 4}, {3, 4, 3, 2}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {1, 6, 4, 5}, {6, 20, 4, 4}},
      {{.strides = {2, 2}}, {2, 6, 4, 5}, {6, 20, 2, 2}},  // no two taps meet
      {{.strides = {2, 3}}, {2, 6, 4, 5}, {6, 2, 2, 3}},   // nor here, and the outputs are few
      {{.strides = {2, 3}}, {2, 6, 4, 5}, {6, 2, 4, 6}},   // few outputs, two taps for each along each dimension
      {{.strides = {2, 2}, .group = 6}, {1, 6, 4, 5}, {6, 1, 3, 3}},
      {{.strides = {3, 2}, .pads = {1, 0, 0, 1}, .output_padding = {2, 1}, .group = 2}, {1, 6, 4, 5}, {6, 3, 2, 4}},
      {{.strides = {4, 3}, .dilations = {2, 3}, .pads = {2, 1, 0, 2}}, {1, 2, 4, 5}, {2, 3, 3, 3}},
      {{.strides = {3, 4}, .pads = {-2, 1, 1, -3}}, {1, 2, 4, 5}, {2, 3, 2, 7}},
  };
  for (const example& e : examples)
    for (i64 pad : {0, 3}) {  // of zeros around the image, whose outputs are cut away: then no tap is outside
      INFO(shape_text(e.x), shape_text(e.w), shape_text(e.t.pads), pad);
      const tensor x = random_tensor(dtype::f32, e.x, 1), w = random_tensor(dtype::f32, e.w, 2);
      const tensor bias = random_tensor(dtype::f32, {e.w[1] * e.t.group}, 3);
      const tensor expected = evaluated(e.t, {x, w, bias});
      op::conv_transpose last = e.t;
      last.layout = data_layout::channels_last;
      std::vector<i64> wide = {e.x[0], e.x[2] + 2 * pad, e.x[3] + 2 * pad, e.x[1]};
      tensor xl(dtype::f32, wide);
      const tensor inner = permuted(x, order_last(4));
      for (i64 i = 0; i < inner.size(); ++i) {
        const i64 c = i % e.x[1], v = i / e.x[1] % e.x[3], u = i / e.x[1] / e.x[3] % e.x[2],
                  n = i / e.x[1] / e.x[3] / e.x[2];
        xl.set_f64(((n * wide[1] + u + pad) * wide[2] + v + pad) * e.x[1] + c, inner.at_f64(i));
      }
      last.pads.resize(4);
      for (size_t d = 0; d < 4; ++d) last.pads[d] += pad * (last.strides.empty() ? 1 : last.strides[d % 2]);
      const tensor wl = permuted(w, {2, 3, 0, 1});
      CHECK(same_bits(permuted(evaluated(last, {xl, wl, bias}), order_first(4)), expected));
      CHECK(lowering_error(last, {xl, wl, bias}) == 0);
      CHECK(lowering_error(last, {xl, wl, tensor()}) == 0);
      if (e.t.group != 1) continue;
      last.panel = 16, last.columns = e.w[1];
      const tensor packed = evaluated(op::pack_panels{.panel = 16}, {wl});
      CHECK(same_bits(permuted(evaluated(last, {xl, packed, bias}), order_first(4)), expected));
      CHECK(lowering_error(last, {xl, packed, bias}) == 0);
    }
}
