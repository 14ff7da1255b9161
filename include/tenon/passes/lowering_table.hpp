/// @file lowering_table: finds the loop-level meaning of a graph op at run time.
///
/// Every op of `graph_ops` has `element` or `lower`, or says why not with `no_native_form`; a missing one is named in a
/// compile error where the table is made.
#pragma once

#include <tenon/lower.hpp>

namespace tenon {

struct lowering_entry {
  const ir::op_info* info = nullptr;
  value_id (*element)(const void* op, element_context& cx, const index_list& at) = nullptr;
  void (*lower)(const void* op, lower_context& cx) = nullptr;
};

/// Says why an op of the graph level has no loop nests; specialize it beside the op.
template <class Op>
inline constexpr std::string_view no_native_form{};

TENON_INLINE const lowering_entry* find_lowering(const ir::op_info& info);
inline bool has_element(const ir::op_info& info) {
  const lowering_entry* e = find_lowering(info);
  return e != nullptr && e->element != nullptr;
}
inline bool has_lower(const ir::op_info& info) {
  const lowering_entry* e = find_lowering(info);
  return e != nullptr && e->lower != nullptr;
}

}  // namespace tenon

#if TENON_HEADER_ONLY
#  include <tenon/passes/lowering_table.ipp>
#endif
