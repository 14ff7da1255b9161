/// @file math.cpp: single-precision elementary functions as straight-line vector code.
///
/// exp and log: Cody-Waite reduction and the polynomials of Cephes (S. Moshier, expf.c and logf.c), at most 2 ulp.
/// tanh and erf: rational approximations on a clamped range (the coefficients that Eigen and XLA use), at most 4 ulp;
/// from where the nearest number is 1 they are that, since infinities are multiplied by what is left of it. Everything
/// else calls libm, lane by lane.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>

namespace tenon::codegen {

using llvm::Value;

namespace {
llvm::Type* integers_like(llvm::IRBuilder<>& b, Value* x) {
  if (auto* t = llvm::dyn_cast<llvm::FixedVectorType>(x->getType()))
    return llvm::FixedVectorType::get(b.getInt32Ty(), t->getNumElements());
  return b.getInt32Ty();
}
Value* fma(llvm::IRBuilder<>& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}
}  // namespace

Value* kernel_emitter::polynomial(Value* x, std::initializer_list<double> c) {
  auto it = c.begin();
  Value* r = real(x, *it++);
  for (; it != c.end(); ++it) r = fma(b_, r, x, real(x, *it));
  return r;
}

Value* kernel_emitter::exp(Value* x) {
  llvm::Type* ints = integers_like(b_, x);
  Value* low = b_.CreateFCmpOLT(x, real(x, -103.97));
  Value* high = b_.CreateFCmpOGT(x, real(x, 88.72284));
  // Out-of-range lanes are replaced afterwards; a NaN fails both comparisons and goes through the arithmetic.
  Value* y = b_.CreateSelect(low, real(x, -103.97), b_.CreateSelect(high, real(x, 88.72284), x));
  Value* n = b_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, b_.CreateFMul(y, real(x, 1.44269504088896341)));
  Value* r = fma(b_, n, real(x, -0.693359375), y);
  r = fma(b_, n, real(x, 2.12194440e-4), r);
  Value* p = polynomial(
      r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  p = b_.CreateFAdd(fma(b_, p, b_.CreateFMul(r, r), r), real(x, 1.0));
  // Scale by 2^n in two steps, so that neither factor leaves the range of exponents; a NaN's n is frozen garbage.
  Value* k = b_.CreateFreeze(b_.CreateFPToSI(n, ints));
  Value* half = b_.CreateAShr(k, 1);
  auto power = [&](Value* e) {
    return b_.CreateBitCast(b_.CreateShl(b_.CreateAdd(e, llvm::ConstantInt::get(ints, 127)), 23), x->getType());
  };
  Value* v = b_.CreateFMul(b_.CreateFMul(p, power(half)), power(b_.CreateSub(k, half)));
  v = b_.CreateSelect(low, real(x, 0.0), v);
  return b_.CreateSelect(high, llvm::ConstantFP::getInfinity(x->getType()), v);
}

Value* kernel_emitter::log(Value* x) {
  llvm::Type* ints = integers_like(b_, x);
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
