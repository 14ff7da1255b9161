/// @file scalar: what each `loop::scalar_fn` computes, for each element type.
///
/// Scalars are computed in the widest type of their kind (double, i64, u64; bool in i64) and then made narrow: floats
/// round once, integers wrap. For + - * / and sqrt on floats that equals computing in the type itself.
/// Nothing traps: integer division by zero gives 0, the lowest integer over -1 wraps, shifts by the width or more
/// give 0. Integer powers wrap; a negative exponent gives 0 unless the base is 1 or -1.
#pragma once

#include <cmath>
#include <type_traits>

#include <tenon/ops/loop/scalar_fn.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

constexpr int scalar_bits(dtype t) { return t == dtype::boolean ? 1 : size_of(t) * 8; }

/// Functions that give the operands' type. `bits` is the width of the narrow type: shifts and bool depend on it.
/// `select` here is a != 0 ? b : c.
double apply_wide(loop::scalar_fn fn, double a, double b, double c, int bits = 64);
i64 apply_wide(loop::scalar_fn fn, i64 a, i64 b, i64 c, int bits = 64);
u64 apply_wide(loop::scalar_fn fn, u64 a, u64 b, u64 c, int bits = 64);
/// Functions that give bool (`gives_bool`).
bool test_wide(loop::scalar_fn fn, double a, double b);
bool test_wide(loop::scalar_fn fn, i64 a, i64 b);
bool test_wide(loop::scalar_fn fn, u64 a, u64 b);

/// The type in which scalars of T are computed.
template <class T>
using wide_scalar =
    std::conditional_t<is_float(dtype_of<T>), double, std::conditional_t<std::is_same_v<T, u64>, u64, i64>>;

template <class T>
T apply_scalar(loop::scalar_fn fn, T a, T b = {}, T c = {}) {
  using wide = wide_scalar<T>;
  if constexpr (std::is_same_v<T, float>)
    if (fn == loop::scalar_fn::fma) return std::fma(a, b, c);
  return convert_element<T>(
      apply_wide(fn, static_cast<wide>(a), static_cast<wide>(b), static_cast<wide>(c), scalar_bits(dtype_of<T>)));
}
template <class T>
bool test_scalar(loop::scalar_fn fn, T a, T b = {}) {
  using wide = wide_scalar<T>;
  return test_wide(fn, static_cast<wide>(a), static_cast<wide>(b));
}

}  // namespace tenon
