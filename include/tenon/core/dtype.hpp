/// @file dtype: element types of tensors and scalars, and the storage types of those that C++ lacks.
///
/// The types after `index` are narrow: they hold elements, but nothing is computed in them. In memory a narrow element
/// is one byte (an integer's value, a float's code), so that strides, views and loads are like those of i8; only files
/// pack them (docs/decisions/042-narrow-types.md).
#pragma once

#include <bit>
#include <optional>
#include <string_view>
#include <type_traits>

#include <tenon/core/int.hpp>

namespace tenon {

enum class dtype : u8 {
  f64,
  f32,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
  index,
  // narrow types; in a float's name: bits of exponent, bits of mantissa, fn = no infinities, uz = no negative zero
  f8e4m3fn,
  f8e4m3fnuz,
  f8e5m2,
  f8e5m2fnuz,
  f8e8m0,
  f4e2m1,
  i4,
  u4,
  i2,
  u2,
  string,
  // a program's own: floats of at most 8 bits (core/element_format.hpp)
  own0 = 32,
  own1,
  own2,
  own3
};

inline constexpr int dtype_count = 25;  ///< of those that are no program's own
inline constexpr int own_dtype_count = 4;
constexpr dtype own_dtype(int i) { return static_cast<dtype>(static_cast<int>(dtype::own0) + i); }
constexpr bool is_own(dtype t) { return t >= dtype::own0; }
inline constexpr std::string_view dtype_names[dtype_count] = {
    "f64",    "f32",    "f16", "bf16", "i64",   "i32",      "i16",        "i8",     "u64",
    "u32",    "u16",    "u8",  "bool", "index", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz",
    "f8e8m0", "f4e2m1", "i4",  "u4",   "i2",    "u2",       "string"};

int own_dtypes_registered();
std::string_view name_of_own(dtype t);
std::optional<dtype> own_dtype_from_name(std::string_view s);

constexpr std::string_view name_of(dtype t) { return is_own(t) ? name_of_own(t) : dtype_names[static_cast<int>(t)]; }

constexpr std::optional<dtype> dtype_from_name(std::string_view s) {
  for (int i = 0; i < dtype_count; ++i)
    if (dtype_names[i] == s) return static_cast<dtype>(i);
  if (std::is_constant_evaluated()) return std::nullopt;
  return own_dtype_from_name(s);
}

/// Bytes an element takes in a buffer: bool is one byte; `index`, the type of loop indices, is 64 bits; a string is the
/// 64-bit number of a string (runtime/strings.hpp).
constexpr int size_of(dtype t) {
  constexpr int sizes[] = {8, 4, 2, 2, 8, 4, 2, 1, 8, 4, 2, 1, 1, 8};
  return t <= dtype::index ? sizes[static_cast<int>(t)] : t == dtype::string ? 8 : 1;
}
constexpr bool is_narrow(dtype t) { return t > dtype::index && t != dtype::string; }
/// Bits an element takes in a packed file.
constexpr int bits_of(dtype t) {
  if (t < dtype::f4e2m1 || t == dtype::string || is_own(t)) return size_of(t) * 8;
  return t >= dtype::i2 ? 2 : 4;
}
constexpr bool is_narrow_float(dtype t) { return (t >= dtype::f8e4m3fn && t <= dtype::f4e2m1) || is_own(t); }
constexpr bool is_float(dtype t) { return t <= dtype::bf16 || is_narrow_float(t); }
constexpr bool is_signed_int(dtype t) {
  return (t >= dtype::i64 && t <= dtype::i8) || t == dtype::index || t == dtype::i4 || t == dtype::i2;
}
constexpr bool is_unsigned_int(dtype t) {
  return (t >= dtype::u64 && t <= dtype::u8) || t == dtype::u4 || t == dtype::u2;
}
constexpr bool is_int(dtype t) { return is_signed_int(t) || is_unsigned_int(t); }

/// The type in which arithmetic on elements of `t` is done: f32 for floats of up to 16 bits, a byte for i4, u4, i2, u2.
constexpr dtype compute_type(dtype t) {
  if (t == dtype::f16 || t == dtype::bf16 || is_narrow_float(t)) return dtype::f32;
  return is_narrow(t) ? is_signed_int(t) ? dtype::i8 : dtype::u8 : t;
}

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

/// What tells a narrow float from the others (f8e8m0, which has no mantissa and no sign, aside). Codes without the sign
/// run from 0 to `max`; what is too large becomes `overflow`.
struct narrow_format {
  int mantissa, bias, sign_at;
  u8 max, overflow, nan;
  bool one_zero;  ///< the code of -0 is the only NaN

  constexpr bool has_nan() const { return nan > max; }  ///< else it saturates, and a NaN becomes the largest number
  constexpr bool has_infinity() const { return overflow > max && nan > overflow; }
  friend constexpr bool operator==(const narrow_format&, const narrow_format&) = default;
};
narrow_format format_of_own(dtype t);
constexpr narrow_format narrow_format_of(dtype t) {
  switch (t) {
    case dtype::f8e4m3fn: return {3, 7, 7, 0x7e, 0x7f, 0x7f, false};
    case dtype::f8e4m3fnuz: return {3, 8, 7, 0x7f, 0x80, 0x80, true};
    case dtype::f8e5m2: return {2, 15, 7, 0x7b, 0x7c, 0x7e, false};
    case dtype::f8e5m2fnuz: return {2, 16, 7, 0x7f, 0x80, 0x80, true};
    case dtype::f4e2m1: return {1, 1, 3, 7, 7, 7, false};  // saturates, and a NaN becomes 6
    default: return format_of_own(t);
  }
}

/// A float's code, rounded to nearest even; what is too large becomes infinity or NaN, whichever the type has, else its
/// largest number (6 in f4e2m1), as NaN does then. Powers of two (f8e8m0) round halves up; what is below 2^-127 is NaN
/// there.
constexpr u8 f32_to_narrow_bits(float f, dtype t) {
  const u32 x = std::bit_cast<u32>(f), a = x & 0x7fffffffu;
  if (t == dtype::f8e8m0) {
    if (x < 0x400000u || x >= 0x7f400000u) return 0xff;
    return static_cast<u8>(x < 0x600000u ? 0 : (x + 0x400000u) >> 23);
  }
  const narrow_format n = narrow_format_of(t);
  const u32 sign = n.one_zero ? (x >> 31) << 7 : (x >> 31) << n.sign_at;
  if (a > 0x7f800000u) return n.one_zero || !n.has_nan() ? n.nan : static_cast<u8>(n.nan | sign);
  u32 code;
  if (a < static_cast<u32>(128 - n.bias) << 23) {  // subnormal: the addition rounds to the smallest step
    const float shift = std::bit_cast<float>(static_cast<u32>(151 - n.bias - n.mantissa) << 23);
    code = std::bit_cast<u32>(std::bit_cast<float>(a) + shift) - std::bit_cast<u32>(shift);
  } else {
    const int drop = 23 - n.mantissa;
    code =
        ((a + ((1u << (drop - 1)) - 1) + ((a >> drop) & 1)) >> drop) - (static_cast<u32>(127 - n.bias) << n.mantissa);
  }
  if (code > n.max) return n.one_zero ? n.overflow : static_cast<u8>(n.overflow | sign);
  return static_cast<u8>(n.one_zero && code == 0 ? 0 : code | sign);
}

constexpr float narrow_bits_to_f32(u8 bits, dtype t) {
  constexpr u32 nan = 0x7fc00000u;
  if (t == dtype::f8e8m0)
    return std::bit_cast<float>(bits == 0xff ? nan : bits == 0 ? 0x400000u : static_cast<u32>(bits) << 23);
  const narrow_format n = narrow_format_of(t);
  const u32 sign = static_cast<u32>(bits >> n.sign_at & 1) << 31, code = bits & ((1u << n.sign_at) - 1);
  if (n.one_zero && bits == 0x80) return std::bit_cast<float>(nan);
  if (code > n.max) return std::bit_cast<float>(sign | (n.has_infinity() && code == n.overflow ? 0x7f800000u : nan));
  const float scale = std::bit_cast<float>(static_cast<u32>(254 - n.bias) << 23);
  const float value = std::bit_cast<float>(code << (23 - n.mantissa)) * scale;
  return std::bit_cast<float>(std::bit_cast<u32>(value) | sign);
}

template <dtype Type>
struct narrow_float {
  u8 bits = 0;
  constexpr narrow_float() = default;
  constexpr explicit narrow_float(float f) : bits(f32_to_narrow_bits(f, Type)) {}
  constexpr operator float() const { return narrow_bits_to_f32(bits, Type); }
};
/// An integer of 2 or 4 bits in a byte. Values wrap.
template <dtype Type>
struct narrow_int {
  using byte = std::conditional_t<is_signed_int(Type), i8, u8>;
  byte value = 0;
  constexpr narrow_int() = default;
  constexpr explicit narrow_int(byte v)
      : value(static_cast<byte>(static_cast<byte>(static_cast<u8>(v) << (8 - bits_of(Type))) >> (8 - bits_of(Type)))) {}
  constexpr operator byte() const { return value; }
};

template <class T>
inline constexpr bool is_small_float_v = false;  ///< floats that are computed in float
template <> inline constexpr bool is_small_float_v<half> = true;
template <> inline constexpr bool is_small_float_v<bfloat16> = true;
template <dtype Type> inline constexpr bool is_small_float_v<narrow_float<Type>> = true;
template <class T>
inline constexpr bool is_narrow_int_v = false;
template <dtype Type> inline constexpr bool is_narrow_int_v<narrow_int<Type>> = true;

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
template <dtype Type> inline constexpr dtype dtype_of<narrow_float<Type>> = Type;
template <dtype Type> inline constexpr dtype dtype_of<narrow_int<Type>> = Type;

/// Throws "tensor.dtype": nothing is computed in a narrow type.
[[noreturn]] void throw_narrow(dtype t);

/// Calls `f(T{})` with the C++ type of an element type: `visit(t, [&]<class T>(T) { … })`. `index` and `string`
/// are visited as i64. For code that computes: a narrow type throws "tensor.dtype".
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
    case dtype::index:
    case dtype::string: break;
    default: throw_narrow(t);
  }
  return f(i64{});
}

/// The same for code that stores and converts: with the narrow types.
template <class F>
constexpr decltype(auto) visit_storage(dtype t, F&& f) {
  switch (t) {
    case dtype::f8e4m3fn: return f(narrow_float<dtype::f8e4m3fn>{});
    case dtype::f8e4m3fnuz: return f(narrow_float<dtype::f8e4m3fnuz>{});
    case dtype::f8e5m2: return f(narrow_float<dtype::f8e5m2>{});
    case dtype::f8e5m2fnuz: return f(narrow_float<dtype::f8e5m2fnuz>{});
    case dtype::f8e8m0: return f(narrow_float<dtype::f8e8m0>{});
    case dtype::f4e2m1: return f(narrow_float<dtype::f4e2m1>{});
    case dtype::i4: return f(narrow_int<dtype::i4>{});
    case dtype::u4: return f(narrow_int<dtype::u4>{});
    case dtype::i2: return f(narrow_int<dtype::i2>{});
    case dtype::u2: return f(narrow_int<dtype::u2>{});
    case dtype::own0: return f(narrow_float<dtype::own0>{});
    case dtype::own1: return f(narrow_float<dtype::own1>{});
    case dtype::own2: return f(narrow_float<dtype::own2>{});
    case dtype::own3: return f(narrow_float<dtype::own3>{});
    default: return visit(t, f);
  }
}
/// For code that only moves elements: the type whose elements are the same bytes.
constexpr dtype bytes_of(dtype t) { return is_narrow(t) ? dtype::u8 : t; }

}  // namespace tenon
