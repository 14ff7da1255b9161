/// @file winograd_step: 3x3 convolutions of `targets::xsimd` by transformed tiles, as `use_winograd` chose them.
///
/// A block of tiles is transformed into scratch; for each panel of outputs, each place of all its tiles is a product,
/// and what comes out is transformed back: scratch stays in the second-level cache (docs/decisions/045-winograd.md).
#pragma once

#include <array>
#include <vector>

#include <tenon/ops/graph/winograd.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

struct winograd_step final : step {
  const kernel_table* k = nullptr;
  int x = -1, w = -1, bias = -1, out = -1;  ///< slots; bias may be -1
  i64 tile = 0, panel = 0;
  i64 images = 0, channels = 0, outputs = 0;
  std::array<i64, 2> extent{}, block{}, blocks{};  ///< of the result, of a block in tiles, of the image in blocks
  std::vector<float> to_points, from_points;       ///< op::winograd_matrices
  chain epilogue;                                  ///< reads `out` and writes it

  void plan(const op::winograd_conv& op, const std::vector<i64>& image, const std::vector<i64>& result);
  void run(const frame& f) const override;
};

}  // namespace tenon::xsimd_kernels
