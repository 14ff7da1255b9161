/// @file magnitude.ipp: definitions of runtime/magnitude.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include <tenon/runtime/magnitude.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {
namespace detail {

/// Without their signs, IEEE formats are in the order of their bits, NaNs behind infinity.
template <class Bits>
Bits greatest_bits(const char* elements, i64 count) {
  constexpr Bits unsigned_mask = std::numeric_limits<Bits>::max() >> 1;
  constexpr i64 lanes = 64 / sizeof(Bits);
  Bits greatest[lanes] = {}, block[lanes];  // of known length: g++ makes vectors of no others at -O2
  for (; count >= lanes; count -= lanes, elements += sizeof block) {
    std::memcpy(block, elements, sizeof block);
    for (i64 j = 0; j < lanes; ++j) {
      const Bits v = block[j] & unsigned_mask;
      greatest[j] = greatest[j] > v ? greatest[j] : v;
    }
  }
  for (i64 j = 0; j < count; ++j, elements += sizeof(Bits)) {
    std::memcpy(block, elements, sizeof(Bits));
    greatest[0] = std::max<Bits>(greatest[0], block[0] & unsigned_mask);
  }
  return *std::max_element(greatest, greatest + lanes);
}

}  // namespace detail

double greatest_magnitude(dtype type, const void* elements, i64 count) {
  return visit(type, [&]<class T>(T) -> double {
    if constexpr (is_float(dtype_of<T>)) {
      using bits = std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;
      const auto found = detail::greatest_bits<bits>(static_cast<const char*>(elements), count);
      const double v = convert_element<double>(std::bit_cast<T>(found));
      return std::isnan(v) ? std::numeric_limits<double>::infinity() : v;
    } else {
      throw error("tensor.type", "elements of " + std::string(name_of(type)) + " have no magnitude");
    }
  });
}

}  // namespace tenon
