/// @file quantized.cpp: what quantizing is made of: quotients by a constant, floats rounded to integers, and sums of
/// products of bytes.
#include "emitter.hpp"

#include <array>
#include <cmath>
#include <optional>

#include <llvm/IR/IntrinsicsX86.h>

namespace tenon::codegen {

using llvm::Value;
using loop::scalar_fn;

namespace {

/// 1/y as the sum of two floats of the same sign.
struct reciprocal {
  float high = 0, low = 0;
};

/// Is fma(high, x, low · x) the float next to x/y for every x? Both are within 2^-21 units in the last place, so they
/// can differ only where x/y is that near to the middle between two floats: with mantissas X and Y of 24 bits, where
/// X · 2^24 or X · 2^25 leaves a rest of at most 16 when it is divided by Y. (Brisebarre, Muller and Raina, IEEE Trans.
/// Computers 53(8), 2004, for a pair that is rounded to the nearest.) All such X are tried.
bool divides_exactly(const reciprocal& r, float y) {
  int exponent = 0;
  i64 odd = static_cast<i64>(std::ldexp(std::fabs(std::frexp(y, &exponent)), 24));
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  constexpr i64 least = i64{1} << 23, most_rest = 16;
  for (int shift = 24; shift <= 25; ++shift)
    for (i64 rest = -most_rest; rest <= most_rest; ++rest) {
      if (rest == 0 || rest % (i64{1} << twos) != 0) continue;
      i64 x = (rest >> twos) % odd;
      if (x < 0) x += odd;
      for (int i = twos; i < shift; ++i) x = (x % 2 == 0 ? x : x + odd) / 2;
      for (x += (least - x + odd - 1) / odd * odd; x < 2 * least; x += odd) {
        const float f = static_cast<float>(x);
        if (std::fma(r.high, f, r.low * f) != f / y) return false;
      }
    }
  return true;
}

/// The parts of 1/y, if they divide by y exactly. Rounding the first one towards zero makes both of one sign:
/// infinities and zeros of either sign then come out as a division has them.
std::optional<reciprocal> exact_reciprocal(float y) {
  if (!(std::fabs(y) > 0x1p-60F && std::fabs(y) < 0x1p60F)) return std::nullopt;
  const double d = y;
  reciprocal r;
  r.high = static_cast<float>(1 / d);
  if (r.high * d > 1) r.high = std::nextafter(r.high, 0.0F);
  const float low = static_cast<float>((1 - r.high * d) / d);
  if (low == 0) return std::nullopt;  // a power of two
  for (const float l : {low, std::nextafter(low, 0.0F), std::nextafter(low, 2 * low)}) {
    r.low = l;
    if (divides_exactly(r, y)) return r;
  }
  return std::nullopt;
}

const llvm::ConstantFP* single_number(Value* v) {
  auto* c = llvm::dyn_cast<llvm::Constant>(v);
  if (c != nullptr && c->getType()->isVectorTy()) c = c->getSplatValue();
  return llvm::dyn_cast_or_null<llvm::ConstantFP>(c);
}

unsigned lanes_of(Value* v) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  return type != nullptr ? type->getNumElements() : 0;
}

}  // namespace

/// A division takes a unit of the processor for 10 cycles a vector; a product and a fused one half a cycle each. Where
/// low · x is below the normal numbers, with quotients below 2^-78, the last bit may differ.
Value* kernel_emitter::quotient(Value* x, Value* y) {
  const llvm::ConstantFP* number = single_number(y);
  if (number == nullptr || !number->getType()->isFloatTy() || !number->getValueAPF().isFinite() || target_.strict ||
      llvm::isa<llvm::Constant>(x) || !target_.fused)
    return b_.CreateFDiv(x, y);
  const float by = number->getValueAPF().convertToFloat();
  const auto [known, fresh] = reciprocals_.try_emplace(llvm::bit_cast<u32>(by));
  if (fresh)
    if (const auto r = exact_reciprocal(by)) known->second = {r->high, r->low};
  const auto [high, low] = known->second;
  if (low == 0) return b_.CreateFDiv(x, y);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, real(x, high), b_.CreateFMul(x, real(x, low))});
}

/// A vector of f32 as i32, toward zero or to the nearest; what does not fit, and what is no number, is the least
/// integer. Null where the processor has no instruction for it.
Value* kernel_emitter::to_integers(Value* v, bool nearest) {
  const unsigned lanes = lanes_of(v);
  if (!v->getType()->getScalarType()->isFloatTy() || !target_.x86 || target_.vector_bytes < 32) return nullptr;
  if (lanes == 16 && target_.vector_bytes == 64) {
    auto* type = llvm::FixedVectorType::get(b_.getInt32Ty(), lanes);
    const auto id =
        nearest ? llvm::Intrinsic::x86_avx512_mask_cvtps2dq_512 : llvm::Intrinsic::x86_avx512_mask_cvttps2dq_512;
    constexpr u32 current_rounding = 4;
    return b_.CreateIntrinsic(
        id, {}, {v, llvm::Constant::getNullValue(type), b_.getInt16(0xffff), b_.getInt32(current_rounding)});
  }
  if (lanes == 8)
    return b_.CreateIntrinsic(
        nearest ? llvm::Intrinsic::x86_avx_cvt_ps2dq_256 : llvm::Intrinsic::x86_avx_cvtt_ps2dq_256, {}, {v});
  if (lanes == 4)
    return b_.CreateIntrinsic(nearest ? llvm::Intrinsic::x86_sse2_cvtps2dq : llvm::Intrinsic::x86_sse2_cvttps2dq, {},
                              {v});
  return nullptr;
}

/// An integer of at most 32 bits made of a rounded f32, perhaps between two whole numbers: these bounds hold before
/// rounding as well as behind it, and the conversion rounds.
Value* kernel_emitter::rounded_to_integers(op_id convert) {
  const auto scalar_at = [&](value_id x) {
    const op_id d = m_[x].definition;
    return d && m_.view(d).is<loop::scalar>() && m_.type_of(x).elem == dtype::f32 ? d : op_id{};
  };
  llvm::SmallVector<std::pair<scalar_fn, double>, 2> bounds;
  op_id at = scalar_at(m_.operand(convert, 0));
  for (; at && m_.view(at).as<loop::scalar>().fn != scalar_fn::round; at = scalar_at(m_.operand(at, 0))) {
    const scalar_fn fn = m_.view(at).as<loop::scalar>().fn;
    if (fn != scalar_fn::min && fn != scalar_fn::max) return nullptr;
    const op_id l = m_[m_.operand(at, 1)].definition;
    const auto* bound = l ? m_.view(l).get_if<loop::literal>() : nullptr;
    if (bound == nullptr || bound->real != std::floor(bound->real)) return nullptr;
    bounds.emplace_back(fn, bound->real);
  }
  if (!at) return nullptr;
  const lane_value given = get(m_.operand(at, 0));
  if (given.kind != lane_value::varying) return nullptr;
  const unsigned lanes = lanes_of(given.v);
  if (!target_.x86 || target_.vector_bytes < 32 ||
      (lanes != 4 && lanes != 8 && (lanes != 16 || target_.vector_bytes != 64)))
    return nullptr;
  Value* v = given.v;
  for (auto it = bounds.rbegin(); it != bounds.rend(); ++it)
    v = function(it->first, dtype::f32, {v, real(v, it->second)});
  return to_integers(v, true);
}

/// sum + x · w of bytes in one instruction, with x in the lowest of four bytes and zeros above, which the sign of w
/// meets. (vpdpwssd would do as well; LLVM takes that apart again.) Null where it is no such sum.
Value* kernel_emitter::sum_of_bytes(op_id add) {
  if (!target_.dot4) return nullptr;
  const auto is_from = [&](value_id x, dtype from) {
    const op_id d = m_[x].definition;
    const auto* c = d ? m_.view(d).get_if<loop::convert>() : nullptr;
    return c != nullptr && !c->bits && c->to == dtype::i32 && m_.view(d).operand_type(0).elem == from;
  };
  for (int k = 0; k < 2; ++k) {
    const op_id d = m_[m_.operand(add, k)].definition;
    const auto* s = d ? m_.view(d).get_if<loop::scalar>() : nullptr;
    if (s == nullptr || s->fn != scalar_fn::mul) continue;
    for (int i = 0; i < 2; ++i) {
      if (!is_from(m_.operand(d, i), dtype::u8) || !is_from(m_.operand(d, 1 - i), dtype::i8)) continue;
      const auto vector = [&](value_id v) { return vector_of(get(v), lane_->lanes); };
      if (const unsigned n = lane_->lanes; n != 16 && n != 8 && n != 4) return nullptr;
      return dot4(vector(m_.operand(add, 1 - k)), vector(m_.operand(d, i)), vector(m_.operand(d, 1 - i)));
    }
  }
  return nullptr;
}

}  // namespace tenon::codegen
