/// @file nest_lanes.ipp: what instructions of nests do with vectors of elements, by type.
#pragma once

#include <bit>
#include <cstring>

#include <tenon/interpret/scalar.hpp>
#include <tenon/targets/xsimd/kernel_table.hpp>
#include <tenon/targets/xsimd/nests.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {
namespace lane {

template <class T>
inline constexpr bool computes_itself = std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
/// Integers wrap.
template <class T, class F>
constexpr T wrapped(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(f(static_cast<u64>(a), static_cast<u64>(b)));
  else return f(a, b);
}
template <class T>
constexpr T smaller(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a != a || b != b ? a + b : b < a ? b : a;
  else return b < a ? b : a;
}
template <class T>
constexpr T larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a != a || b != b ? a + b : b > a ? b : a;
  else return b > a ? b : a;
}

/// What `apply_scalar` and `test_scalar` compute; the functions that are asked for most often in loops of their own,
/// which compilers make vector code of.
template <class T>
void scalar(loop::scalar_fn fn, void* to, const void* pa, const void* pb, const void* pc, i64 n) {
  using f = loop::scalar_fn;
  const T *a = static_cast<const T*>(pa), *b = static_cast<const T*>(pb), *c = static_cast<const T*>(pc);
  T* const out = static_cast<T*>(to);
  bool* const flags = static_cast<bool*>(to);
  const auto each = [n](auto* result, auto g) {
    for (i64 i = 0; i < n; ++i) result[i] = g(i);
  };
  if constexpr (computes_itself<T>) {
    switch (fn) {
      case f::eq: return each(flags, [=](i64 i) { return a[i] == b[i]; });
      case f::ne: return each(flags, [=](i64 i) { return a[i] != b[i]; });
      case f::lt: return each(flags, [=](i64 i) { return a[i] < b[i]; });
      case f::le: return each(flags, [=](i64 i) { return a[i] <= b[i]; });
      case f::gt: return each(flags, [=](i64 i) { return a[i] > b[i]; });
      case f::ge: return each(flags, [=](i64 i) { return a[i] >= b[i]; });
      default: break;
    }
    if constexpr (std::is_same_v<T, bool>) {
      switch (fn) {
        case f::bit_and: return each(out, [=](i64 i) { return a[i] && b[i]; });
        case f::bit_or: return each(out, [=](i64 i) { return a[i] || b[i]; });
        case f::bit_xor: return each(out, [=](i64 i) { return a[i] != b[i]; });
        case f::bit_not: return each(out, [=](i64 i) { return !a[i]; });
        default: break;
      }
    } else {
      switch (fn) {
        case f::add: return each(out, [=](i64 i) { return wrapped(a[i], b[i], [](auto x, auto y) { return x + y; }); });
        case f::sub: return each(out, [=](i64 i) { return wrapped(a[i], b[i], [](auto x, auto y) { return x - y; }); });
        case f::mul: return each(out, [=](i64 i) { return wrapped(a[i], b[i], [](auto x, auto y) { return x * y; }); });
        case f::min: return each(out, [=](i64 i) { return smaller(a[i], b[i]); });
        case f::max: return each(out, [=](i64 i) { return larger(a[i], b[i]); });
        default: break;
      }
      if constexpr (std::is_integral_v<T>) {
        switch (fn) {
          case f::bit_and: return each(out, [=](i64 i) { return static_cast<T>(a[i] & b[i]); });
          case f::bit_or: return each(out, [=](i64 i) { return static_cast<T>(a[i] | b[i]); });
          case f::bit_xor: return each(out, [=](i64 i) { return static_cast<T>(a[i] ^ b[i]); });
          default: break;
        }
      } else if (fn == f::div) {
        return each(out, [=](i64 i) { return a[i] / b[i]; });
      }
    }
  }
  const int operands = loop::arity(fn);
  const auto at = [](const T* p, bool there, i64 i) { return there ? p[i] : T{}; };
  if (loop::gives_bool(fn)) each(flags, [=](i64 i) { return test_scalar<T>(fn, a[i], at(b, operands > 1, i)); });
  else each(out, [=](i64 i) { return apply_scalar<T>(fn, a[i], at(b, operands > 1, i), at(c, operands > 2, i)); });
}

template <class T>
void select(loop::scalar_fn, void* to, const void* a, const void* b, const void* c, i64 n) {
  const u8* flags = static_cast<const u8*>(a);
  const T *x = static_cast<const T*>(b), *y = static_cast<const T*>(c);
  for (i64 i = 0; i < n; ++i) static_cast<T*>(to)[i] = flags[i] != 0 ? x[i] : y[i];
}

/// Does the table of kernels compute it on numbers of f32?
inline bool in_table(loop::scalar_fn fn) {
  using f = loop::scalar_fn;
  return (fn >= f::exp && fn <= f::erf) || (fn >= f::floor && fn <= f::trunc) || fn == f::abs || fn == f::neg ||
         fn == f::min || fn == f::max;
}
inline void by_table(loop::scalar_fn fn, void* to, const void* a, const void* b, const void* c, i64 n) {
  const auto at = [](const void* p) { return static_cast<const float*>(p); };
  kernels().elementwise(fn, static_cast<float*>(to), at(a), at(b), at(c), n);
}

inline void (*scalar_of(loop::scalar_fn fn, dtype t))(loop::scalar_fn, void*, const void*, const void*, const void*,
                                                      i64) {
  using function = decltype(scalar_of(fn, t));
  if (fn == loop::scalar_fn::select) return by_width(size_of(t), []<class T>(T) -> function { return &select<T>; });
  if (t == dtype::f32 && in_table(fn)) return &by_table;
  return visit(t, []<class T>(T) -> function { return &scalar<T>; });
}

template <class To, class From>
void converted(void* to, const void* from, i64 n) {
  i64 i = 0;
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool> &&
                !std::is_same_v<To, u64>) {
    // Numbers that an i32 holds, as nearly all do, have vector instructions; others are converted one by one below.
    constexpr i64 block = 16;
    constexpr From bound = static_cast<From>(2147483520);
    for (; i + block <= n; i += block) {
      From x[block];
      To y[block];
      std::memcpy(x, static_cast<const From*>(from) + i, sizeof x);
      int inside = 1;
      for (i64 k = 0; k < block; ++k) inside &= (x[k] < bound) & (x[k] > -bound);
      if (inside == 0) break;
      for (i64 k = 0; k < block; ++k) y[k] = static_cast<To>(static_cast<i32>(x[k]));
      std::memcpy(static_cast<To*>(to) + i, y, sizeof y);
    }
  }
  for (; i < n; ++i) static_cast<To*>(to)[i] = convert_element<To>(static_cast<const From*>(from)[i]);
}
inline void bits(void* to, const void* from, i64 n) { std::memcpy(to, from, static_cast<size_t>(n) * sizeof(float)); }
/// What converts elements of a type; of narrow types to and from the widest type that holds all of their values.
inline void (*converted_of(dtype from, dtype to))(void*, const void*, i64) {
  using function = decltype(converted_of(from, to));
  const auto any = [to]<class From>(From) {
    return visit(to, []<class To>(To) -> function { return &converted<To, From>; });
  };
  const auto narrow = []<class From, class To>(From, To) -> function { return &converted<To, From>; };
  if (is_narrow(from))
    return visit_storage(from, [&]<class From>(From f) -> function {
      if constexpr (is_float(dtype_of<From>)) return narrow(f, double{});
      else return narrow(f, i64{});
    });
  if (is_narrow(to))
    return visit_storage(
        to, [&]<class To>(To t) -> function { return from == dtype::f64 ? narrow(double{}, t) : narrow(i64{}, t); });
  return visit(from, any);
}

template <class T>
void add_products(void* sums, const void* factor, const void* line, i64 n) {
  T* const s = static_cast<T*>(sums);
  const T f = *static_cast<const T*>(factor);
  const T* const b = static_cast<const T*>(line);
  for (i64 i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<T>)
      s[i] = static_cast<T>(static_cast<u64>(s[i]) + static_cast<u64>(f) * static_cast<u64>(b[i]));
    else s[i] += f * b[i];
  }
}

/// n elements that stand `by` apart.
template <class T>
void take(T* to, const T* from, i64 by, i64 n) {
  if (by == 1) std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  else
    for (i64 i = 0; i < n; ++i) to[i] = from[i * by];
}
template <class T>
void put(T* to, const T* from, i64 by, i64 n) {
  if (by == 1) std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  else
    for (i64 i = 0; i < n; ++i) to[i * by] = from[i];
}
inline void spread(char* at, int width) {
  by_width(width, [at]<class T>(T) {
    T* p = reinterpret_cast<T*>(at);
    for (i64 i = 1; i < nests::lanes; ++i) p[i] = p[0];
  });
}

}  // namespace lane
}  // namespace tenon::xsimd_kernels
