/// @file winograd: convolutions by 3x3 taps with fewer multiplications (Winograd 1980; Lavin and Gray, "Fast algorithms
/// for convolutional neural networks", CVPR 2016).
///
/// Outputs are computed by tiles of t x t, from n x n places of the image, n = t + 2: y = A' [(G w G') * (B' x B)] A,
/// where * multiplies the n² places one by one and sums over channels. That is n² multiplications a tile instead of
/// 9 t²: 2.25 times fewer for t = 2, four times for t = 4. A, B and G follow from n - 1 points at which polynomials are
/// evaluated. With 0, ±5/8 and ±3/2 for t = 4, sums in f32 have about the error of the direct sum (docs/accuracy.md).
/// With 0 and ±1 for t = 2, four times the sums are sums of integers: bytes are convolved exactly, by products of
/// words.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>
#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

/// `%y = winograd_conv(%x, %u, %bias?)`: the correlation of x [N, H, W, C] by a 3x3 kernel, without strides or padding:
/// y [N, H - 2, W - 2, columns]. u is what `winograd_weights` makes of the kernel: of f32 [ceil(columns / panel),
/// (tile + 2)², C, panel]. An element that is infinite or NaN may make each output of a tile NaN that reads it. Or x is
/// of u8, y of i32 and u of i16, with neighbours along C together: [..., C / 2, panel, 2]; then tiles have 2x2 outputs,
/// u is four times the kernel's transform, and y exact where `winograd_sums_fit`.
///   block       tiles that are transformed together. Two numbers, for known heights and widths: so many down and
///               across, which divide the tiles of the image; empty: a row of tiles. One number, for any: at most so
///               many of all tiles of all images, row by row.
///   workspaces  blocks that are computed at the same time, each by one thread and in scratch of its own. 0: threads
///               share one block.
struct winograd_conv {
  static constexpr fixed_string name = "winograd_conv";
  static constexpr op_traits traits{
      .min_operands = 2, .max_operands = 3, .fusion = {.anchor = true, .contraction = true}};
  i64 tile = 4, panel = 0, columns = 0;
  std::vector<i64> block{};
  i64 workspaces = 1;
  TENON_ATTRIBUTES(tile, panel, columns, block, workspaces)

  i64 reach() const { return tile + 2; }  ///< places of the image that a tile reads along a dimension
  i64 places() const { return reach() * reach(); }
};

void infer(const winograd_conv&, ir::infer_context&);

void evaluate(const winograd_conv&, eval_context&);

void lower(const winograd_conv&, lower_context&);

/// The points that a tile's polynomials are evaluated at, besides 0 and infinity, each with both signs.
std::vector<double> winograd_points(i64 tile);

/// Rows of the three matrices: `input` is B' [n, n], `weight` G [n, 3], `output` A' [tile, n].
struct winograd_matrices {
  std::vector<std::vector<double>> input, weight, output;
};
winograd_matrices make_winograd_matrices(i64 tile);

/// The kernel w [3, 3, C, O] as winograd_conv takes it: of f32 computed in double and rounded once; of i8, for tiles of
/// 2x2 outputs and an even C, exact.
tensor winograd_weights(const tensor& w, i64 tile, i64 panel);

/// Does no sum leave 32 bits on its way, whatever bytes the image has? Of i16 weights that `winograd_weights` made.
bool winograd_sums_fit(const tensor& u);

/// Channels whose transforms stand together in the weight, for an image of these elements.
constexpr i64 winograd_interleave(dtype image) { return image == dtype::u8 ? 2 : 1; }
/// What integer weights are multiplied with, so that they are integers, and sums divided by: a power of two.
inline constexpr int winograd_scale_bits = 2;
/// Of a block of one number, so that rows of the product fill registers: threads that get fewer tiles have none.
inline constexpr i64 winograd_least_tiles = 4;

}  // namespace tenon::op
