/// @file scalar.ipp: definitions of interpret/scalar.hpp.
#pragma once

#include <cmath>

#include <tenon/interpret/scalar.hpp>

namespace tenon {
namespace scalar_detail {

inline double min_real(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : b < a ? b : a; }
inline double max_real(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : b > a ? b : a; }

/// The remainder with the sign of the divisor.
inline double mod_real(double a, double b) {
  double r = std::fmod(a, b);
  if (r != 0 && (r < 0) != (b < 0)) r += b;
  return r == 0 ? std::copysign(0.0, b) : r;
}

inline double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

/// Halves to even, whatever the rounding mode is.
inline double round_even(double x) {
  if (!(std::fabs(x) < 4503599627370496.0)) return x;  // 2^52: whole, infinite or NaN
  double down = std::floor(x);
  const double rest = x - down;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0)) down += 1;
  return std::copysign(down, x);
}

/// Signed values wrap by way of their bits.
template <class T>
T add_wrap(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
}
template <class T>
T sub_wrap(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b));
}
template <class T>
T mul_wrap(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <class T>
T div_safe(T a, T b) {
  if (b == 0) return 0;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub_wrap(T{0}, a);
  return a / b;
}
template <class T>
T rem_safe(T a, T b) {
  if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return 0;
  return a % b;
}

template <class T>
T power(T base, T exponent) {
  if (exponent < T{0}) {
    if (base == T{1}) return 1;
    if (base == static_cast<T>(-1)) return (exponent & 1) ? base : T{1};
    return 0;
  }
  T r = 1;
  for (u64 e = static_cast<u64>(exponent); e != 0; e >>= 1) {
    if (e & 1) r = mul_wrap(r, base);
    base = mul_wrap(base, base);
  }
  return r;
}

template <class T>
T apply_integer(loop::scalar_fn fn, T a, T b, T c, int bits) {
  using f = loop::scalar_fn;
  const bool shifts = b >= T{0} && b < static_cast<T>(bits);
  switch (fn) {
    case f::add: return add_wrap(a, b);
    case f::sub: return sub_wrap(a, b);
    case f::mul: return mul_wrap(a, b);
    case f::div: return div_safe(a, b);
    case f::pow: return power(a, b);
    case f::fmod: return rem_safe(a, b);
    case f::mod: {
      const T r = rem_safe(a, b);
      return r != 0 && (r < T{0}) != (b < T{0}) ? add_wrap(r, b) : r;
    }
    case f::floor_div: {
      const T r = rem_safe(a, b);
      return sub_wrap(div_safe(a, b), static_cast<T>(r != 0 && (r < T{0}) != (b < T{0})));
    }
    case f::min: return b < a ? b : a;
    case f::max: return b > a ? b : a;
    case f::bit_and: return a & b;
    case f::bit_or: return a | b;
    case f::bit_xor: return a ^ b;
    case f::shift_left: return shifts ? static_cast<T>(static_cast<u64>(a) << static_cast<u64>(b)) : T{0};
    case f::shift_right: return shifts ? a >> b : T{0};
    case f::neg: return sub_wrap(T{0}, a);
    case f::abs: return a < T{0} ? sub_wrap(T{0}, a) : a;
    case f::sign: return a > T{0} ? T{1} : a == T{0} ? T{0} : static_cast<T>(-1);
    case f::bit_not: return bits == 1 ? static_cast<T>(a == 0) : static_cast<T>(~a);
    case f::floor:
    case f::ceil:
    case f::round:
    case f::trunc: return a;
    case f::select: return a != 0 ? b : c;
    case f::fma: return add_wrap(mul_wrap(a, b), c);
    default: break;
  }
  if (loop::gives_bool(fn)) return test_wide(fn, a, b);
  return convert_element<T>(apply_wide(fn, static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}

template <class T>
bool compare(loop::scalar_fn fn, T a, T b) {
  using f = loop::scalar_fn;
  switch (fn) {
    case f::eq: return a == b;
    case f::ne: return a != b;
    case f::lt: return a < b;
    case f::le: return a <= b;
    case f::gt: return a > b;
    case f::ge: return a >= b;
    default: return false;
  }
}

}  // namespace scalar_detail

double apply_wide(loop::scalar_fn fn, double a, double b, double c, int) {
  using f = loop::scalar_fn;
  switch (fn) {
    case f::add: return a + b;
    case f::sub: return a - b;
    case f::mul: return a * b;
    case f::div: return a / b;
    case f::pow: return std::pow(a, b);
    case f::mod: return scalar_detail::mod_real(a, b);
    case f::fmod: return std::fmod(a, b);
    case f::floor_div: return std::floor(a / b);
    case f::min: return scalar_detail::min_real(a, b);
    case f::max: return scalar_detail::max_real(a, b);
    case f::neg: return -a;
    case f::abs: return std::fabs(a);
    case f::sign: return a > 0 ? 1 : a < 0 ? -1 : a;
    case f::exp: return std::exp(a);
    case f::log: return std::log(a);
    case f::sqrt: return std::sqrt(a);
    case f::rsqrt: return 1 / std::sqrt(a);
    case f::reciprocal: return 1 / a;
    case f::tanh: return std::tanh(a);
    case f::sigmoid: return scalar_detail::sigmoid(a);
    case f::erf: return std::erf(a);
    case f::sin: return std::sin(a);
    case f::cos: return std::cos(a);
    case f::tan: return std::tan(a);
    case f::asin: return std::asin(a);
    case f::acos: return std::acos(a);
    case f::atan: return std::atan(a);
    case f::sinh: return std::sinh(a);
    case f::cosh: return std::cosh(a);
    case f::asinh: return std::asinh(a);
    case f::acosh: return std::acosh(a);
    case f::atanh: return std::atanh(a);
    case f::floor: return std::floor(a);
    case f::ceil: return std::ceil(a);
    case f::round: return scalar_detail::round_even(a);
    case f::trunc: return std::trunc(a);
    case f::log1p: return std::log1p(a);
    case f::expm1: return std::expm1(a);
    case f::select: return a != 0 ? b : c;
    case f::fma: return std::fma(a, b, c);
    case f::bit_and:
    case f::bit_or:
    case f::bit_xor:
    case f::shift_left:
    case f::shift_right:
    case f::bit_not:
      throw error("scalar.type",
                  "'" + std::string(loop::scalar_fn_names[static_cast<size_t>(fn)]) + "' is not a function of floats");
    case f::eq:
    case f::ne:
    case f::lt:
    case f::le:
    case f::gt:
    case f::ge:
    case f::is_nan:
    case f::is_inf: break;
  }
  return test_wide(fn, a, b);
}
i64 apply_wide(loop::scalar_fn fn, i64 a, i64 b, i64 c, int bits) {
  return scalar_detail::apply_integer(fn, a, b, c, bits);
}
u64 apply_wide(loop::scalar_fn fn, u64 a, u64 b, u64 c, int bits) {
  return scalar_detail::apply_integer(fn, a, b, c, bits);
}

bool test_wide(loop::scalar_fn fn, double a, double b) {
  if (fn == loop::scalar_fn::is_nan) return std::isnan(a);
  if (fn == loop::scalar_fn::is_inf) return std::isinf(a);
  return scalar_detail::compare(fn, a, b);
}
bool test_wide(loop::scalar_fn fn, i64 a, i64 b) { return scalar_detail::compare(fn, a, b); }
bool test_wide(loop::scalar_fn fn, u64 a, u64 b) { return scalar_detail::compare(fn, a, b); }

}  // namespace tenon
