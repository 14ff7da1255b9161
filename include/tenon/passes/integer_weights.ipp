/// @file integer_weights.ipp: constant weights that are integers with scales, for passes/pack_weights.ipp.
#pragma once

#include <optional>
#include <vector>

#include <tenon/ir/module.hpp>
#include <tenon/ops/all.hpp>

namespace tenon::passes::packing {

/// A product by integers, as op::matmul_nbits has its operands.
struct integer_product {
  op::matmul_nbits op;
  tensor b, scales, zeros;
};

/// A matrix of integers of 2, 4 or 8 bits, q = stored + offset, and what broadcasts to it.
class integer_matrix {
 public:
  integer_matrix(const tensor& integers, const tensor& scale, const tensor* zero, bool transposed)
      : x_(integers), scale_(scale), zero_(zero), transposed_(transposed) {
    switch (x_.type()) {
      case dtype::i8: bits_ = 8, offset_ = 128; break;
      case dtype::u8: bits_ = 8; break;
      case dtype::i4: bits_ = 4, offset_ = 8; break;
      case dtype::u4: bits_ = 4; break;
      case dtype::i2: bits_ = 2, offset_ = 2; break;
      case dtype::u2: bits_ = 2; break;
      default: break;
    }
  }
  std::optional<integer_product> product() const {
    if (bits_ == 0 || x_.shape().size() != 2 || !broadcasts(scale_) || (zero_ != nullptr && !broadcasts(*zero_)))
      return std::nullopt;
    const i64 depth = x_.shape()[transposed_ ? 1 : 0], columns = x_.shape()[transposed_ ? 0 : 1];
    if (depth == 0 || columns == 0) return std::nullopt;
    integer_product r;
    r.op = {.bits = bits_, .block = (depth + 15) / 16 * 16, .depth = depth, .columns = columns};
    if (!is_one_along(scale_) || (zero_ != nullptr && !is_one_along(*zero_))) {
      r.op.block = 256;
      while (r.op.block >= 16 && !(alike(scale_, r.op) && (zero_ == nullptr || alike(*zero_, r.op)))) r.op.block /= 2;
      if (r.op.block < 16) return std::nullopt;
    }
    const i64 blocks = r.op.blocks(), row = blocks * r.op.block * bits_ / 8, mask = (i64{1} << bits_) - 1;
    r.b = tensor(dtype::u8, {columns, blocks, r.op.block * bits_ / 8});
    r.scales = tensor(dtype::f32, {columns, blocks});
    u8* const to = static_cast<u8*>(r.b.data());
    const u8* const from = static_cast<const u8*>(x_.data());
    for (i64 n = 0; n < columns; ++n)
      for (i64 k = 0; k < depth; ++k) {
        const i64 q = (from[transposed_ ? n * depth + k : k * columns + n] + offset_) & mask;
        to[n * row + k * bits_ / 8] |= static_cast<u8>(q << (k * bits_ % 8));
      }
    for (i64 n = 0; n < columns; ++n)
      for (i64 j = 0; j < blocks; ++j)
        r.scales.set_f64(n * blocks + j, scale_.at_f64(place(scale_, j * r.op.block, n)));
    if (zero_ == nullptr && offset_ != 0) return r;
    const i64 bytes = (blocks * bits_ + 7) / 8;
    r.zeros = tensor(dtype::u8, {columns, bytes});
    u8* const zeros = static_cast<u8*>(r.zeros.data());
    for (i64 n = 0; n < columns; ++n)
      for (i64 j = 0; j < blocks; ++j) {
        const i64 z = offset_ + (zero_ != nullptr ? zero_->at_i64(place(*zero_, j * r.op.block, n)) : 0);
        zeros[n * bytes + j * bits_ / 8] |= static_cast<u8>(z << (j * bits_ % 8));
      }
    return r;
  }

 private:
  /// The extent of what broadcasts, along a dimension of the matrix.
  static i64 extent(const tensor& t, size_t d) {
    return d + t.shape().size() < 2 ? 1 : t.shape()[d + t.shape().size() - 2];
  }
  bool broadcasts(const tensor& t) const {
    if (t.shape().size() > 2) return false;
    for (size_t d = 0; d < 2; ++d)
      if (extent(t, d) != 1 && extent(t, d) != x_.shape()[d]) return false;
    return true;
  }
  bool is_one_along(const tensor& t) const { return extent(t, transposed_ ? 1 : 0) == 1; }
  i64 place(const tensor& t, i64 k, i64 n) const {
    const i64 row = transposed_ ? n : k, column = transposed_ ? k : n;
    return (extent(t, 0) == 1 ? 0 : row) * extent(t, 1) + (extent(t, 1) == 1 ? 0 : column);
  }
  /// Is it one number in each block?
  bool alike(const tensor& t, const op::matmul_nbits& op) const {
    for (i64 k = 0; k < op.depth; ++k)
      for (i64 n = 0; n < op.columns; ++n)
        if (t.at_f64(place(t, k, n)) != t.at_f64(place(t, k / op.block * op.block, n))) return false;
    return true;
  }

  const tensor &x_, &scale_;
  const tensor* zero_;
  bool transposed_;
  i64 bits_ = 0, offset_ = 0;
};

}  // namespace tenon::passes::packing
