/// @file declaration: what is wrong with what a pass says of itself, found; declaration_said.hpp has the words.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/judge/declaration_said.hpp>
#include <tenon/judge/near_miss.hpp>

namespace tenon {
namespace detail {

/// The first fact of `list` that the ops which `p` may leave contradict.
constexpr declaration_fault contradicted(const auto& p, const fact_list& list, int code) {
  declaration_fault fault;
  for (const fact_desc* f : list) {
    if (!f->op_set_fact) continue;
    for (const op_key& op : f->absent)
      if (p.emits_any() ? p.to->ops.contains(op.key) || p.to->added.contains(op.key) : p.emits.contains(op.key))
        fault.add(op.name());
    if (fault.total) return fault.code = code, fault.said = f->name, fault;
  }
  return fault;
}

/// A fact that `p` says it keeps, or gives, and that rests on one that it neither keeps nor gives.
constexpr declaration_fault without_base(const auto& p) {
  declaration_fault fault;
  const fact_list lists[] = {p.keeps(), p.gives()};
  for (int k = 0; k < 2; ++k)
    for (const fact_desc* f : lists[k])
      if (f->bounds)
        if (const ending e = end_of(p, *f); e.how == fact_end::base)
          return fault.code = k ? 21 : 17, fault.said = f->name, fault.meant = e.what, fault;
  return fault;
}

/// Ops that `p` eliminates, and names in its `emits`. (A transition eliminates those of its old phase, and may make
/// some for the new one. Who does not say what it emits may emit them: the judge then takes them for present.)
constexpr declaration_fault emitted_again(const pass_desc& p) {
  declaration_fault fault;
  if (p.from != p.to) return fault;
  for (const op_key& op : p.emits)
    if (p.eliminates.contains(op.key)) fault.add(op.name()), fault.code = 35;
  return fault;
}

template <class P, class... Ops>
constexpr void find_unhandled(declaration_fault& fault, meta::detail::box<ops<Ops...>>) {
  const bool specialized[] = {has_lowering<P, Ops>..., false};
  const label names[] = {meta::unqualified_name<Ops>()..., {}};
  for (size_t i = 0; i < sizeof...(Ops); ++i)
    if (!specialized[i]) fault.add(names[i]);
}
template <class P>
constexpr declaration_fault unhandled() {
  declaration_fault fault;
  if constexpr (requires { typename P::handles; }) {
    constexpr bool every = !requires { typename P::eliminates; };
    using asked = typename meta::nth_t<every, pass_list<meta::detail::box<eliminates_of_t<P>>,
                                                        meta::detail::box<typename phase_before_t<P>::op_list>>>::type;
    if constexpr (!requires { P::handles::reason; })
      find_unhandled<P>(fault, meta::detail::box<meta::without_t<asked, typename P::handles>>{});
    if constexpr (every) fault.said = root_phase_t<phase_before_t<P>>::name;
  } else {
    find_unhandled<P>(fault, meta::detail::box<eliminates_of_t<P>>{});
  }
  if (fault.total) fault.code = 6;
  return fault;
}

/// Does `P` say how it treats ops of an effect? Who duplicates whatever is there does: the ops that are decide.
template <class P, class E>
inline constexpr bool answers_for = treats<P, E> || pass_desc_of<P>.more().treated.contains(meta::type_key<E>) ||
                                    (copies_any<P>() && pass_desc_of<P>.more().copies);
template <class P, names_resource E>
inline constexpr bool answers_for<P, E> =
    answers_for<P, typename E::in> || treats<P, E> || pass_desc_of<P>.more().treated.contains(meta::type_key<E>);
template <class P, class... Es>
constexpr declaration_fault untreated(meta::detail::box<effects<Es...>>) {
  declaration_fault fault;
  const bool answered[] = {answers_for<P, Es>..., true};
  const label names[] = {effect_name<Es>()..., {}};
  for (size_t i = 0; i < sizeof...(Es); ++i)
    if (!answered[i]) fault.add(names[i]);
  if (fault.total) fault.code = 16, fault.meant = {"copies", pass_desc_of<P>.more().copies ? 6u : 0u};
  return fault;
}
/// The effects that a phase says its ops may have, and those that these bring. (The phases of this library say all.)
/// Who copies ops is asked about each op that is there (duplication.hpp).
template <class... Op>
auto sound_among(meta::detail::box<ops<Op...>>)
    -> meta::filter_t<ops<Op...>, (defined_op<Op> && kind_of_op<Op> != op_kind::odd)...>;
template <class P, bool Copies>
constexpr auto effects_in_phase() {
  using said = typename decltype(phase_effects<P>())::type;
  if constexpr (Copies || meta::is_built_in<P>()) {
    return meta::detail::box<said>{};
  } else {
    using brought = typename effects_of_ops<decltype(sound_among(meta::detail::box<typename P::op_list>{}))>::type;
    return meta::detail::box<meta::unique_t<meta::concat_t<said, brought>>>{};
  }
}
/// What `P` does not answer of ops that are added to its phase. Of those that are only declared nobody knows the
/// effects: where modules run, one of them is the fault, and `said`; where a pipeline is named, it may be defined
/// later.
template <bool Runs, class P, class... Op>
constexpr declaration_fault untreated_of_added(meta::detail::box<ops<Op...>>) {
  using defined = meta::filter_t<ops<Op...>, requires { sizeof(Op); }...>;
  using effects = meta::unique_t<typename effects_of_ops<defined>::type>;
  declaration_fault fault;
  if (!pass_desc_of<P>.more().touches_effects) return fault;
  const bool seen[] = {requires { sizeof(Op); }..., true};
  const label names[] = {meta::unqualified_name<Op>()..., {}};
  for (size_t i = 0; i < sizeof...(Op) && Runs; ++i)
    if (!seen[i]) return fault.code = 16, fault.said = names[i], fault;
  return untreated<P>(meta::detail::box<effects>{});
}

/// Members that are there, and no constants of their type: one of each object, a type, a text.
#define TENON_ODD_FLAG(name) \
  (requires { typename P::name; } || (requires { P::name; } && !requires { \
    *&P::name; \
    typename as_constant<bool(P::name)>; \
  }))
template <class P>
concept odd_at_most_once = TENON_ODD_FLAG(at_most_once);
template <class P>
concept odd_found = TENON_ODD_FLAG(may_find_nothing);
template <class P>
concept odd_functions =
    TENON_ODD_FLAG(adds_functions) || TENON_ODD_FLAG(removes_functions) || TENON_ODD_FLAG(changes_functions);
#undef TENON_ODD_FLAG
template <class P>
concept odd_version = requires { typename P::version; } || (requires { P::version; } && !requires {
  *&P::version;
  typename as_constant<static_cast<size_t>(P::version)>;
});

/// Does the interval of `P` name an op where a pass is meant, or a pass as an op? It would never open, or never end.
template <class A, class B>
constexpr bool mistakes_ops(meta::detail::box<interval<A, B>>, const phase_desc& phase) {
  return phase.ops.contains(meta::type_key<A>) || phase.ops.contains(meta::type_key<B>);
}
template <class... Op, class B>
constexpr bool mistakes_ops(meta::detail::box<interval<emitter_of<Op...>, B>>, const phase_desc& phase) {
  return (requires { typename Op::needs; } || ...) || phase.ops.contains(meta::type_key<B>);
}

template <class... Op, class B>
constexpr bool mistakes_ops(meta::detail::box<interval<rewriter_of<Op...>, B>>, const phase_desc& phase) {
  return mistakes_ops(meta::detail::box<interval<emitter_of<Op...>, B>>{}, phase);
}

template <class... Op>
constexpr bool mistakes_ops(meta::detail::box<interval<no_begin, emitter_of<Op...>>>, const phase_desc&) {
  return (requires { typename Op::needs; } || ...);
}

template <class... Op>
constexpr bool mistakes_ops(meta::detail::box<interval<no_begin, rewriter_of<Op...>>>, const phase_desc&) {
  return (requires { typename Op::needs; } || ...);
}

template <class P>
constexpr bool mistakes_interval(const phase_desc& phase) {
  using interval = typename decltype(interval_of<P>())::type;
  if constexpr (meta::same<interval, void>) return false;
  else return !is_interval<interval> || mistakes_ops(meta::detail::box<interval>{}, phase);
}

template <class P>
inline constexpr int intervals_said =
    int(requires { typename P::not_between; }) + int(requires { typename P::not_after; }) +
    int(requires { typename P::not_before; });

constexpr declaration_fault malformed(const char* what) {
  declaration_fault fault;
  return fault.code = 18, fault.said = label_of(what), fault;
}
/// What is wrong with the form of a pass that the judge cannot even describe.
template <class P>
constexpr declaration_fault fault_of_form() {
  declaration_fault fault;
  if constexpr (__is_same(P, const P))
    return malformed("is const, or no class: name the pass itself, without const, & or *");
  else if constexpr (!__is_class(P) && !__is_union(P))
    return malformed("is no class: a pass is a struct; name it without & or *");
  else if constexpr (!requires { sizeof(P); } && is_repeat<P>)
    return malformed("is only declared where the pipeline is named: include <tenon/compile/repeat.hpp> before that");
  else if constexpr (!requires { sizeof(P); })
    return malformed("is only declared where the pipeline is named: include the header that defines it before that");
  else if constexpr (requires { typename P::passes; })
    return malformed("is a pipeline, not a pass: join them with 'edit<append<...>>'");
  else if constexpr (!has_readable_name<P>)
    return malformed("has no name that can be read: add 'static constexpr tenon::fixed_string name = \"...\"', public");
  else if constexpr (stays<P> && moves_on<P>)
    return malformed("says both 'runs_in' and 'from' or 'to': a pass stays in a phase or leaves it");
  else if constexpr (!stays<P> && !requires {
                       typename P::from;
                       typename P::to;
                     })
    return malformed("does not say where it runs: add 'using runs_in = ...', or 'from' and 'to'");
  else if constexpr (!phase_type<phase_before_t<P>> || !phase_type<phase_after_t<P>>)
    return malformed("runs in a type that is no phase: a phase has a 'name' and an 'op_list'");
  else if constexpr (requires {
                       typename P::makes_functions_in;
                       requires !phase_type<typename P::makes_functions_in>;
                     })
    return malformed("makes functions in a type that is no phase: a phase has a 'name' and an 'op_list'");
  else if constexpr (!requires { typename P::needs; })
    return malformed("does not say what it needs: add 'using needs = facts<...>', facts<> if nothing");
  else if constexpr (!is_effects<typename deletes_of<P>::type>)
    return malformed("says what it 'deletes' without a list: write 'using deletes = tenon::effects<...>'");
  else if constexpr (!is_effects<typename merges_of<P>::type>)
    return malformed("says what it 'merges' without a list: write 'using merges = tenon::effects<...>'");
  else if constexpr (!is_effects<typename moves_of<P>::type>)
    return malformed("says what it 'moves' without a list: write 'using moves = tenon::effects<...>'");
  else if constexpr (!is_effects<typename leaves_of<P>::type>)
    return malformed("says what it 'leaves' without a list: write 'using leaves = tenon::effects<...>'");
  else if constexpr (requires { requires !is_effects_or_any<typename P::keeps_inside>; })
    return malformed(
        "says what it 'keeps_inside' without a list: write 'using keeps_inside = tenon::effects<...>', or "
        "tenon::any_effects");
  else if constexpr (!is_effects_or_any<duplicates_of_t<P>> || !is_effects_or_any<recomputes_of_t<P>>)
    return malformed(
        "says what it 'duplicates' or 'recomputes' without a list: write 'using duplicates = tenon::effects<...>', or "
        "tenon::any_effects");
  else if constexpr (intervals_said<P> > 1)
    return malformed(
        "says two of 'not_between', 'not_after' and 'not_before': a pass has one interval; let other passes have the "
        "other");
  else if constexpr (requires { requires !is_interval<typename P::not_between>; })
    return malformed("says 'not_between' without an interval: write 'using not_between = tenon::interval<A, B>'");
  else if constexpr (mistakes_interval<P>(phase_desc_of<phase_before_t<P>>))
    return malformed(
        "takes an op for a pass, or a pass for an op, in its interval: write 'using not_between = tenon::interval<A, "
        "B>', "
        "'using not_after = A', or 'using not_before = A', or tenon::emitter_of<op> for A");
  else if constexpr (names_no_pass<typename decltype(interval_of<P>())::type> ||
                     requires { requires is_no_pass<typename P::immediately_after>; })
    return malformed(
        "names what is no pass in 'not_between', 'not_after', 'not_before' or 'immediately_after': name passes there, "
        "or tenon::emitter_of<op>, or rewriter_of<op>, where an interval begins, or for 'not_before'");
  else if constexpr (requires { requires !is_ops_or_any<typename P::works_on>; })
    return malformed("says what it 'works_on' without a list: write 'using works_on = tenon::ops<...>'");
  else if constexpr (requires {
                       requires is_no_list(op_set_of<typename P::handles>) && !requires { P::handles::reason; };
                     })
    return malformed("says what it 'handles' without a list: write 'using handles = tenon::ops<...>'");
  else if constexpr (requires { requires !is_ops_or_any<typename P::emits_outside>; })
    return malformed("says what it 'emits_outside' without a list: write 'using emits_outside = tenon::ops<...>'");
  else if constexpr (requires { requires !is_ops_or_any<typename P::encloses>; })
    return malformed("says what it 'encloses' without a list: write 'using encloses = tenon::ops<...>'");
  else if constexpr (requires { requires !is_ops_or_any<typename P::changes>; })
    return malformed("says what it 'changes' without a list: write 'using changes = tenon::ops<...>'");
  else if constexpr (requires { requires !is_ops_or_any<typename P::looks_through>; })
    return malformed("says what it 'looks_through' without a list: write 'using looks_through = tenon::ops<...>'");
  else if constexpr (odd_at_most_once<P>)
    return fault.code = 8, fault.said = label_of("at_most_once"),
           fault.meant = label_of("static constexpr bool at_most_once = true"), fault;
  else if constexpr (odd_found<P>)
    return fault.code = 8, fault.said = label_of("may_find_nothing"),
           fault.meant = label_of("static constexpr bool may_find_nothing = true"), fault;
  else if constexpr (odd_functions<P>)
    return malformed(
        "says in another way than by a flag that it adds, removes or changes functions: write 'static constexpr "
        "bool adds_functions = true', or removes_functions, or changes_functions");
  else if constexpr (odd_version<P>)
    return fault.code = 8, fault.said = label_of("version"), fault.meant = label_of("static constexpr int version = 1"),
           fault;
  else if constexpr (constexpr misnomer odd = near::value_for_type<P>(near::pass{}); odd.said.length != 0)
    return fault.code = 8, fault.said = odd.said, fault.meant = odd.meant, fault;
  else return fault;
}

/// Is a list none, or has a fact or phase a member that nobody reads?
constexpr bool is_flawed(const pass_desc& p) {
  return is_flawed(p.needed) || is_flawed(p.given) || is_flawed(p.changed()) || is_no_list(p.emits) ||
         is_no_list(p.eliminates) || p.to->flawed || p.from->flawed;
}
/// The first fact or phase that a pass names which has a member that nobody reads; `total` is 1 for a fact, 2 for a
/// phase, 3 for a fact without a name, 4 for a pass where a fact is meant, and 5 for an op of a phase that says nothing
/// of its effects.
template <class P>
constexpr declaration_fault misnamed() {
  declaration_fault fault;
  const auto found = [&fault](const misnomer& miss, label whose, size_t kind) {
    if (!fault.code && miss.said.length)
      fault.code = 8, fault.said = miss.said, fault.meant = miss.meant, fault.names[0] = whose, fault.total = kind;
  };
  const auto one = [&]<class F>(meta::detail::box<F>) {
    if constexpr (!named_fact<F>) found({{"name", 4}, {}}, meta::unqualified_name<F>(), 3);
    else if constexpr (requires { typename F::runs_in; }) found({{"runs_in", 7}, {}}, F::name, 4);
    else found(fact_misnomer<F>(), F::name, 1);
  };
  const auto in_list = [&]<class... Fs>(meta::detail::box<facts<Fs...>>) { (one(meta::detail::box<Fs>{}), ...); };
  using breaks = typename said<requires { typename P::breaks; }>::template breaks<P>;
  using keeps = typename said<requires { typename P::keeps; }>::template keeps<P>;
  const auto if_list = [&]<class List>(meta::detail::box<List> list) {
    if constexpr (requires { in_list(list); }) in_list(list);
  };
  found(phase_misnomer<root_phase_t<phase_before_t<P>>>(), phase_desc_of<phase_before_t<P>>.name, 2);
  found(phase_misnomer<root_phase_t<phase_after_t<P>>>(), phase_desc_of<phase_after_t<P>>.name, 2);
  const auto idle = [&](label op, label phase) {
    if (op.length && !fault.code) found({op, {}}, phase, 5), fault.code = 37;
  };
  idle(odd_op_of_phase<root_phase_t<phase_before_t<P>>>(), phase_desc_of<phase_before_t<P>>.name);
  idle(odd_op_of_phase<root_phase_t<phase_after_t<P>>>(), phase_desc_of<phase_after_t<P>>.name);
  if_list(meta::detail::box<typename P::needs>{}), if_list(meta::detail::box<gives_of_t<P>>{});
  if_list(meta::detail::box<breaks>{}), if_list(meta::detail::box<keeps>{});
  return fault;
}

/// What `fault_of_desc` finds nothing in. Cheap, and no more than is needed to say yes.
constexpr bool sound_desc(const pass_desc& p) {
  if ((p.says_keeps() && p.says_breaks()) || p.needed == fact_items<all_facts> || p.given == fact_items<all_facts> ||
      p.name.length == 0 || is_flawed(p))
    return false;
  for (size_t i = 0; i < p.emits.size; ++i)
    if (!p.to->ops.contains(p.emits.data[i].key) && !p.to->added.contains(p.emits.data[i].key)) return false;
  for (const fact_desc* const* at = p.kept; *at; ++at)
    if ((*at)->bounds || ((*at)->op_set_fact && (*at)->absent.size)) return false;
  for (const fact_desc* const* at = p.given; *at; ++at)
    if ((*at)->bounds || ((*at)->op_set_fact && (*at)->absent.size)) return false;
  return p.eliminates.size == 0 || emitted_again(p).code == 0;
}

constexpr declaration_fault fault_of_desc(const auto& p) {
  declaration_fault fault;
  if (p.says_breaks() && p.says_keeps()) return fault.code = 7, fault;
  if (const char* const what = unlisted(p)) return fault.code = 18, fault.said = label_of(what), fault;
  if (is_flawed(p)) return fault.code = 8, fault;  // `misnamed` says more
  for (const op_key& op : p.emits)
    if (!p.to->ops.contains(op.key) && !p.to->added.contains(op.key)) fault.add(op.name());
  for (const op_key& op : p.to->ops)  // a list in its list of ops
    if (fault.total && is_nested_list(op.name())) fault.meant = op.name();
  if (fault.total) return fault.code = 5, fault.said = p.to->name, fault;
  if (fault = emitted_again(p); fault.code) return fault;
  if (fault = contradicted(p, p.keeps(), 17); fault.code) return fault;
  if (fault = contradicted(p, p.gives(), 21); fault.code) return fault;
  return without_base(p);
}

template <class P>
constexpr declaration_fault fault_in_words() {
  constexpr const meta::later_t<pass_desc, P>& desc = pass_desc_of<P>;
  constexpr declaration_fault fault = fault_of_desc(desc);
  if constexpr (fault.code == 8) return misnamed<P>();
  else return fault;
}

template <class P>
constexpr declaration_fault fault_of() {
  if constexpr (plain_pass<P>) {
    if constexpr (sound_desc(pass_desc_of<P>)) return declaration_fault{};
    else return fault_in_words<P>();
  } else if constexpr (constexpr declaration_fault form = fault_of_form<P>(); form.code != 0) {
    return form;
  } else {
    constexpr const pass_desc& p = pass_desc_of<P>;
    declaration_fault fault;
    if constexpr (!sound_desc(p))
      if (fault = fault_in_words<P>(); fault.code) return fault;
    if constexpr (requires { typename P::makes_functions_in; }) {
      using check = call_check<root_phase_t<phase_before_t<P>>, typename P::makes_functions_in>;
      if constexpr (!check::listed)
        return fault.code = 8, fault.said = label_of("calls_into"),
               fault.meant = label_of("using calls_into = phase_list<...>"), fault.names[0] = p.from->name,
               fault.total = 2, fault;
      for (size_t i = 0; check::early && i < check::foreign.total; ++i)
        fault.add(i < 4 ? check::foreign.names[i] : label{});
      if constexpr (!check::ok)
        return fault.code = check::early && check::foreign.total == 0 ? 32 : 33, fault.said = p.from->name,
               fault.meant = p.more().makes->name, fault;
    }
    if constexpr (!is_no_list(p.eliminates) && (p.eliminates.size != 0 || requires { typename P::handles; }))
      if (fault = unhandled<P>(); fault.code) return fault;
    if constexpr (p.more().touches_effects) {
      using in_phase = typename decltype(effects_in_phase<root_phase_t<phase_before_t<P>>, p.more().copies>())::type;
      using added = typename effects_of_ops<added_ops_t<phase_before_t<P>>>::type;
      fault = untreated<P>(meta::detail::box<meta::unique_t<meta::concat_t<in_phase, added>>>{});
      fault.said = p.from->name;
    }
    return fault;
  }
}

/// Is what `P` says sound? Of its members those are read that mean something; `pass_check` asks for others too.
template <class P>
struct form_check {
  static constexpr declaration_fault fault = fault_of<P>();
  static constexpr bool ok = fault.code == 0;
};
template <class P>
consteval label pass_name() {
  if constexpr (has_readable_name<P>) return P::name;
  else return meta::unqualified_name<P>();
}
}  // namespace detail
}  // namespace tenon
