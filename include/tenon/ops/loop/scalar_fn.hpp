/// @file scalar_fn: the functions of one to three scalars that kernels are made of.
///
/// Both operands of a binary function have one type, which is the result's; comparisons give bool; `select` takes
/// (bool, x, x). Integer arithmetic wraps. `div` truncates for integers, and division by zero is undefined for them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tenon/core/int.hpp>

namespace tenon::loop {

// clang-format off
// fn(name, operands)
#define TENON_SCALAR_FNS(fn)                                                                                       \
  fn(add, 2) fn(sub, 2) fn(mul, 2) fn(div, 2) fn(pow, 2)                                                           \
  fn(mod, 2)        /* remainder with the sign of the divisor (Python's %) */                                      \
  fn(fmod, 2)       /* remainder with the sign of the dividend (C's) */                                            \
  fn(floor_div, 2)  /* quotient rounded down, integers */                                                          \
  fn(min, 2) fn(max, 2)  /* a NaN operand gives NaN */                                                             \
  fn(bit_and, 2) fn(bit_or, 2) fn(bit_xor, 2)  /* bool: the logical functions */                                   \
  fn(shift_left, 2) fn(shift_right, 2)                                                                             \
  fn(eq, 2) fn(ne, 2) fn(lt, 2) fn(le, 2) fn(gt, 2) fn(ge, 2)                                                      \
  fn(neg, 1) fn(abs, 1) fn(sign, 1)                                                                                \
  fn(bit_not, 1)    /* bool: logical not */                                                                        \
  fn(exp, 1) fn(log, 1) fn(sqrt, 1) fn(rsqrt, 1) fn(reciprocal, 1) fn(tanh, 1) fn(sigmoid, 1) fn(erf, 1)           \
  fn(sin, 1) fn(cos, 1) fn(tan, 1) fn(asin, 1) fn(acos, 1) fn(atan, 1)                                             \
  fn(sinh, 1) fn(cosh, 1) fn(asinh, 1) fn(acosh, 1) fn(atanh, 1)                                                   \
  fn(floor, 1) fn(ceil, 1) fn(round, 1) fn(trunc, 1)  /* round: halves to even */                                  \
  fn(is_nan, 1) fn(is_inf, 1) fn(log1p, 1) fn(expm1, 1)                                                            \
  fn(select, 3) fn(fma, 3)
// clang-format on

enum class scalar_fn : u8 {
#define TENON_ENUMERATOR(name, operands) name,
  TENON_SCALAR_FNS(TENON_ENUMERATOR)
#undef TENON_ENUMERATOR
};

/// Does it cost about as much as reading its operands: one or two instructions?
constexpr bool is_cheap(scalar_fn f) {
  using enum scalar_fn;
  return f == add || f == sub || f == mul || f == min || f == max || f == neg || f == abs || (f >= eq && f <= ge) ||
         f == bit_and || f == bit_or || f == bit_xor || f == bit_not;
}

/// Floating-point operations that one call counts as: arithmetic and each function one, `fma` two. What only moves,
/// compares or inspects counts as none.
constexpr int flops_of(scalar_fn f) {
  using enum scalar_fn;
  if (f == fma) return 2;
  const bool moves = f == select || f == is_nan || f == is_inf || (f >= eq && f <= ge);
  const bool bits = (f >= bit_and && f <= shift_right) || f == bit_not;
  return moves || bits ? 0 : 1;
}

inline constexpr std::array scalar_fn_names{
#define TENON_NAME(name, operands) std::string_view(#name),
    TENON_SCALAR_FNS(TENON_NAME)
#undef TENON_NAME
};
constexpr const auto& enumerator_names(scalar_fn) { return scalar_fn_names; }

constexpr bool is_comparison(scalar_fn f) { return f >= scalar_fn::eq && f <= scalar_fn::ge; }
constexpr bool gives_bool(scalar_fn f) { return is_comparison(f) || f == scalar_fn::is_nan || f == scalar_fn::is_inf; }
constexpr int arity(scalar_fn f) {
  constexpr int operands[] = {
#define TENON_OPERANDS(name, operands) operands,
      TENON_SCALAR_FNS(TENON_OPERANDS)
#undef TENON_OPERANDS
  };
  return operands[static_cast<std::size_t>(f)];
}
#undef TENON_SCALAR_FNS

}  // namespace tenon::loop
