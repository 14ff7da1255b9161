/// @file agreeing_types: can two types be what is known of one?
#pragma once

#include <tenon/ir/type.hpp>

namespace tenon::ir::detail {

/// Could a value of type `b` stand where type `a` is said? Unknown and symbolic extents agree with every extent.
inline bool agree(const type& a, const type& b) {
  if (a.kind != b.kind) return false;
  if (a.kind != type_kind::tensor && a.kind != type_kind::buffer)
    return a.kind != type_kind::scalar || a.elem == b.elem;
  if (a.elem != b.elem || a.space != b.space) return false;
  if (!a.ranked || !b.ranked) return true;
  if (a.shape.size() != b.shape.size()) return false;
  for (size_t d = 0; d < a.shape.size(); ++d)
    if (a.shape[d].is_static() && b.shape[d].is_static() && a.shape[d] != b.shape[d]) return false;
  return true;
}

}  // namespace tenon::ir::detail
