/// @file scalar.cpp: scalar functions and conversions, on scalars and on vectors alike.
#include "arcs.hpp"
#include "emitter.hpp"
#include "in_double.hpp"

#include <llvm/IR/Intrinsics.h>

namespace tenon::codegen {

using llvm::Value;
using loop::scalar_fn;

lane_value kernel_emitter::scalar(op_id op) {
  const ir::op_view v = m_.view(op);
  const scalar_fn fn = v.as<loop::scalar>().fn;
  llvm::SmallVector<lane_value, 3> in;
  bool all_uniform = true, linear_index = v.result_type().elem == dtype::index;
  for (int i = 0; i < v.operand_count(); ++i) {
    in.push_back(get(v.operand(i)));
    all_uniform = all_uniform && in.back().kind == lane_value::uniform;
    linear_index = linear_index && in.back().kind != lane_value::varying;
  }
  const dtype t = v.operand_type(v.operand_count() - 1).elem;
  if (!all_uniform && linear_index) {  // an affine function of a linear index is a linear index
    if (fn == scalar_fn::add) return {lane_value::linear, b_.CreateAdd(in[0].v, in[1].v), in[0].stride + in[1].stride};
    if (fn == scalar_fn::sub) return {lane_value::linear, b_.CreateSub(in[0].v, in[1].v), in[0].stride - in[1].stride};
    if (fn == scalar_fn::mul)
      for (int k = 0; k < 2; ++k)
        if (auto* c = llvm::dyn_cast<llvm::ConstantInt>(in[static_cast<size_t>(k)].v);
            c != nullptr && in[static_cast<size_t>(k)].kind == lane_value::uniform)
          return {lane_value::linear, b_.CreateMul(in[0].v, in[1].v),
                  in[static_cast<size_t>(1 - k)].stride * c->getSExtValue()};
  }
  if (!all_uniform && fn == scalar_fn::add && t == dtype::i32)
    if (Value* sum = sum_of_bytes(op); sum != nullptr) return {lane_value::varying, sum};
  llvm::SmallVector<Value*, 3> x;
  for (const lane_value& l : in) x.push_back(all_uniform ? l.v : vector_of(l, lane_->lanes));
  return {all_uniform ? lane_value::uniform : lane_value::varying, function(fn, t, x)};
}

lane_value kernel_emitter::convert(op_id op) {
  const ir::op_view v = m_.view(op);
  const lane_value x = get(v.operand(0));
  const dtype from = v.operand_type(0).elem, to = v.as<loop::convert>().to;
  const bool index_like = (from == dtype::index || from == dtype::i64) && (to == dtype::index || to == dtype::i64);
  if (index_like) return x;
  if (v.as<loop::convert>().bits) {
    Value* given = x.kind == lane_value::uniform ? x.v : vector_of(x, lane_->lanes);
    llvm::Type* type = like(given, register_type(to));
    return {x.kind == lane_value::uniform ? lane_value::uniform : lane_value::varying, b_.CreateBitCast(given, type)};
  }
  if (x.kind == lane_value::uniform) return {lane_value::uniform, cast(x.v, from, to)};
  if (from == dtype::f32 && is_int(to) && size_of(to) <= 4 && to != dtype::u32)
    if (Value* whole = rounded_to_integers(op); whole != nullptr)
      return {lane_value::varying, cast(whole, dtype::i32, to)};
  return {lane_value::varying, cast(vector_of(x, lane_->lanes), from, to)};
}

Value* kernel_emitter::real(Value* like, double v) { return llvm::ConstantFP::get(like->getType(), v); }

/// A double as f32, rounded so that rounding it once more to a smaller type gives what a single rounding would: what is
/// not exact gets an odd last bit.
Value* kernel_emitter::odd_single(Value* v) {
  llvm::Type *single = like(v, b_.getFloatTy()), *word = like(v, b_.getInt32Ty());
  Value* f = b_.CreateFPTrunc(v, single);
  Value* back = b_.CreateFPExt(f, v->getType());
  Value* bits = b_.CreateBitCast(f, word);
  const auto magnitude = [&](Value* x) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  Value* grew = b_.CreateFCmpOGT(magnitude(back), magnitude(v));
  Value* one = llvm::ConstantInt::get(word, 1);
  Value* odd = b_.CreateSelect(grew, b_.CreateSub(bits, one), b_.CreateAdd(bits, one));
  Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, one), llvm::Constant::getNullValue(word));
  return b_.CreateBitCast(b_.CreateSelect(b_.CreateAnd(even, b_.CreateFCmpONE(back, v)), odd, bits), single);
}

Value* kernel_emitter::cast(Value* v, dtype from, dtype to) {
  if (from == to) return v;
  if (is_narrow(from)) return cast(from_narrow(v, from), compute_type(from), to);
  if (is_narrow(to))
    return to_narrow(from == dtype::f64 && is_float(to) ? odd_single(v) : cast(v, from, compute_type(to)), to);
  llvm::Type* type = like(v, register_type(to));
  auto round16 = [&](Value* x) {
    return to == dtype::f16 || to == dtype::bf16 ? from_memory(to_memory(x, to), to) : x;
  };
  if (to == dtype::boolean) {
    if (is_float(from)) return b_.CreateFCmpUNE(v, real(v, 0.0));
    return b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType()));
  }
  if (from == dtype::f64 && to != dtype::f32 && is_float(to)) v = odd_single(v), type = v->getType();
  if (is_float(from) && is_float(to)) return round16(b_.CreateFPCast(v, type));
  if (is_float(to)) {
    const bool is_unsigned = is_unsigned_int(from) || from == dtype::boolean;
    return round16(is_unsigned ? b_.CreateUIToFP(v, type) : b_.CreateSIToFP(v, type));
  }
  if (is_float(from)) {  // as the reference does: through a wider signed integer, which then wraps
    const bool wide = size_of(to) == 8 || to == dtype::u32;
    llvm::Type* through = like(v, wide ? b_.getInt64Ty() : b_.getInt32Ty());
    if (!wide)
      if (Value* x = to_integers(v, false); x != nullptr) return b_.CreateTrunc(x, type);
    if (to == dtype::u64) {
      Value* big = b_.CreateFCmpOGE(v, real(v, 9223372036854775808.0));
      Value* low = b_.CreateFreeze(
          b_.CreateFPToSI(b_.CreateSelect(big, b_.CreateFSub(v, real(v, 9223372036854775808.0)), v), type));
      Value* top = llvm::ConstantInt::get(type, u64{1} << 63);
      Value* fits = b_.CreateAnd(b_.CreateFCmpOLT(v, real(v, 18446744073709551616.0)),
                                 b_.CreateFCmpOGE(v, real(v, -9223372036854775808.0)));
      return b_.CreateSelect(fits, b_.CreateSelect(big, b_.CreateXor(low, top), low), top);
    }
    Value* x = b_.CreateFreeze(b_.CreateFPToSI(v, through));
    // Out of range gives the smallest value, as the processor's instruction does; LLVM leaves it undefined otherwise.
    const double limit = wide ? 9223372036854775808.0 : 2147483648.0;
    Value* in = b_.CreateAnd(b_.CreateFCmpOLT(v, real(v, limit)), b_.CreateFCmpOGE(v, real(v, -limit)));
    const unsigned bits = wide ? 64 : 32;
    x = b_.CreateSelect(in, x, llvm::ConstantInt::get(through, llvm::APInt::getSignedMinValue(bits)));
    return b_.CreateTrunc(x, type);
  }
  const bool is_unsigned = is_unsigned_int(from) || from == dtype::boolean;
  return b_.CreateIntCast(v, type, !is_unsigned);
}

Value* kernel_emitter::integer_function(scalar_fn fn, dtype t, llvm::ArrayRef<Value*> v) {
  const bool is_unsigned = is_unsigned_int(t) || t == dtype::boolean;
  llvm::Type* type = v[0]->getType();
  Value* zero = llvm::Constant::getNullValue(type);
  auto constant = [&](i64 c) { return llvm::ConstantInt::get(type, static_cast<u64>(c), true); };
  // Division by zero gives zero, and the smallest by -1 wraps, without a trap.
  auto quotient = [&](bool remainder) -> Value* {
    Value* by_zero = b_.CreateICmpEQ(v[1], zero);
    Value* divisor = b_.CreateSelect(by_zero, constant(1), v[1]);
    Value* r = nullptr;
    if (is_unsigned) {
      r = remainder ? b_.CreateURem(v[0], divisor) : b_.CreateUDiv(v[0], divisor);
    } else {
      Value* minus_one = b_.CreateICmpEQ(divisor, constant(-1));
      Value* safe = b_.CreateSelect(minus_one, constant(1), divisor);
      r = remainder ? b_.CreateSRem(v[0], safe) : b_.CreateSDiv(v[0], safe);
      r = b_.CreateSelect(minus_one, remainder ? zero : b_.CreateNeg(v[0]), r);
    }
    return b_.CreateSelect(by_zero, zero, r);
  };
  auto compare = [&](llvm::CmpInst::Predicate s, llvm::CmpInst::Predicate u) {
    return b_.CreateICmp(is_unsigned ? u : s, v[0], v[1]);
  };
  switch (fn) {
    case scalar_fn::add: return t == dtype::boolean ? b_.CreateOr(v[0], v[1]) : b_.CreateAdd(v[0], v[1]);
    case scalar_fn::sub: return t == dtype::boolean ? b_.CreateXor(v[0], v[1]) : b_.CreateSub(v[0], v[1]);
    case scalar_fn::mul: return t == dtype::boolean ? b_.CreateAnd(v[0], v[1]) : b_.CreateMul(v[0], v[1]);
    case scalar_fn::div: return quotient(false);
    case scalar_fn::fmod: return quotient(true);
    case scalar_fn::mod: {
      Value* r = quotient(true);
      if (is_unsigned) return r;
      Value* fix = b_.CreateAnd(b_.CreateICmpNE(r, zero), b_.CreateICmpSLT(b_.CreateXor(r, v[1]), zero));
      return b_.CreateSelect(fix, b_.CreateAdd(r, v[1]), r);
    }
    case scalar_fn::floor_div: {
      Value* q = quotient(false);
      if (is_unsigned) return q;
      Value* r = quotient(true);
      Value* fix = b_.CreateAnd(b_.CreateICmpNE(r, zero), b_.CreateICmpSLT(b_.CreateXor(r, v[1]), zero));
      return b_.CreateSelect(fix, b_.CreateSub(q, constant(1)), q);
    }
    case scalar_fn::min:
      return b_.CreateBinaryIntrinsic(is_unsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, v[0], v[1]);
    case scalar_fn::max:
      return b_.CreateBinaryIntrinsic(is_unsigned ? llvm::Intrinsic::umax : llvm::Intrinsic::smax, v[0], v[1]);
    case scalar_fn::bit_and: return b_.CreateAnd(v[0], v[1]);
    case scalar_fn::bit_or: return b_.CreateOr(v[0], v[1]);
    case scalar_fn::bit_xor: return b_.CreateXor(v[0], v[1]);
    case scalar_fn::shift_left:
    case scalar_fn::shift_right: {
      Value* wide = b_.CreateICmpUGE(v[1], constant(static_cast<i64>(type->getScalarSizeInBits())));
      Value* by = b_.CreateSelect(wide, zero, v[1]);
      Value* r = fn == scalar_fn::shift_left ? b_.CreateShl(v[0], by)
                 : is_unsigned               ? b_.CreateLShr(v[0], by)
                                             : b_.CreateAShr(v[0], by);
      return b_.CreateSelect(wide, zero, r);
    }
    case scalar_fn::eq: return b_.CreateICmpEQ(v[0], v[1]);
    case scalar_fn::ne: return b_.CreateICmpNE(v[0], v[1]);
    case scalar_fn::lt: return compare(llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT);
    case scalar_fn::le: return compare(llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE);
    case scalar_fn::gt: return compare(llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT);
    case scalar_fn::ge: return compare(llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE);
    case scalar_fn::neg: return b_.CreateNeg(v[0]);
    case scalar_fn::abs:
      return is_unsigned ? v[0] : b_.CreateSelect(b_.CreateICmpSLT(v[0], zero), b_.CreateNeg(v[0]), v[0]);
    case scalar_fn::sign:
      if (is_unsigned) return b_.CreateZExtOrTrunc(b_.CreateICmpNE(v[0], zero), type);
      return b_.CreateSelect(b_.CreateICmpSGT(v[0], zero), constant(1),
                             b_.CreateSelect(b_.CreateICmpSLT(v[0], zero), constant(-1), zero));
    case scalar_fn::bit_not: return b_.CreateNot(v[0]);
    case scalar_fn::floor:
    case scalar_fn::ceil:
    case scalar_fn::round:
    case scalar_fn::trunc: return v[0];
    case scalar_fn::is_nan:
    case scalar_fn::is_inf: return llvm::Constant::getNullValue(like(v[0], b_.getInt1Ty()));
    case scalar_fn::fma: return b_.CreateAdd(b_.CreateMul(v[0], v[1]), v[2]);
    case scalar_fn::pow: {  // by squaring; a negative exponent gives 1/x^-n truncated, as the reference does
      // Powers wrap, so that every bit of the exponent counts: 3^(2^k) is never 0 in any number of bits.
      Value* result = constant(1);
      Value* base = v[0];
      const unsigned bits = type->getScalarSizeInBits();
      for (unsigned i = 0; i < bits; ++i) {
        Value* bit = b_.CreateICmpNE(b_.CreateAnd(v[1], constant(i64{1} << i)), zero);
        result = b_.CreateSelect(bit, b_.CreateMul(result, base), result);
        base = b_.CreateMul(base, base);
      }
      if (is_unsigned) return result;
      Value* negative = b_.CreateICmpSLT(v[1], zero);
      Value* is_one = b_.CreateICmpEQ(v[0], constant(1));
      Value* is_minus = b_.CreateICmpEQ(v[0], constant(-1));
      Value* odd = b_.CreateICmpNE(b_.CreateAnd(v[1], constant(1)), zero);
      Value* inverse = b_.CreateSelect(
          is_one, constant(1), b_.CreateSelect(is_minus, b_.CreateSelect(odd, constant(-1), constant(1)), zero));
      return b_.CreateSelect(negative, inverse, result);
    }
    default: {  // transcendental functions of integers go through double
      llvm::SmallVector<Value*, 3> d;
      for (Value* x : v) d.push_back(cast(x, t, dtype::f64));
      return cast(function(fn, dtype::f64, d), dtype::f64, t);
    }
  }
}

Value* kernel_emitter::function(scalar_fn fn, dtype t, llvm::ArrayRef<Value*> v) {
  if (fn == scalar_fn::select) return b_.CreateSelect(v[0], v[1], v[2]);
  if (!is_float(t)) return integer_function(fn, t, v);
  const bool single = (t != dtype::f64) && !target_.strict;
  auto unary = [&](llvm::Intrinsic::ID id) { return b_.CreateUnaryIntrinsic(id, v[0]); };
  switch (fn) {
    case scalar_fn::add: return b_.CreateFAdd(v[0], v[1]);
    case scalar_fn::sub: return b_.CreateFSub(v[0], v[1]);
    case scalar_fn::mul: return b_.CreateFMul(v[0], v[1]);
    case scalar_fn::div: return quotient(v[0], v[1]);
    case scalar_fn::fma:  // in one rounding where the processor has that: libm's takes 20 times as long
      return b_.CreateIntrinsic(llvm::Intrinsic::fmuladd, {v[0]->getType()}, {v[0], v[1], v[2]});
    case scalar_fn::min:
    case scalar_fn::max: {
      // x86's min and max return the second operand when either is a NaN, so a NaN can be lost only from the first one:
      // a constant, which is none, is that.
      const bool least = fn == scalar_fn::min;
      const auto chosen = [&](Value* x, Value* y) {
        return b_.CreateSelect(least ? b_.CreateFCmpOLT(x, y) : b_.CreateFCmpOGT(x, y), x, y);
      };
      if (llvm::isa<llvm::Constant>(v[0])) return chosen(v[0], v[1]);
      if (llvm::isa<llvm::Constant>(v[1])) return chosen(v[1], v[0]);
      // Of comparisons, a NaN's among them, the optimizer would make one, for which no processor has an instruction.
      Value* r = b_.CreateBinaryIntrinsic(least ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum, v[0], v[1]);
      if (auto* made = llvm::dyn_cast<llvm::Instruction>(r)) made->setHasNoSignedZeros(true);
      return r;
    }
    case scalar_fn::pow: {
      auto* c = llvm::dyn_cast<llvm::Constant>(v[1]);
      if (c != nullptr && c->getType()->isVectorTy()) c = c->getSplatValue();
      if (auto* k = llvm::dyn_cast_or_null<llvm::ConstantFP>(c)) {
        const double e = k->getValueAPF().convertToDouble();
        if (e == 1.0) return v[0];
        if (e == 2.0) return b_.CreateFMul(v[0], v[0]);
        if (e == 3.0) return b_.CreateFMul(b_.CreateFMul(v[0], v[0]), v[0]);
        if (e == -1.0) return b_.CreateFDiv(real(v[0], 1.0), v[0]);
      }
      return single ? in_double::pow(b_, v[0], v[1]) : library("powf", "pow", t, v);
    }
    case scalar_fn::fmod: return library("fmodf", "fmod", t, v);
    case scalar_fn::mod: {
      Value* r = library("fmodf", "fmod", t, v);
      Value* zero = real(r, 0.0);
      Value* fix = b_.CreateAnd(b_.CreateFCmpUNE(r, zero),
                                b_.CreateXor(b_.CreateFCmpOLT(r, zero), b_.CreateFCmpOLT(v[1], zero)));
      return b_.CreateSelect(fix, b_.CreateFAdd(r, v[1]), r);
    }
    case scalar_fn::floor_div: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, b_.CreateFDiv(v[0], v[1]));
    case scalar_fn::eq: return b_.CreateFCmpOEQ(v[0], v[1]);
    case scalar_fn::ne: return b_.CreateFCmpUNE(v[0], v[1]);
    case scalar_fn::lt: return b_.CreateFCmpOLT(v[0], v[1]);
    case scalar_fn::le: return b_.CreateFCmpOLE(v[0], v[1]);
    case scalar_fn::gt: return b_.CreateFCmpOGT(v[0], v[1]);
    case scalar_fn::ge: return b_.CreateFCmpOGE(v[0], v[1]);
    case scalar_fn::neg: return b_.CreateFNeg(v[0]);
    case scalar_fn::abs: return unary(llvm::Intrinsic::fabs);
    case scalar_fn::sign: {
      Value* zero = real(v[0], 0.0);
      Value* r = b_.CreateSelect(b_.CreateFCmpOLT(v[0], zero), real(v[0], -1.0), v[0]);  // keeps NaN and ±0
      return b_.CreateSelect(b_.CreateFCmpOGT(v[0], zero), real(v[0], 1.0), r);
    }
    case scalar_fn::sqrt: return unary(llvm::Intrinsic::sqrt);
    case scalar_fn::rsqrt: return b_.CreateFDiv(real(v[0], 1.0), unary(llvm::Intrinsic::sqrt));
    case scalar_fn::reciprocal: return b_.CreateFDiv(real(v[0], 1.0), v[0]);
    case scalar_fn::floor: return unary(llvm::Intrinsic::floor);
    case scalar_fn::ceil: return unary(llvm::Intrinsic::ceil);
    case scalar_fn::round: return unary(llvm::Intrinsic::roundeven);
    case scalar_fn::trunc: return unary(llvm::Intrinsic::trunc);
    case scalar_fn::is_nan: return b_.CreateFCmpUNO(v[0], v[0]);
    case scalar_fn::is_inf:
      return b_.CreateFCmpOEQ(unary(llvm::Intrinsic::fabs), llvm::ConstantFP::getInfinity(v[0]->getType()));
    case scalar_fn::exp: return single ? exp(v[0]) : library("expf", "exp", t, v);
    case scalar_fn::log: return single ? log(v[0]) : library("logf", "log", t, v);
    case scalar_fn::tanh: return single ? tanh(v[0]) : library("tanhf", "tanh", t, v);
    case scalar_fn::erf: return single ? erf(v[0]) : library("erff", "erf", t, v);
    case scalar_fn::sigmoid: {
      Value* minus[1] = {b_.CreateFNeg(v[0])};
      Value* e = single ? exp(minus[0]) : library("expf", "exp", t, minus);
      return b_.CreateFDiv(real(v[0], 1.0), b_.CreateFAdd(real(v[0], 1.0), e));
    }
    case scalar_fn::sin: return single ? sine(v[0], false) : library("sinf", "sin", t, v);
    case scalar_fn::cos: return single ? sine(v[0], true) : library("cosf", "cos", t, v);
    case scalar_fn::tan: return library("tanf", "tan", t, v);
    case scalar_fn::asin: return single ? arc_sine(b_, v[0]) : library("asinf", "asin", t, v);
    case scalar_fn::acos: return single ? arc_cosine(b_, v[0]) : library("acosf", "acos", t, v);
    case scalar_fn::atan: return single ? arc_tangent(b_, v[0]) : library("atanf", "atan", t, v);
    case scalar_fn::sinh: return single ? in_double::sinh(b_, v[0]) : library("sinhf", "sinh", t, v);
    case scalar_fn::cosh: return single ? in_double::cosh(b_, v[0]) : library("coshf", "cosh", t, v);
    case scalar_fn::asinh: return single ? in_double::asinh(b_, v[0]) : library("asinhf", "asinh", t, v);
    case scalar_fn::acosh: return single ? in_double::acosh(b_, v[0]) : library("acoshf", "acosh", t, v);
    case scalar_fn::atanh: return single ? in_double::atanh(b_, v[0]) : library("atanhf", "atanh", t, v);
    case scalar_fn::log1p: return single ? log1p(v[0]) : library("log1pf", "log1p", t, v);
    case scalar_fn::expm1: return single ? expm1(v[0]) : library("expm1f", "expm1", t, v);
    default: break;
  }
  throw unsupported_error("codegen.unsupported", "loop.scalar '" +
                                                     std::string(loop::scalar_fn_names[static_cast<size_t>(fn)]) +
                                                     "' of " + std::string(name_of(t)) + " has no native form");
}

}  // namespace tenon::codegen
