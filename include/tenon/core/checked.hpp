/// @file checked: sums and products of sizes that never wrap.
///
/// Sizes come from models and files, so every sum or product of them that is stored, compared or allocated goes through
/// here. Errors: "extent.overflow".
#pragma once

#include <optional>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>

namespace tenon {

/// The most elements a tensor or buffer may have: its bytes, and each offset in it, then fit in i64 with room to add.
inline constexpr i64 max_elements = i64{1} << 58;

namespace detail {
[[noreturn]] inline void throw_overflow() {
  throw extent_error("extent.overflow", "a size is larger than 2^63", {},
                     "the model asks for more than any machine has");
}
}  // namespace detail

constexpr i64 checked_add(i64 a, i64 b) {
  i64 r = 0;
  if (__builtin_add_overflow(a, b, &r)) detail::throw_overflow();
  return r;
}
constexpr i64 checked_sub(i64 a, i64 b) {
  i64 r = 0;
  if (__builtin_sub_overflow(a, b, &r)) detail::throw_overflow();
  return r;
}
constexpr i64 checked_mul(i64 a, i64 b) {
  i64 r = 0;
  if (__builtin_mul_overflow(a, b, &r)) detail::throw_overflow();
  return r;
}

/// The product of extents, none negative; nothing when it is above `max_elements`. Zeros do not hide what is too large:
/// the strides of [0, 2^40, 2^40] would not fit either.
template <class Extents>
constexpr std::optional<i64> checked_count(const Extents& extents) {
  i64 n = 1;
  bool empty = false;
  for (const i64 d : extents) {
    if (d == 0) empty = true;
    else if (d < 0 || n > max_elements / d) return std::nullopt;
    else n *= d;
  }
  return empty ? 0 : n;
}

}  // namespace tenon
