/// @file resize_plan: where each result coordinate of a resize comes from, for its type rule, evaluation and lowering.
///
/// Along one axis, x = ((i + shift) * factor) / divisor + offset is the source coordinate of result index i, in f32.
/// Taps are the source elements around x and their weights.
#pragma once

#include <cmath>

#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/resize.hpp>

namespace tenon::op::movement_detail {

struct resize_axis {
  i64 in = 0, out = 0;
  bool same = true;  ///< the axis is not resized
  float scale = 1;
  float shift = 0, factor = 1, divisor = 1, offset = 0;
  bool extrapolates = false;    ///< outside of [0, in - 1] the result is the extrapolation value
  i64 first_tap = 0, taps = 1;  ///< linear and cubic: elements floor(x) + first_tap + (0 … taps - 1)
  float stretch = 1;            ///< distances are multiplied by this: less than 1 with antialias
  i64 integer_ratio = 0;        ///< nearest: the source is index / ratio exactly; 0: it is not

  float coordinate(i64 i) const { return ((static_cast<float>(i) + shift) * factor) / divisor + offset; }
};

/// Above which part between two elements the second one is the nearest: coordinates are divided in f32, so what is this
/// near to a half is one (2 / (4 / 7) is 3.4999998), as in ONNX Runtime.
constexpr float nearest_limit(nearest_mode mode) {
  return mode == nearest_mode::round_prefer_floor ? 0.5f + 1e-6f : 0.5f - 1e-6f;
}
inline float nearest_coordinate(float x, nearest_mode mode) {
  const float base = std::floor(x);
  if (mode == nearest_mode::floor) return base;
  if (mode == nearest_mode::ceil) return std::ceil(x);
  return x - base > nearest_limit(mode) ? base + 1 : base;
}

/// The attribute unless it is empty, else the operand's numbers; nothing when those are not known yet.
template <class Context>
std::optional<std::vector<double>> numbers_of(const Context& cx, int i, const std::vector<double>& attribute) {
  if (!attribute.empty() || !cx.has(i)) return attribute;
  const tensor* t = value_of(cx, i);
  if (t == nullptr) return std::nullopt;
  std::vector<double> r;
  for (i64 k = 0; k < t->size(); ++k) r.push_back(t->at_f64(k));
  return r;
}

/// What is asked of each dimension: a size, a scale, or (neither) nothing.
struct resize_request {
  std::vector<i64> size;          ///< -1: not given
  std::vector<float> scale;       ///< 0: not given
  std::vector<float> begin, end;  ///< the region of interest
};

template <class Context>
std::optional<resize_request> resize_request_of(const Context& cx, const resize& op, size_t rank) {
  const auto roi = numbers_of(cx, 1, op.roi);
  std::optional<std::vector<double>> scales = numbers_of(cx, 2, op.scales);
  const auto sizes = list_of(cx, 3, op.sizes);
  if (!sizes || !scales || !roi) return std::nullopt;
  if (!sizes->empty()) scales->clear();
  const extents axes = checked_axes(cx, op.axes, rank, rank);
  const size_t given = sizes->empty() ? scales->size() : sizes->size();
  if (given != axes.size())
    cx.fail(std::to_string(sizes->size()) + " sizes and " + std::to_string(scales->size()) + " scales for " +
            std::to_string(axes.size()) + " axes");
  resize_request r{extents(rank, -1), std::vector<float>(rank, 0), std::vector<float>(rank, 0),
                   std::vector<float>(rank, 1)};
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t d = static_cast<size_t>(axes[i]);
    if (!sizes->empty()) {
      r.size[d] = (*sizes)[i];
      if (r.size[d] < 0 || r.size[d] > INT32_MAX)
        cx.fail("the size " + std::to_string(r.size[d]) + " is not an extent");
    } else {
      r.scale[d] = static_cast<float>((*scales)[i]);
      if (!(r.scale[d] > 0) || r.scale[d] > 1e9f)
        cx.fail("the scale " + std::to_string((*scales)[i]) + " is not positive");
    }
    if (op.coordinates == coordinate_mode::tf_crop_and_resize) {
      if (roi->size() != 2 * axes.size()) cx.fail(std::to_string(roi->size()) + " numbers for the region of interest");
      r.begin[d] = static_cast<float>((*roi)[i]);
      r.end[d] = static_cast<float>((*roi)[axes.size() + i]);
      if (!(std::fabs(r.begin[d]) < 1e6f && std::fabs(r.end[d]) < 1e6f))
        cx.fail("the region of interest is not finite");
    }
  }
  return r;
}

/// `in` has the extents of all dimensions.
template <class Context>
std::vector<resize_axis> resize_axes(const Context& cx, const resize& op, resize_request r, const extents& in) {
  if (op.keep_aspect_ratio != aspect_policy::stretch) {
    float ratio = 0;
    for (size_t d = 0; d < in.size(); ++d) {
      if (r.size[d] < 0 || in[d] == 0) continue;
      const float mine = static_cast<float>(r.size[d]) / static_cast<float>(in[d]);
      if (ratio == 0 || (op.keep_aspect_ratio == aspect_policy::not_larger ? mine < ratio : mine > ratio)) ratio = mine;
    }
    for (size_t d = 0; d < in.size(); ++d)
      if (r.size[d] >= 0) {
        r.size[d] = checked_extent(cx, static_cast<double>(ratio * static_cast<float>(in[d]) + 0.5f), "the result");
        r.scale[d] = ratio;
      }
  }
  std::vector<resize_axis> axes(in.size());
  for (size_t d = 0; d < in.size(); ++d) {
    resize_axis& a = axes[d];
    a.in = a.out = in[d];
    if (r.size[d] < 0 && r.scale[d] == 0) continue;
    const bool crop = op.coordinates == coordinate_mode::tf_crop_and_resize;
    const float n = static_cast<float>(a.in), roi = r.end[d] - r.begin[d];
    // The result's width, not rounded: what the coordinate transformations call length_resized.
    float width = 0;
    if (r.scale[d] > 0) {
      a.scale = r.scale[d];
      width = n * (crop && r.size[d] < 0 ? roi : 1.0f) * a.scale;  // sizes are of the region already
      a.out = r.size[d] >= 0 ? r.size[d] : checked_extent(cx, static_cast<double>(width), "the result");
    } else {
      a.out = r.size[d];
      a.scale = static_cast<float>(a.out) / n;
      width = static_cast<float>(a.out);
    }
    if (a.out < 0 || a.out > INT32_MAX) cx.fail("the result would have an extent of " + std::to_string(a.out));
    if (a.out > 0 && a.in == 0) cx.fail("there is no element to sample");
    a.same = a.in == a.out && a.scale == 1.0f && !crop;
    if (a.same || a.out == 0) continue;
    switch (op.coordinates) {
      case coordinate_mode::half_pixel: a.shift = 0.5f, a.divisor = a.scale, a.offset = -0.5f; break;
      case coordinate_mode::half_pixel_symmetric:
        a.shift = 0.5f, a.divisor = a.scale;
        a.offset = n / 2 * (1 - static_cast<float>(a.out) / width) - 0.5f;
        break;
      case coordinate_mode::pytorch_half_pixel:
        if (a.out == 1) a.factor = 0;
        else a.shift = 0.5f, a.divisor = a.scale, a.offset = -0.5f;
        break;
      case coordinate_mode::align_corners:
        if (width == 1 || a.out == 1) a.factor = 0;
        else a.factor = n - 1, a.divisor = width - 1;
        break;
      case coordinate_mode::asymmetric: a.divisor = a.scale; break;
      case coordinate_mode::tf_half_pixel_for_nn: a.shift = 0.5f, a.divisor = a.scale; break;
      case coordinate_mode::tf_crop_and_resize:
        a.extrapolates = true;
        if (a.out == 1) a.factor = 0, a.offset = 0.5f * (r.begin[d] + r.end[d]) * (n - 1);
        else a.factor = roi * (n - 1), a.divisor = width - 1, a.offset = r.begin[d] * (n - 1);
        break;
    }
    if (op.antialias && op.mode != interpolation::nearest && a.scale < 1) a.stretch = a.scale;
    const float support = op.mode == interpolation::cubic ? 2.0f : 1.0f;
    if (!(support / a.stretch < 2147483648.0f))
      cx.fail("the scale " + std::to_string(a.scale) + " is too small for antialias");
    a.first_tap = static_cast<i64>(std::floor(-support / a.stretch)) + 1;
    a.taps = 2 - 2 * a.first_tap;
    const i64 whole = a.in > 0 && a.out % a.in == 0 ? a.out / a.in : 0;
    if (whole > 0 && a.scale == static_cast<float>(whole) &&
        ((op.coordinates == coordinate_mode::asymmetric && op.nearest == nearest_mode::floor) ||
         ((op.coordinates == coordinate_mode::half_pixel || op.coordinates == coordinate_mode::pytorch_half_pixel) &&
          a.out > 1 &&
          (op.nearest == nearest_mode::round_prefer_floor || op.nearest == nearest_mode::round_prefer_ceil))))
      a.integer_ratio = whole;
  }
  return axes;
}

}  // namespace tenon::op::movement_detail
