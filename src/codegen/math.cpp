/// @file math.cpp: single-precision elementary functions as straight-line vector code.
///
/// exp and log, whose numbers are in ops/loop/elementary.hpp as those of tanh and erf are: at most 2 ulp. expm1: the
/// reduction of exp, without the 1; log1p: log of the rounded sum, and what rounding left off; both at most 2 ulp. sin
/// and cos: Cody-Waite reduction by pi/2 in three parts and the polynomials of Cephes (sinf.c), at most 2 ulp up to
/// 10^5; vectors with a larger number go to libm. tanh and erf: at most 5 ulp; from where the nearest number is 1 they
/// are that, since infinities are multiplied by what is left of it. arcs.hpp has asin, acos and atan; in_double.hpp
/// powers, hyperbolic functions and their inverses. Everything else calls libm, lane by lane.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <tenon/ops/loop/elementary.hpp>

namespace tenon::codegen {

using llvm::Value;
namespace elementary = loop::elementary;

namespace {
/// In one rounding where the processor has that.
Value* fma(llvm::IRBuilder<>& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fmuladd, {x->getType()}, {x, y, z});
}
/// By libm, for a long time, where the processor does not have it.
Value* in_one_rounding(llvm::IRBuilder<>& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}
}  // namespace

/// Where coefficients are many, in pairs by powers of x²: a vector waits for half as many operations in a row, of which
/// there is one more in all.
Value* kernel_emitter::polynomial(Value* x, std::initializer_list<double> c) {
  constexpr size_t many = 5;
  auto it = c.begin();
  Value* r = real(x, *it++);
  if (c.size() < many) {
    for (; it != c.end(); ++it) r = fma(b_, r, x, real(x, *it));
    return r;
  }
  Value* square = b_.CreateFMul(x, x);
  if (c.size() % 2 == 0) r = fma(b_, r, x, real(x, *it++));
  for (; it != c.end(); it += 2) r = fma(b_, r, square, fma(b_, real(x, it[0]), x, real(x, it[1])));
  return r;
}

/// x = n ln 2 + r; the result is e^r - 1, of an x that is no number, too.
Value* kernel_emitter::reduced_expm1(Value* x, Value*& n) {
  n = b_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, b_.CreateFMul(x, real(x, elementary::reciprocal_of_ln2)));
  Value* r = fma(b_, n, real(x, -elementary::ln2_high), x);
  r = fma(b_, n, real(x, -elementary::ln2_low), r);
  Value* p = polynomial(r, elementary::exp_rest);
  return fma(b_, p, b_.CreateFMul(r, r), r);
}

/// 2^e of an integer e within the range of exponents.
Value* kernel_emitter::power_of_two(Value* e, llvm::Type* type) {
  return b_.CreateBitCast(b_.CreateShl(b_.CreateAdd(e, llvm::ConstantInt::get(e->getType(), 127)), 23), type);
}

Value* kernel_emitter::exp(Value* x) {
  llvm::Type* ints = like(x, b_.getInt32Ty());
  // Beyond these bounds results are zero and infinity, as they come out at the bounds. A NaN fails both comparisons and
  // goes through the arithmetic.
  Value *low = real(x, elementary::exp_low), *high = real(x, elementary::exp_high);
  Value* y = b_.CreateSelect(b_.CreateFCmpOLT(x, low), low, x);
  y = b_.CreateSelect(b_.CreateFCmpOGT(y, high), high, y);
  Value* n = nullptr;
  Value* p = b_.CreateFAdd(reduced_expm1(y, n), real(x, 1.0));
  // Scale by 2^n in two steps, so that neither factor leaves the range of exponents; a NaN's n is frozen garbage.
  Value* k = b_.CreateFreeze(b_.CreateFPToSI(n, ints));
  Value* half = b_.CreateAShr(k, 1);
  return b_.CreateFMul(b_.CreateFMul(p, power_of_two(half, x->getType())),
                       power_of_two(b_.CreateSub(k, half), x->getType()));
}

Value* kernel_emitter::expm1(Value* x) {
  llvm::Type* ints = like(x, b_.getInt32Ty());
  Value* high = b_.CreateFCmpOGT(x, real(x, elementary::expm1_high));
  Value *least = real(x, elementary::expm1_low), *most = real(x, elementary::expm1_high);
  Value* y = b_.CreateSelect(b_.CreateFCmpOLT(x, least), least, b_.CreateSelect(high, most, x));
  Value* n = nullptr;
  Value* m = reduced_expm1(y, n);
  // m 2^n + (2^n - 1), of half of that, as 2^128 is no number.
  Value* k = b_.CreateFreeze(b_.CreateFPToSI(n, ints));
  Value* s = power_of_two(b_.CreateSub(k, llvm::ConstantInt::get(ints, 1)), x->getType());
  Value* v = fma(b_, m, s, b_.CreateFSub(s, real(x, 0.5)));
  v = b_.CreateSelect(high, llvm::ConstantFP::getInfinity(x->getType()), b_.CreateFAdd(v, v));
  v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, v, x);
  Value* size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);  // half of the least normal numbers is none
  return b_.CreateSelect(b_.CreateFCmpOLT(size, real(x, elementary::expm1_tiny)), x, v);
}

Value* kernel_emitter::log1p(Value* x) {
  Value *one = real(x, 1.0), *infinity = llvm::ConstantFP::getInfinity(x->getType());
  Value* u = b_.CreateFAdd(x, one);
  Value *whole = log(u), *rest = b_.CreateFDiv(b_.CreateFSub(x, b_.CreateFSub(u, one)), u);
  Value* at_end = b_.CreateOr(b_.CreateFCmpOEQ(u, real(x, 0.0)), b_.CreateFCmpOEQ(u, infinity));
  Value* r = b_.CreateSelect(at_end, whole, b_.CreateFAdd(whole, rest));
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, r, x);
}

/// sin x, or cos x, which is sin(x + pi/2).
Value* kernel_emitter::sine(Value* x, bool cosine) {
  llvm::Type* ints = like(x, b_.getInt32Ty());
  Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  Value* large = b_.CreateFCmpOGT(magnitude, real(x, 1e5));
  if (large->getType()->isVectorTy()) large = b_.CreateOrReduce(large);
  llvm::Function* parent = b_.GetInsertBlock()->getParent();
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(out_.getContext(), name, parent); };
  llvm::BasicBlock *near = block("near"), *far = block("far"), *after = block("sine");
  b_.CreateCondBr(large, far, near, llvm::MDBuilder(out_.getContext()).createBranchWeights(1, 1 << 20));

  b_.SetInsertPoint(near);
  Value* n = b_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, b_.CreateFMul(x, real(x, 0.636619772367581343)));
  Value* r = in_one_rounding(b_, n, real(x, -1.5707963705062866), x);
  r = in_one_rounding(b_, n, real(x, 4.371138828673793e-08), r);
  r = in_one_rounding(b_, n, real(x, 1.7151245100058819e-15), r);
  Value* z = b_.CreateFMul(r, r);
  Value* s = polynomial(z, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
  s = fma(b_, b_.CreateFMul(s, z), r, r);
  Value* c = polynomial(z, {2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2});
  c = fma(b_, c, b_.CreateFMul(z, z), fma(b_, z, real(x, -0.5), real(x, 1.0)));
  // Which quarter of the circle: the polynomial, and the sign. A NaN's is frozen garbage.
  Value* k = b_.CreateFreeze(b_.CreateFPToSI(n, ints));
  if (cosine) k = b_.CreateAdd(k, llvm::ConstantInt::get(ints, 1));
  const auto bit = [&](u64 b) {
    return b_.CreateICmpNE(b_.CreateAnd(k, llvm::ConstantInt::get(ints, b)), llvm::Constant::getNullValue(ints));
  };
  Value* v = b_.CreateSelect(bit(1), c, s);
  v = b_.CreateSelect(bit(2), b_.CreateFNeg(v), v);
  b_.CreateBr(after);

  b_.SetInsertPoint(far);
  Value* exact = cosine ? library("cosf", "cos", dtype::f32, x) : library("sinf", "sin", dtype::f32, x);
  b_.CreateBr(after);

  b_.SetInsertPoint(after);
  llvm::PHINode* result = b_.CreatePHI(x->getType(), 2);
  result->addIncoming(v, near), result->addIncoming(exact, far);
  return result;
}

Value* kernel_emitter::log(Value* x) {
  llvm::Type* ints = like(x, b_.getInt32Ty());
  Value* tiny = b_.CreateFCmpOLT(x, real(x, 1.17549435e-38));
  Value* y = b_.CreateSelect(tiny, b_.CreateFMul(x, real(x, 8388608.0)), x);
  Value* bits = b_.CreateBitCast(y, ints);
  Value* e = b_.CreateSub(b_.CreateAShr(bits, 23), llvm::ConstantInt::get(ints, 126));
  Value* ef = b_.CreateSIToFP(e, x->getType());
  ef = b_.CreateFSub(ef, b_.CreateSelect(tiny, real(x, 23.0), real(x, 0.0)));
  Value* m = b_.CreateBitCast(b_.CreateOr(b_.CreateAnd(bits, llvm::ConstantInt::get(ints, 0x007fffff)),
                                          llvm::ConstantInt::get(ints, 0x3f000000)),
                              x->getType());
  Value* small = b_.CreateFCmpOLT(m, real(x, elementary::half_sqrt2));  // m in [0.5, 1) to [sqrt(1/2), sqrt(2))
  ef = b_.CreateSelect(small, b_.CreateFSub(ef, real(x, 1.0)), ef);
  Value* t = b_.CreateFSub(b_.CreateSelect(small, b_.CreateFAdd(m, m), m), real(x, 1.0));
  Value* z = b_.CreateFMul(t, t);
  Value* p = polynomial(t, elementary::log_rest);
  Value* r = b_.CreateFMul(b_.CreateFMul(t, z), p);
  r = fma(b_, ef, real(x, elementary::ln2_low), r);
  r = fma(b_, z, real(x, -0.5), r);
  r = b_.CreateFAdd(t, r);
  r = fma(b_, ef, real(x, elementary::ln2_high), r);
  Value* infinity = llvm::ConstantFP::getInfinity(x->getType());
  r = b_.CreateSelect(b_.CreateFCmpOEQ(x, infinity), infinity, r);
  r = b_.CreateSelect(b_.CreateFCmpOEQ(x, real(x, 0.0)), llvm::ConstantFP::getInfinity(x->getType(), true), r);
  Value* invalid = b_.CreateOr(b_.CreateFCmpOLT(x, real(x, 0.0)), b_.CreateFCmpUNO(x, x));
  return b_.CreateSelect(invalid, llvm::ConstantFP::getNaN(x->getType()), r);
}

/// `r`, but ±1 for an |x| of at least `from`.
Value* kernel_emitter::saturated(Value* r, Value* x, double from) {
  Value* large = b_.CreateFCmpOGE(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), real(x, from));
  return b_.CreateSelect(large, b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, real(x, 1.0), x), r);
}

/// x (p(x²) / q(x²)) of an x within ±limit: x p(x²) may be a denormal number where the result is none.
Value* kernel_emitter::clamped_ratio(Value* x, double limit, std::initializer_list<double> p,
                                     std::initializer_list<double> q) {
  Value *most = real(x, limit), *least = real(x, -limit);
  Value* y = b_.CreateSelect(b_.CreateFCmpOGT(x, most), most, b_.CreateSelect(b_.CreateFCmpOLT(x, least), least, x));
  Value* z = b_.CreateFMul(y, y);
  return b_.CreateFMul(y, b_.CreateFDiv(polynomial(z, p), polynomial(z, q)));
}

Value* kernel_emitter::tanh(Value* x) {
  Value* r = clamped_ratio(x, elementary::tanh_limit, elementary::tanh_p, elementary::tanh_q);
  Value* tiny = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), real(x, elementary::tanh_tiny));
  return saturated(b_.CreateSelect(tiny, x, r), x, elementary::tanh_one);
}

Value* kernel_emitter::erf(Value* x) {
  return saturated(clamped_ratio(x, elementary::erf_limit, elementary::erf_p, elementary::erf_q), x,
                   elementary::erf_one);
}

Value* kernel_emitter::library(const char* f32_name, const char* f64_name, dtype t, llvm::ArrayRef<Value*> v) {
  llvm::Type* scalar = v[0]->getType()->getScalarType();
  std::vector<llvm::Type*> types(v.size(), scalar);
  auto callee =
      out_.getOrInsertFunction(t == dtype::f64 ? f64_name : f32_name, llvm::FunctionType::get(scalar, types, false));
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v[0]->getType());
  if (vector == nullptr) return b_.CreateCall(callee, v);
  Value* r = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<Value*, 2> x;
    for (Value* o : v) x.push_back(b_.CreateExtractElement(o, u64{i}));
    r = b_.CreateInsertElement(r, b_.CreateCall(callee, x), u64{i});
  }
  return r;
}

}  // namespace tenon::codegen
