/// @file repeated_parts: what passes that are repeated say as one pass.
#pragma once

#include <tenon/compile/repeated.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon::detail {

template <class P, class... Rest>
constexpr auto names_joined() {
  if constexpr (sizeof...(Rest) == 0) return P::name;
  else return P::name + fixed_string("+") + names_joined<Rest...>();
}
/// `repeat(a+b)`: a word of an order that comes as text.
template <class... Ps>
constexpr auto repeated_name() {
  return fixed_string("repeat(") + names_joined<Ps...>() + fixed_string(")");
}

/// The interval, functions and effects of members, where they have such.
template <class Intervals>
struct repeated_interval {};
template <class A, class B>
struct repeated_interval<pass_list<interval<A, B>>> {
  using not_between = interval<A, B>;
};
template <class A>
struct repeated_interval<pass_list<interval<A, no_end>>> {
  using not_after = A;
};
template <class B>
struct repeated_interval<pass_list<interval<no_begin, B>>> {
  using not_before = B;
};
template <class Phases>
struct repeated_functions {};
template <class Phase>
struct repeated_functions<phase_list<Phase>> {
  using makes_functions_in = Phase;
};
template <class P>
constexpr auto functions_of() {
  if constexpr (requires { typename P::makes_functions_in; })
    return meta::detail::box<phase_list<typename P::makes_functions_in>>{};
  else return meta::detail::box<phase_list<>>{};
}
template <class... Ps>
struct treated_by_all {
  /// What each member that touches ops with effects treats.
  template <class E>
  static constexpr bool by_all =
      ((!pass_desc_of<Ps>.more().touches_effects ||
        (pass_desc_of<Ps>.more().treated.contains(meta::type_key<E>) && bar_of<Ps, E>().effect.length == 0)) &&
       ...);
  template <class... Es>
  static auto treated(meta::detail::box<effects<Es...>>) -> meta::filter_t<effects<Es...>, by_all<Es>...>;
  using said = decltype(treated(
      meta::detail::box<
          meta::unique_t<meta::concat_t<effects<>, typename deletes_of<Ps>::type..., typename merges_of<Ps>::type...,
                                        typename moves_of<Ps>::type..., typename leaves_of<Ps>::type...>>>{}));
  template <class List>
  using of_said = meta::without_t<said, meta::without_t<said, List>>;
};
/// `Changes`: a member deletes, merges or moves ops; else some duplicate or recompute them, or none does anything.
template <bool Touches, bool Changes, class... Ps>
struct repeated_effects {};
template <class... Ps>
struct repeated_effects<true, false, Ps...> {
  using leaves =
      typename treated_by_all<Ps...>::template of_said<meta::concat_t<effects<>, typename leaves_of<Ps>::type...>>;
};
template <class... Ps>
struct repeated_effects<true, true, Ps...> {
  template <class List>
  using of_said = typename treated_by_all<Ps...>::template of_said<List>;
  using deletes = of_said<meta::concat_t<effects<>, typename deletes_of<Ps>::type...>>;
  using merges = of_said<meta::concat_t<effects<>, typename merges_of<Ps>::type...>>;
  using moves = of_said<meta::concat_t<effects<>, typename moves_of<Ps>::type...>>;
  using leaves = of_said<meta::concat_t<effects<>, typename leaves_of<Ps>::type...>>;
};
/// What members duplicate and recompute: together whatever one of them does, but for what all of them leave.
template <class Union, bool Says>
struct repeated_duplicates {};
template <class Union>
struct repeated_duplicates<Union, true> {
  using duplicates = Union;
};
template <class Union, bool Says>
struct repeated_recomputes {};
template <class Union>
struct repeated_recomputes<Union, true> {
  using recomputes = Union;
};
template <class... Lists>
constexpr auto effects_together() {
  if constexpr ((__is_same(Lists, any_effects) || ...)) return meta::detail::box<any_effects>{};
  else return meta::detail::box<meta::unique_t<meta::concat_t<effects<>, Lists...>>>{};
}
template <class... Lists>
using effects_together_t = typename decltype(effects_together<Lists...>())::type;

/// What members say of regions. Of ops that are never put into some: what they list, or, where all are meant, emit.
template <class P>
constexpr auto outside_of() {
  if constexpr (requires { typename P::emits_outside; }) {
    if constexpr (!meta::same<typename P::emits_outside, any_ops>)
      return meta::detail::box<typename P::emits_outside>{};
    else if constexpr (!pass_desc_of<P>.emits_any()) return meta::detail::box<typename P::emits>{};
    else return meta::detail::box<ops<>>{};
  } else {
    return meta::detail::box<ops<>>{};
  }
}
template <class List>
struct repeated_outside {
  using emits_outside = List;
};
template <>
struct repeated_outside<ops<>> {};
template <class P>
constexpr auto enclosed_by() {
  if constexpr (requires { typename P::encloses; }) {
    if constexpr (!meta::same<typename P::encloses, any_ops>) return meta::detail::box<typename P::encloses>{};
    else return meta::detail::box<ops<>>{};
  } else {
    return meta::detail::box<ops<>>{};
  }
}
/// Ops that a member changes where they stand.
template <class P>
constexpr auto changed_by() {
  if constexpr (requires { typename P::changes; }) return meta::detail::box<typename P::changes>{};
  else return meta::detail::box<ops<>>{};
}
template <class... Lists>
constexpr auto changed_together() {
  if constexpr ((__is_same(Lists, any_ops) || ...)) return meta::detail::box<any_ops>{};
  else return meta::detail::box<meta::unique_t<meta::concat_t<ops<>, Lists...>>>{};
}
template <class List>
struct repeated_changes {
  using changes = List;
};
template <>
struct repeated_changes<ops<>> {};
template <bool Said, class... Ps>
struct repeated_encloses {};
template <class... Ps>
struct repeated_encloses<true, Ps...> {
  using encloses = meta::unique_t<meta::concat_t<ops<>, typename decltype(enclosed_by<Ps>())::type...>>;
};

template <bool Rest, class Walk, class... Ps>
struct repeated_keeps;
template <class P>
using kept_list = typename said<requires { typename P::keeps; }>::template keeps<P>;
template <class P>
using broken_list = typename said<requires { typename P::breaks; }>::template breaks<P>;
/// The facts of a list; none of what is no list.
template <class List>
struct facts_in {
  using type = facts<>;
};
template <class... Fs>
struct facts_in<facts<Fs...>> {
  using type = facts<Fs...>;
};

/// What members say, as one.
template <class... Ps>
struct repeated_said {
  static constexpr const pass_desc* members[] = {&pass_desc_of<Ps>..., nullptr};
  static constexpr round_walk walk{members, sizeof...(Ps)};

  template <class... Fs>
  static auto needed(meta::detail::box<facts<Fs...>>)
      -> meta::filter_t<facts<Fs...>, walk.is_needed(&fact_desc_of<Fs>)...>;
  template <class... Fs>
  static auto given(meta::detail::box<facts<Fs...>>)
      -> meta::filter_t<facts<Fs...>, walk.is_given(&fact_desc_of<Fs>)...>;
  template <class... Fs>
  static auto kept(meta::detail::box<facts<Fs...>>)
      -> meta::filter_t<facts<Fs...>, (!fact_desc_of<Fs>.op_set_fact && walk.is_kept(&fact_desc_of<Fs>))...>;
  template <class... Op>
  static auto emitted(meta::detail::box<ops<Op...>>)
      -> meta::filter_t<ops<Op...>, walk.is_emitted(meta::type_key<Op>)...>;
  template <class... Op>
  static auto eliminated(meta::detail::box<ops<Op...>>)
      -> meta::filter_t<ops<Op...>, walk.is_eliminated(meta::type_key<Op>)...>;
  template <class... Op>
  static auto put_outside(meta::detail::box<ops<Op...>>)
      -> meta::filter_t<ops<Op...>, walk.is_outside(meta::type_key<Op>)...>;
  template <class P>
  static auto emits_of() {
    if constexpr (walk.emits_any()) return meta::detail::box<ops<>>{};
    else return meta::detail::box<typename said<requires { typename P::emits; }>::template emits<P>>{};
  }
  template <class P>
  static auto works_on_of() {
    if constexpr (walk.works_on_others(pass_desc_of<P>)) return meta::detail::box<typename P::works_on>{};
    else return meta::detail::box<ops<>>{};
  }
  template <class P>
  static auto device_needs_of() {
    if constexpr (requires { typename P::needs_of_device; }) return meta::detail::box<typename P::needs_of_device>{};
    else return meta::detail::box<capabilities<>>{};
  }
  template <class P>
  static auto runtime_needs_of() {
    if constexpr (requires { typename P::needs_of_runtime; }) return meta::detail::box<typename P::needs_of_runtime>{};
    else return meta::detail::box<capabilities<>>{};
  }
  template <class List, class... Lists>
  using all = meta::detail::box<meta::unique_t<meta::concat_t<List, Lists...>>>;
  using outside = typename meta::nth_t<
      walk.emits_any() && walk.puts_all_outside(),
      pass_list<meta::detail::box<decltype(put_outside(all<ops<>, typename decltype(outside_of<Ps>())::type...>{}))>,
                meta::detail::box<any_ops>>>::type;
};
template <class... Ps>
struct repeated_keeps<true, repeated_said<Ps...>, Ps...> {
  using breaks = meta::unique_t<meta::concat_t<facts<>, typename facts_in<broken_list<Ps>>::type...>>;
};
template <class... Ps>
struct repeated_keeps<false, repeated_said<Ps...>, Ps...> {
  using keeps = decltype(repeated_said<Ps...>::kept(
      typename repeated_said<Ps...>::template all<facts<>, typename facts_in<kept_list<Ps>>::type...>{}));
};

template <class... Ps>
struct repeated_parts
    : repeated_keeps<repeated_said<Ps...>::walk.keeps_rest(), repeated_said<Ps...>, Ps...>,
      repeated_interval<intervals_of<Ps...>>,
      repeated_functions<meta::unique_t<meta::concat_t<phase_list<>, typename decltype(functions_of<Ps>())::type...>>>,
      repeated_outside<typename repeated_said<Ps...>::outside>,
      repeated_encloses<repeated_said<Ps...>::walk.says_encloses(), Ps...>,
      repeated_changes<typename decltype(changed_together<typename decltype(changed_by<Ps>())::type...>())::type>,
      repeated_duplicates<effects_together_t<duplicates_of_t<Ps>...>, (duplicates_ops<Ps> || ...)>,
      repeated_recomputes<effects_together_t<recomputes_of_t<Ps>...>, (recomputes_ops<Ps> || ...)>,
      repeated_effects<(pass_desc_of<Ps>.more().touches_effects || ...),
                       ((pass_desc_of<Ps>.more().touches_effects && !pass_desc_of<Ps>.more().copies) || ...), Ps...> {
  using all = repeated_said<Ps...>;
  using needs = decltype(all::needed(typename all::template all<facts<>, typename Ps::needs...>{}));
  using gives = decltype(all::given(typename all::template all<facts<>, gives_of_t<Ps>...>{}));
  using emits =
      typename meta::nth_t<all::walk.emits_any(),
                           pass_list<decltype([] {
                                       return meta::detail::box<decltype(all::emitted(
                                           typename all::template all<
                                               ops<>, typename decltype(all::template emits_of<Ps>())::type...>{}))>{};
                                     }()),
                                     meta::detail::box<any_ops>>>::type;
  using eliminates = decltype(all::eliminated(typename all::template all<ops<>, eliminates_of_t<Ps>...>{}));
  using handles = handled_by_default<"by the passes that are repeated">;
  using works_on = meta::unique_t<meta::concat_t<ops<>, typename decltype(all::template works_on_of<Ps>())::type...>>;
  static constexpr bool may_find_nothing = meta::size_v<works_on> == 0;
  using needs_of_device =
      meta::unique_t<meta::concat_t<capabilities<>, typename decltype(all::template device_needs_of<Ps>())::type...>>;
  using needs_of_runtime =
      meta::unique_t<meta::concat_t<capabilities<>, typename decltype(all::template runtime_needs_of<Ps>())::type...>>;
  static constexpr bool adds_functions = (pass_desc_of<Ps>.more().adds_functions || ...);
  static constexpr bool removes_functions = (pass_desc_of<Ps>.more().removes_functions || ...);
  static constexpr bool changes_functions = (pass_desc_of<Ps>.more().changes_functions || ...);
  static constexpr int version = [] {
    unsigned v = 0;
    for (const pass_desc* const* at = all::members; *at; ++at)
      v = v * 31 + static_cast<unsigned>((*at)->more().version);
    return static_cast<int>(v & 0x7fffffff);
  }();
};

}  // namespace tenon::detail

namespace tenon {
/// What its members treat besides what they say, and what they answer for.
template <class... Ps, class Effect>
inline constexpr bool detail::answers_for<repeat<Ps...>, Effect> =
    ((!pass_desc_of<Ps>.more().touches_effects || detail::answers_for<Ps, Effect>) && ...);
template <class... Ps, class Effect>
inline constexpr bool treats<repeat<Ps...>, Effect> =
    ((!pass_desc_of<Ps>.more().touches_effects || treats<Ps, Effect> ||
      (pass_desc_of<Ps>.more().treated.contains(meta::type_key<Effect>) &&
       detail::bar_of<Ps, Effect>().effect.length == 0)) &&
     ...);
}  // namespace tenon
