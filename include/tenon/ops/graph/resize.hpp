/// @file resize: ops that sample a tensor between its elements: resize (ONNX Resize), grid_sample, affine_grid.
///
/// Coordinates and weights are computed in f32, by the evaluation and by the lowering alike (f64 data: in f64).
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

enum class interpolation : u8 { nearest, linear, cubic };
inline constexpr std::array<std::string_view, 3> interpolation_names{"nearest", "linear", "cubic"};
constexpr const auto& enumerator_names(interpolation) { return interpolation_names; }

enum class coordinate_mode : u8 {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  align_corners,
  asymmetric,
  tf_half_pixel_for_nn,
  tf_crop_and_resize,
};
inline constexpr std::array<std::string_view, 7> coordinate_mode_names{
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
    "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"};
constexpr const auto& enumerator_names(coordinate_mode) { return coordinate_mode_names; }

enum class nearest_mode : u8 { round_prefer_floor, round_prefer_ceil, floor, ceil };
inline constexpr std::array<std::string_view, 4> nearest_mode_names{"round_prefer_floor", "round_prefer_ceil", "floor",
                                                                    "ceil"};
constexpr const auto& enumerator_names(nearest_mode) { return nearest_mode_names; }

enum class aspect_policy : u8 { stretch, not_larger, not_smaller };
inline constexpr std::array<std::string_view, 3> aspect_policy_names{"stretch", "not_larger", "not_smaller"};
constexpr const auto& enumerator_names(aspect_policy) { return aspect_policy_names; }

/// `resize(x, roi?, scales?, sizes?)`: ONNX Resize. Of scales and sizes one is given, as attribute or as operand, for
/// each of `axes` (empty: all). roi is [starts…, ends…], for tf_crop_and_resize.
struct resize {
  static constexpr fixed_string name = "resize";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 4, .excess = {.operands = 1}};
  interpolation mode = interpolation::nearest;
  coordinate_mode coordinates = coordinate_mode::half_pixel;
  nearest_mode nearest = nearest_mode::round_prefer_floor;
  std::vector<double> scales{};
  std::vector<i64> sizes{}, axes{};
  std::vector<double> roi{};
  bool antialias = false, exclude_outside = false;
  double cubic_coeff_a = -0.75, extrapolation_value = 0;
  aspect_policy keep_aspect_ratio = aspect_policy::stretch;
  TENON_ATTRIBUTES(mode, coordinates, nearest, scales, sizes, axes, roi, antialias, exclude_outside, cubic_coeff_a,
                   extrapolation_value, keep_aspect_ratio)
};

enum class sample_padding : u8 { zeros, border, reflection };
inline constexpr std::array<std::string_view, 3> sample_padding_names{"zeros", "border", "reflection"};
constexpr const auto& enumerator_names(sample_padding) { return sample_padding_names; }

/// `grid_sample(x, grid)`: x is [n, c, spatial…], grid is [n, result spatial…, d] with coordinates in [-1, 1], the
/// last spatial dimension first.
struct grid_sample {
  static constexpr fixed_string name = "grid_sample";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .fusion = {.anchor = true}};
  interpolation mode = interpolation::linear;
  sample_padding padding = sample_padding::zeros;
  bool align_corners = false;
  TENON_ATTRIBUTES(mode, padding, align_corners)
};

/// `affine_grid(theta, size?)`: the grid for grid_sample of affine maps theta[n, d, d + 1] over an image of `size`
/// [n, c, spatial…].
struct affine_grid {
  static constexpr fixed_string name = "affine_grid";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2, .excess = {excess_precision::computes}};
  std::vector<i64> size;
  bool align_corners = false;
  TENON_ATTRIBUTES(size, align_corners)
};

constexpr excess_precision excess(const resize& r) {
  return r.mode == interpolation::nearest ? excess_precision::moves : excess_precision::computes;
}
/// Which element is the nearest is decided by the grid.
constexpr excess_precision excess(const grid_sample& g) {
  return g.mode == interpolation::nearest ? excess_precision::none : excess_precision::computes;
}

void infer(const resize&, ir::infer_context&);
void infer(const grid_sample&, ir::infer_context&);
void infer(const affine_grid&, ir::infer_context&);

void evaluate(const resize&, eval_context&);
void evaluate(const grid_sample&, eval_context&);
void evaluate(const affine_grid&, eval_context&);

value_id element(const resize&, element_context&, const index_list& at);
/// One axis after the other where that means the same: fewer sums than each element has taps.
void lower(const resize&, lower_context&);
void lower(const grid_sample&, lower_context&);
value_id element(const affine_grid&, element_context&, const index_list& at);

/// Takes the constant value of an optional operand into the attributes. True: the operand is not needed any more.
bool move_transpose(resize&, std::vector<i64>& order, u32 given);

bool absorb(resize&, int operand, const tensor& value);
bool absorb(affine_grid&, int operand, const tensor& value);

}  // namespace tenon::op
