/// @file scalar_fn: the functions of one to three scalars that kernels are made of.
///
/// Both operands of a binary function have one type, which is the result's; comparisons give bool; `select` takes
/// (bool, x, x). Integer arithmetic wraps. `div` truncates for integers, and division by zero is undefined for them.
#pragma once

#include <array>
#include <string_view>

#include <tenon/core/int.hpp>

namespace tenon::loop {

enum class scalar_fn : u8 {
  // two operands
  add,
  sub,
  mul,
  div,
  pow,
  mod,        ///< remainder with the sign of the divisor (Python's %)
  fmod,       ///< remainder with the sign of the dividend (C's)
  floor_div,  ///< quotient rounded down, integers
  min,
  max,  ///< a NaN operand gives NaN
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,  ///< bool: the logical functions
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  // one operand
  neg,
  abs,
  sign,
  bit_not,  ///< bool: logical not
  exp,
  log,
  sqrt,
  rsqrt,
  reciprocal,
  tanh,
  sigmoid,
  erf,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  asinh,
  acosh,
  atanh,
  floor,
  ceil,
  round,
  trunc,  ///< round: halves to even
  is_nan,
  is_inf,
  log1p,
  expm1,
  // three operands
  select,
  fma,
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

inline constexpr std::array<std::string_view, 54> scalar_fn_names{
    "add",  "sub",     "mul",        "div",     "pow",        "mod",         "fmod",    "floor_div", "min",
    "max",  "bit_and", "bit_or",     "bit_xor", "shift_left", "shift_right", "eq",      "ne",        "lt",
    "le",   "gt",      "ge",         "neg",     "abs",        "sign",        "bit_not", "exp",       "log",
    "sqrt", "rsqrt",   "reciprocal", "tanh",    "sigmoid",    "erf",         "sin",     "cos",       "tan",
    "asin", "acos",    "atan",       "sinh",    "cosh",       "asinh",       "acosh",   "atanh",     "floor",
    "ceil", "round",   "trunc",      "is_nan",  "is_inf",     "log1p",       "expm1",   "select",    "fma"};

static_assert(scalar_fn_names.size() == static_cast<std::size_t>(scalar_fn::fma) + 1);
constexpr const auto& enumerator_names(scalar_fn) { return scalar_fn_names; }

constexpr bool is_comparison(scalar_fn f) { return f >= scalar_fn::eq && f <= scalar_fn::ge; }
constexpr bool gives_bool(scalar_fn f) { return is_comparison(f) || f == scalar_fn::is_nan || f == scalar_fn::is_inf; }
constexpr int arity(scalar_fn f) { return f < scalar_fn::neg ? 2 : f < scalar_fn::select ? 1 : 3; }

}  // namespace tenon::loop
