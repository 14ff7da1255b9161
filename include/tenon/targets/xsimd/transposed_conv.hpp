/// @file transposed_conv: transposed convolutions of `targets::xsimd`, as products.
///
///     out[first + i + t * stride, o] = bias[o] + sum over taps j, channels c of x[t + input - j, c] * w[tap + i + j,
///     c, o]
/// The outputs of a phase (op::output_phase) are a correlation. Along the last dimension, the residues i of a phase are
/// columns of one product: an upsampling by the size of its kernel is a single one.
#pragma once

#include <span>
#include <vector>

#include <tenon/ops/graph/contraction.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

/// Is every tap of every output inside of the image? The channels are last.
bool reads_inside(const op::conv_transpose& c, const std::vector<ir::dim>& weight);

struct transposed_step final : step {
  const kernel_table* k = nullptr;
  int x = -1, w = -1, bias = -1, out = -1;  ///< slots; bias may be -1

  /// The outputs of a phase, in all of its residues along the last dimension or in one, and in a group.
  struct product {
    std::vector<i64> taps;  ///< elements of x from the place of an output on
    i64 run = 0;            ///< channels that a tap reads
    i64 columns = 0, panel = 0;
    i64 x = 0, bias = 0;         ///< elements before the group's
    std::vector<i64> places;     ///< in w, of [panels, taps, run, panel], or depthwise [taps, channels]; -1 is padding
    std::vector<float> weights;  ///< the same of a constant, which has no places then
  };
  /// Neighbouring outputs of a line.
  struct task {
    size_t product;
    i64 in, out, count;
  };
  std::vector<product> products;
  std::vector<task> tasks;
  bool depthwise = false;
  i64 in_stride = 0, out_stride = 0;  ///< from an output of a line to the next
  i64 outputs = 0;                    ///< channels of the result
  i64 repeats = 1;                    ///< of the bias, in columns of one product
  i64 work = 0;                       ///< products of two numbers in a task, about

  /// `known`: the weight, where it is a constant.
  void plan(const op::conv_transpose& c, const std::vector<i64>& image, const std::vector<i64>& weight,
            const std::vector<i64>& result, const float* known);
  void run(const frame& f) const override;
};

}  // namespace tenon::xsimd_kernels
