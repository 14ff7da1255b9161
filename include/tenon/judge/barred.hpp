/// @file barred: ops that a pass may not find, since they do not bear what it does: to copies of them
/// (duplication.hpp), to what their regions keep, or since they share memory that it does not follow (aliasing.hpp).
///
///     struct parallel_for {                                // an op
///       using region_keeps = effects<effect::allocates>;   // each iteration has buffers of its own
///     };
///     struct place_buffers {                               // a pass
///       using merges = effects<effect::allocates>;
///       using keeps_inside = merges;                       // … where they stand in one region
///     };
///
/// `region_keeps = any_effects` keeps all that stands in it, ops without effects too, as a region does that will be
/// code of its own: nothing in it may come to be shared with what is outside.
///
/// What is moved, merged with others, or eliminated with nothing of its effect in its place may end up outside of the
/// region where it stood; then there is one of it, where each run of the region had one of its own. Rule: while an op
/// may be present whose regions keep ops of an effect, a pass that may take such out of where they stand may not run;
/// so it runs in front of whoever emits that op, or behind whoever eliminates it, or says that it `keeps_inside` what
/// it moves. Who eliminates the op itself answers for what its regions hold by handling it.
#pragma once

#include <tenon/judge/aliasing.hpp>
#include <tenon/judge/duplication.hpp>
#include <tenon/phase.hpp>

namespace tenon {

/// Ops that a pass may not find, and why not, by their places in the set.
struct barred_ops {
  op_set ops;
  const effect_bar* why = nullptr;
};

namespace detail {
template <class List>
inline constexpr bool any_keeps = false;
template <class... Op>
constexpr bool any_keeps_among() {
  if constexpr (any_limits_region<ops<Op...>>) return (keeps_inside_region<Op> || ...);
  else return false;
}
template <class... Op>
inline constexpr bool any_keeps<ops<Op...>> = any_keeps_among<Op...>();
/// No op of this library says it.
template <class Phase>
constexpr bool any_keeps_in() {
  if constexpr (any_keeps<added_ops_t<Phase>>) return true;
  else if constexpr (meta::is_built_in<root_phase_t<Phase>>()) return false;
  else return any_keeps<typename root_phase_t<Phase>::op_list>;
}

/// The effects of sound ops whose effects are known.
template <class Op>
constexpr auto sure_effects() {
  if constexpr (kind_of_op<Op> == op_kind::odd) return meta::detail::box<effects<>>{};
  else if constexpr (__is_same(typename decltype(known_effects<Op>())::type, void))
    return meta::detail::box<effects<>>{};
  else return known_effects<Op>();
}
template <class... Op>
auto effects_among(meta::detail::box<ops<Op...>>)
    -> meta::unique_t<meta::concat_t<effects<>, typename decltype(sure_effects<Op>())::type...>>;
template <class Other>
auto effects_among(Other) -> effects<>;

/// Effects of ops that `P` eliminates, and of which it leaves none.
template <class P>
constexpr auto effects_lost() {
  if constexpr (requires {
                  typename P::eliminates;
                  requires is_ops<typename P::emits>;
                }) {
    using gone = decltype(effects_among(meta::detail::box<typename P::eliminates>{}));
    return meta::detail::box<meta::without_t<gone, decltype(effects_among(meta::detail::box<typename P::emits>{}))>>{};
  } else {
    return meta::detail::box<effects<>>{};
  }
}
template <class P>
constexpr auto effects_moved() {
  if constexpr (requires { typename P::moves; }) return meta::detail::box<effects_listed<typename P::moves>>{};
  else return meta::detail::box<effects<>>{};
}
template <class P>
constexpr auto effects_merged() {
  if constexpr (requires { typename P::merges; }) return meta::detail::box<effects_listed<typename P::merges>>{};
  else return meta::detail::box<effects<>>{};
}
template <class P, class E>
constexpr bool says_it_stays() {
  if constexpr (treats<P, E>) return true;
  else if constexpr (requires { typename P::keeps_inside; }) return speaks_of<E, typename P::keeps_inside>;
  else return false;
}
/// Does `P` move or merge ops, with effects or without, and not say that they stay where they stand?
template <class P>
inline constexpr bool takes_any_out =
    (requires { typename P::moves; } || requires { typename P::merges; }) && !requires { typename P::keeps_inside; } && !treats<P, any_effects>;
template <class... Ps>
inline constexpr bool takes_any_out<repeat<Ps...>> = (takes_any_out<Ps> || ...);
/// The effects of ops that `P` may take out of the region where they stand.
template <class P>
struct taken_out {
  template <class... Es>
  static auto among(meta::detail::box<effects<Es...>>) -> meta::filter_t<effects<Es...>, !says_it_stays<P, Es>()...>;
  using type = decltype(among(
      meta::detail::box<meta::unique_t<
          meta::concat_t<typename decltype(effects_moved<P>())::type, typename decltype(effects_merged<P>())::type,
                         typename decltype(effects_lost<P>())::type>>>{}));
};

template <class... Ps>
struct taken_out<repeat<Ps...>> {
  using type = meta::unique_t<meta::concat_t<effects<>, typename taken_out<Ps>::type...>>;
};

template <class Taken>
inline constexpr effect_bar any_of_taken{};
template <class E, class... Es>
inline constexpr effect_bar any_of_taken<effects<E, Es...>>{effect_name<E>(), bar_kind::taken_out};
/// Of what the regions of `Op` keep, what a pass may take out; without a name: nothing.
template <class Taken, class... Es>
constexpr effect_bar first_taken(meta::detail::box<effects<Es...>>) {
  const bool taken[] = {meets_any_of<Es, Taken>..., true};
  const effect_bar bars[] = {{effect_name<Es>(), bar_kind::taken_out}..., {}};
  size_t i = 0;
  while (!taken[i]) ++i;
  return bars[i];
}
template <class P, class Op>
struct region_bar {
  static constexpr effect_bar value = [] {
    if constexpr (!keeps_inside_region<Op> || eliminates_op<P, Op>()) return effect_bar{};
    else if constexpr (!__is_same(typename Op::region_keeps, any_effects))
      return first_taken<typename taken_out<P>::type>(meta::detail::box<typename Op::region_keeps>{});
    else if constexpr (takes_any_out<P>) return effect_bar{{"any", 3}, bar_kind::any_taken_out};
    else return any_of_taken<typename taken_out<P>::type>;
  }();
};
template <class... Ps, class Op>
struct region_bar<repeat<Ps...>, Op> {
  static constexpr effect_bar value = [] {
    const effect_bar bars[] = {region_bar<Ps, Op>::value..., {}};
    size_t i = 0;
    while (i < sizeof...(Ps) && bars[i].effect.length == 0) ++i;
    return bars[i];
  }();
};

/// Is there an effect of which `P` says that it copies ops of it, which that does not allow, or that of any resource?
template <class P, class... Es>
constexpr bool may_meet_bars(meta::detail::box<effects<Es...>>) {
  return ((bar_of<P, Es>().effect.length != 0 || bar_of<P, general_effect_t<Es>>().effect.length != 0) || ...);
}
template <class P>
constexpr bool may_meet_bars() {
  if constexpr (!copies_ops<P>) return false;
  else if constexpr (copies_any<P>()) return true;
  else return may_meet_bars<P>(copied_by<P>());
}
/// The ops of a list that `P` may not find. `Keeps`: some keep what is in their regions.
template <class P, class List, class PhaseEffects, bool Keeps>
struct barred_among;
template <class P, class... Op, class PhaseEffects, bool Keeps>
struct barred_among<P, ops<Op...>, PhaseEffects, Keeps> {
  template <class O>
  static constexpr effect_bar bar = [] {
    effect_bar why;
    if constexpr (may_meet_bars<P>()) {
      if constexpr (__is_same(decltype(known_effects<O>()), meta::detail::box<void>))
        why = bar_of_unknown<P, ops<Op...>>(meta::detail::box<PhaseEffects>{});
      else why = first_bar<P>(known_effects<O>());
    }
    if constexpr (Keeps)
      if (why.effect.length == 0) why = region_bar<P, O>::value;
    if constexpr (looks_through_some<P>)
      if (why.effect.length == 0) why = alias_bar<P, O>::value;
    return why;
  }();
  using list = meta::filter_t<ops<Op...>, (bar<Op>.effect.length != 0)...>;
  template <class... Barred>
  static constexpr auto in_order(meta::detail::box<ops<Barred...>>) {
    struct {
      effect_bar items[sizeof...(Barred) + 1]{};
    } r;
    constexpr op_set set = op_set_of<ops<Barred...>>;
    [[maybe_unused]] const auto one = [&](u64 key, const effect_bar& why) {
      for (size_t i = 0; i < set.size; ++i)
        if (set.data[i].key == key) r.items[i] = why;
    };
    (one(meta::type_key<Barred>, bar<Barred>), ...);
    return r;
  }
  static constexpr auto why = in_order(meta::detail::box<list>{});
  static constexpr barred_ops value{op_set_of<list>, why.items};
};
template <class P, bool Keeps>
constexpr bool may_be_barred() {
  if constexpr (may_meet_bars<P>() || looks_through_some<P>) return true;
  else if constexpr (Keeps) return takes_any_out<P> || meta::size_v<typename taken_out<P>::type> != 0;
  else return false;
}
/// Asks of ops only those that may do to them what they do not bear.
template <class P, class List, class PhaseEffects, bool Keeps>
constexpr const barred_ops* barred_of() {
  if constexpr (!may_be_barred<P, Keeps>()) return nullptr;
  else if constexpr (constexpr const barred_ops& found = barred_among<P, List, PhaseEffects, Keeps>::value;
                     found.ops.size != 0)
    return &found;
  else return nullptr;
}
/// Of ops that a pipeline or phase adds.
template <class P, class Added>
constexpr const barred_ops* barred_in() {
  return barred_of<P, Added, effects<>, any_keeps<Added>>();
}
/// Of the ops of its phase.
template <class P, class Phase>
constexpr const barred_ops* barred_in_phase() {
  return barred_of<P, typename Phase::op_list, typename decltype(phase_effects<root_phase_t<Phase>>())::type,
                   any_keeps_in<Phase>()>();
}
/// Of ops that a pipeline adds, those that each pass may not find.
template <class Added, class... Passes>
struct barred_array {
  static constexpr const barred_ops* data[] = {barred_in<Passes, Added>()..., nullptr};
};
template <class... Passes>
struct barred_array<ops<>, Passes...> {
  static constexpr const barred_ops* const* data = nullptr;
};
}  // namespace detail
}  // namespace tenon
