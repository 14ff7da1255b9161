/// @file in_double.cpp: powers, hyperbolic functions and their inverses: logarithms and exponentials by their series,
/// in double precision. Its 29 more bits are what y log x takes, and what is lost where x is near 1 or near 0; and its
/// exponents hold every result before that is rounded, once.
#include "in_double.hpp"

#include <initializer_list>

#include <llvm/IR/Intrinsics.h>

#include <tenon/core/int.hpp>

namespace tenon::codegen::in_double {

using llvm::Value;

namespace {

constexpr double ln_2 = 0.69314718055994530942;

llvm::Type* like(Value* x, llvm::Type* scalar) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(x->getType());
  return vector != nullptr ? llvm::VectorType::get(scalar, vector->getElementCount()) : scalar;
}
Value* number_like(Value* like, double v) { return llvm::ConstantFP::get(like->getType(), v); }
Value* infinity_like(Value* like) { return llvm::ConstantFP::getInfinity(like->getType()); }
Value* nan_like(Value* like) { return llvm::ConstantFP::getNaN(like->getType()); }
Value* magnitude(llvm::IRBuilder<>& b, Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
Value* with_sign_of(llvm::IRBuilder<>& b, Value* r, Value* x) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, r, x);
}
Value* wide(llvm::IRBuilder<>& b, Value* x) { return b.CreateFPExt(x, like(x, b.getDoubleTy())); }
Value* single(llvm::IRBuilder<>& b, Value* x) { return b.CreateFPTrunc(x, like(x, b.getFloatTy())); }
Value* multiply_add(llvm::IRBuilder<>& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fmuladd, {x->getType()}, {x, y, z});
}
/// The highest coefficient first.
Value* polynomial(llvm::IRBuilder<>& b, Value* x, std::initializer_list<double> coefficients) {
  Value* p = nullptr;
  for (double c : coefficients) p = p == nullptr ? number_like(x, c) : multiply_add(b, p, x, number_like(x, c));
  return p;
}

/// log2 x = e + log2 m of x = 2^e m, m from sqrt(1/2) to sqrt(2), and log m = 2 artanh s, s = (m - 1) / (m + 1). Of
/// positive normal numbers, to 10^-12 of itself.
Value* log2(llvm::IRBuilder<>& b, Value* x) {
  llvm::Type* ints = like(x, b.getInt64Ty());
  const auto bits = [&](u64 v) { return llvm::ConstantInt::get(ints, v); };
  const u64 one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd;
  Value* given = b.CreateBitCast(x, ints);
  Value* shifted = b.CreateAdd(given, bits(one - root_half));
  Value* m = b.CreateBitCast(b.CreateAdd(b.CreateSub(given, b.CreateAnd(shifted, bits(u64{0xfff} << 52))), bits(one)),
                             x->getType());
  // An integer below 2^52 behind the exponent of 2^52 is that plus it.
  Value* e = b.CreateBitCast(b.CreateOr(b.CreateLShr(shifted, bits(52)), bits(0x4330000000000000)), x->getType());
  e = b.CreateFSub(e, number_like(x, 0x1p52 + 1023));
  Value* s = b.CreateFDiv(b.CreateFSub(m, number_like(x, 1)), b.CreateFAdd(m, number_like(x, 1)));
  const double two = 2 / ln_2;
  Value* p = polynomial(b, b.CreateFMul(s, s), {two / 13, two / 11, two / 9, two / 7, two / 5, two / 3, two});
  return multiply_add(b, s, p, e);
}

/// 2^x, to 2 * 10^-10 of itself; of an |x| of more than 400, that of 400.
Value* exp2(llvm::IRBuilder<>& b, Value* x) {
  Value *low = number_like(x, -400), *high = number_like(x, 400);
  x = b.CreateSelect(b.CreateFCmpOLT(x, low), low, x);
  x = b.CreateSelect(b.CreateFCmpOGT(x, high), high, x);
  Value* n = b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x);
  Value* r = b.CreateFMul(b.CreateFSub(x, n), number_like(x, ln_2));
  Value* p = polynomial(b, r, {1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1});
  // What is no number stays that, times frozen garbage.
  llvm::Type* ints = like(x, b.getInt64Ty());
  Value* k = b.CreateSExt(b.CreateFreeze(b.CreateFPToSI(n, like(x, b.getInt32Ty()))), ints);
  Value* scale = b.CreateShl(b.CreateAdd(k, llvm::ConstantInt::get(ints, 1023)), 52);
  return b.CreateFMul(p, b.CreateBitCast(scale, x->getType()));
}
Value* log(llvm::IRBuilder<>& b, Value* x) { return b.CreateFMul(log2(b, x), number_like(x, ln_2)); }
Value* exp(llvm::IRBuilder<>& b, Value* x) { return exp2(b, b.CreateFMul(x, number_like(x, 1 / ln_2))); }

}  // namespace

Value* pow(llvm::IRBuilder<>& b, Value* x, Value* y) {
  Value *size = magnitude(b, x), *exponent = wide(b, y), *one = number_like(x, 1), *base = wide(b, size);
  // log2 of infinity is that, as of what is no number; of 1, times infinity it is to be 0.
  Value* l = b.CreateSelect(b.CreateFCmpOLT(size, infinity_like(size)), log2(b, base), base);
  l = b.CreateSelect(b.CreateFCmpOEQ(size, number_like(x, 0)), llvm::ConstantFP::getInfinity(base->getType(), true), l);
  Value* t = b.CreateSelect(b.CreateFCmpOEQ(size, one), number_like(base, 0), b.CreateFMul(l, exponent));
  Value* r = single(b, exp2(b, t));
  // Powers of what is negative have a sign if the exponent is odd, and are none if it is no integer.
  const auto is_whole = [&](Value* v) {
    return b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, v), v);
  };
  Value* whole = is_whole(y);
  Value* odd = b.CreateAnd(whole, b.CreateNot(is_whole(b.CreateFMul(y, number_like(y, 0.5)))));
  r = b.CreateSelect(odd, with_sign_of(b, r, x), r);
  Value* negative = b.CreateAnd(b.CreateFCmpOLT(x, number_like(x, 0)), b.CreateFCmpONE(size, infinity_like(size)));
  r = b.CreateSelect(b.CreateAnd(negative, b.CreateNot(whole)), nan_like(r), r);
  return b.CreateSelect(b.CreateOr(b.CreateFCmpOEQ(y, number_like(y, 0)), b.CreateFCmpOEQ(x, one)), one, r);
}

Value* sinh(llvm::IRBuilder<>& b, Value* x) {
  Value* v = wide(b, x);
  Value* e = exp(b, v);
  Value* large = b.CreateFMul(b.CreateFSub(e, b.CreateFDiv(number_like(e, 1), e)), number_like(e, 0.5));
  Value* z = b.CreateFMul(v, v);
  Value* small = multiply_add(b, b.CreateFMul(v, z), polynomial(b, z, {1. / 5040, 1. / 120, 1. / 6}), v);
  return single(b, b.CreateSelect(b.CreateFCmpOLT(magnitude(b, v), number_like(v, 0.3)), small, large));
}

Value* cosh(llvm::IRBuilder<>& b, Value* x) {
  Value* e = exp(b, wide(b, x));
  return single(b, b.CreateFMul(b.CreateFAdd(e, b.CreateFDiv(number_like(e, 1), e)), number_like(e, 0.5)));
}

/// Up to here asinh and artanh x are x.
constexpr double nearly_zero = 1e-4;

Value* asinh(llvm::IRBuilder<>& b, Value* x) {
  Value *size = magnitude(b, x), *v = wide(b, size);
  Value* root = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, multiply_add(b, v, v, number_like(v, 1)));
  Value* r = single(b, log(b, b.CreateFAdd(v, root)));
  Value* between =
      b.CreateAnd(b.CreateFCmpOGT(size, number_like(size, nearly_zero)), b.CreateFCmpOLT(size, infinity_like(size)));
  return with_sign_of(b, b.CreateSelect(between, r, size), x);
}

Value* acosh(llvm::IRBuilder<>& b, Value* x) {
  Value* v = wide(b, x);
  Value* root = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, multiply_add(b, v, v, number_like(v, -1)));
  Value* r = b.CreateSelect(b.CreateFCmpOEQ(x, infinity_like(x)), x, single(b, log(b, b.CreateFAdd(v, root))));
  return b.CreateSelect(b.CreateFCmpOGE(x, number_like(x, 1)), r, nan_like(x));
}

Value* atanh(llvm::IRBuilder<>& b, Value* x) {
  Value *size = magnitude(b, x), *v = wide(b, size), *one = number_like(v, 1);
  Value* l = log(b, b.CreateFDiv(b.CreateFAdd(one, v), b.CreateFSub(one, v)));
  Value* r = single(b, b.CreateFMul(l, number_like(l, 0.5)));
  r = b.CreateSelect(b.CreateFCmpOGT(size, number_like(size, nearly_zero)), r, size);
  Value* at_most_one = b.CreateSelect(b.CreateFCmpOEQ(size, number_like(size, 1)), infinity_like(size), nan_like(size));
  return with_sign_of(b, b.CreateSelect(b.CreateFCmpOLT(size, number_like(size, 1)), r, at_most_one), x);
}

}  // namespace tenon::codegen::in_double
