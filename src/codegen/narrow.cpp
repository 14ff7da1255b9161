/// @file narrow.cpp: floats of 8 and 4 bits and integers of 4 and 2 bits, which registers hold as bytes, as memory
/// does; and floats of 16 bits on machines that cannot convert them.
///
/// The same arithmetic on bits as f32_to_narrow_bits and narrow_bits_to_f32 (core/dtype.hpp), on scalars and vectors.
#include "emitter.hpp"

namespace tenon::codegen {

using llvm::Value;

/// The code as f32, or the value as i8 or u8.
Value* kernel_emitter::from_narrow(Value* v, dtype t) {
  if (!is_float(t)) return v;
  llvm::Type *word = like(v, b_.getInt32Ty()), *single = like(v, b_.getFloatTy());
  const auto number = [&](u32 n) { return llvm::ConstantInt::get(word, n); };
  Value* bits = b_.CreateZExt(v, word);
  if (t == dtype::f8e8m0) {
    Value* normal = b_.CreateShl(bits, 23);
    Value* x = b_.CreateSelect(b_.CreateICmpEQ(bits, number(0)), number(0x400000), normal);
    return b_.CreateBitCast(b_.CreateSelect(b_.CreateICmpEQ(bits, number(0xff)), number(0x7fc00000), x), single);
  }
  const narrow_format n = narrow_format_of(t);
  Value* sign = b_.CreateShl(b_.CreateAnd(b_.CreateLShr(bits, static_cast<u64>(n.sign_at)), 1), 31);
  Value* code = b_.CreateAnd(bits, (u64{1} << n.sign_at) - 1);
  // A code moved up to f32's fraction and exponent is the value over 2^(127 - bias), subnormals included.
  const float scale = std::bit_cast<float>(static_cast<u32>(254 - n.bias) << 23);
  Value* value = b_.CreateFMul(b_.CreateBitCast(b_.CreateShl(code, static_cast<u64>(23 - n.mantissa)), single),
                               llvm::ConstantFP::get(single, static_cast<double>(scale)));
  Value* x = b_.CreateOr(b_.CreateBitCast(value, word), sign);
  if (n.one_zero) x = b_.CreateSelect(b_.CreateICmpEQ(bits, number(0x80)), number(0x7fc00000), x);
  if (n.has_nan() && !n.one_zero) {
    Value* special = number(0x7fc00000);
    if (n.has_infinity())
      special = b_.CreateSelect(b_.CreateICmpEQ(code, number(n.overflow)), number(0x7f800000), special);
    x = b_.CreateSelect(b_.CreateICmpUGT(code, number(n.max)), b_.CreateOr(sign, special), x);
  }
  return b_.CreateBitCast(x, single);
}

/// From f32, or from i8 or u8 (`compute_type`).
Value* kernel_emitter::to_narrow(Value* v, dtype t) {
  llvm::Type* byte = like(v, b_.getInt8Ty());
  if (!is_float(t)) {
    const auto by = static_cast<u64>(8 - bits_of(t));
    Value* up = b_.CreateShl(v, by);
    return is_signed_int(t) ? b_.CreateAShr(up, by) : b_.CreateLShr(up, by);
  }
  llvm::Type *word = like(v, b_.getInt32Ty()), *single = like(v, b_.getFloatTy());
  const auto number = [&](u32 n) { return llvm::ConstantInt::get(word, n); };
  Value* x = b_.CreateBitCast(v, word);
  if (t == dtype::f8e8m0) {
    Value* power = b_.CreateLShr(b_.CreateAdd(x, number(0x400000)), 23);
    Value* code = b_.CreateSelect(b_.CreateICmpULT(x, number(0x600000)), number(0), power);
    Value* outside = b_.CreateOr(b_.CreateICmpULT(x, number(0x400000)), b_.CreateICmpUGE(x, number(0x7f400000)));
    return b_.CreateTrunc(b_.CreateSelect(outside, number(0xff), code), byte);
  }
  const narrow_format n = narrow_format_of(t);
  const auto drop = static_cast<u64>(23 - n.mantissa);
  Value* a = b_.CreateAnd(x, 0x7fffffff);
  Value* sign = b_.CreateShl(b_.CreateLShr(x, 31), static_cast<u64>(n.sign_at));
  const u32 shift = static_cast<u32>(151 - n.bias - n.mantissa) << 23;
  Value* raised = b_.CreateFAdd(b_.CreateBitCast(a, single),
                                llvm::ConstantFP::get(single, static_cast<double>(std::bit_cast<float>(shift))));
  Value* tiny = b_.CreateSub(b_.CreateBitCast(raised, word), number(shift));
  Value* odd = b_.CreateAnd(b_.CreateLShr(a, drop), 1);
  Value* rounded = b_.CreateAdd(b_.CreateAdd(a, number((1u << (drop - 1)) - 1)), odd);
  Value* normal = b_.CreateSub(b_.CreateLShr(rounded, drop), number(static_cast<u32>(127 - n.bias) << n.mantissa));
  Value* code = b_.CreateSelect(b_.CreateICmpULT(a, number(static_cast<u32>(128 - n.bias) << 23)), tiny, normal);
  Value* large = b_.CreateICmpUGT(code, number(n.max));
  Value* is_nan = b_.CreateICmpUGT(a, number(0x7f800000));
  if (n.one_zero) {
    code = b_.CreateSelect(b_.CreateICmpEQ(code, number(0)), code, b_.CreateOr(code, sign));
    return b_.CreateTrunc(b_.CreateSelect(b_.CreateOr(large, is_nan), number(0x80), code), byte);
  }
  code = b_.CreateSelect(large, number(n.overflow), code);
  if (n.has_nan()) code = b_.CreateSelect(is_nan, number(n.nan), code);
  code = b_.CreateOr(code, sign);
  if (!n.has_nan()) code = b_.CreateSelect(is_nan, number(n.nan), code);
  return b_.CreateTrunc(code, byte);
}

/// The same for f16, whose bits are moved up to f32's, and scaled.
Value* kernel_emitter::from_half(Value* bits) {
  llvm::Type *word = like(bits, b_.getInt32Ty()), *single = like(bits, b_.getFloatTy());
  const auto number = [&](u32 n) { return llvm::ConstantInt::get(word, n); };
  Value* wide = b_.CreateZExt(bits, word);
  Value* sign = b_.CreateShl(b_.CreateAnd(wide, 0x8000), 16);
  Value *code = b_.CreateAnd(wide, 0x7fff), *moved = b_.CreateShl(code, 13);
  Value* value = b_.CreateFMul(b_.CreateBitCast(moved, single), llvm::ConstantFP::get(single, 0x1p112));
  Value* special = b_.CreateOr(moved, number(0x7f800000));  // infinities, and what is no number
  Value* x = b_.CreateSelect(b_.CreateICmpUGE(code, number(0x7c00)), special, b_.CreateBitCast(value, word));
  return b_.CreateBitCast(b_.CreateOr(x, sign), single);
}

/// To the nearest, of two to the even one.
Value* kernel_emitter::to_half(Value* v) {
  llvm::Type *word = like(v, b_.getInt32Ty()), *single = like(v, b_.getFloatTy());
  const auto number = [&](u32 n) { return llvm::ConstantInt::get(word, n); };
  Value* x = b_.CreateBitCast(v, word);
  Value* a = b_.CreateAnd(x, 0x7fffffff);
  // Below 2^-14 the sum with 1/2 rounds at the last place that a subnormal one has.
  Value* raised = b_.CreateFAdd(b_.CreateBitCast(a, single), llvm::ConstantFP::get(single, 0.5));
  Value* tiny = b_.CreateSub(b_.CreateBitCast(raised, word), number(0x3f000000));
  Value* odd = b_.CreateAnd(b_.CreateLShr(a, 13), 1);
  Value* rounded = b_.CreateAdd(b_.CreateAdd(a, number(0xfff)), odd);
  Value* normal = b_.CreateSub(b_.CreateLShr(rounded, 13), number(112u << 10));
  Value* code = b_.CreateSelect(b_.CreateICmpULT(a, number(113u << 23)), tiny, normal);
  code = b_.CreateSelect(b_.CreateICmpUGT(code, number(0x7bff)), number(0x7c00), code);
  code = b_.CreateSelect(b_.CreateICmpUGT(a, number(0x7f800000)), number(0x7e00), code);
  code = b_.CreateOr(code, b_.CreateLShr(b_.CreateAnd(x, u64{1} << 31), 16));
  return b_.CreateTrunc(code, like(v, b_.getInt16Ty()));
}

}  // namespace tenon::codegen
