/// @file same_storage: can two types be seen in the same bytes? What views and kernels' arguments are asked.
#pragma once

#include <tenon/ir/dims.hpp>

namespace tenon::ir {

/// False where they have different numbers of bytes for all extents that symbols stand for. Throws "extent.overflow".
inline bool may_share_storage(const module& m, const type& a, const type& b) {
  if (a.is_static() && b.is_static()) return a.bytes() == b.bytes();
  if (!is_known(a) || !is_known(b)) return true;
  const extent_expr more = count_of(m, a) * size_of(a.elem) - count_of(m, b) * size_of(b.elem);
  return !(more - 1).never_negative() && !(extent_expr(-1) - more).never_negative();
}

}  // namespace tenon::ir
