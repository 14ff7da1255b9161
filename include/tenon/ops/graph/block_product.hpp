/// @file block_product: products by matrices of a few bits, which stay packed in memory and are dequantized in
/// registers.
///
/// ONNX: MatMulNBits of com.microsoft.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>
#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

/// `%y = matmul_nbits(%a, %b, %scales, %zeros?)`: a [..., depth] times the transpose of a matrix [columns, depth]. Its
/// rows are cut into blocks of `block` unsigned integers q of 2, 4 or 8 bits; an element is (q - zero) · scale, with a
/// scale and a zero point (2^(bits-1) when left out) for each block. What pads the last block counts for nothing. Sums
/// are kept in f32 and rounded to a's type, which is the result's.
///   panel = 0: b u8 [columns, blocks, bytes of a block], scales [columns, blocks], zeros [columns, blocks] of a float
///              type, or u8 [columns, bytes of them]; what shares a byte begins with the lowest bits
///   panel > 0: b u32 [ceil(columns / panel), words of a row, panel], scales [ceil(columns / panel), blocks, panel],
///   and
///              so zeros, u8 or floats
struct matmul_nbits {
  static constexpr fixed_string name = "matmul_nbits";
  static constexpr op_traits traits{.min_operands = 3,
                                    .max_operands = 4,
                                    .fusion = {.anchor = true, .contraction = true},
                                    .excess = {excess_precision::computes, 1}};
  i64 bits = 4, block = 32, depth = 0, columns = 0, panel = 0;
  TENON_ATTRIBUTES(bits, block, depth, columns, panel)

  i64 blocks() const { return (depth + block - 1) / block; }  ///< of a row
  i64 per_word() const { return 32 / bits; }
  i64 words() const { return blocks() * (block / per_word()); }  ///< of a row
};

void infer(const matmul_nbits&, ir::infer_context&);

void evaluate(const matmul_nbits&, eval_context&);

void lower(const matmul_nbits&, lower_context&);

bool use_panels(matmul_nbits&, weight_panels&);

/// b, scales and zeros (undefined when left out) of panel = 0 as a product with panels of this width has them.
std::array<tensor, 3> pack_nbits(const matmul_nbits& op, const tensor& b, const tensor& scales, const tensor& zeros,
                                 i64 panel);

}  // namespace tenon::op
