/// @file lowering_table.ipp: the table over `graph_ops`.
#pragma once

#include <tenon/ops.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/lowerings.hpp>
#include <tenon/passes/lowering_table.hpp>

namespace tenon {
namespace detail {

template <class Op>
constexpr lowering_entry lowering_of() {
  lowering_entry e{&ir::info_of<Op>, nullptr, nullptr};
  if constexpr (requires(const Op& op, element_context& cx, const index_list& at) { element(op, cx, at); })
    e.element = [](const void* op, element_context& cx, const index_list& at) {
      return element(*static_cast<const Op*>(op), cx, at);
    };
  if constexpr (requires(const Op& op, lower_context& cx) { lower(op, cx); })
    e.lower = [](const void* op, lower_context& cx) { lower(*static_cast<const Op*>(op), cx); };
  return e;
}

template <class List>
struct lowering_list;
template <class... Ops>
struct lowering_list<ops<Ops...>> {
  static constexpr lowering_entry entries[] = {lowering_of<Ops>()...};
};

}  // namespace detail

TENON_INLINE const lowering_entry* find_lowering(const ir::op_info& info) {
  for (const lowering_entry& e : detail::lowering_list<graph_ops>::entries)
    if (e.info == &info) return &e;
  return nullptr;
}

}  // namespace tenon
