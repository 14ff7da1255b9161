/// @file step: one pass on one module type: may it run, and what is known then.
#pragma once

#include <tenon/judge/verdict.hpp>
#include <tenon/pass.hpp>

namespace tenon::detail {

/// May `op` be in a module of phase `p` (with the ops that an extension adds) of which `known` is known?
constexpr bool may_hold(const phase_desc& p, const fact_list& known, u64 op) {
  if (!p.ops.contains(op) && !p.added.contains(op)) return false;
  for (const fact_desc* f : known)
    if (f->op_set_fact && f->absent.contains(op)) return false;
  return true;
}

/// Ops of the extension `Added` that `Pass` has a lowering for, and that are gone after it.
template <class Pass, class Added>
struct lowered;
template <class Pass, class... Op>
struct lowered<Pass, ops<Op...>> {
  using left = meta::filter_t<ops<Op...>, !has_lowering<Pass, Op>...>;
};

template <class P, class Added>
struct extended {
  using type = P;
};
template <class P, class First, class... Rest>
struct extended<P, ops<First, Rest...>> {
  using type = extend<P, First, Rest...>;
};

template <class Pass, class Phase>
struct phase_after {
  using added = typename lowered<Pass, added_ops_t<Phase>>::left;
  using to = phase_after_t<Pass>;
  static constexpr auto pick() {
    if constexpr (stays<Pass>) return meta::detail::box<Phase>{};
    else if constexpr (phase_desc_of<to>.open)
      return meta::detail::box<typename extended<to, meta::without_t<added, added_ops_t<to>>>::type>{};
    else return meta::detail::box<to>{};
  }
  using type = typename decltype(pick())::type;
};

constexpr bool is_known(const fact_list& known, const fact_desc& f) {
  return known.contains(&f) || (f.whole && known.contains(f.whole));
}
/// Facts of some functions that a pass says it keeps: they may hold where those of all functions do not any more.
template <class... Fs>
auto some_among(meta::detail::box<facts<Fs...>>) -> meta::filter_t<facts<Fs...>, is_of_some<Fs>...>;
template <class Other>
auto some_among(Other) -> facts<>;
template <class Pass>
using some_kept_t =
    decltype(some_among(meta::detail::box<typename said<requires { typename Pass::keeps; }>::template keeps<Pass>>{}));

template <class Pass, class Module>
struct after;
template <class Pass, class Phase, class... Facts>
struct after<Pass, ir_module<Phase, Facts...>> {
  using phase = typename phase_after<Pass, Phase>::type;
  using candidates = meta::unique_t<meta::concat_t<facts<Facts...>, gives_of_t<Pass>, some_kept_t<Pass>>>;

  static constexpr bool holds(const fact_desc& f) {
    const pass_desc& pass = pass_desc_of<Pass>;
    const fact_list known = fact_list_of<facts<Facts...>>;
    if (!f.op_set_fact) return pass.gives_fact(&f) || (is_known(known, f) && pass.keeps_fact(&f));
    const op_set handled =
        op_set_of<meta::without_t<added_ops_t<Phase>, typename lowered<Pass, added_ops_t<Phase>>::left>>;
    for (const op_key& op : f.absent) {
      if (!phase_desc_of<phase>.ops.contains(op.key) && !phase_desc_of<phase>.added.contains(op.key)) continue;
      if (pass.emits_any() || pass.emits.contains(op.key)) return false;
      if (pass.is_transition() && pass.to->early.contains(op.key)) return false;
      if (may_hold(phase_desc_of<Phase>, known, op.key) && !pass.eliminates.contains(op.key) &&
          !handled.contains(op.key))
        return false;
    }
    return true;
  }
  template <class... Cs>
  static auto pick(meta::detail::box<facts<Cs...>>) -> meta::filter_t<facts<Cs...>, holds(fact_desc_of<Cs>)...>;
  template <class... Fs>
  static auto make(meta::detail::box<facts<Fs...>>) -> meta::detail::box<ir_module<phase, Fs...>>;
  using known = decltype(pick(meta::detail::box<candidates>{}));
  using type = typename decltype(make(meta::detail::box<known>{}))::type;
};

/// An op that `pass` may put into a region that does not allow it, or take into one that it makes, in a module of
/// `phase`.
constexpr declaration_fault region_fault(const pass_desc& pass, const phase_desc& phase, const fact_list& known,
                                         const op_set& handled) {
  declaration_fault fault;
  const rare_parts& r = pass.more();
  const auto said = [](const op_set* set, u64 op) { return set && (set->data == nullptr || set->contains(op)); };
  const auto stays = [&](u64 op) {
    return may_hold(phase, known, op) && !pass.eliminates.contains(op) && !handled.contains(op) &&
           (!pass.is_transition() || pass.to->ops.contains(op) || pass.to->added.contains(op));
  };
  const auto emits = [&](u64 op) { return pass.emits_any() ? pass.to->ops.contains(op) : pass.emits.contains(op); };
  for (const region_rule& rule : phase.regions)
    for (int takes_in = 0; takes_in < 2; ++takes_in) {
      if (takes_in ? !emits(rule.op) : !stays(rule.op)) continue;
      for (const op_key& op : rule.forbidden)
        if (takes_in ? stays(op.key) && (!r.encloses || said(r.encloses, op.key))
                     : emits(op.key) && !said(r.outside, op.key))
          fault.add(op.name());
      if (fault.total)
        return fault.code = 42, fault.said = rule.name, fault.meant = takes_in ? label{"takes in", 8} : label{}, fault;
    }
  return fault;
}

/// What keeps `pass` from running on a module of `phase` of which `known` is known.
constexpr declaration_fault step_fault(const pass_desc& pass, const phase_desc& phase, const fact_list& known,
                                       const op_set& handled, const barred_ops* barred_added = nullptr) {
  declaration_fault fault;
  if (pass.more().flag_key) return fault.code = 18, fault.said = pass.more().flag, fault;
  if (pass.from->key != phase.key) return fault.code = 13, fault;
  for (const op_key& op : pass.from->added)
    if (!phase.added.contains(op.key)) fault.add(op.name());
  if (fault.total) return fault.code = 13, fault;
  for (const fact_desc* f : pass.needs()) {
    bool held = false;
    if (f->op_set_fact) {
      held = true;
      for (const op_key& op : f->absent) held = held && !may_hold(phase, known, op.key);
    } else {
      held = is_known(known, *f);
    }
    if (!held) fault.add(f->name);
  }
  if (fault.total) return fault.code = 14, fault;
  if (phase.regions.size)
    if (fault = region_fault(pass, phase, known, handled); fault.code) return fault;
  const barred_ops* const barred[] = {pass.more().barred, barred_added};
  for (const barred_ops* list : barred)
    for (size_t k = 0; list && k < list->ops.size; ++k) {
      if (!may_hold(phase, known, list->ops.data[k].key)) continue;
      const effect_bar& why = list->why[k];
      if (fault.total == 0) fault.said = why.effect, fault.bar = why.kind;
      if (fault.said == why.effect && fault.bar == why.kind) fault.add(list->ops.data[k].name());
    }
  if (fault.total) return fault.code = code_of(fault.bar), fault;
  if (const op_set* const works_on = pass.more().works_on) {
    for (const op_key& op : *works_on)
      if (!may_hold(phase, known, op.key)) fault.add(op.name());
    if (!finds_some(pass.more(), [&](u64 op) { return may_hold(phase, known, op); })) return fault.code = 38, fault;
    fault = declaration_fault{};
  }
  if (!pass.is_transition()) return fault;
  const auto left = [&](const op_set& ops, bool stays) {
    for (const op_key& op : ops)
      if (!stays && may_hold(phase, known, op.key) && !pass.eliminates.contains(op.key) && !handled.contains(op.key) &&
          !pass.to->ops.contains(op.key) && !pass.to->added.contains(op.key))
        fault.add(op.name());
  };
  left(phase.ops, false);
  left(phase.added, pass.to->open);
  if (fault.total) fault.code = 4;
  return fault;
}

constexpr meta::phrase say_step(auto s, const auto& pass, const phase_desc& phase, const auto& f) {
  s << "tenon-E0" << (f.code < 10 ? "0" : "") << static_cast<size_t>(f.code) << ": pass ";
  s.quoted(pass.name);
  const bool many = f.total > 1;
  if (f.code == 18)
    return s << " is optional under '" << f.said
             << "', which pipelines ask: by hand, run the pass itself where cx.flag(\"" << f.said << "\") is "
             << (pass.more().flag_on ? "on" : "off");
  if (f.code == 13) {
    (s << " runs in phase ").quoted(pass.from->name);
    if (f.total) say_ops(s << " extended with ", f.names, f.shown, f.total);
    return (s << ", and this module is in ").quoted(phase.name)
           << ": run the passes that lead from there to here first, or another pass";
  }
  if (f.code == 14) {
    say_ops(s << " needs ", f.names, f.shown, f.total);
    return s << ", which " << (many ? "are" : "is") << " not known of this module: run a pass that gives "
             << (many ? "them" : "it") << ", or tenon::establish<...>, and do not edit() in between";
  }
  if (f.code == 42 && f.meant.length) {
    say_ops(s << " may take ", f.names, f.shown, f.total) << " into a region of ";
    return s.quoted(f.said) << ", which does not allow " << (many ? "them" : "it")
                            << ", and this module may have some: say 'using encloses = tenon::ops<...>', what its "
                               "regions take in, or run a pass that eliminates "
                            << (many ? "them" : "it") << " first";
  }
  if (f.code == 42) {
    say_ops(s << " may emit ", f.names, f.shown, f.total) << ", which a region of ";
    return s.quoted(f.said) << " does not allow, and this module may have one: say 'using emits_outside = "
                               "tenon::ops<...>' if it never puts "
                            << (many ? "them" : "it") << " there, or run a pass that eliminates '" << f.said
                            << "' first";
  }
  if (f.code == 43 || f.code == 45 || f.code == 46) {
    say_bar(s, f.bar, f.said, f.names, f.shown, f.total) << ", and this module may have " << (many ? "some" : "it");
    return say_bar_answer(s << ": ", f.bar, f.said)
           << ", or run a pass that eliminates " << (many ? "them" : "it") << " first";
  }
  if (f.code == 38) {
    say_ops(s << " works on ", f.names, f.shown, f.total);
    return s << ", and this module has none of " << (many ? "these" : "it")
             << ": leave the pass out, or say 'static constexpr bool may_find_nothing = true'";
  }
  if (f.code == 16)
    return say_untreated(s, pass.name, f.names, f.shown, f.total, f.said, "module's phase", pass.more().copies);
  say_ops((s << " enters phase ").quoted(pass.to->name) << ", which does not list ", f.names, f.shown, f.total);
  return s << ", and " << (many ? "they" : "it") << " may still be in this module: run a pass that eliminates "
           << (many ? "them" : "it") << " first";
}

/// Can its body be called as `run` calls it?
template <class Pass>
concept runnable =
    (stays<Pass> && requires(const Pass& pass, ir_module<phase_before_t<Pass>>& m, context& cx) { pass.run(m, cx); }) ||
    (!stays<Pass> && requires(const Pass& pass, ir_module<phase_before_t<Pass>>&& m, context& cx,
                              void (*take)(ir_module<phase_after_t<Pass>>&&)) {
      take(pass.run(static_cast<ir_module<phase_before_t<Pass>>&&>(m), cx));
    });

template <class Pass>
struct callable_check {
  static constexpr bool ok = runnable<Pass>;
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, Pass> s;
    (s << "tenon-E018: pass ").quoted(Pass::name);
    return s << " cannot be called: it has 'void run(ir_module<runs_in>&, context&) const', or, from one phase to "
                "another, 'ir_module<to> run(ir_module<from>&&, context&) const'";
  }
};

template <class Pass, class Module>
struct step_check;
template <class Pass, class Phase, class... Facts>
struct step_check<Pass, ir_module<Phase, Facts...>> {
  static constexpr bool sound = pass_check<Pass>::ok;
  static constexpr meta::later_t<declaration_fault, Pass> fault = [] {
    if constexpr (!sound) {
      return pass_check<Pass>::fault;
    } else {
      declaration_fault found =
          step_fault(pass_desc_of<Pass>, phase_desc_of<Phase>, fact_list_of<facts<Facts...>>,
                     op_set_of<meta::without_t<added_ops_t<Phase>, typename lowered<Pass, added_ops_t<Phase>>::left>>,
                     barred_in<Pass, added_ops_t<Phase>>());
      if constexpr (!meta::same<added_ops_t<Phase>, ops<>>)
        if (found.code == 0) found = untreated_of_added<true, Pass>(meta::detail::box<added_ops_t<Phase>>{});
      return found;
    }
  }();
  static constexpr bool ok = [] {
    if constexpr (fault.code != 0) return false;
    else return runnable<Pass>;
  }();
  static consteval meta::phrase say() {
    if constexpr (!sound) return pass_check<Pass>::say();
    else if constexpr (fault.code == 0) return callable_check<Pass>::say();
    else return say_step(meta::phrase{}, pass_desc_of<Pass>, phase_desc_of<Phase>, fault);
  }
};

}  // namespace tenon::detail
