/// @file arcs.cpp: inverse trigonometric functions: reductions and polynomials of Cephes (S. Moshier, atanf.c,
/// asinf.c).
#include "arcs.hpp"

#include <initializer_list>

#include <llvm/IR/Intrinsics.h>

namespace tenon::codegen {

using llvm::Value;

namespace {

constexpr double half_pi = 1.57079632679489662;

Value* number_like(Value* like, double v) { return llvm::ConstantFP::get(like->getType(), v); }
Value* multiply_add(llvm::IRBuilder<>& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fmuladd, {x->getType()}, {x, y, z});
}
/// x + x z p(z): the highest coefficient first.
Value* odd_polynomial(llvm::IRBuilder<>& b, Value* x, Value* z, std::initializer_list<double> coefficients) {
  Value* p = nullptr;
  for (double c : coefficients) p = p == nullptr ? number_like(z, c) : multiply_add(b, p, z, number_like(z, c));
  return multiply_add(b, b.CreateFMul(p, z), x, x);
}
Value* with_sign_of(llvm::IRBuilder<>& b, Value* r, Value* x) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, r, x);
}

/// The arc sine of |x|: where |x| is small itself, elsewhere half of pi/2 less it.
struct reduced_arc_sine {
  Value *large = nullptr, *arc = nullptr;
};
/// asin x = pi/2 - 2 asin sqrt((1 - x) / 2). Beyond 1 the root is no number.
reduced_arc_sine reduced_arc(llvm::IRBuilder<>& b, Value* x) {
  Value* a = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  reduced_arc_sine r;
  r.large = b.CreateFCmpOGT(a, number_like(x, 0.5));
  Value* rest = b.CreateFMul(b.CreateFSub(number_like(x, 1), a), number_like(x, 0.5));
  Value* z = b.CreateSelect(r.large, rest, b.CreateFMul(a, a));
  Value* s = b.CreateSelect(r.large, b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, z), a);
  r.arc =
      odd_polynomial(b, s, z, {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1});
  return r;
}

}  // namespace

/// atan x = pi/2 + atan(-1 / x) above tan(3 pi/8), pi/4 + atan((x - 1) / (x + 1)) above tan(pi/8).
Value* arc_tangent(llvm::IRBuilder<>& b, Value* x) {
  Value* a = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  Value* one = number_like(x, 1);
  Value* large = b.CreateFCmpOGT(a, number_like(x, 2.414213562373095));
  Value* middle = b.CreateFCmpOGT(a, number_like(x, 0.4142135623730950));
  const auto pick = [&](Value* of_large, Value* of_middle, Value* of_small) {
    return b.CreateSelect(large, of_large, b.CreateSelect(middle, of_middle, of_small));
  };
  Value* q = b.CreateFDiv(pick(number_like(x, -1), b.CreateFSub(a, one), a), pick(a, b.CreateFAdd(a, one), one));
  Value* r = odd_polynomial(b, q, b.CreateFMul(q, q),
                            {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1});
  r = b.CreateFAdd(r, pick(number_like(x, half_pi), number_like(x, half_pi / 2), number_like(x, 0)));
  return with_sign_of(b, r, x);
}

Value* arc_sine(llvm::IRBuilder<>& b, Value* x) {
  const reduced_arc_sine r = reduced_arc(b, x);
  return with_sign_of(
      b, b.CreateSelect(r.large, multiply_add(b, r.arc, number_like(x, -2), number_like(x, half_pi)), r.arc), x);
}

Value* arc_cosine(llvm::IRBuilder<>& b, Value* x) {
  const reduced_arc_sine r = reduced_arc(b, x);
  Value* twice = b.CreateFMul(r.arc, number_like(x, 2));
  Value* near_one =
      b.CreateSelect(b.CreateFCmpOLT(x, number_like(x, 0)), b.CreateFSub(number_like(x, 2 * half_pi), twice), twice);
  return b.CreateSelect(r.large, near_one, b.CreateFSub(number_like(x, half_pi), with_sign_of(b, r.arc, x)));
}

}  // namespace tenon::codegen
