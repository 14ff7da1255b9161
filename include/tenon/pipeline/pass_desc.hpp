/// @file pass_desc: a pass as data, made from what its struct says: what the judge and text pipelines work on.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/phase.hpp>

namespace tenon {

template <class Phase, class... Facts>
class ir_module;
class context;

/// A list of passes that is not judged: what a pipeline is made of.
template <class... Passes>
struct pass_list {};

/// `not_between = window<A, B>`: the pass may not run after A when B is still to come. A and B may be only declared.
template <class A, class B>
struct window {};

/// How a pass that eliminates ops handles one that it does not list; specialize it beside your op, to `true`, or with
/// whatever the pass calls (the pass says what). The judge asks only whether it is there.
template <class Pass, class Op>
struct lower_with {
  static constexpr bool missing = true;
};

template <class Pass, class Op>
inline constexpr bool has_lowering = !requires { lower_with<Pass, Op>::missing; };

/// What few passes say.
struct rare_parts {
  bool at_most_once = false;
  u64 window_begin = 0, window_end = 0, after = 0;  ///< keys of passes; 0: not said
  label window_begin_name, window_end_name, after_name;
  label window_begin_type, window_end_type;  ///< qualified
  bool touches_effects = false;
  effect_list treated;         ///< by its declaration; `treats` is asked apart
  const phase_desc* makes = nullptr;  ///< the phase of functions that it leaves ahead of the module, if any
  int version = 1;
  label flag;                  ///< of an optional pass: it is there when the flag is `flag_on`
  u64 flag_key = 0;
  bool flag_on = true;
};
inline constexpr rare_parts nothing_rare{};

/// A pass as the judge sees it.
struct pass_desc {
  label name, type_name;
  const phase_desc* from = nullptr;
  const phase_desc* to = nullptr;
  fact_list needs, gives, breaks, keeps;
  bool says_keeps = false, says_breaks = false;  ///< neither: nothing survives
  bool emits_any = false;      ///< any op of the phase it leaves the module in
  op_set emits, eliminates;
  const rare_parts* rare = nullptr;

  constexpr const rare_parts& more() const { return rare ? *rare : nothing_rare; }
  constexpr u64 key() const { return meta::hash_of(type_name); }
  constexpr bool is_transition() const { return from != to; }
  constexpr bool keeps_fact(const fact_desc* fact) const { return says_breaks ? !breaks.contains(fact) : keeps.contains(fact); }
};

namespace detail {
/// Names that few passes have, and near misses of those that passes have. A type that derives from a pass and from this
/// one finds each of them without ambiguity exactly if the pass has none: one question instead of thirty.
struct unusual_members {
  using from = void;
  using to = void;
  using eliminates = void;
  using handles = void;
  using deletes = void;
  using merges = void;
  using moves = void;
  using leaves = void;
  using not_between = void;
  using immediately_after = void;
  using makes_functions_in = void;
  static constexpr int at_most_once = 0, version = 0;
  using need = void;
  using require = void;
  using requires_ = void;
  using give = void;
  using provides = void;
  using emit = void;
  using eliminate = void;
  using keep = void;
  using preserves = void;
  using break_ = void;
  using invalidates = void;
  using run_in = void;
  using runs_on = void;
  using delete_ = void;
  using merge = void;
  using option = void;
};
template <class P>
struct usual_probe : P, unusual_members {};

/// A sound form that stays in a phase, and says nothing but name, needs, gives, keeps or breaks, and emits.
template <class P>
concept plain_pass = __is_class(P) && requires { sizeof(P); } && !__is_final(P) && requires {
  typename usual_probe<P>::from;
  typename usual_probe<P>::to;
  typename usual_probe<P>::eliminates;
  typename usual_probe<P>::handles;
  typename usual_probe<P>::deletes;
  typename usual_probe<P>::merges;
  typename usual_probe<P>::moves;
  typename usual_probe<P>::leaves;
  typename usual_probe<P>::not_between;
  typename usual_probe<P>::immediately_after;
  typename usual_probe<P>::makes_functions_in;
  usual_probe<P>::at_most_once;
  usual_probe<P>::version;
  typename usual_probe<P>::need;
  typename usual_probe<P>::require;
  typename usual_probe<P>::requires_;
  typename usual_probe<P>::give;
  typename usual_probe<P>::provides;
  typename usual_probe<P>::emit;
  typename usual_probe<P>::eliminate;
  typename usual_probe<P>::keep;
  typename usual_probe<P>::preserves;
  typename usual_probe<P>::break_;
  typename usual_probe<P>::invalidates;
  typename usual_probe<P>::run_in;
  typename usual_probe<P>::runs_on;
  typename usual_probe<P>::delete_;
  typename usual_probe<P>::merge;
  typename usual_probe<P>::option;
  P::name.characters;
  typename P::needs;
  requires phase_type<typename P::runs_in>;
};

template <class>
using exists = void;
template <class P, class = void>
struct gives_of : meta::detail::box<facts<>> {};
template <class P>
struct gives_of<P, exists<typename P::gives>> : meta::detail::box<typename P::gives> {};
template <class P, class = void>
struct eliminates_of : meta::detail::box<ops<>> {};
template <class P>
struct eliminates_of<P, exists<typename P::eliminates>> : meta::detail::box<typename P::eliminates> {};
template <class P, class = void>
struct deletes_of : meta::detail::box<effects<>> {};
template <class P>
struct deletes_of<P, exists<typename P::deletes>> : meta::detail::box<typename P::deletes> {};
template <class P, class = void>
struct merges_of : meta::detail::box<effects<>> {};
template <class P>
struct merges_of<P, exists<typename P::merges>> : meta::detail::box<typename P::merges> {};
template <class P, class = void>
struct moves_of : meta::detail::box<effects<>> {};
template <class P>
struct moves_of<P, exists<typename P::moves>> : meta::detail::box<typename P::moves> {};
template <class P, class = void>
struct leaves_of : meta::detail::box<effects<>> {};
template <class P>
struct leaves_of<P, exists<typename P::leaves>> : meta::detail::box<typename P::leaves> {};

template <class P, bool Plain>
struct pass_phases {
  using from = typename P::runs_in;
  using to = from;
};
template <class P>
struct pass_phases<P, false> {
  static constexpr auto pick() {
    if constexpr (requires { typename P::runs_in; }) return meta::detail::box<pass_phases<P, true>>{};
    else return meta::detail::box<P>{};
  }
  using parts = typename decltype(pick())::type;
  using from = typename parts::from;
  using to = typename parts::to;
};
template <class P>
inline constexpr bool stays = plain_pass<P> || requires { typename P::runs_in; };
template <class P>
inline constexpr bool moves_on = !plain_pass<P> && (requires { typename P::from; } || requires { typename P::to; });
}  // namespace detail

template <class P>
using phase_before_t = typename detail::pass_phases<P, detail::plain_pass<P>>::from;
template <class P>
using phase_after_t = typename detail::pass_phases<P, detail::plain_pass<P>>::to;
template <class P>
using gives_of_t = typename detail::gives_of<P>::type;
template <class P>
using eliminates_of_t = typename detail::eliminates_of<P>::type;

namespace detail {
template <class A, class B>
constexpr void describe_window(rare_parts& d, meta::detail::box<window<A, B>>) {
  d.window_begin = meta::type_key<A>, d.window_begin_name = meta::unqualified_name<A>(), d.window_begin_type = meta::qualified_name<A>();
  d.window_end = meta::type_key<B>, d.window_end_name = meta::unqualified_name<B>(), d.window_end_type = meta::qualified_name<B>();
}

template <class P>
constexpr rare_parts describe_rare() {
  rare_parts d;
  if constexpr (requires { P::at_most_once; }) d.at_most_once = P::at_most_once;
  if constexpr (requires { typename P::makes_functions_in; }) d.makes = &phase_desc_of<typename P::makes_functions_in>;
  if constexpr (requires { P::version; }) d.version = P::version;
  if constexpr (requires { typename P::not_between; }) describe_window(d, meta::detail::box<typename P::not_between>{});
  if constexpr (requires { typename P::immediately_after; }) {
    d.after = meta::type_key<typename P::immediately_after>;
    d.after_name = meta::unqualified_name<typename P::immediately_after>();
  }
  if constexpr (requires { typename P::deletes; } || requires { typename P::merges; } || requires { typename P::moves; }) {
    d.touches_effects = true;
    d.treated = effect_list_of<meta::concat_t<typename deletes_of<P>::type, typename merges_of<P>::type,
                                              typename moves_of<P>::type, typename leaves_of<P>::type>>;
  }
  return d;
}
template <class P>
inline constexpr rare_parts rare_parts_of = describe_rare<P>();
}  // namespace detail

// Written out twice: a function would be paid for once a pass.
template <class P>
inline constexpr pass_desc pass_desc_of{
    as_label(P::name),
    meta::undecorated(meta::decorated_name<P>()),
    &phase_desc_of<phase_before_t<P>>,
    &phase_desc_of<phase_after_t<P>>,
    fact_list_of<typename P::needs>,
    fact_list_of<typename detail::said<requires { typename P::gives; }>::template gives<P>>,
    fact_list_of<typename detail::said<requires { typename P::breaks; }>::template breaks<P>>,
    fact_list_of<typename detail::said<requires { typename P::keeps; }>::template keeps<P>>,
    requires { typename P::keeps; },
    requires { typename P::breaks; },
    !requires { typename P::emits; },
    op_set_of<typename detail::said<requires { typename P::emits; }>::template emits<P>>,
    op_set_of<eliminates_of_t<P>>,
    &detail::rare_parts_of<P>};
template <detail::plain_pass P>
inline constexpr pass_desc pass_desc_of<P>{
    as_label(P::name),
    meta::undecorated(meta::decorated_name<P>()),
    &phase_desc_of<typename P::runs_in>,
    &phase_desc_of<typename P::runs_in>,
    fact_list_of<typename P::needs>,
    fact_list_of<typename detail::said<requires { typename P::gives; }>::template gives<P>>,
    fact_list_of<typename detail::said<requires { typename P::breaks; }>::template breaks<P>>,
    fact_list_of<typename detail::said<requires { typename P::keeps; }>::template keeps<P>>,
    requires { typename P::keeps; },
    requires { typename P::breaks; },
    !requires { typename P::emits; },
    op_set_of<typename detail::said<requires { typename P::emits; }>::template emits<P>>,
    {},
    nullptr};

}  // namespace tenon
