/// @file aliasing: ops whose results share the memory of an operand, and passes that know some of them.
///
///     struct row_of {                                   // an op: its result is a part of what its first operand is
///       using aliases = operands<0>;
///     };
///     struct place_buffers {                            // a pass
///       using looks_through = ops<op::view_buffer>;
///     };
///
/// `op_traits.view` says the same of an op whose result is all of its first operand. A pass that goes by which memory a
/// value is (how long it is used, whether two are one, what a write changes) says which of such ops it follows:
/// `looks_through = ops<...>`, or any_ops if it asks each op (`ir::op_info::aliases`), as built-in passes do. Rule:
/// while an op may be present that shares memory, and which the pass neither looks through nor eliminates, it may not
/// run. Of an op of a user's that is only declared nobody knows: it is taken to share none.
#pragma once

#include <tenon/judge/duplication.hpp>

namespace tenon {

template <class... Passes>
struct repeat;

namespace detail {
/// Of ops of this library it is the same whatever header is included.
template <class Op>
constexpr bool shares_memory() {
  if constexpr (meta::is_built_in<Op>()) return declared_alias<Op>;
  else if constexpr (requires { sizeof(Op); }) return operands_aliased<Op>() != 0;
  else return false;
}

template <class P, class Op>
constexpr bool eliminates_op() {
  if constexpr (requires { typename P::eliminates; }) return meta::contains_v<Op, typename P::eliminates>;
  else return false;
}

/// Does `P` follow some aliases, and not all?
template <class P>
inline constexpr bool looks_through_some = requires {
  typename P::looks_through;
  requires is_ops<typename P::looks_through>;
};
template <class... Ps>
inline constexpr bool looks_through_some<repeat<Ps...>> = (looks_through_some<Ps> || ...);
template <class P, class Op>
constexpr bool looks_through_op() {
  if constexpr (!looks_through_some<P>) return true;
  else return meta::contains_v<Op, typename P::looks_through> || eliminates_op<P, Op>() || treats<P, Op>;
}
/// Why `P` may not find an op; without a name: it may.
template <class P, class Op>
struct alias_bar {
  static constexpr effect_bar value = looks_through_op<P, Op>() || !shares_memory<Op>()
                                          ? effect_bar{}
                                          : effect_bar{{"memory", 6}, bar_kind::shares_memory};
};
template <class... Ps, class Op>
struct alias_bar<repeat<Ps...>, Op> {
  static constexpr effect_bar value = (looks_through_op<Ps, Op>() && ...) || !shares_memory<Op>()
                                          ? effect_bar{}
                                          : effect_bar{{"memory", 6}, bar_kind::shares_memory};
};
}  // namespace detail
}  // namespace tenon
