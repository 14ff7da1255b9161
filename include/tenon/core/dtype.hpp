/// @file dtype: element types of tensors and scalars, and the storage types of the two 16-bit floats.
#pragma once

#include <bit>
#include <optional>
#include <string_view>

#include <tenon/core/int.hpp>

namespace tenon {

enum class dtype : u8 { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean, index };

inline constexpr int dtype_count = 14;
inline constexpr std::string_view dtype_names[dtype_count] = {"f64", "f32", "f16", "bf16", "i64", "i32",  "i16",
                                                              "i8",  "u64", "u32", "u16",  "u8",  "bool", "index"};

constexpr std::string_view name_of(dtype t) { return dtype_names[static_cast<int>(t)]; }

constexpr std::optional<dtype> dtype_from_name(std::string_view s) {
  for (int i = 0; i < dtype_count; ++i)
    if (dtype_names[i] == s) return static_cast<dtype>(i);
  return std::nullopt;
}

/// Bytes an element takes in a buffer (bool is one byte; `index`, the type of loop indices, is 64 bits).
constexpr int size_of(dtype t) {
  constexpr int sizes[dtype_count] = {8, 4, 2, 2, 8, 4, 2, 1, 8, 4, 2, 1, 1, 8};
  return sizes[static_cast<int>(t)];
}
constexpr bool is_float(dtype t) { return t <= dtype::bf16; }
constexpr bool is_signed_int(dtype t) { return (t >= dtype::i64 && t <= dtype::i8) || t == dtype::index; }
constexpr bool is_unsigned_int(dtype t) { return t >= dtype::u64 && t <= dtype::u8; }
constexpr bool is_int(dtype t) { return is_signed_int(t) || is_unsigned_int(t); }

/// Bits of a float as IEEE binary16, rounded to nearest even; overflow gives infinity, NaN stays NaN.
constexpr u16 f32_to_f16_bits(float f) {
  const u32 x = std::bit_cast<u32>(f);
  const u32 sign = (x >> 16) & 0x8000u;
  const u32 a = x & 0x7fffffffu;
  if (a > 0x7f800000u) return static_cast<u16>(sign | 0x7e00u | ((a >> 13) & 0x3ffu));
  if (a >= 0x47800000u) return static_cast<u16>(sign | 0x7c00u);
  if (a < 0x33000001u) return static_cast<u16>(sign);  // at most half of the smallest subnormal
  u32 mantissa, shift, base;
  if (a < 0x38800000u) {  // subnormal result: shift the full significand
    const u32 e = a >> 23;
    mantissa = (a & 0x7fffffu) | 0x800000u;
    shift = 126 - e;
    base = 0;
  } else {
    mantissa = a & 0x7fffffu;
    shift = 13;
    base = ((a >> 23) - 112) << 10;
  }
  u32 r = base + (mantissa >> shift);
  const u32 rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  if (rest > half || (rest == half && (r & 1))) ++r;
  return static_cast<u16>(sign | r);
}

constexpr float f16_bits_to_f32(u16 h) {
  const u32 sign = static_cast<u32>(h & 0x8000u) << 16;
  u32 e = (h >> 10) & 31, m = h & 0x3ffu;
  if (e == 31) return std::bit_cast<float>(sign | 0x7f800000u | (m << 13));
  if (e == 0) {
    if (m == 0) return std::bit_cast<float>(sign);
    e = 113;
    while (!(m & 0x400u)) m <<= 1, --e;
    return std::bit_cast<float>(sign | (e << 23) | ((m & 0x3ffu) << 13));
  }
  return std::bit_cast<float>(sign | ((e + 112) << 23) | (m << 13));
}

constexpr u16 f32_to_bf16_bits(float f) {
  const u32 x = std::bit_cast<u32>(f);
  if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<u16>((x >> 16) | 0x40u);
  return static_cast<u16>((x + 0x7fffu + ((x >> 16) & 1)) >> 16);
}
constexpr float bf16_bits_to_f32(u16 b) { return std::bit_cast<float>(static_cast<u32>(b) << 16); }

/// IEEE binary16 in memory; arithmetic is done in float.
struct half {
  u16 bits = 0;
  constexpr half() = default;
  constexpr explicit half(float f) : bits(f32_to_f16_bits(f)) {}
  constexpr operator float() const { return f16_bits_to_f32(bits); }
};
/// The upper half of a float in memory; arithmetic is done in float.
struct bfloat16 {
  u16 bits = 0;
  constexpr bfloat16() = default;
  constexpr explicit bfloat16(float f) : bits(f32_to_bf16_bits(f)) {}
  constexpr operator float() const { return bf16_bits_to_f32(bits); }
};

template <class T>
inline constexpr dtype dtype_of = [] {
  static_assert(sizeof(T) == 0, "dtype_of<T>: T is not an element type");
  return dtype::f32;
}();
template <> inline constexpr dtype dtype_of<double> = dtype::f64;
template <> inline constexpr dtype dtype_of<float> = dtype::f32;
template <> inline constexpr dtype dtype_of<half> = dtype::f16;
template <> inline constexpr dtype dtype_of<bfloat16> = dtype::bf16;
template <> inline constexpr dtype dtype_of<i64> = dtype::i64;
template <> inline constexpr dtype dtype_of<i32> = dtype::i32;
template <> inline constexpr dtype dtype_of<i16> = dtype::i16;
template <> inline constexpr dtype dtype_of<i8> = dtype::i8;
template <> inline constexpr dtype dtype_of<u64> = dtype::u64;
template <> inline constexpr dtype dtype_of<u32> = dtype::u32;
template <> inline constexpr dtype dtype_of<u16> = dtype::u16;
template <> inline constexpr dtype dtype_of<u8> = dtype::u8;
template <> inline constexpr dtype dtype_of<bool> = dtype::boolean;

/// Calls `f(T{})` with the C++ type of an element type: `visit(t, [&]<class T>(T) { … })`. `index` is visited as i64.
template <class F>
constexpr decltype(auto) visit(dtype t, F&& f) {
  switch (t) {
    case dtype::f64: return f(double{});
    case dtype::f32: return f(float{});
    case dtype::f16: return f(half{});
    case dtype::bf16: return f(bfloat16{});
    case dtype::i64: return f(i64{});
    case dtype::i32: return f(i32{});
    case dtype::i16: return f(i16{});
    case dtype::i8: return f(i8{});
    case dtype::u64: return f(u64{});
    case dtype::u32: return f(u32{});
    case dtype::u16: return f(u16{});
    case dtype::u8: return f(u8{});
    case dtype::boolean: return f(bool{});
    case dtype::index: break;
  }
  return f(i64{});
}

}  // namespace tenon
