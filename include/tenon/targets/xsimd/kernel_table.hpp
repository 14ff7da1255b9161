/// @file kernel_table: the vectorized kernels of `targets::xsimd` as function pointers, one table for each instruction
/// set.
///
/// All data is f32. A kernel works on one row, block or range, on one thread; the step (targets/xsimd/steps.hpp) says
/// on which. Nothing here needs xsimd to be included: the kernels themselves are in targets/xsimd/kernels.hpp.
#pragma once

#include <tenon/core/int.hpp>
#include <tenon/ops/loop/scalar_fn.hpp>

namespace tenon::xsimd_kernels {

/// Rows of a product: out[r, j] = bias[j] + sum over taps t and k < run of rows[r][taps[t] + k] * panel[t * run + k,
/// j].
struct gemm_block {
  const float* const* rows;
  i64 row_count;
  const i64* taps;
  i64 tap_count, run;
  const float* panel;  ///< [tap_count * run, width]; columns from `columns` on are padding
  i64 width, columns;
  const float* bias;  ///< `columns` numbers, or null
  float* out;
  i64 out_stride;
};

/// Neighbouring outputs of a depthwise convolution: out[o * out_stride + c] = bias[c] + sum over t of
/// in[o * in_stride + taps[t] + c] * weight[t, c].
struct depthwise_block {
  const float* in;
  i64 in_stride, count;
  const i64* taps;
  i64 tap_count;
  i64 run;  ///< taps come in runs of so many, `channels` elements apart
  const float* weight;
  const float* bias;  ///< or null
  float* out;
  i64 channels, out_stride;
};

/// A linear map in both dimensions of a tile, M X M', for each of `count` neighbouring channels. M is `to_points`
/// (square) or `from_points` of op::winograd_matrices, of tiles of 2x2 or 4x4 outputs.
struct tile_block {
  const float* matrix;  ///< [outputs, inputs]
  i64 inputs, outputs;  ///< places of a tile along a dimension: 4 or 6 to as many, 4 to 2, 6 to 4
  const float* from;
  i64 from_down, from_across;  ///< from a place of X to the next
  i64 rows, columns;           ///< of X; what is missing is zero
  const float* bias;           ///< `count` numbers, or null
  float* to;
  i64 to_down, to_across;
  i64 rows_made, columns_made;
  i64 count;
};

/// A step of numbers that stay in registers: they, and those of `with`, become fn of both.
struct running_step {
  loop::scalar_fn fn;  ///< what `runs_on` names
  const float* with;   ///< null: they themselves
  bool number;         ///< `with` is a single number
  bool second;         ///< they are the second operand of fn
  float* keep;         ///< where they are stored behind the step, or null
};
constexpr bool runs_on(loop::scalar_fn fn) {
  using f = loop::scalar_fn;
  return fn == f::add || fn == f::sub || fn == f::mul || fn == f::div || fn == f::min || fn == f::max;
}

enum class reduction_kind : u8 { sum, product, minimum, maximum };

struct kernel_table {
  const char* name;
  int lanes;
  void (*gemm)(const gemm_block& b);
  void (*depthwise)(const depthwise_block& b);
  void (*tile)(const tile_block& b);
  /// to[i] = fn(a[i], b[i], c[i]), for what rules.hpp names; `n` is rounded up to whole vectors, so there must be room
  /// and data for them.
  void (*elementwise)(loop::scalar_fn fn, float* to, const float* a, const float* b, const float* c, i64 n);
  /// Steps one behind another, from `from` on; n and room as above. What is kept may be what a later step reads.
  void (*running)(const float* from, const running_step* steps, i64 count, i64 n);
  /// to[c] = max of at[k][c], or scale times their sum.
  void (*pool)(float* to, const float* const* at, i64 count, i64 channels, bool maximum, float scale);
  /// out[j] = the reduction over i < n of x[i * inner + j], for j < inner.
  void (*reduce)(reduction_kind kind, float* out, const float* x, i64 n, i64 inner);
  /// Along i of x[i * inner + j], for each j < inner.
  void (*softmax)(float* out, const float* x, i64 n, i64 inner, bool log);
  /// out[c] = x[c] / (bias + alpha * (sum of squares of x[c - before … c + after]))^beta, for c < n.
  void (*lrn)(float* out, const float* x, i64 n, i64 before, i64 after, float alpha, float beta, float bias);
  /// to[i] = a[i] * ka + b[i] * kb, for i < n.
  void (*blend)(float* to, const float* a, const float* b, float ka, float kb, i64 n);
};

/// The best table that this processor, and what this program was compiled with, allow. Of definitions/xsimd.hpp there
/// is one table, for the instruction set that the compiler was told to use.
const kernel_table& kernels();

}  // namespace tenon::xsimd_kernels
