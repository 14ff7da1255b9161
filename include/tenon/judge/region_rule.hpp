/// @file region_rule: what the regions of an op may hold, as the op says it.
///
///     struct warp_specialize {
///       using region_forbids = ops<cluster_barrier>;             // or effects<…>: ops with one of these
///     };
///     struct parallel_for {
///       using region_allows = ops<load, store, yield>;           // or effects<…>: ops with no others
///     };
///
/// And, beside either or alone, what belongs to each run of its region: `using region_keeps = effects<…>`, or
/// `any_effects` (barred.hpp).
///
/// A pass that may emit an op while there may be one whose region does not allow it says `emits_outside = ops<…>`
/// if it never puts it there; one that makes such an op, what its regions take in: `encloses = ops<…>`. What ends a
/// region is always allowed. Of an op that is only declared nobody knows the effects: they are taken to be right.
/// Regions within regions count too. `ir::verify` holds modules to it.
#pragma once

#include <tenon/judge/effect.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon {

/// An op whose region is not for every op, and which of some it is not for.
struct region_rule {
  label name;
  u64 op = 0;
  op_set forbidden;
};
struct region_rules {
  const region_rule* data = nullptr;
  size_t size = 0;
  constexpr const region_rule* begin() const { return data; }
  constexpr const region_rule* end() const { return data + size; }
};

/// The same, to ask of any op at run time.
struct region_limit {
  op_set ops{};
  unsigned effects = 0;  ///< as bits
  unsigned keeps = 0;    ///< effects, as bits, of ops that belong to each run of the region; ~0: all ops do
  bool said = false, by_effects = false, allows = false;
};

namespace detail {
/// Softly: has any op of a list such a rule? What is no list has none.
template <class List>
inline constexpr bool any_limits_region = kinds_in<List>.limiting;
/// Does `Op` say what each run of its regions has for itself?
template <class Op>
inline constexpr bool keeps_inside_region =
    kind_of_op<Op> == op_kind::limiting && requires { typename Op::region_keeps; };
template <bool Yes, class List>
using ops_if = typename meta::nth_t<Yes, ops<meta::detail::box<ops<>>, meta::detail::box<List>>>::type;

template <class Op>
constexpr bool ends_region() {
  if constexpr (requires { Op::traits.terminator; }) return Op::traits.terminator;
  else return false;
}
template <class Op>
concept defined_op = requires { sizeof(Op); };
template <class List, class... Es>
constexpr bool any_in(meta::detail::box<effects<Es...>>) {
  return (meets_any_of<Es, List> || ...);
}
template <class List, class... Es>
constexpr bool any_beside(meta::detail::box<effects<Es...>>) {
  return (!speaks_of<Es, List> || ...);
}
/// Has `Op` an effect of `List`, or, of those that are not in it, one? Of one that is only declared: no.
template <class Op, class List, bool InList>
constexpr bool has_effect() {
  if constexpr (!defined_op<Op>) return false;
  else if constexpr (InList) return any_in<List>(meta::detail::box<effects_of_t<Op>>{});
  else return any_beside<List>(meta::detail::box<effects_of_t<Op>>{});
}
/// May `Op` not stand in a region of `R`?
template <class R, class Op>
constexpr bool kept_out() {
  if constexpr (ends_region<Op>()) return false;
  if constexpr (requires { typename R::region_forbids; }) {
    using list = typename R::region_forbids;
    if constexpr (is_effects<list>) return has_effect<Op, list, true>();
    else return meta::contains_v<Op, list>;
  } else {
    using list = typename R::region_allows;
    if constexpr (is_effects<list>) return has_effect<Op, list, false>();
    else return !meta::contains_v<Op, list>;
  }
}

template <class Limiting, class Universe>
struct rules_among {
  static constexpr region_rules value{};
};
template <class First, class... R, class... Op>
struct rules_among<ops<First, R...>, ops<Op...>> {
  template <class L>
  static constexpr region_rule one{meta::unqualified_name<L>(), meta::type_key<L>,
                                   op_set_of<meta::filter_t<ops<Op...>, kept_out<L, Op>()...>>};
  static constexpr region_rule data[] = {one<First>, one<R>...};
  static constexpr region_rules value{data, 1 + sizeof...(R)};
};
template <class Op>
inline constexpr bool limits_what_stands =
    kind_of_op<Op> == op_kind::limiting &&
    (requires { typename Op::region_allows; } || requires { typename Op::region_forbids; });
template <class... Op>
auto limiting(meta::detail::box<ops<Op...>>) -> meta::filter_t<ops<Op...>, limits_what_stands<Op>...>;
template <class Other>
auto limiting(Other) -> ops<>;
/// The rules of those of `Asked` that have some, about the ops of `Universe`.
template <class Asked, class Universe>
inline constexpr region_rules region_rules_of =
    rules_among<decltype(limiting(meta::detail::box<Asked>{})), Universe>::value;

template <class Op>
constexpr region_limit limit_of() {
  region_limit l;
  const auto take = [&]<class List>(meta::detail::box<List>) {
    l.said = true;
    if constexpr (is_effects<List>) l.by_effects = true, l.effects = bits_of_effects<List>;
    else l.ops = op_set_of<List>;
  };
  if constexpr (requires { typename Op::region_forbids; }) take(meta::detail::box<typename Op::region_forbids>{});
  else if constexpr (requires { typename Op::region_allows; })
    l.allows = true, take(meta::detail::box<typename Op::region_allows>{});
  if constexpr (requires { typename Op::region_keeps; }) l.keeps = bits_of_effects<typename Op::region_keeps>;
  return l;
}
}  // namespace detail
}  // namespace tenon
