#include <doctest/doctest.h>

#include <limits>

#include <tenon/ops/graph/resize.hpp>

#include "support/expected.hpp"

namespace tn = tenon;
using namespace tenon::testing;
using tn::dtype;
using tn::i64;
using tn::tensor;
using tn::op::aspect_policy;
using tn::op::coordinate_mode;
using tn::op::interpolation;
using tn::op::nearest_mode;
using tn::op::sample_padding;

namespace {
tensor row(std::vector<float> v) {
  return tensor::from<float>({static_cast<i64>(v.size())}, std::span<const float>(v));
}
tn::op::resize scaled(interpolation mode, coordinate_mode c, std::vector<double> scales) {
  tn::op::resize r;
  r.mode = mode, r.coordinates = c, r.scales = std::move(scales);
  return r;
}
tn::op::resize sized(interpolation mode, coordinate_mode c, std::vector<i64> sizes) {
  tn::op::resize r;
  r.mode = mode, r.coordinates = c, r.sizes = std::move(sizes);
  return r;
}
}  // namespace

TEST_CASE("resize: nearest") {
  const tensor x = tensor::from<float>({2, 2}, {1, 2, 3, 4});
  for (coordinate_mode c : {coordinate_mode::half_pixel, coordinate_mode::asymmetric}) {
    tn::op::resize r = scaled(interpolation::nearest, c, {1, 2});
    if (c == coordinate_mode::asymmetric) r.nearest = nearest_mode::floor;
    CHECK(gives(r, {x}, {tensor::from<float>({2, 4}, {1, 1, 2, 2, 3, 3, 4, 4})}));
  }
  tn::op::resize r = scaled(interpolation::nearest, coordinate_mode::asymmetric, {2});
  r.nearest = nearest_mode::ceil;
  CHECK(gives(r, {row({1, 2})}, {row({1, 2, 2, 2})}));
  r = sized(interpolation::nearest, coordinate_mode::half_pixel, {2});
  CHECK(gives(r, {row({1, 2, 3, 4})}, {row({1, 3})}));
  r.nearest = nearest_mode::round_prefer_ceil;
  CHECK(gives(r, {row({1, 2, 3, 4})}, {row({2, 4})}));
  r = scaled(interpolation::nearest, coordinate_mode::tf_half_pixel_for_nn, {2});
  r.nearest = nearest_mode::floor;
  CHECK(gives(r, {row({1, 2})}, {row({1, 1, 2, 2})}));
}

TEST_CASE("resize: an axis of scale 1 stays, in all coordinate modes") {
  const tensor x = tensor::from<float>({2, 2}, {1, 2, 3, 4});
  tn::op::resize r = scaled(interpolation::nearest, coordinate_mode::tf_half_pixel_for_nn, {1, 2});
  r.nearest = nearest_mode::ceil;  // a half would be the next row
  CHECK(gives(r, {x}, {tensor::from<float>({2, 4}, {2, 2, 2, 2, 4, 4, 4, 4})}));
  for (size_t c = 0; c < std::size(tn::op::coordinate_mode_names); ++c)
    for (interpolation mode : {interpolation::nearest, interpolation::linear, interpolation::cubic}) {
      r = scaled(mode, static_cast<coordinate_mode>(c), {1, 1});
      r.nearest = nearest_mode::ceil, r.roi = {0, 0, 1, 1};
      CHECK(gives(r, {x}, {x}));
    }
}

TEST_CASE("resize: what f32 divides to nearly a half is one, as ONNX Runtime has it") {
  tn::op::resize r = sized(interpolation::nearest, coordinate_mode::asymmetric, {4});
  const tensor seven = row({0, 1, 2, 3, 4, 5, 6});
  r.nearest = nearest_mode::round_prefer_ceil;
  CHECK(gives(r, {seven}, {row({0, 2, 4, 5})}));  // at 0, 1.75, 3.4999998, 5.25
  r.nearest = nearest_mode::round_prefer_floor;
  CHECK(gives(r, {seven}, {row({0, 2, 3, 5})}));
  r = sized(interpolation::nearest, coordinate_mode::half_pixel, {19});
  const tensor many = row({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  CHECK(gives(r, {many}, {row({0, 1, 1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12, 12, 13})}));  // 6 is at 6.5000005
}

TEST_CASE("resize: linear in the coordinate modes") {
  const tensor x = row({0, 4});
  CHECK(gives(scaled(interpolation::linear, coordinate_mode::half_pixel, {2}), {x}, {row({0, 1, 3, 4})}));
  CHECK(gives(scaled(interpolation::linear, coordinate_mode::asymmetric, {2}), {x}, {row({0, 2, 4, 4})}));
  CHECK(gives(sized(interpolation::linear, coordinate_mode::align_corners, {3}), {x}, {row({0, 2, 4})}));
  CHECK(gives(sized(interpolation::linear, coordinate_mode::align_corners, {1}), {x}, {row({0})}));
  CHECK(gives(sized(interpolation::linear, coordinate_mode::pytorch_half_pixel, {1}), {x}, {row({0})}));
  CHECK(gives(sized(interpolation::linear, coordinate_mode::half_pixel, {1}), {x}, {row({2})}));
  CHECK(gives(sized(interpolation::linear, coordinate_mode::half_pixel_symmetric, {4}), {x}, {row({0, 1, 3, 4})}));
  tn::op::resize crop = sized(interpolation::linear, coordinate_mode::tf_crop_and_resize, {3});
  crop.roi = {0.25, 1.25};
  crop.extrapolation_value = 9;
  CHECK(gives(crop, {row({0, 1, 2, 3, 4})}, {row({1, 3, 9})}));
  crop.roi = {0, 0.5};  // a size is of the region, whatever keeps the ratio
  crop.sizes = {5};
  for (const aspect_policy p : {aspect_policy::stretch, aspect_policy::not_larger, aspect_policy::not_smaller}) {
    crop.keep_aspect_ratio = p;
    CHECK(gives(crop, {row({0, 1, 2, 3, 4})}, {row({0, 0.5f, 1, 1.5f, 2})}));
  }
  CHECK(gives(scaled(interpolation::linear, coordinate_mode::half_pixel, {2}), {tensor::from<tn::u8>({2}, {0, 255})},
              {tensor::from<tn::u8>({4}, {0, 63, 191, 255})}));
}

TEST_CASE("resize: cubic") {
  tn::op::resize r = scaled(interpolation::cubic, coordinate_mode::half_pixel, {2});
  CHECK(gives(r, {row({0, 4})}, {row({-0.421875f, 0.90625f, 3.09375f, 4.421875f})}));
  r.exclude_outside = true;
  one_op<tn::op::resize> o(r, {row({0, 4})});
  CHECK(o.evaluated()[0].at_f64(1) == doctest::Approx(4 * 0.26171875 / 1.140625));
  CHECK(lowering_error(r, {row({0, 4, 5, 6})}) < 1e-6);
}

TEST_CASE("resize: antialias stretches the filter") {
  tn::op::resize r = scaled(interpolation::linear, coordinate_mode::half_pixel, {0.5});
  r.antialias = true;
  CHECK(gives(r, {row({1, 2, 3, 4})}, {row({1.625f, 3.375f})}));
  for (interpolation mode : {interpolation::linear, interpolation::cubic}) {
    r = scaled(mode, coordinate_mode::half_pixel, {0.3, 0.7});
    r.antialias = true;
    CHECK(lowering_error(r, {random_tensor(dtype::f32, {13, 9}, 3)}) < 1e-6);
  }
}

TEST_CASE("resize: shapes") {
  tn::op::resize r = sized(interpolation::nearest, coordinate_mode::half_pixel, {8, 8});
  r.keep_aspect_ratio = aspect_policy::not_larger;
  const tensor x(dtype::f32, {2, 4});
  CHECK(type_of(r, {x}).extents() == std::vector<i64>{4, 8});
  r.keep_aspect_ratio = aspect_policy::not_smaller;
  CHECK(type_of(r, {x}).extents() == std::vector<i64>{8, 16});
  r = scaled(interpolation::nearest, coordinate_mode::half_pixel, {0.6});
  r.axes = {-1};
  CHECK(type_of(r, {x}).extents() == std::vector<i64>{2, 2});
  CHECK(evaluates(tn::op::resize{}, {row({1, 2}), tensor(), tensor::from<float>({1}, {2})}, {row({1, 1, 2, 2})}));
  CHECK(
      evaluates(tn::op::resize{}, {row({1, 2}), tensor(), tensor(), tensor::from<i64>({1}, {4})}, {row({1, 1, 2, 2})}));
  CHECK_THROWS_AS(type_of(sized(interpolation::nearest, coordinate_mode::half_pixel, {1}), {x}), tn::error);
  CHECK_THROWS_AS(type_of(scaled(interpolation::nearest, coordinate_mode::half_pixel, {1, -1}), {x}), tn::error);
  CHECK_THROWS_AS(type_of(scaled(interpolation::nearest, coordinate_mode::tf_crop_and_resize, {1, 1}), {x}), tn::error);
}

TEST_CASE("resize: the lowering agrees in every mode") {
  const tensor x = random_tensor(dtype::f32, {2, 5, 7}, 1);
  for (int mode = 0; mode < 3; ++mode)
    for (int c = 0; c < 7; ++c)
      for (int n = 0; n < 4; ++n) {
        if (mode != 0 && n != 0) continue;
        tn::op::resize r = sized(static_cast<interpolation>(mode), static_cast<coordinate_mode>(c), {2, 3, 12});
        r.nearest = static_cast<nearest_mode>(n);
        if (r.coordinates == coordinate_mode::tf_crop_and_resize) r.roi = {0, 0.25, 0.5, 1, 0.75, 1.5};
        CAPTURE(mode);
        CAPTURE(c);
        CAPTURE(n);
        CHECK(lowering_error(r, {x}) < 1e-5);
        r.sizes.clear(), r.scales = {1, 1.7, 0.45};
        CHECK(lowering_error(r, {x}) < 1e-5);
      }
}

TEST_CASE("resize: axes one after the other give the same sums") {
  const double inf = std::numeric_limits<double>::infinity();
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::i32})
    for (interpolation mode : {interpolation::linear, interpolation::cubic}) {
      CAPTURE(tn::dtype_names[static_cast<size_t>(t)]);
      const double bound = t == dtype::f64 ? 1e-14 : t == dtype::f16 ? 2e-3 : 1e-6;
      const tensor x = random_tensor(t, {1, 3, 6, 5}, 11), solid = random_tensor(t, {2, 3, 4, 5}, 12);
      CHECK(lowering_error(sized(mode, coordinate_mode::half_pixel, {1, 3, 12, 10}), {x}) <= bound);
      CHECK(lowering_error(sized(mode, coordinate_mode::align_corners, {1, 3, 4, 40}), {x}) <= bound);
      CHECK(lowering_error(sized(mode, coordinate_mode::asymmetric, {1, 3, 6, 9}), {x}) <= bound);
      CHECK(lowering_error(sized(mode, coordinate_mode::asymmetric, {1, 3, 9, 5}), {x}) <= bound);
      CHECK(lowering_error(sized(mode, coordinate_mode::half_pixel, {2, 7, 4, 11}), {solid}) <= bound);
      CHECK(lowering_error(sized(mode, coordinate_mode::half_pixel, {3, 2, 9, 1}), {solid}) <= bound);
      if (!is_float(t)) continue;
      tensor odd = x.clone();
      odd.set_f64(7, inf), odd.set_f64(40, -inf), odd.set_f64(66, inf - inf);
      CHECK(lowering_error(sized(mode, coordinate_mode::align_corners, {1, 3, 11, 9}), {odd}) <= bound);
    }
}

TEST_CASE("grid_sample") {
  const tensor x = tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const tensor grid = tensor::from<float>({1, 1, 3, 2}, {0, 0, 1, 1, 2, 2});
  const auto out = [](float a, float b, float c) { return tensor::from<float>({1, 1, 1, 3}, {a, b, c}); };
  CHECK(gives(tn::op::grid_sample{interpolation::linear, sample_padding::zeros, true}, {x, grid}, {out(2.5f, 4, 1)}));
  CHECK(gives(tn::op::grid_sample{interpolation::linear, sample_padding::border, true}, {x, grid}, {out(2.5f, 4, 4)}));
  CHECK(gives(tn::op::grid_sample{interpolation::linear, sample_padding::reflection, true}, {x, grid},
              {out(2.5f, 4, 2.5f)}));
  CHECK(gives(tn::op::grid_sample{interpolation::linear, sample_padding::zeros, false}, {x, grid}, {out(2.5f, 1, 0)}));
  CHECK(gives(tn::op::grid_sample{interpolation::nearest, sample_padding::zeros, true},
              {x, tensor::from<float>({1, 1, 1, 2}, {-1, 1})}, {tensor::from<float>({1, 1, 1, 1}, {3})}));
  CHECK_THROWS_AS(type_of(tn::op::grid_sample{}, {x, tensor(dtype::f32, {1, 1, 1, 3})}), tn::error);
  const tensor nothing(dtype::f32, {1, 1, 0, 2});  // zeros stand around it, too
  CHECK(gives(tn::op::grid_sample{}, {nothing, grid}, {out(0, 0, 0)}));
  CHECK_THROWS_AS(type_of(tn::op::grid_sample{interpolation::linear, sample_padding::border}, {nothing, grid}),
                  tn::error);
}

TEST_CASE("grid_sample: coordinates of f64 are not rounded to f32") {
  const double third = 1.0 / 3;
  for (const interpolation mode : {interpolation::linear, interpolation::cubic})
    CHECK(lowering_error(tn::op::grid_sample{mode, sample_padding::border, true},
                         {tensor::from<double>({1, 1, 2, 2}, {1, 2, 3, 5}),
                          tensor::from<double>({1, 1, 1, 2}, {third, -0.1})}) < 1e-13);
}

TEST_CASE("grid_sample: the lowering agrees in every mode") {
  const tensor x = random_tensor(dtype::f32, {2, 2, 3, 5}, 1);
  tensor grid = random_tensor(dtype::f32, {2, 6, 6, 2}, 2, -9, 9);
  for (i64 i = 0; i < grid.size(); ++i) grid.set_f64(i, grid.at_f64(i) * 0.29);
  grid.set_f64(0, std::numeric_limits<double>::infinity());
  grid.set_f64(1, std::numeric_limits<double>::quiet_NaN());
  for (int mode = 0; mode < 3; ++mode)
    for (int padding = 0; padding < 3; ++padding)
      for (bool align : {false, true}) {
        CAPTURE(mode);
        CAPTURE(padding);
        CAPTURE(align);
        CHECK(lowering_error(
                  tn::op::grid_sample{static_cast<interpolation>(mode), static_cast<sample_padding>(padding), align},
                  {x, grid}) < 1e-5);
      }
}

TEST_CASE("coordinates of f64 are f64 in native code, too") {
  const tensor theta = random_tensor(dtype::f64, {2, 2, 3}, 3);
  for (bool align : {false, true}) {
    CHECK(lowering_error(tn::op::affine_grid{.size = {2, 1, 6, 3}, .align_corners = align}, {theta}) < 1e-13);
    CHECK(lowering_error(tn::op::grid_sample{interpolation::linear, sample_padding::zeros, align},
                         {random_tensor(dtype::f64, {1, 1, 5, 7}, 4), random_tensor(dtype::f64, {1, 3, 3, 2}, 5)}) <
          1e-13);
  }
}

TEST_CASE("affine_grid") {
  const tensor theta = tensor::from<float>({1, 2, 3}, {1, 0, 0, 0, 1, 0});
  CHECK(gives(tn::op::affine_grid{{1, 1, 2, 2}, true}, {theta},
              {tensor::from<float>({1, 2, 2, 2}, {-1, -1, 1, -1, -1, 1, 1, 1})}));
  CHECK(gives(tn::op::affine_grid{{1, 1, 2, 2}, false}, {theta},
              {tensor::from<float>({1, 2, 2, 2}, {-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5})}));
}
