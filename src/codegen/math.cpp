/// @file math.cpp: single-precision elementary functions as straight-line vector code.
///
/// exp and log: Cody-Waite reduction and the polynomials of Cephes (S. Moshier, expf.c and logf.c), at most 2 ulp.
/// expm1: the same reduction, without the 1; log1p: log of the rounded sum, and what rounding left off; both at most 2
/// ulp. sin and cos: Cody-Waite reduction by pi/2 in three parts and the polynomials of Cephes (sinf.c), at most 2 ulp
/// up to 10^5; vectors with a larger number go to libm. tanh and erf: rational approximations on a clamped range (the
/// coefficients that Eigen and XLA use), at most 4 ulp; from where the nearest number is 1 they are that, since
/// infinities are multiplied by what is left of it. arcs.hpp has asin, acos and atan; in_double.hpp powers, hyperbolic
/// functions and their inverses. Everything else calls libm, lane by lane.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

namespace tenon::codegen {

using llvm::Value;

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
  n = b_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, b_.CreateFMul(x, real(x, 1.44269504088896341)));
  Value* r = fma(b_, n, real(x, -0.693359375), x);
  r = fma(b_, n, real(x, 2.12194440e-4), r);
  Value* p = polynomial(
      r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
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
  Value *low = real(x, -104.5), *high = real(x, 89);
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
  Value* high = b_.CreateFCmpOGT(x, real(x, 88.72284));
  // Below -18 the nearest number is -1.
  Value* y =
      b_.CreateSelect(b_.CreateFCmpOLT(x, real(x, -18)), real(x, -18), b_.CreateSelect(high, real(x, 88.72284), x));
  Value* n = nullptr;
  Value* m = reduced_expm1(y, n);
  // m 2^n + (2^n - 1), of half of that, as 2^128 is no number.
  Value* k = b_.CreateFreeze(b_.CreateFPToSI(n, ints));
  Value* s = power_of_two(b_.CreateSub(k, llvm::ConstantInt::get(ints, 1)), x->getType());
  Value* v = fma(b_, m, s, b_.CreateFSub(s, real(x, 0.5)));
  v = b_.CreateSelect(high, llvm::ConstantFP::getInfinity(x->getType()), b_.CreateFAdd(v, v));
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, v, x);
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
  Value* small = b_.CreateFCmpOLT(m, real(x, 0.707106781186547524));  // m in [0.5, 1) to [sqrt(1/2), sqrt(2))
  ef = b_.CreateSelect(small, b_.CreateFSub(ef, real(x, 1.0)), ef);
  Value* t = b_.CreateFSub(b_.CreateSelect(small, b_.CreateFAdd(m, m), m), real(x, 1.0));
  Value* z = b_.CreateFMul(t, t);
  Value* p = polynomial(t, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
                            -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  Value* r = b_.CreateFMul(b_.CreateFMul(t, z), p);
  r = fma(b_, ef, real(x, -2.12194440e-4), r);
  r = fma(b_, z, real(x, -0.5), r);
  r = b_.CreateFAdd(t, r);
  r = fma(b_, ef, real(x, 0.693359375), r);
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

Value* kernel_emitter::tanh(Value* x) {
  const double limit = 7.90531110763549805;
  Value* big = b_.CreateFCmpOGT(x, real(x, limit));
  Value* low = b_.CreateFCmpOLT(x, real(x, -limit));
  Value* y = b_.CreateSelect(big, real(x, limit), b_.CreateSelect(low, real(x, -limit), x));
  Value* z = b_.CreateFMul(y, y);
  Value* p = polynomial(z, {-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08,
                            1.48572235717979e-05, 6.37261928875436e-04, 4.89352455891786e-03});
  Value* q = polynomial(z, {1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03});
  Value* r = b_.CreateFDiv(b_.CreateFMul(y, p), q);
  Value* tiny = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), real(x, 4e-4));
  return saturated(b_.CreateSelect(tiny, x, r), x, 9.010914);
}

Value* kernel_emitter::erf(Value* x) {
  Value* big = b_.CreateFCmpOGT(x, real(x, 4.0));
  Value* low = b_.CreateFCmpOLT(x, real(x, -4.0));
  Value* y = b_.CreateSelect(big, real(x, 4.0), b_.CreateSelect(low, real(x, -4.0), x));
  Value* z = b_.CreateFMul(y, y);
  Value* p = polynomial(z, {-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
                            -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02});
  Value* q = polynomial(z, {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
                            -1.42647390514189e-02});
  return saturated(b_.CreateFDiv(b_.CreateFMul(y, p), q), x, 3.9192061);
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
