// needs: llvm xsimd
// What is easily different from target to target: NaN and infinities at the edges, integer powers, indices out of
// range.
#include <doctest/doctest.h>

#include <array>
#include <limits>

#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/graph/pool.hpp>
#include <tenon/ops/graph/recurrence.hpp>
#include <tenon/ops/graph/resize.hpp>

#include "support/every_target.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), undefined = std::numeric_limits<double>::quiet_NaN();

/// Small integers with some elements set.
tensor with(tensor t, std::vector<std::pair<i64, double>> values) {
  for (const auto& [i, v] : values) t.set_f64(i % t.size(), v);
  return t;
}
tensor some(std::vector<i64> shape, unsigned seed) { return random_tensor(dtype::f32, std::move(shape), seed); }

}  // namespace

TEST_CASE("padding of a convolution is zeros, which infinite and undefined weights multiply") {
  ops_on_every_target ops;
  struct shape {
    std::vector<i64> x, w, strides, dilations, pads;
    i64 group = 1;
  };
  const shape shapes[] = {
      {{1, 3, 7, 9}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 1},
      {{2, 5, 6, 5}, {7, 5, 3, 2}, {2, 1}, {1, 2}, {0, 2, 1, 0}, 1},
      {{1, 4, 5, 5}, {4, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 4},
      {{1, 4, 5, 5}, {6, 2, 2, 2}, {1, 1}, {2, 2}, {2, 1, 2, 1}, 2},
      {{2, 3, 11}, {5, 3, 4}, {2}, {1}, {3, 2}, 1},
      {{1, 16, 5, 5}, {17, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 1},
      {{1, 2, 4, 4, 3}, {3, 2, 2, 3, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 0, 0, 1, 1}, 1},
  };
  for (const shape& s : shapes)
    for (const auto& [in_x, in_w] :
         std::vector<std::pair<double, double>>{{1, inf}, {inf, undefined}, {undefined, 1}}) {
      const tensor x = with(some(s.x, 1), {{3, in_x}, {40, in_x}}), w = with(some(s.w, 2), {{0, in_w}, {29, in_w}});
      const op::conv c{.strides = s.strides, .dilations = s.dilations, .pads = s.pads, .group = s.group};
      CAPTURE(shape_text(s.x));
      CAPTURE(in_x);
      CAPTURE(in_w);
      CHECK(ops.disagreement(c, {x, w, some({s.w[0]}, 3)}, {false, true, true}) == "");
    }
  // As if the image had been padded before.
  const tensor x = some({1, 1, 2}, 1), w = tensor::from<float>({1, 1, 3}, {static_cast<float>(inf), 1, 1});
  const one_op_module<op::conv> o({.pads = {1, 1}}, {with(x, {{0, 1}, {1, 2}}), w});
  const tensor y = run_on(entry_of<targets::interpreter>(), o.m, o.inputs)[0];
  CHECK(y.at_f64(0) != y.at_f64(0));
  CHECK(y.at_f64(1) == inf);
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("a transposed convolution adds up what there is") {
  ops_on_every_target ops;
  for (const std::vector<i64>& dilations : {std::vector<i64>{1, 1}, {2, 1}, {2, 3}})
    for (const double special : {inf, undefined, 1.0}) {
      const tensor x = with(some({1, 3, 4, 5}, 4), {{7, 1}}),
                   w = with(some({3, 2, 3, 2}, 5), {{0, special}, {17, special}});
      CAPTURE(dilations);
      CAPTURE(special);
      CHECK(ops.disagreement(
                op::conv_transpose{
                    .strides = {2, 3}, .dilations = dilations, .pads = {1, 0, 0, 1}, .output_padding = {1, 0}},
                {x, w}, {false, true}) == "");
    }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("matrix products of odd sizes keep NaN and infinities in their rows and columns") {
  ops_on_every_target ops;
  for (const auto& [m, k, n] :
       std::vector<std::array<i64, 3>>{{1, 1, 1}, {3, 5, 7}, {13, 17, 19}, {5, 33, 65}, {9, 64, 1}})
    for (const double special : {inf, undefined}) {
      CAPTURE(m);
      CAPTURE(k);
      CAPTURE(n);
      CHECK(ops.disagreement(op::matmul{}, {with(some({m, k}, 6), {{m * k - 1, special}}), some({k, n}, 7)},
                             {false, true}) == "");
      CHECK(ops.disagreement(op::matmul{},
                             {some({m, k}, 6), with(some({k, n}, 7), {{k * n - 1, special}, {0, special}})},
                             {false, true}) == "");
      CHECK(ops.disagreement(op::matmul{},
                             {with(some({2, m, k}, 6), {{k, special}}), with(some({2, k, n}, 7), {{n, -special}})},
                             {false, true}) == "");
    }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("pools: NaN is the greatest, and padding is nothing") {
  ops_on_every_target ops;
  for (const double special : {-inf, undefined}) {
    const tensor x =
        with(some({2, 3, 7, 5}, 8), {{0, special}, {11, special}, {33, special}, {34, special}, {209, special}});
    for (const bool ceil_mode : {false, true}) {
      CAPTURE(special);
      const op::max_pool most{.kernel = {3, 2}, .strides = {2, 1}, .pads = {1, 1, 1, 0}, .ceil_mode = ceil_mode};
      CHECK(ops.disagreement(most, {x}) == "");
      op::max_pool where = most;
      where.indices = true;
      CHECK(ops.disagreement(where, {x}) == "");
      for (const bool counted : {false, true})
        CHECK(ops.disagreement(op::average_pool{.kernel = {3, 2},
                                                .strides = {2, 1},
                                                .pads = {1, 1, 1, 0},
                                                .ceil_mode = ceil_mode,
                                                .count_include_pad = counted},
                               {x}, {}, 1e-6) == "");
      CHECK(ops.disagreement(
                op::lp_pool{.kernel = {3, 2}, .strides = {2, 1}, .pads = {1, 1, 1, 0}, .ceil_mode = ceil_mode, .p = 1},
                {x}, {}, 1e-6) == "");
    }
  }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("pools of large windows, in native code as in the interpreter") {
  ops_on_every_target ops;
  for (const double special : {-inf, undefined}) {
    const tensor x = with(some({2, 3, 9, 21}, 8), {{0, special}, {60, special}, {333, special}, {1133, special}});
    for (const auto& [kernel, stride, pad] :
         std::vector<std::array<i64, 3>>{{5, 1, 2}, {9, 1, 4}, {3, 1, 1}, {3, 2, 1}, {2, 2, 0}, {5, 2, 2}}) {
      const std::vector<i64> k{kernel, kernel}, s{stride, stride}, p{pad, pad, pad, pad};
      CAPTURE(kernel);
      CAPTURE(stride);
      CHECK(ops.disagreement(op::max_pool{.kernel = k, .strides = s, .pads = p}, {x}) == "");
      for (const bool counted : {false, true})
        CHECK(ops.disagreement(op::average_pool{.kernel = k, .strides = s, .pads = p, .count_include_pad = counted},
                               {x}, {}, 1e-6) == "");
    }
  }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("top_k: ties, NaN and infinities, in native code as in the interpreter") {
  ops_on_every_target ops;
  const tensor x = with(some({3, 401}, 9), {{3, inf}, {100, undefined}, {399, -inf}, {405, undefined}, {1202, inf}});
  for (const i64 k : {1, 5, 64, 401})
    for (const bool largest : {true, false}) {
      CAPTURE(k);
      CAPTURE(largest);
      CHECK(ops.disagreement(op::top_k{k, 1, largest}, {x}) == "");
    }
  CHECK(ops.disagreement(op::top_k{2, 0}, {x}) == "");
  CHECK(ops.disagreement(op::top_k{9, 1}, {random_tensor(dtype::i32, {2, 300}, 10)}) == "");
  for (const bool largest : {true, false})
    CHECK(ops.disagreement(op::top_k{8, -1, largest}, {with(some({40, 130}, 11), {{5, undefined}, {131, inf}})}) == "");
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("resizes and tiles in runs, in native code as in the interpreter") {
  ops_on_every_target ops;
  const tensor x = with(some({1, 4, 9, 11}, 12), {{3, inf}, {100, undefined}, {399, -inf}});
  for (const op::interpolation mode : {op::interpolation::linear, op::interpolation::cubic})
    for (const std::vector<i64>& sizes :
         std::vector<std::vector<i64>>{{1, 4, 18, 22}, {1, 4, 5, 40}, {1, 4, 9, 33}, {1, 7, 9, 7}}) {
      op::resize r;
      r.mode = mode, r.sizes = sizes;
      CHECK(ops.disagreement(r, {x}, {}, 1e-6) == "");
    }
  for (const std::vector<i64>& times : std::vector<std::vector<i64>>{{2, 1, 1, 3}, {1, 3, 2, 1}})
    CHECK(ops.disagreement(op::tile{times}, {x}) == "");
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("grid_sample: places outside, infinite elements or coordinates, for several channels") {
  ops_on_every_target ops;
  const tensor x = some({2, 3, 5, 6}, 11), odd = with(x.clone(), {{0, inf}, {44, undefined}, {100, -inf}});
  tensor grid = some({2, 4, 19, 2}, 12);
  for (i64 i = 0; i < grid.size(); ++i) grid.set_f64(i, grid.at_f64(i) * 0.31);
  const tensor far = with(grid.clone(), {{7, inf}, {50, undefined}});
  for (const auto mode : {op::interpolation::nearest, op::interpolation::linear, op::interpolation::cubic})
    for (const auto padding : {op::sample_padding::zeros, op::sample_padding::border, op::sample_padding::reflection}) {
      CAPTURE(static_cast<int>(mode));
      CAPTURE(static_cast<int>(padding));
      CHECK(ops.disagreement(op::grid_sample{mode, padding, false}, {odd, grid}, {}, 1e-5) == "");
      CHECK(ops.disagreement(op::grid_sample{mode, padding, false}, {x, far}, {}, 1e-5) == "");
    }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("integer powers wrap, whatever the exponent") {
  ops_on_every_target ops;
  const dtype types[] = {dtype::i8, dtype::i16, dtype::i32, dtype::i64, dtype::u8, dtype::u16, dtype::u32, dtype::u64};
  for (dtype t : types) {
    const int bits = static_cast<int>(size_of(t)) * 8;
    const bool with_sign = is_signed_int(t);
    std::vector<i64> bases{0, 1, 2, 3, 5, 7, 10, 100}, exponents{0, 1, 2, 3, 7, 64, 100, 127};
    if (with_sign)
      bases.insert(bases.end(), {-1, -2, -3, -128}), exponents.insert(exponents.end(), {-1, -2, -127, -128});
    if (bits > 8) exponents.insert(exponents.end(), {128, 129, 130, 255, 256, 1000, 32767});
    if (bits > 16) exponents.insert(exponents.end(), {65536, 65537, 2147483647});
    if (bits > 32) exponents.insert(exponents.end(), {i64{1} << 40, (i64{1} << 62) + 1, INT64_MAX});
    if (bits == 64 && with_sign) exponents.push_back(INT64_MIN);
    const i64 count = static_cast<i64>(bases.size() * exponents.size());
    tensor x(t, {count}), e(t, {count}), want(t, {count});
    for (i64 i = 0; i < count; ++i) {
      const i64 b = bases[static_cast<size_t>(i) % bases.size()], n = exponents[static_cast<size_t>(i) / bases.size()];
      u64 r = 1, power = static_cast<u64>(b);
      for (u64 left = static_cast<u64>(n); left != 0; left >>= 1, power *= power)
        if (left & 1) r *= power;
      if (n < 0) r = b == 1 ? 1 : b == -1 ? (n & 1 ? ~u64{0} : 1) : 0;
      x.set_i64(i, b), e.set_i64(i, n);
      want.set_i64(i, static_cast<i64>(bits == 64  ? r
                                       : with_sign ? static_cast<u64>(static_cast<i64>(r << (64 - bits)) >> (64 - bits))
                                                   : r & ((u64{1} << bits) - 1)));
    }
    const one_op_module<op::pow> data({}, {x, e}), fixed({}, {x, e}, {false, true});
    for (const target_entry* target : every_target())
      for (const auto* o : {&data, &fixed}) {
        const tensor got = run_on(*target, o->m, o->inputs)[0];
        for (i64 i = 0; i < count; ++i)
          CHECK_MESSAGE(got.at_i64(i) == want.at_i64(i),
                        target->name << ": " << x.at_i64(i) << "^" << e.at_i64(i) << " in " << name_of(t));
      }
    // One exponent for all bases.
    for (const i64 n : {i64{2}, i64{128} % (i64{1} << (bits - 1)), i64{127}}) {
      tensor one(t, {1});
      one.set_i64(0, n);
      CHECK(ops.disagreement(op::pow{}, {x, one}, {false, true}) == "");
    }
  }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("indices that are data and out of range mean the same on every target") {
  ops_on_every_target ops;
  const tensor x = some({3, 4}, 9), far = tensor::from<i64>({2, 4}, {0, -1, 3, -4, INT64_MAX, INT64_MIN, 100, 2}),
               less = tensor::from<i32>({2, 4}, {0, -1, 3, -4, INT32_MAX, INT32_MIN, 100, 2});
  for (const tensor& at : {far, less}) {
    for (i64 axis : {0, 1}) {
      CHECK(ops.disagreement(op::gather{axis}, {x, at}) == "");
      CHECK(ops.disagreement(op::gather_elements{axis}, {x, at}) == "");
      for (int r = 0; r < 5; ++r)
        CHECK(ops.disagreement(op::scatter_elements{axis, static_cast<op::scatter_reduction>(r)},
                               {x, at, some({2, 4}, 10)}) == "");
    }
    CHECK(ops.disagreement(op::gather_nd{}, {x, at.reshaped({4, 2})}) == "");
    CHECK(ops.disagreement(op::gather_nd{}, {x, at.reshaped({8, 1})}) == "");
    CHECK(ops.disagreement(op::gather_nd{1}, {some({2, 5, 3}, 9), at.reshaped({2, 4, 1})}) == "");
    CHECK(ops.disagreement(op::scatter_nd{op::scatter_reduction::add}, {x, at.reshaped({4, 2}), some({4}, 10)}) == "");
    CHECK(ops.disagreement(op::scatter_nd{}, {x, at.reshaped({8, 1}), some({8, 4}, 10)}) == "");
    CHECK(ops.disagreement(op::one_hot{-1, 3}, {at, tensor(), tensor::from<float>({2}, {-1, 1})}) == "");
  }
  CHECK(ops.disagreement(op::max_unpool{.kernel_shape = {2}, .strides = {2}},
                         {some({1, 2, 2}, 11), tensor::from<i64>({1, 2, 2}, {0, 100, -1, 7})}) == "");
  CHECK(ops.disagreement(op::reverse_sequence{}, {some({3, 4}, 12), tensor::from<i64>({4}, {0, 3, 100, -5})}) == "");
  const tensor rois = with(some({5, 4}, 13), {{0, undefined}, {5, inf}, {10, -inf}, {15, 1e30}});
  for (const op::roi_mode mode : {op::roi_mode::avg, op::roi_mode::max})
    for (const i64 ratio : {0, 2})
      CHECK(ops.disagreement(
                op::roi_align{.mode = mode, .output_height = 2, .output_width = 3, .sampling_ratio = ratio},
                {some({2, 2, 5, 4}, 14), rois, tensor::from<i64>({5}, {0, 1, 2, -1, INT64_MAX})}, {}, 1e-5) == "");
  // Of nothing there is nothing to read.
  CHECK(ops.disagreement(op::gather{0}, {tensor(dtype::f32, {0, 4}), tensor::from<i64>({2}, {0, 5})}) == "");
  CHECK(ops.disagreement(op::gather{1}, {tensor(dtype::f32, {0, 4}), tensor::from<i64>({2}, {0, 5})}) == "");
  CHECK(ops.disagreement(op::gather_elements{0}, {tensor(dtype::f32, {0, 4}), tensor::from<i64>({1, 2}, {0, 5})}) ==
        "");
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("functions that come near 1 reach it, where the nearest number is") {
  ops_on_every_target ops;
  const tensor x = tensor::from<float>({12}, {9.02f, -9.02f, 30, -30, 1e30f, -1e30f, 100, -100, 0, 0, 0, 0});
  const tensor odd = with(x, {{8, inf}, {9, -inf}, {10, undefined}});
  CHECK(ops.disagreement(op::tanh{}, {odd}) == "");
  CHECK(ops.disagreement(op::erf{}, {odd}) == "");
  CHECK(ops.disagreement(op::sigmoid{}, {odd}, {}, 1e-7) == "");
  CHECK(ops.disagreement(op::exp{}, {odd}, {}, 1e-40) == "");
  tensor between(dtype::f32, {400});
  for (i64 k = 0; k < 400; ++k) between.set_f64(k, static_cast<double>(k - 200) / 20);
  CHECK(ops.disagreement(op::tanh{}, {between}, {}, 5 * 0x1p-24) == "");
  CHECK(ops.disagreement(op::erf{}, {between}, {}, 6 * 0x1p-24) == "");
  const one_op_module<op::tanh> o({}, {odd});
  const tensor y = run_on(entry_of<targets::cpu>(), o.m, o.inputs)[0];
  CHECK(y.at_f64(0) == 1);
  CHECK(y.at_f64(9) == -1);
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("zero has a sign, which neg changes") {
  const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<19xf32>) -> (tensor<19xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<19xf32>
  %2 = reciprocal(%1) : tensor<19xf32>
  return(%2)
})");
  const tensor x = with(tensor(dtype::f32, {19}), {{0, 0.0}, {1, -0.0}, {2, 2}, {18, -0.0}});
  CHECK(disagreement(m, {x}) == "");
  const tensor y = run_on(entry_of<targets::xsimd>(), m, {x})[0];
  CHECK(y.at_f64(0) == -inf);
  CHECK(y.at_f64(18) == inf);
}

TEST_CASE("elements with a weight of 0 have no part in a resized image, whatever they are") {
  ops_on_every_target ops;
  const tensor x = with(some({2, 3, 4, 5}, 15), {{7, inf}, {33, -inf}, {90, undefined}});
  for (const bool align : {false, true}) {
    op::resize two{.mode = op::interpolation::linear, .sizes = {7, 9}, .axes = {2, 3}},
        one{.mode = op::interpolation::linear, .sizes = {5, 10}, .axes = {1, 2}};
    if (align) two.coordinates = one.coordinates = op::coordinate_mode::align_corners;
    CHECK(ops.disagreement(two, {x}, {}, 1e-5) == "");
    CHECK(ops.disagreement(one, {x}, {}, 1e-5) == "");
  }
  CHECK(ops.disagreement(op::resize{.mode = op::interpolation::linear,
                                    .coordinates = op::coordinate_mode::asymmetric,
                                    .sizes = {8},
                                    .axes = {3}},
                         {x}, {}, 1e-5) == "");
  CHECK(ops.disagreement(op::resize{.coordinates = op::coordinate_mode::asymmetric, .sizes = {8, 10}, .axes = {2, 3}},
                         {x}) == "");
  const one_op_module<op::resize> o(
      {.mode = op::interpolation::linear, .coordinates = op::coordinate_mode::asymmetric, .scales = {2}, .axes = {0}},
      {tensor::from<float>({2}, {1, static_cast<float>(inf)})});
  const tensor y = run_on(entry_of<targets::cpu>(), o.m, o.inputs)[0];
  CHECK(y.at_f64(0) == 1);
  CHECK(y.at_f64(1) == inf);
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("a cell's state is what its type holds, within a step too") {
  ops_on_every_target ops;
  const tensor zeros(dtype::f16, {1, 1});
  const auto lstm = [](const char* last) {
    return op::recurrence{.cell = op::recurrent_cell::lstm, .functions = {{"relu"}, {"relu"}, {last}}};
  };
  for (const double gate : {300.0, 0.6251})  // too large, and of too many digits
    for (const char* last : {"softsign", "relu"}) {
      const tensor x =
          with(tensor(dtype::f16, {2, 1, 4}), {{0, gate}, {1, 2}, {3, gate}, {4, gate}, {5, 2}, {6, 1}, {7, gate}});
      CHECK(ops.disagreement(lstm(last), {x, tensor(dtype::f16, {1, 4}), zeros, zeros}) == "");
    }
  CHECK(ops.disagreement_in_c() == "");
}

TEST_CASE("a convolution of no pixels makes none") {
  ops_on_every_target ops;
  CHECK(ops.disagreement(op::conv{.pads = {1, 1, 1, 1}}, {tensor(dtype::f32, {1, 2, 0, 0}), some({3, 2, 3, 3}, 1)},
                         {false, true}) == "");
  CHECK(ops.disagreement(op::conv{.pads = {1, 1}}, {tensor(dtype::f32, {2, 2, 0}), some({3, 2, 3}, 1), some({3}, 2)},
                         {false, true, true}) == "");
  CHECK(ops.disagreement(op::conv{.pads = {1, 1, 1, 1}}, {tensor(dtype::f32, {0, 2, 5, 0}), some({3, 2, 3, 3}, 1)},
                         {false, true}) == "");
  CHECK(ops.disagreement_in_c() == "");
}
