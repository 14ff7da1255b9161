/// @file pool_test: pools and local response normalization, by hand, in both layouts, evaluated and lowered.
#include <doctest/doctest.h>

#include <limits>

#include <tenon/ops/graph/normalization.hpp>
#include <tenon/ops/graph/pool.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using tenon::op::data_layout;
using namespace tenon::testing;

template <class Op>
std::vector<tensor> evaluated(const Op& op, const tensor& x) {
  return one_op<Op>(op, {x}).evaluated();
}
tensor counting(std::vector<i64> shape) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_i64(i, i + 1);
  return t;
}
/// [N, C, H, W] to [N, H, W, C].
tensor channels_last(const tensor& x) {
  const i64 N = x.shape()[0], C = x.shape()[1], P = x.shape()[2] * x.shape()[3];
  tensor r(x.type(), {N, x.shape()[2], x.shape()[3], C});
  for (i64 n = 0; n < N; ++n)
    for (i64 c = 0; c < C; ++c)
      for (i64 p = 0; p < P; ++p) r.set_f64((n * P + p) * C + c, x.at_f64((n * C + c) * P + p));
  return r;
}
}  // namespace

TEST_CASE("pools of a 4 x 4 image, by hand") {
  const tensor x = counting({1, 1, 4, 4});
  CHECK(same_bits(evaluated(op::max_pool{.kernel = {2, 2}, .strides = {2, 2}}, x)[0],
                  tensor::from<float>({1, 1, 2, 2}, {6, 8, 14, 16})));
  CHECK(same_bits(evaluated(op::average_pool{.kernel = {2, 2}, .strides = {2, 2}}, x)[0],
                  tensor::from<float>({1, 1, 2, 2}, {3.5f, 5.5f, 11.5f, 13.5f})));
  CHECK(same_bits(evaluated(op::lp_pool{.kernel = {1, 2}, .strides = {1, 2}, .p = 1}, x)[0],
                  tensor::from<float>({1, 1, 4, 2}, {3, 7, 11, 15, 19, 23, 27, 31})));
  const tensor two = evaluated(op::lp_pool{.kernel = {1, 2}, .strides = {4, 4}}, x)[0];
  CHECK(two.at_f64(0) == doctest::Approx(std::sqrt(5.0)));
}

TEST_CASE("padding counts in a mean only when asked to") {
  const tensor x = tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const op::average_pool without{.kernel = {3, 3}, .pads = {1, 1, 1, 1}};
  op::average_pool with = without;
  with.count_include_pad = true;
  CHECK(evaluated(without, x)[0].at_f64(0) == 2.5);
  CHECK(evaluated(with, x)[0].at_f64(0) == doctest::Approx(10.0 / 9));
}

TEST_CASE("ceil_mode: a last window may overhang, and what overhangs does not count") {
  const tensor x = counting({1, 1, 1, 5});
  const op::average_pool p{.kernel = {1, 2}, .strides = {1, 2}, .ceil_mode = true, .count_include_pad = true};
  CHECK(same_bits(evaluated(p, x)[0], tensor::from<float>({1, 1, 1, 3}, {1.5f, 3.5f, 5})));
  // ONNX test_averagepool_2d_ceil_last_window_starts_on_pad: no window starts in the trailing padding.
  const op::average_pool q{
      .kernel = {3, 3}, .strides = {3, 3}, .pads = {1, 1, 1, 1}, .ceil_mode = true, .count_include_pad = true};
  CHECK(evaluated(q, counting({1, 1, 2, 2}))[0].shape() == std::vector<i64>{1, 1, 1, 1});
  // The only window may overhang as well, by less than a stride (values of ONNX Runtime 1.30).
  const auto dilated = [](i64 stride) {
    return op::max_pool{.kernel = {1, 3}, .strides = {1, stride}, .dilations = {1, 2}, .ceil_mode = true};
  };
  CHECK(same_bits(evaluated(dilated(2), counting({1, 1, 1, 4}))[0], tensor::from<float>({1, 1, 1, 1}, {3})));
  CHECK(same_bits(evaluated(dilated(3), counting({1, 1, 1, 3}))[0], tensor::from<float>({1, 1, 1, 1}, {3})));
  CHECK(op::window_count(4, {.kernel = 3, .stride = 1, .dilation = 2}, true) == 0);
  CHECK(op::window_count(2, {.kernel = 3, .stride = 2, .dilation = 2}, true) == 0);
}

TEST_CASE("max_pool says where its maxima are, in channels_first order") {
  const tensor x = tensor::from<float>({1, 2, 2, 3}, {1, 5, 2, 7, 0, 3, 9, 9, 8, 4, 9, 6});
  const op::max_pool row{.kernel = {2, 2}, .indices = true};
  const tensor expected = tensor::from<i64>({1, 2, 1, 2}, {3, 1, 6, 7});
  CHECK(same_bits(evaluated(row, x)[1], expected));
  op::max_pool column = row;
  column.column_major = true;
  CHECK(same_bits(evaluated(column, x)[1], tensor::from<i64>({1, 2, 1, 2}, {1, 2, 6, 8})));
  op::max_pool last = row;
  last.layout = data_layout::channels_last;
  CHECK(same_bits(evaluated(last, channels_last(x))[1], channels_last(expected)));
}

TEST_CASE("pools: both layouts mean the same, and lower to what they mean") {
  struct windows {
    std::vector<i64> kernel, strides, dilations, pads;
    bool ceil_mode;
  };
  const std::vector<windows> all{{{2, 2}, {2, 2}, {}, {}, false},
                                 {{3, 3}, {2, 2}, {}, {1, 1, 1, 1}, false},
                                 {{3, 3}, {2, 2}, {}, {}, true},
                                 {{3, 2}, {1, 3}, {2, 1}, {1, 0, 2, 1}, false},
                                 {{3, 3}, {3, 2}, {2, 2}, {1, 2, 1, 2}, true},
                                 {{4, 3}, {2, 3}, {2, 4}, {}, true},
                                 {{6, 7}, {}, {}, {}, false},
                                 {{5, 5}, {}, {}, {2, 2, 2, 2}, false},
                                 {{6, 7}, {}, {}, {3, 4, 3, 3}, false},
                                 {{5, 5}, {2, 2}, {}, {2, 2, 2, 2}, true},
                                 {{4, 3}, {1, 1}, {1, 2}, {3, 1, 0, 3}, false},
                                 {{1, 5}, {1, 2}, {}, {0, 3, 0, 1}, false},
                                 {{5, 1}, {1, 1}, {}, {2, 0, 2, 0}, false},
                                 {{3, 3}, {1, 1}, {}, {1, -1, 1, 1}, false}};
  for (const windows& w : all) {
    INFO(shape_text(w.kernel), shape_text(w.strides), shape_text(w.dilations), shape_text(w.pads), w.ceil_mode);
    const tensor x = random_tensor(dtype::f32, {2, 5, 6, 7}, 1), y = channels_last(x);
    const auto same = [&](auto op, double tolerance) {
      auto last = op;
      last.layout = data_layout::channels_last;
      const std::vector<tensor> a = evaluated(op, x), b = evaluated(last, y);
      for (size_t i = 0; i < a.size(); ++i) CHECK(same_bits(channels_last(a[i]), b[i]));
      CHECK(lowering_error(op, {x}) <= tolerance);
      CHECK(lowering_error(last, {y}) <= tolerance);
    };
    same(op::max_pool{w.kernel, w.strides, w.dilations, w.pads, w.ceil_mode}, 0);
    op::max_pool where{w.kernel, w.strides, w.dilations, w.pads, w.ceil_mode};
    where.indices = true;
    same(where, 0);
    where.column_major = true;
    same(where, 0);
    same(op::average_pool{w.kernel, w.strides, w.dilations, w.pads, w.ceil_mode}, 1e-6);
    same(op::average_pool{w.kernel, w.strides, w.dilations, w.pads, w.ceil_mode, true}, 1e-6);
    for (i64 p : {1, 2, 3}) {
      op::lp_pool lp{w.kernel, w.strides, w.dilations, w.pads, w.ceil_mode};
      lp.p = p;
      same(lp, 1e-5);
    }
  }
}

TEST_CASE("pools in one and three dimensions, and of other types") {
  const tensor x = counting({1, 2, 8});
  CHECK(same_bits(evaluated(op::max_pool{.kernel = {3}, .strides = {3}}, x)[0],
                  tensor::from<float>({1, 2, 2}, {3, 6, 11, 14})));
  CHECK(lowering_error(op::max_pool{.kernel = {3}, .pads = {1, 1}}, {x}) == 0);
  CHECK(evaluated(op::average_pool{.kernel = {2, 2, 2}}, counting({1, 1, 2, 2, 2}))[0].at_f64(0) == 4.5);
  CHECK(lowering_error(op::average_pool{.kernel = {2, 2, 2}, .pads = {1, 0, 0, 0, 1, 0}},
                       {counting({1, 2, 3, 3, 3})}) <= 1e-6);
  for (dtype t : {dtype::f64, dtype::f16, dtype::bf16, dtype::i8, dtype::u8}) {
    INFO(name_of(t));
    CHECK(lowering_error(op::max_pool{.kernel = {2, 2}, .pads = {1, 1, 0, 0}, .indices = true},
                         {random_tensor(t, {1, 2, 5, 5}, 4)}) == 0);
  }
}

TEST_CASE("pools whose windows are walked one dimension after the other") {
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::bf16, dtype::i8, dtype::u8, dtype::i32}) {
    INFO(name_of(t));
    CHECK(lowering_error(op::max_pool{.kernel = {4, 5}, .pads = {1, 2, 2, 2}}, {random_tensor(t, {1, 2, 5, 9}, 4)}) ==
          0);
    CHECK(lowering_error(op::max_pool{.kernel = {5}, .strides = {2}, .pads = {2, 2}, .ceil_mode = true},
                         {random_tensor(t, {2, 3, 16}, 5)}) == 0);
  }
  const tensor volume = random_tensor(dtype::f32, {1, 2, 5, 4, 7}, 6);
  CHECK(lowering_error(op::max_pool{.kernel = {3, 3, 3}, .pads = {1, 1, 1, 1, 1, 1}}, {volume}) == 0);
  CHECK(lowering_error(op::max_pool{.kernel = {3, 1, 3}, .strides = {2, 1, 1}, .pads = {1, 0, 0, 1, 0, 0}}, {volume}) ==
        0);
  for (bool counted : {false, true})
    CHECK(
        lowering_error(op::average_pool{.kernel = {3, 4, 3}, .pads = {1, 1, 1, 1, 2, 1}, .count_include_pad = counted},
                       {volume}) <= 1e-6);
  // Windows whose taps differ at both ends of a row, of more lanes than one vector has.
  for (dtype t : {dtype::f32, dtype::f64})
    for (bool counted : {false, true})
      for (i64 stride : {1, 2}) {
        INFO(name_of(t), counted, stride);
        CHECK(lowering_error(op::average_pool{.kernel = {3, 5},
                                              .strides = {1, stride},
                                              .pads = {1, 2, 1, 2},
                                              .ceil_mode = true,
                                              .count_include_pad = counted},
                             {random_tensor(t, {1, 2, 4, 37}, 7)}) <= 1e-6);
      }
  op::max_pool last{.kernel = {3, 3, 3}, .pads = {1, 1, 1, 1, 1, 1}};
  last.layout = data_layout::channels_last;
  CHECK(lowering_error(last, {volume}) == 0);
}

TEST_CASE("the first NaN of a window is its maximum, and where it is") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const tensor x = tensor::from<float>({1, 1, 6}, {0.5f, nan, nan, 2, 1, nan});
  const op::max_pool pool{.kernel = {3}, .strides = {3}, .indices = true};
  CHECK(same_bits(evaluated(pool, x)[1], tensor::from<i64>({1, 1, 2}, {1, 5})));
  const std::vector<tensor> got = one_op<op::max_pool>(pool, {x}).lowered();
  CHECK(got[0].at_f64(0) != got[0].at_f64(0));
  CHECK(same_bits(got[1], evaluated(pool, x)[1]));
}

TEST_CASE("pools reject what has no meaning") {
  const tensor x = counting({1, 1, 4, 4});
  CHECK_THROWS_AS(evaluated(op::max_pool{.kernel = {2}}, x), error);
  CHECK_THROWS_AS(evaluated(op::max_pool{.kernel = {2, 0}}, x), error);
  CHECK_THROWS_AS(evaluated(op::max_pool{.kernel = {5, 5}}, x), error);
  CHECK_THROWS_AS(evaluated(op::average_pool{.kernel = {2, 2}}, tensor(dtype::i32, {1, 1, 4, 4})), error);
  CHECK_THROWS_AS(evaluated(op::lp_pool{.kernel = {2, 2}, .p = 0}, x), error);
}

TEST_CASE("lrn divides by the squares of the channels around") {
  const tensor x = tensor::from<float>({1, 4, 1, 1}, {1, 2, 3, 4});
  const tensor y = evaluated(op::lrn{.size = 3, .alpha = 3, .beta = 1, .bias = 1}, x)[0];
  CHECK(y.at_f64(0) == doctest::Approx(1.0 / 6));
  CHECK(y.at_f64(1) == doctest::Approx(2.0 / 15));
  CHECK(y.at_f64(3) == doctest::Approx(4.0 / 26));
  // An even size looks one further ahead than back.
  CHECK(evaluated(op::lrn{.size = 2, .alpha = 2, .beta = 1, .bias = 0}, x)[0].at_f64(0) == doctest::Approx(1.0 / 5));
  for (double beta : {0.75, 0.5, 1.0, 0.6})
    for (i64 size : {1, 4, 5, 20}) {
      op::lrn op{.size = size, .alpha = 0.1, .beta = beta, .bias = 2};
      const tensor r = random_tensor(dtype::f32, {2, 7, 3, 2}, 9);
      CHECK(lowering_error(op, {r}) <= 1e-6);
      const tensor first = evaluated(op, r)[0];
      op.layout = data_layout::channels_last;
      CHECK(same_bits(evaluated(op, channels_last(r))[0], channels_last(first)));
      CHECK(lowering_error(op, {channels_last(r)}) <= 1e-6);
    }
}
