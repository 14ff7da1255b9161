/// @file phase: a stage of compilation as a type, with the ops that may exist in it.
///
///     struct lowering {
///       static constexpr fixed_string name = "lowering";
///       using op_list = ops<op::call_dps, loop::for_loop>;
///       using op_effects = effects<effect::reads, effect::writes>;   // optional: those that its ops may have
///       static constexpr bool open = true;                           // optional: ops that users add may stay in it
///       using side_of = optimization;                                // optional: a detour from that phase, and back
///       using calls_into = phase_list<build>;                        // optional, and the next: functions ahead of
///       using early_ops = ops<loop::for_loop>;                       // their module, see judge/calls.hpp
///       using begins_with = facts<fact::…>;                          // optional: what holds of a module that begins
///                                                                    // here, by checkers, where it goes to a pipeline
///     };
#pragma once

#include <tenon/fact.hpp>
#include <tenon/judge/calls.hpp>
#include <tenon/judge/duplication.hpp>
#include <tenon/judge/effect.hpp>
#include <tenon/judge/op_set.hpp>
#include <tenon/judge/region_rule.hpp>

namespace tenon {
namespace ir { class module; }

template <class T>
concept phase_type = requires {
  label(T::name);
  typename T::op_list;
};

/// The passes that lead to a phase, for repairs: specialize it beside the pass.
template <class Phase>
struct ways_into {};

/// `Phase` with more ops. Passes for `Phase` run in it, and treat these ops by their declared effects only.
template <class Phase, class... Op>
struct extend : Phase {
  using base = Phase;
  using added_ops = ops<Op...>;
  using op_list = typename Phase::op_list::template with<Op...>;
};

template <class P, class... Op, class Callee>
inline constexpr bool callable_across<extend<P, Op...>, Callee> = callable_across<P, Callee>;
template <class Caller, class P, class... Op>
inline constexpr bool callable_across<Caller, extend<P, Op...>> = callable_across<Caller, P>;
template <class P, class... Op, class Q, class... More>
inline constexpr bool callable_across<extend<P, Op...>, extend<Q, More...>> = callable_across<P, Q>;

struct effect_desc {
  label name;
  u64 key = 0;
};
template <class E>
inline constexpr effect_desc effect_desc_of{detail::effect_name<E>(), meta::type_key<E>};

struct effect_list {
  const effect_desc* const* data = nullptr;
  size_t size = 0;

  constexpr const effect_desc* const* begin() const { return data; }
  constexpr const effect_desc* const* end() const { return data + size; }
  constexpr bool contains(u64 key) const {
    for (size_t i = 0; i < size; ++i)
      if (data[i]->key == key) return true;
    return false;
  }
};

namespace detail {
template <class List>
struct effect_storage {
  static constexpr const effect_desc* items[] = {nullptr};
};
template <class... Es>
struct effect_storage<effects<Es...>> {
  static constexpr const effect_desc* items[] = {&effect_desc_of<Es>..., nullptr};
};

template <class P>
struct phase_parts {
  using root = P;
  using added = ops<>;
};
template <class P, class... Op>
struct phase_parts<extend<P, Op...>> {
  using root = typename phase_parts<P>::root;
  using added = meta::concat_t<typename phase_parts<P>::added, ops<Op...>>;
};
template <class P>
constexpr auto phase_effects() {
  if constexpr (requires { typename P::op_effects; }) return meta::detail::box<typename P::op_effects>{};
  else return meta::detail::box<effects<>>{};
}
template <class P>
struct begins_of {
  static constexpr auto pick() {
    if constexpr (requires { typename P::begins_with; }) return meta::detail::box<typename P::begins_with>{};
    else return meta::detail::box<facts<>>{};
  }
  using type = typename decltype(pick())::type;
};
template <class F>
inline constexpr bool is_provable =
    is_op_set_fact<F> || checks_functions<F> || requires(const ir::module& m) { F::check(m); };
template <class F>
inline constexpr bool is_provable<of_some<F>> = checks_functions<F>;
/// Is each of them a fact that a checker proves?
template <class List>
inline constexpr bool all_provable = false;
template <class... Fs>
inline constexpr bool all_provable<facts<Fs...>> = ((!fact_desc_of<Fs>.flawed() && is_provable<Fs>) && ...);

/// Members of a phase that have not the form they should have.
template <class P>
constexpr misnomer phase_form() {
  if constexpr (requires { &P::verify; } && !requires(const ir::module& m) { P::verify(m); })
    return {{"verify", 6}, {"static void verify(const ir::module&)", 37}};
  else if constexpr ((
                         requires { P::open; } || requires { typename P::open; }) &&
                     !requires {
                       *&P::open;
                       typename as_constant<bool(P::open)>;
                     })
    return {{"open", 4}, {"static constexpr bool open = true", 33}};
  else if constexpr (is_no_list(op_set_of<typename P::op_list>))
    return {{"op_list", 7}, {"using op_list = ops<...>", 24}};
  else if constexpr (!is_effects<typename decltype(phase_effects<P>())::type>)
    return {{"op_effects", 10}, {"using op_effects = effects<...>", 31}};
  else if constexpr (is_no_list(op_set_of<early_ops_t<P>>))
    return {{"early_ops", 9}, {"using early_ops = ops<...>", 26}};
  else if constexpr (requires { sizeof(typename P::side_of); } && !requires { typename P::side_of::op_list; })
    return {{"side_of", 7}, {"using side_of = a_phase", 23}};
  else if constexpr (requires { requires !is_phases<typename P::calls_into>; })
    return {{"calls_into", 10}, {"using calls_into = phase_list<...>", 34}};
  else if constexpr (!all_provable<typename begins_of<P>::type>)
    return {{"begins_with", 11}, {"using begins_with = facts<...>' of facts with a 'check", 54}};
  else return {};
}
/// Members that a phase may have, said nearly.
template <class P>
constexpr misnomer phase_misnomer() {
  if constexpr (constexpr misnomer miss = near::misnomer_of<P, near::phase>(); miss.said.length != 0) return miss;
  else if constexpr (constexpr misnomer odd = near::value_for_type<P>(near::phase{}); odd.said.length != 0) return odd;
  else return phase_form<P>();
}
/// The first op of a phase that says of its effects what means nothing (`op_check`), and what; empty: none.
template <class... Op>
constexpr label odd_op_among(meta::detail::box<ops<Op...>>) {
  if constexpr (!kinds_in<ops<Op...>>.odd) {
    return {};
  } else {
    const label said[] = {odd_text<Op>()..., {}};
    size_t i = 0;
    while (said[i].length == 0) ++i;
    return said[i];
  }
}
template <class Other>
constexpr label odd_op_among(Other) {
  return {};
}
template <class P>
constexpr label odd_op_of_phase() {
  if constexpr (meta::is_built_in<P>()) return {};
  else return odd_op_among(meta::detail::box<typename P::op_list>{});
}
template <class P, class Phrase>
consteval Phrase& name_of_phase(Phrase& s) {
  if constexpr (phase_type<P>) return s.quoted(P::name);
  else return s.quoted(meta::unqualified_name<P>());
}
/// What `T` is, that stands where a phase is meant.
template <class T>
consteval meta::phrase say_no_phase() {
  meta::later_t<meta::phrase, T> s;
  (s << "tenon-E034: ").quoted(meta::unqualified_name<T>()) << " is ";
  if constexpr (
      requires { typename T::runs_in; } ||
      requires {
        typename T::from;
        typename T::to;
      })
    s << "a pass";
  else if constexpr (requires { typename T::passes; }) s << "a pipeline";
  else if constexpr (requires { typename T::absent_ops; } || is_provable<T>) s << "a fact";
  else if constexpr (!__is_class(T) && !__is_union(T)) s << "no struct";
  else if constexpr (!requires { sizeof(T); }) s << "only declared here";
  else if constexpr (!has_readable_name<T>) s << "without a static 'name' that can be read";
  else s << "without an 'op_list'";
  return s << ", and stands where a phase is meant";
}
/// Is `T` a phase, where a module says the one that it is in?
template <class T>
struct phase_check {
  static constexpr bool ok = phase_type<T> && has_readable_name<T>;
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, T> s = say_no_phase<T>();
    if constexpr (requires { typename T::runs_in; })
      return name_of_phase<typename T::runs_in>(s << ": name the phase that it runs in, ");
    else if constexpr (requires {
                         typename T::from;
                         typename T::to;
                       })
      return name_of_phase<typename T::to>(name_of_phase<typename T::from>(s << ": name the phase that it leaves, ")
                                           << ", or leads to, ");
    else return s;
  }
};
/// Ops of a phase whose regions are not for every op. (Of this library's ops it is `dataflow`, to which the verifier
/// holds modules: docs/decisions/064-dataflow.md.)
template <class P>
constexpr region_rules phase_regions() {
  using root = typename phase_parts<P>::root;
  using added = typename phase_parts<P>::added;
  if constexpr (meta::same<added, ops<>>) {
    if constexpr (meta::is_built_in<root>() || !any_limits_region<typename root::op_list>) return {};
    else return region_rules_of<typename root::op_list, typename root::op_list>;
  } else {
    using all = meta::concat_t<ops<>, typename root::op_list, added>;
    return region_rules_of<meta::concat_t<ops<>, ops_if<!meta::is_built_in<root>(), typename root::op_list>, added>,
                           all>;
  }
}
template <class P>
constexpr u64 phase_home() {
  if constexpr (requires { typename P::side_of; }) return meta::type_key<typename P::side_of>;
  else return 0;
}
template <class P>
constexpr bool phase_open() {
  if constexpr (requires {
                  *&P::open;
                  typename as_constant<bool(P::open)>;
                })
    return P::open;
  else return false;
}
}  // namespace detail

/// The phase that an extension extends; itself if it is none.
template <class P>
using root_phase_t = typename detail::phase_parts<P>::root;
template <class P>
using added_ops_t = typename detail::phase_parts<P>::added;
/// What holds of a module that begins in a phase.
template <class P>
using begins_of_t = typename detail::begins_of<root_phase_t<P>>::type;

template <class List>
inline constexpr effect_list effect_list_of{detail::effect_storage<List>::items,
                                            detail::is_effects<List> ? meta::size_v<List> : 0};

/// A phase as the judge sees it: its root, and apart from it the ops that an extension adds.
struct phase_desc {
  label name;
  u64 key = 0;
  op_set ops, added;
  effect_list effects;
  bool open = false;
  u64 side_of = 0;      ///< the key of the phase that this one is a detour from; 0: a link of the chain
  op_set early;         ///< what functions may hold that are there before their module
  bool flawed = false;  ///< it has a misnomer, or an op that does nothing
  fact_list begins{};   ///< what holds of a module that begins here
  region_rules regions{};

  /// Going there does not leave this phase for good.
  constexpr bool detours_to(const phase_desc& next) const { return next.side_of == key || side_of == next.key; }
};

template <class P>
inline constexpr phase_desc phase_desc_of{
    root_phase_t<P>::name,
    meta::type_key<root_phase_t<P>>,
    op_set_of<typename root_phase_t<P>::op_list>,
    op_set_of<added_ops_t<P>>,
    effect_list_of<typename decltype(detail::phase_effects<root_phase_t<P>>())::type>,
    detail::phase_open<root_phase_t<P>>(),
    detail::phase_home<root_phase_t<P>>(),
    op_set_of<early_ops_t<root_phase_t<P>>>,
    detail::phase_misnomer<root_phase_t<P>>().said.length != 0 ||
        detail::odd_op_of_phase<root_phase_t<P>>().length != 0,
    {detail::fact_items<typename detail::begins_of<root_phase_t<P>>::type>},
    detail::phase_regions<P>()};

}  // namespace tenon
