/// @file random_tensor.ipp: definitions of runtime/random_tensor.hpp.
#pragma once

#include <tenon/runtime/random_tensor.hpp>

namespace tenon {

tensor random_tensor(dtype type, std::vector<i64> shape, u64 seed) {
  tensor t(type, std::move(shape));
  u64 state = seed * 0x9e3779b97f4a7c15u + 1;
  auto next = [&state] {  // splitmix64
    u64 z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  for (i64 i = 0; i < t.size(); ++i) {
    if (is_float(type)) t.set_f64(i, static_cast<double>(next() >> 40) / (1 << 23) - 1);
    else t.set_i64(i, static_cast<i64>(next() % (type == dtype::boolean ? 2 : 8)));
  }
  return t;
}

}  // namespace tenon
