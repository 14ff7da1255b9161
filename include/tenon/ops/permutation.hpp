/// @file permutation: orders of dimensions. A permutation p makes result dimension d of source dimension p[d].
#pragma once

#include <algorithm>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon::permutations {

using permutation = std::vector<i64>;

inline bool is_identity(const permutation& p) {
  for (size_t d = 0; d < p.size(); ++d)
    if (p[d] != static_cast<i64>(d)) return false;
  return true;
}
inline permutation inverse(const permutation& p) {
  permutation r(p.size());
  for (size_t d = 0; d < p.size(); ++d) r[static_cast<size_t>(p[d])] = static_cast<i64>(d);
  return r;
}
/// The permutation of transposing by `first`, then by `second`.
inline permutation composed(const permutation& first, const permutation& second) {
  permutation r;
  for (i64 d : second) r.push_back(first[static_cast<size_t>(d)]);
  return r;
}
/// [N, C, s...] to [N, s..., C], and back.
inline permutation channels_to_last(size_t rank) {
  permutation p{0};
  for (size_t d = 2; d < rank; ++d) p.push_back(static_cast<i64>(d));
  p.push_back(1);
  return p;
}
inline permutation channels_to_first(size_t rank) { return inverse(channels_to_last(rank)); }

/// The dimension of the source that an axis of the transposed value is; negative ones count from the end.
inline i64 moved_axis(i64 axis, const permutation& p) {
  return p[static_cast<size_t>(axis < 0 ? axis + static_cast<i64>(p.size()) : axis)];
}
/// The same of several; none stand for the first `count`.
inline std::vector<i64> moved_axes(const std::vector<i64>& axes, size_t count, const permutation& p) {
  std::vector<i64> r;
  if (axes.empty()) r.assign(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(std::min(count, p.size())));
  for (const i64 a : axes) r.push_back(moved_axis(a, p));
  return r;
}

}  // namespace tenon::permutations
