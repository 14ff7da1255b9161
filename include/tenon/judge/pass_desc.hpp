/// @file pass_desc: a pass as data, made from what its struct says: what the judge and text pipelines work on.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/judge/rare_parts.hpp>
#include <tenon/judge/usual_pass.hpp>
#include <tenon/judge/worked_on.hpp>

namespace tenon {

template <class Phase, class... Facts>
class ir_module;
class context;

/// A list of passes that is not judged: what a pipeline is made of.
template <class... Passes>
struct pass_list {};

/// Passes that run again and again until nothing changes, as one: compile/repeat.hpp.
template <class... Passes>
struct repeat;
namespace detail {
template <class P>
inline constexpr bool is_repeat = false;
template <class... Ps>
inline constexpr bool is_repeat<repeat<Ps...>> = true;
}  // namespace detail

/// How a pass that eliminates ops handles one that it does not list; specialize it beside your op, to `true`, or with
/// whatever the pass calls (the pass says what). The judge asks only whether it is there.
template <class Pass, class Op>
struct lower_with {
  static constexpr bool missing = true;
};

template <class Pass, class Op>
inline constexpr bool has_lowering = !requires { lower_with<Pass, Op>::missing; };

/// A pass as the judge sees it.
struct pass_desc {
  label name;
  const pass_tag* type;
  const phase_desc* from;
  const phase_desc* to;
  const fact_desc *const *needed, *const *given, *const *broken,
                                                     *const *kept;  ///< where `needs()` and the others begin
  const op_set &emits, &eliminates;  // references: sets that are copied into it make it half as expensive again
  const rare_parts* rare;

  constexpr const rare_parts& more() const { return rare ? *rare : nothing_rare; }
  /// Is it this pass, or one that repeats it?
  constexpr bool is(const pass_tag* pass) const {
    if (type == pass) return true;
    for (const pass_tag* const* at = more().repeats; at && *at; ++at)
      if (*at == pass) return true;
    return false;
  }
  /// Is this the pass that it ends with?
  constexpr bool ends_with(const pass_tag* pass) const {
    const pass_tag* const* at = more().repeats;
    if (!at) return type == pass;
    while (at[1]) ++at;
    return *at == pass || type == pass;
  }
  constexpr bool is_transition() const { return from != to; }
  constexpr fact_list needs() const { return {needed}; }
  constexpr fact_list gives() const { return {given}; }
  constexpr fact_list breaks() const { return {broken}; }
  constexpr fact_list keeps() const { return {kept}; }
  constexpr bool says_keeps() const { return kept != detail::fact_items<detail::unsaid>; }
  constexpr bool says_breaks() const {
    return broken != detail::fact_items<detail::unsaid>;
  }  ///< neither: nothing survives
  /// The facts that it says it breaks, else those that it says it keeps, with a null behind them; none if it says all.
  constexpr const fact_desc* const* changed() const {
    const fact_desc* const* const said = says_breaks() ? broken : kept;
    return said == detail::fact_items<all_facts> ? no_facts : said;
  }
  constexpr bool emits_any() const { return emits.data == nullptr; }  ///< any op of the phase it leaves the module in
  /// Who speaks of a fact of all functions speaks of it where it holds of some; who breaks it of some, of all.
  constexpr bool says_it_keeps(const fact_desc* fact) const {
    const fact_list said = says_breaks() ? breaks() : keeps();
    const bool named = said.contains(fact) || (fact->whole && said.contains(fact->whole));
    if (!says_breaks()) return named;
    for (const fact_desc* f : said)
      if (f->whole == fact) return false;
    return !named;
  }
  constexpr bool gives_fact(const fact_desc* fact) const {
    return gives().contains(fact) || (fact->whole && gives().contains(fact->whole));
  }
  /// It says so, and nothing else that it does ends the fact.
  constexpr bool keeps_fact(const fact_desc* fact) const;
};

namespace detail {
/// What of a pass ends a fact that it does not say it breaks.
enum class fact_end : u8 {
  none,
  base,
  emission,
  any_emission,
  elimination,
  in_place,
  change,
  copy,
  added,
  removed,
  renewed,
};
struct ending {
  fact_end how = fact_end::none;
  label what;  ///< the fact that it rests on, or the first op
};

constexpr bool has_any(const op_set& bound) { return bound.data == nullptr; }
/// Is it about functions, alone or together with ops?
constexpr bool names_functions(const op_set* bound) {
  return bound && (bound->data == all_functions || bound->contains(meta::type_key<any_functions>));
}
/// Who is about all ops that there are is about those of all functions.
constexpr bool is_of_functions(const op_set* bound) { return bound && (has_any(*bound) || names_functions(bound)); }
/// The op of both sets whose name comes first; null: they have none in common. (Keys differ between compilers.)
constexpr const op_key* first_common(const op_set& bound, const op_set& set) {
  label names[4]{};
  size_t shown = 0, total = 0;
  const op_key* first = nullptr;
  for (const op_key& op : set)
    if (has_any(bound) || bound.contains(op.key)) {
      add_sorted(names, shown, total, op.name());
      if (names[0].first == op.name().first) first = &op;
    }
  return first;
}
constexpr ending emission_of(const pass_desc& p, const op_set& bound) {
  if (const op_key* const op = first_common(bound, p.emits_any() ? p.to->ops : p.emits))
    return {p.emits_any() ? fact_end::any_emission : fact_end::emission, op->name()};
  if (p.is_transition())  // functions that are there before their module
    if (const op_key* const op = first_common(bound, p.to->early)) return {fact_end::emission, op->name()};
  return {};
}
constexpr ending change_of(const pass_desc& p, const op_set& bound) {
  const op_set* const changed = p.more().changes;
  const op_key* const op = changed ? first_common(bound, has_any(*changed) ? p.from->ops : *changed) : nullptr;
  return op ? ending{fact_end::in_place, op->name()} : ending{};
}
constexpr ending end_of(const pass_desc& p, const fact_desc& f) {
  const fact_bounds& b = *f.bounds;
  for (const fact_desc* const* at = b.rests_on; at && *at; ++at) {
    const fact_desc& base = **at;
    const bool kept = base.op_set_fact ? emission_of(p, base.absent).how == fact_end::none || base.absent.size == 0
                                       : p.gives_fact(&base) || p.keeps_fact(&base);
    if (!kept) return {fact_end::base, base.name};
  }
  if (!p.says_breaks() && !p.keeps().all()) return {};  // it names the fact
  const op_set* const bounds[] = {b.of_each, b.of_all};
  for (const op_set* bound : bounds)
    if (bound) {
      if (const ending e = emission_of(p, *bound); e.how != fact_end::none) return e;
      if (const ending e = change_of(p, *bound); e.how != fact_end::none) return e;
    }
  if (p.more().adds_functions && !f.whole && (is_of_functions(b.of_each) || is_of_functions(b.of_all)))
    return {fact_end::added, {}};  // of some, it still holds
  if (p.more().changes_functions && (names_functions(b.of_each) || names_functions(b.of_all)))
    return {fact_end::renewed, {}};
  if (!b.of_all) return {};
  if (b.of_all->data != all_functions) {
    if (const op_key* const op = first_common(*b.of_all, p.eliminates)) return {fact_end::elimination, op->name()};
    if (p.more().touches_effects && (p.more().left & b.effects) == 0)
      return {p.more().copies ? fact_end::copy : fact_end::change, {}};
  }
  return {p.more().removes_functions && is_of_functions(b.of_all) ? fact_end::removed : fact_end::none, {}};
}
}  // namespace detail

constexpr bool pass_desc::keeps_fact(const fact_desc* fact) const {
  return says_it_keeps(fact) && (!fact->bounds || detail::end_of(*this, *fact).how == detail::fact_end::none);
}

namespace detail {
/// Does `p` turn some ops of this kind into others?
constexpr bool rewrites_op(const pass_desc& p, u64 op) {
  return p.eliminates.contains(op) || (p.more().rewrites && p.more().rewrites->contains(op));
}
/// The first of the ops that open the interval of a pass that says `r` which `p` emits, or rewrites; or null.
constexpr const op_key* op_that_opens(const rare_parts& r, const pass_desc& p) {
  for (const op_key& op : *r.interval_ops)
    if (r.interval_of_rewriters ? rewrites_op(p, op.key) : p.emits.contains(op.key)) return &op;
  return nullptr;
}
/// Does `p` open the interval of a pass that says `r`, which has one? It does so behind what it closes.
constexpr bool opens_interval(const rare_parts& r, const pass_desc& p) {
  return r.interval_ops ? !is_open_at_first(r) && op_that_opens(r, p) != nullptr : p.is(r.interval_begin);
}
/// Does `p` end the interval of `of`, which has one?
constexpr bool ends_interval(const pass_desc& of, const pass_desc& p) {
  const rare_parts& r = of.more();
  if (!r.interval_ops || !is_open_at_first(r)) return p.is(r.interval_end);
  return p.to->key == of.from->key && !p.is(of.type) && op_that_opens(r, p) != nullptr;
}
constexpr bool closes_interval(const rare_parts& r, const pass_desc& p) {
  if (!r.interval_ops || r.interval_of_rewriters || is_open_at_first(r)) return false;
  for (const op_key& op : *r.interval_ops)
    if (!p.eliminates.contains(op.key)) return false;
  return true;
}

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
template <class A>
constexpr void describe_begin(rare_parts& d, meta::detail::box<A>) {
  d.interval_begin = &pass_tag_of<A>, d.interval_begin_name = meta::unqualified_name<A>();
}
template <class... Op>
constexpr void describe_begin(rare_parts& d, meta::detail::box<emitter_of<Op...>>) {
  d.interval_ops = &op_set_of<ops<Op...>>;
}
template <class... Op>
constexpr void describe_begin(rare_parts& d, meta::detail::box<rewriter_of<Op...>>) {
  d.interval_ops = &op_set_of<ops<Op...>>, d.interval_of_rewriters = true;
}
template <class A, class B>
constexpr void describe_interval(rare_parts& d, meta::detail::box<interval<A, B>>) {
  if constexpr (meta::same<A, no_begin>) describe_begin(d, meta::detail::box<B>{});  // for its ops
  describe_begin(d, meta::detail::box<A>{});
  d.interval_end = &pass_tag_of<B>, d.interval_end_name = meta::unqualified_name<B>();
}

/// The interval of a pass that says it by any of the names; `void`: it has none.
template <class P>
constexpr auto interval_of() {
  if constexpr (requires { typename P::not_between; }) return meta::detail::box<typename P::not_between>{};
  else if constexpr (requires { typename P::not_after; })
    return meta::detail::box<interval<typename P::not_after, no_end>>{};
  else if constexpr (requires { typename P::not_before; })
    return meta::detail::box<interval<no_begin, typename P::not_before>>{};
  else return meta::detail::box<void>{};
}

template <class P>
inline constexpr const pass_tag* const* repeats_of = nullptr;
template <class... Ps>
inline constexpr const pass_tag* repeated_tags[] = {&pass_tag_of<Ps>..., nullptr};
template <class... Ps>
inline constexpr const pass_tag* const* repeats_of<repeat<Ps...>> = repeated_tags<Ps...>;

template <class P>
constexpr rare_parts describe_rare() {
  rare_parts d;
  d.repeats = repeats_of<P>;
  if constexpr (requires { P::at_most_once; }) d.at_most_once = P::at_most_once;
  if constexpr (requires { typename P::makes_functions_in; }) d.makes = &phase_desc_of<typename P::makes_functions_in>;
  if constexpr (requires { P::version; }) d.version = P::version;
  if constexpr (requires { P::may_find_nothing; }) d.may_find_nothing = P::may_find_nothing;
  if constexpr (requires { typename P::emits_outside; }) d.outside = &op_set_of<typename P::emits_outside>;
  if constexpr (requires { typename P::encloses; }) d.encloses = &op_set_of<typename P::encloses>;
  if constexpr (requires { typename P::changes; }) d.changes = &op_set_of<typename P::changes>;
  if constexpr (requires { typename P::works_on; }) {
    if (!d.may_find_nothing) describe_works_on(d, meta::detail::box<typename P::works_on>{});
    if constexpr (!meta::same<typename rewritten<P>::type, ops<>>) d.rewrites = &op_set_of<typename rewritten<P>::type>;
  }
  if constexpr (!meta::same<typename decltype(interval_of<P>())::type, void>) describe_interval(d, interval_of<P>());
  if constexpr (requires { P::adds_functions; }) d.adds_functions = P::adds_functions;
  if constexpr (requires { P::removes_functions; }) d.removes_functions = P::removes_functions;
  if constexpr (requires { P::changes_functions; }) d.changes_functions = P::changes_functions;
  d.adds_functions = d.adds_functions || d.makes;
  if constexpr (requires { typename P::immediately_after; }) {
    d.after = &pass_tag_of<typename P::immediately_after>;
    d.after_name = meta::unqualified_name<typename P::immediately_after>();
  }
  if constexpr (requires { typename P::keeps_inside; }) d.keeps_inside = bits_of_effects<typename P::keeps_inside>;
  constexpr bool changes =
      requires { typename P::deletes; } || requires { typename P::merges; } || requires { typename P::moves; };
  if constexpr (
      changes || copies_ops<P> || requires { typename P::eliminates; } || requires { typename P::looks_through; })
    d.barred = barred_in_phase<P, phase_before_t<P>>();
  if constexpr (changes || copies_ops<P>) {
    using copied = effects_listed<typename decltype(copied_by<P>())::type>;
    d.touches_effects = true, d.copies = !changes;
    d.treated = effect_list_of<meta::concat_t<typename deletes_of<P>::type, typename merges_of<P>::type,
                                              typename moves_of<P>::type, typename leaves_of<P>::type, copied>>;
    d.copied = copies_any<P>() ? ~0u : bits_of_effects<copied>;
    if constexpr (!copies_ops<P> && !requires { typename P::deletes; } && !requires { typename P::merges; })
      d.left = bits_of_effects<typename leaves_of<P>::type> & ~bits_of_effects<typename moves_of<P>::type>;
  }
  return d;
}
template <class P>
inline constexpr rare_parts rare_parts_of = describe_rare<P>();
}  // namespace detail

namespace detail {
/// What an unusual pass says.
template <class P, bool Plain>
inline constexpr pass_desc said_by{as_label(P::name),
                                   &pass_tag_of<P>,
                                   &phase_desc_of<phase_before_t<P>>,
                                   &phase_desc_of<phase_after_t<P>>,
                                   fact_items<typename P::needs>,
                                   fact_items<typename said<requires { typename P::gives; }>::template gives<P>>,
                                   fact_items<typename said<requires { typename P::breaks; }>::template breaks<P>>,
                                   fact_items<typename said<requires { typename P::keeps; }>::template keeps<P>>,
                                   op_set_of<typename said<requires { typename P::emits; }>::template emits<P>>,
                                   op_set_of<eliminates_of_t<P>>,
                                   &rare_parts_of<P>};
/// What the judge reads: of an unusual pass only if it is sound (pass.hpp), since its members may not even be there.
template <class P>
constexpr const pass_desc& if_sound();
inline constexpr pass_desc unsound_pass{{},
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        no_facts,
                                        no_facts,
                                        no_facts,
                                        no_facts,
                                        op_set_of<any_ops>,
                                        op_set_of<any_ops>,
                                        &nothing_rare};
template <class P, bool Plain>
inline constexpr const pass_desc& described = if_sound<P>();

// Written out twice: a function would be paid for once a pass, and a constrained specialization once more by clang.
template <class P>
inline constexpr pass_desc described<P, true>{
    {P::name.characters, sizeof(P::name.characters) - 1},
    &pass_tag_of<P>,
    &phase_desc_of<typename P::runs_in>,
    &phase_desc_of<typename P::runs_in>,
    fact_items<typename P::needs>,
    fact_items<typename said<requires { typename P::gives; }>::template gives<P>>,
    fact_items<typename said<requires { typename P::breaks; }>::template breaks<P>>,
    fact_items<typename said<requires { typename P::keeps; }>::template keeps<P>>,
    op_set_of<typename said<requires { typename P::emits; }>::template emits<P>>,
    op_set_of<ops<>>,
    nullptr};
template <class P>
inline constexpr const pass_desc& said_by<P, true> = described<P, true>;
}  // namespace detail

template <class P>
inline constexpr const pass_desc& pass_desc_of = detail::said_by<P, detail::plain_pass<P>>;

}  // namespace tenon
