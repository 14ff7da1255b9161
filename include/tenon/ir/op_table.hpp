/// @file op_table: the ops of a phase by name, for reading text and for the verifier.
#pragma once

#include <span>
#include <type_traits>

#include <tenon/op.hpp>
#include <tenon/op_set.hpp>

namespace tenon::ir {

namespace detail {
template <class Op>
struct has_text_form {
  static constexpr bool value = std::is_empty_v<Op> || requires(Op& op, attribute_visitor& v) { op.visit_attributes(v); };
};
template <class Ops>
using forms_exist = tenon::detail::coverage<"the printer", "list the members of each in TENON_ATTRIBUTES", text_form, Ops, has_text_form>;

template <class... Ops>
std::span<const op_info* const> op_infos(meta::detail::box<ops<Ops...>>) {
  static constexpr const op_info* infos[] = {&info_of<Ops>..., nullptr};
  return {infos, sizeof...(Ops)};
}
}  // namespace detail

/// The ops of a typelist, all complete. Text, files and equality know an op by its attributes: one with members that
/// `TENON_ATTRIBUTES` does not list would lose them, and is told.
template <class Ops>
  requires meta::accepted<meta::told_t<detail::forms_exist<Ops>>>
std::span<const op_info* const> op_table_of() {
  return detail::op_infos(meta::detail::box<Ops>{});
}

}  // namespace tenon::ir
