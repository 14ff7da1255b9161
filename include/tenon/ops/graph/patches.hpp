/// @file patches: ops that put windows of images together, or regions into windows: max_unpool, col2im, roi_align.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `max_unpool(x, indices, shape?)`: zeros but for x's elements, each where its index says. Indices count elements of
/// the shape that follows from kernel, strides and pads; a larger `shape` adds zeros behind each dimension.
struct max_unpool {
  static constexpr fixed_string name = "max_unpool";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 3, .excess = {excess_precision::moves}};
  std::vector<i64> kernel_shape, strides{}, pads{};
  std::vector<i64> shape{};
  TENON_ATTRIBUTES(kernel_shape, strides, pads, shape)
};

/// `col2im(x, image_shape?, block_shape?)`: x[n, c * block, positions] to [n, c, image…]; where blocks meet they add.
struct col2im {
  static constexpr fixed_string name = "col2im";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 3, .excess = {excess_precision::computes}};
  std::vector<i64> image_shape, block_shape{}, dilations{}, pads{}, strides{};
  TENON_ATTRIBUTES(image_shape, block_shape, dilations, pads, strides)
};

enum class roi_mode : u8 { avg, max };
inline constexpr std::array<std::string_view, 2> roi_mode_names{"avg", "max"};
constexpr const auto& enumerator_names(roi_mode) { return roi_mode_names; }

/// `roi_align(x, rois, batch_indices)`: x[n, c, h, w] pooled over each region [x1, y1, x2, y2] of image
/// batch_indices[r]. The maximum is that of the weighted corners of the samples, as ONNX's reference has it.
struct roi_align {
  static constexpr fixed_string name = "roi_align";
  static constexpr op_traits traits{.min_operands = 3, .max_operands = 3, .excess = {excess_precision::computes}};
  roi_mode mode = roi_mode::avg;
  i64 output_height = 1, output_width = 1;
  i64 sampling_ratio = 0;  ///< samples per bin along each axis; 0: as many as it has elements
  double spatial_scale = 1;
  bool half_pixel = true;
  TENON_ATTRIBUTES(mode, output_height, output_width, sampling_ratio, spatial_scale, half_pixel)
};

void infer(const max_unpool&, ir::infer_context&);
void infer(const col2im&, ir::infer_context&);
void infer(const roi_align&, ir::infer_context&);

void evaluate(const max_unpool&, eval_context&);
void evaluate(const col2im&, eval_context&);
void evaluate(const roi_align&, eval_context&);

void lower(const max_unpool&, lower_context&);
void lower(const col2im&, lower_context&);
void lower(const roi_align&, lower_context&);

/// Takes the constant value of an optional operand into the attributes. True: the operand is not needed any more.
bool absorb(max_unpool&, int operand, const tensor& value);
bool absorb(col2im&, int operand, const tensor& value);

}  // namespace tenon::op
