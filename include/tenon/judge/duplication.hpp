/// @file duplication: passes that leave several ops where one was, or run one more often, and which ops bear that.
///
///     struct unroll {
///       using duplicates = any_effects;              // copies of whatever is there: inlining, unrolling, versions
///     };
///     struct rematerialize {
///       using recomputes = effects<>;                // runs ops without effects again, and leaves the others
///       using leaves = effects<effect::random>;
///     };
///     struct collective {                            // an effect of yours
///       static constexpr fixed_string name = "collective";
///       static constexpr bool duplicable = false;    // so it is, too, where nothing is said
///     };
///
/// Two things are asked apart. Of an op that is duplicated each copy runs for some of the times that the one ran:
/// nothing happens twice, but there are several of it, which a barrier or a channel between devices does not bear. An
/// op that is recomputed runs again: nothing that has an effect bears that, unless the effect says so. Rule: while an
/// op may be present that does not bear what a pass does, the pass may not run; so it runs in front of whoever emits
/// such ops, or behind whoever eliminates them, or says that it `leaves` them.
#pragma once

#include <tenon/judge/effect.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon {

/// What a pass does to an op that this does not bear.
enum class bar_kind : unsigned char { stands_twice, runs_again, shares_memory, taken_out, any_taken_out };
constexpr bool is_taken_out(bar_kind k) { return k >= bar_kind::taken_out; }
/// The code of its error.
constexpr int code_of(bar_kind k) { return is_taken_out(k) ? 45 : k == bar_kind::shares_memory ? 46 : 43; }
/// Why a pass may not find an op: an effect of it, or, of what is taken out, of the ops that its regions keep.
struct effect_bar {
  label effect;
  bar_kind kind = bar_kind::stands_twice;
};

/// The effects of an op where it is only declared, for ops of this library; those that have none are not listed.
template <class Op>
struct declared_effects {};
/// The same of those whose results share memory of an operand (aliasing.hpp).
template <class Op>
inline constexpr bool declared_alias = false;

namespace detail {
template <class E>
constexpr bool is_duplicable() {
  if constexpr (requires { static_cast<bool>(E::duplicable); }) return E::duplicable;
  else return false;
}
template <class E>
constexpr bool is_recomputable() {
  if constexpr (requires { static_cast<bool>(E::recomputable); }) return E::recomputable;
  else return false;
}
template <class P>
concept duplicates_ops = requires { typename P::duplicates; };
template <class P>
concept recomputes_ops = requires { typename P::recomputes; };
template <class P>
concept copies_ops = duplicates_ops<P> || recomputes_ops<P>;

template <class List>
inline constexpr bool is_effects_or_any = is_effects<List> || __is_same(List, any_effects);
template <class List>
struct listed_effects {
  using type = effects<>;
};
template <class... Es>
struct listed_effects<effects<Es...>> {
  using type = effects<Es...>;
};
template <class List>
using effects_listed = typename listed_effects<List>::type;
template <class P>
constexpr auto duplicates_of() {
  if constexpr (duplicates_ops<P>) return meta::detail::box<typename P::duplicates>{};
  else return meta::detail::box<effects<>>{};
}
template <class P>
constexpr auto recomputes_of() {
  if constexpr (recomputes_ops<P>) return meta::detail::box<typename P::recomputes>{};
  else return meta::detail::box<effects<>>{};
}
template <class P>
using duplicates_of_t = typename decltype(duplicates_of<P>())::type;
template <class P>
using recomputes_of_t = typename decltype(recomputes_of<P>())::type;
/// Both, as one list.
template <class P>
constexpr auto copied_by() {
  using first = duplicates_of_t<P>;
  using second = recomputes_of_t<P>;
  if constexpr (__is_same(first, any_effects) || __is_same(second, any_effects))
    return meta::detail::box<any_effects>{};
  else return meta::detail::box<meta::unique_t<meta::concat_t<first, second>>>{};
}
template <class P>
constexpr bool copies_any() {
  return __is_same(duplicates_of_t<P>, any_effects) || __is_same(recomputes_of_t<P>, any_effects);
}

/// Of what a pass copies of one resource, it leaves nothing by leaving the effect of other resources.
template <class P, class E>
constexpr bool leaves_effect() {
  if constexpr (treats<P, E>) return true;
  else if constexpr (!requires { typename P::leaves; }) return false;
  else if constexpr (names_effect<E, duplicates_of_t<P>> || names_effect<E, recomputes_of_t<P>>)
    return names_effect<E, typename P::leaves>;
  else return speaks_of<E, typename P::leaves>;
}
/// Does `P` do to ops of this effect what it does not allow? Without a name: no. Of an effect that names no resource,
/// ops may have that of the one of which `P` says it.
template <class P, class E>
constexpr effect_bar bar_of() {
  constexpr bool again = meets_any_of<E, recomputes_of_t<P>> && !is_recomputable<E>();
  if constexpr ((again || (meets_any_of<E, duplicates_of_t<P>> && !is_duplicable<E>())) && !leaves_effect<P, E>())
    return {effect_name<E>(), again ? bar_kind::runs_again : bar_kind::stands_twice};
  else return {};
}

/// What is known of the effects of an op where it stands in a list.
template <class Op>
constexpr auto known_effects() {
  if constexpr (requires { typename declared_effects<Op>::type; })
    return meta::detail::box<typename declared_effects<Op>::type>{};
  else if constexpr (meta::is_built_in<Op>()) return meta::detail::box<effects<>>{};
  else if constexpr (requires { sizeof(Op); }) return meta::detail::box<effects_of_t<Op>>{};
  else return meta::detail::box<void>{};  // only declared: nobody knows
}
/// The first of the effects that `P` may not meet; without a name: there is none.
template <class P, class... Es>
constexpr effect_bar first_bar(meta::detail::box<effects<Es...>>) {
  const effect_bar bars[] = {bar_of<P, Es>()..., {}};
  size_t i = 0;
  while (i < sizeof...(Es) && bars[i].effect.length == 0) ++i;
  return bars[i];
}
template <class P>
constexpr effect_bar first_bar(meta::detail::box<void>) {
  return {};
}
template <class E, class... Op>
constexpr bool is_carried(meta::detail::box<ops<Op...>>) {
  const auto has = []<class Known>(meta::detail::box<Known>) { return speaks_of<E, Known>; };
  return (has(known_effects<Op>()) || ...);
}
/// Of the effects that a phase says its ops may have, one that `P` may not meet and that none of the ops whose effects
/// are known has: each of the others may have it.
template <class P, class List, class... Es>
constexpr effect_bar bar_of_unknown(meta::detail::box<effects<Es...>>) {
  effect_bar found;
  [[maybe_unused]] const auto one = [&]<class E>(meta::detail::box<E>) {
    if constexpr (constexpr effect_bar bar = bar_of<P, E>(); bar.effect.length != 0)
      if (found.effect.length == 0 && !is_carried<E>(meta::detail::box<List>{})) found = bar;
  };
  (one(meta::detail::box<Es>{}), ...);
  return found;
}
}  // namespace detail
}  // namespace tenon
