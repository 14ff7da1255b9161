/// @file op_table: the ops of a phase by name, for reading text and for the verifier.
#pragma once

#include <span>

#include <tenon/op.hpp>
#include <tenon/op_set.hpp>

namespace tenon::ir {

namespace detail {
template <class... Ops>
std::span<const op_info* const> op_infos(meta::detail::box<ops<Ops...>>) {
  static constexpr const op_info* infos[] = {&info_of<Ops>..., nullptr};
  return {infos, sizeof...(Ops)};
}
}  // namespace detail

/// The ops of a typelist, all complete.
template <class Ops>
std::span<const op_info* const> op_table_of() {
  return detail::op_infos(meta::detail::box<Ops>{});
}

}  // namespace tenon::ir
