/// @file draw: random numbers that are the same on every machine for the same seed (the distributions of the standard
/// library are not), and what element types are called in the table of operators.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>

namespace random_onnx {

using tenon::dtype;
using tenon::i64;
using tenon::u64;
using dims = std::vector<i64>;

class draw {
 public:
  explicit draw(u64 seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  /// splitmix64.
  u64 next() {
    u64 z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [low, high].
  i64 in(i64 low, i64 high) { return low + static_cast<i64>(next() % static_cast<u64>(high - low + 1)); }
  size_t below(size_t n) { return static_cast<size_t>(next() % n); }
  bool chance(int percent) { return in(0, 99) < percent; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  template <class List>
  auto of(const List& list) {
    return list[below(list.size())];
  }
  template <class T>
  T of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

 private:
  u64 state_;
};

/// Letters of element types: f d h b are floats of 32, 64 and 16 bits and bfloat16; l i s c and L I S C integers of 64,
/// 32, 16 and 8 bits, with and without a sign; o is bool.
inline constexpr std::string_view type_letters =
    "fdhblisc"
    "LISCo";
inline dtype type_of_letter(char c) {
  constexpr dtype types[] = {dtype::f32, dtype::f64, dtype::f16, dtype::bf16, dtype::i64, dtype::i32,    dtype::i16,
                             dtype::i8,  dtype::u64, dtype::u32, dtype::u16,  dtype::u8,  dtype::boolean};
  const size_t at = type_letters.find(c);
  if (at == std::string_view::npos)
    throw tenon::error("random_onnx.table", std::string("no element type is called '") + c + "'");
  return types[at];
}
/// "fd 13:b": f32 and f64 in every version of the operator set, bfloat16 too since 13.
inline std::vector<dtype> types_in(std::string_view text, i64 opset) {
  std::vector<dtype> types;
  i64 since = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == ' ') {
      since = 0;
    } else if (text[k] >= '0' && text[k] <= '9') {
      since = since * 10 + (text[k] - '0');
    } else if (text[k] != ':' && since <= opset) {
      types.push_back(type_of_letter(text[k]));
    }
  }
  return types;
}

}  // namespace random_onnx
