/// @file products_together: how many products of a contraction processors add up at once.
#pragma once

#include <tenon/ops/loop/loop.hpp>

namespace tenon::loop {

/// Of u8 by i8 four (`contract::is_dot4`). Of i16 by i8 or i16 two, where the last of k is 2 and else they stand as
/// those four do: processors that do not multiply bytes multiply words, and add up pairs. Else one.
inline i64 products_together(const contract& c, dtype a, dtype b) {
  if (c.is_dot4(a, b)) return 4;
  if (a != dtype::i16 || (b != dtype::i8 && b != dtype::i16) || c.k.empty() || c.k.back() != 2) return 1;
  contract bytes = c;
  bytes.k.back() = 4;
  return bytes.is_dot4(dtype::u8, dtype::i8) ? 2 : 1;
}

}  // namespace tenon::loop
