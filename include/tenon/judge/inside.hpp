/// @file inside: passes that a pass runs in its own body: are they right as an order there, and does it say what they
/// do?
///
/// The first is asked of the judge of pipelines, the second of what the passes say. See compile/run_inside.hpp.
#pragma once

#include <tenon/judge/judged.hpp>

namespace tenon::detail {

/// What a pass does not say of another one that it runs inside. One sentence each.
enum class undeclared : u8 {
  nothing,
  phase,
  extension,
  need,
  fact,
  facts,
  op,
  ops,
  effects,
  interval,
  follows,
  once,
  functions,
  added,
  removed,
  renewed,
  device,
  flag,
  works_on,
  found,
  outside,
  encloses,
  changes,
  copied,
  taken_out,
  unseen_alias,
  misplaced
};

struct inside_fault {
  undeclared kind = undeclared::nothing;
  label outer, inner, subject, other;
};

/// Does `outer` promise that `f` holds behind it if it did before? What it gives itself may be broken on the way.
constexpr bool promises(const pass_desc& outer, const fact_desc* f) {
  return outer.keeps_fact(f) && !outer.gives_fact(f);
}

inline constexpr pass_tag own_work_tag;
/// Passes inside of `Outer` as an order, behind a pass that emits what `Outer` may have emitted by then.
template <class Outer, class Phase, class... Inner>
struct inside_input {
  static constexpr const phase_desc& phase = phase_desc_of<Phase>;
  static constexpr pass_desc own_work{{"its own work", 12},
                                      &own_work_tag,
                                      &phase,
                                      &phase,
                                      no_facts,
                                      no_facts,
                                      fact_items<unsaid>,
                                      fact_items<all_facts>,
                                      pass_desc_of<Outer>.emits,
                                      op_set_of<ops<>>,
                                      nullptr};
  static constexpr const pass_desc* passes[] = {&own_work, &pass_desc_of<Inner>..., nullptr};
  static constexpr size_t named = (pass_desc_of<Outer>.needs().size() + ... + pass_desc_of<Inner>.needs().size());
  struct known_facts {
    const fact_desc* data[named + 1]{};
  };
  /// What it both needs and keeps, and does not give: that it may break on the way.
  static constexpr known_facts known = [] {
    known_facts r;
    size_t count = 0;
    const pass_desc& outer = pass_desc_of<Outer>;
    const pass_desc* const all[] = {&outer, &pass_desc_of<Inner>...};
    for (const pass_desc* p : all)
      for (const fact_desc* f : p->needs()) {
        const bool needed = outer.needs().contains(f) || (f->whole && outer.needs().contains(f->whole));
        if (needed && (f->op_set_fact ? phase.key == outer.from->key : promises(outer, f))) r.data[count++] = f;
      }
    return r;
  }();
  static constexpr judge_input value = [] {
    judge_input in;
    in.passes = passes, in.count = 1 + sizeof...(Inner);
    in.start = &phase, in.known = {known.data}, in.inside = true;
    return in;
  }();
};

/// What is wrong with them as an order, as a fault of one of them.
constexpr inside_fault inside_fault_of(label outer, const auto& v) {
  const auto fault = [&](undeclared kind, label subject, label other = {}) {
    return inside_fault{kind, outer, v.pass_name, subject, other};
  };
  switch (v.code) {
    case 0: return {};
    case 1: return v.total ? fault(undeclared::extension, v.names[0]) : fault(undeclared::phase, v.subject, v.other);
    case 2:
    case 3: return fault(undeclared::need, v.subject);
    case 20: return fault(undeclared::follows, v.subject);
    case 38: return fault(undeclared::found, v.other.length ? v.other : v.names[0], v.culprit_name);
    default: return fault(undeclared::misplaced, {});
  }
}

/// What a pass that runs others inside does not say of what these say: `inner` one after the other, on a module in
/// `phase`, as an order that is right.
class inside_walk {
 public:
  constexpr inside_walk(const pass_desc& outer, const phase_desc& phase, const pass_desc* const* inner, size_t count)
      : outer_(outer), phase_(phase), inner_(inner), count_(count) {}

  constexpr inside_fault find() const {
    for (size_t i = 0; i < count_; ++i) {
      const pass_desc& p = *inner_[i];
      if (const inside_fault f = place_of(p); f.kind != undeclared::nothing) return f;
      if (const inside_fault f = work_of(i); f.kind != undeclared::nothing) return f;
      if (const inside_fault f = regions_of(p); f.kind != undeclared::nothing) return f;
      if (!outer_.emits_any() && p.emits_any()) return fault(undeclared::ops, p);
      for (const op_key& op : p.emits)
        if (!outer_.emits_any() && !outer_.emits.contains(op.key) && !gone_behind(op.key, i))
          return fault(undeclared::op, p, op.name());
    }
    return promises_kept();
  }
  /// What no order has inside: who is there only sometimes, or leaves the phase.
  constexpr inside_fault find_stranger() const {
    for (size_t i = 0; i < count_; ++i) {
      const pass_desc& p = *inner_[i];
      if (p.more().flag_key) return fault(undeclared::flag, p, p.more().flag);
      if (p.is_transition()) return fault(undeclared::phase, p, p.from->name, phase_.name);
    }
    return {};
  }

 private:
  constexpr inside_fault fault(undeclared kind, const pass_desc& p, label subject = {}, label other = {}) const {
    return {kind, outer_.name, p.name, subject, other};
  }
  constexpr bool gone_behind(u64 op, size_t i) const {
    for (size_t k = i + 1; k < count_; ++k)
      if (inner_[k]->eliminates.contains(op)) return true;
    return outer_.is_transition() && outer_.eliminates.contains(op);
  }
  constexpr inside_fault place_of(const pass_desc& p) const {
    const rare_parts &r = p.more(), &own = outer_.more();
    if (r.touches_effects && !own.touches_effects) return fault(undeclared::effects, p);
    if (r.interval_end && !same_interval(r, own)) return fault(undeclared::interval, p);
    if (r.at_most_once && !own.at_most_once) return fault(undeclared::once, p);
    if (r.makes && r.makes != own.makes) return fault(undeclared::functions, p, r.makes->name);
    if (r.adds_functions && !own.adds_functions) return fault(undeclared::added, p);
    if (r.removes_functions && !own.removes_functions) return fault(undeclared::removed, p);
    if (r.changes_functions && !own.changes_functions) return fault(undeclared::renewed, p);
    return {};
  }
  /// Where nothing in here makes what inner pass `i` works on, the pass around it works on some of that, too. (An op
  /// that the phase does not list is one that users add.)
  constexpr inside_fault work_of(size_t i) const {
    const pass_desc& p = *inner_[i];
    const rare_parts& own = outer_.more();
    const op_set* const works_on = p.more().works_on;
    bool said = !works_on || works_on->size == 0 || outer_.emits_any() || own.may_find_nothing;
    for (size_t n = 0; !said && n < works_on->size; ++n) {
      const u64 op = works_on->data[n].key;
      said = (!phase_.ops.contains(op) && !phase_.added.contains(op)) || outer_.emits.contains(op) ||
             (own.works_on && own.works_on->contains(op));
      for (size_t k = 0; k < i; ++k) said = said || inner_[k]->emits_any() || inner_[k]->emits.contains(op);
    }
    return said ? inside_fault{} : fault(undeclared::works_on, p, works_on->data[0].name());
  }
  /// What the pass around it says of ops that it changes, and of regions, it keeps to.
  constexpr inside_fault regions_of(const pass_desc& p) const {
    const auto said = [](const op_set* set, u64 op) { return set && (set->data == nullptr || set->contains(op)); };
    const rare_parts &r = p.more(), &own = outer_.more();
    if (r.changes && !outer_.emits_any())
      for (const op_key& op : r.changes->data ? *r.changes : phase_.ops)
        if (!said(own.changes, op.key) && !outer_.emits.contains(op.key))
          return fault(undeclared::changes, p, op.name());
    if (own.outside)
      for (const op_key& op : p.emits_any() ? phase_.ops : p.emits)
        if (said(own.outside, op.key) && !said(r.outside, op.key)) return fault(undeclared::outside, p, op.name());
    if (!own.encloses || own.encloses->data == nullptr) return {};
    if (!r.encloses)
      for (const region_rule& rule : phase_.regions)
        if (p.emits_any() || p.emits.contains(rule.op)) return fault(undeclared::encloses, p, rule.name);
    if (r.encloses)
      for (const op_key& op : *r.encloses)
        if (!own.encloses->contains(op.key)) return fault(undeclared::encloses, p, op.name());
    return {};
  }
  /// Of what the pass around them keeps, all holds again behind them.
  constexpr inside_fault promises_kept() const {
    const bool keeps_rest = outer_.says_breaks() ? !outer_.breaks().all() : outer_.keeps().all();
    for (size_t i = 0; i < count_; ++i) {
      const pass_desc& p = *inner_[i];
      const bool rest = p.says_breaks() ? !p.breaks().all() : p.keeps().all();
      if (keeps_rest && !rest) return fault(undeclared::facts, p);
      const fact_list lists[] = {p.breaks(), outer_.keeps(), outer_.needs()};
      for (const fact_list& list : lists)
        for (const fact_desc* f : list)
          if (f->name.length && !f->op_set_fact && !p.keeps_fact(f) && promises(outer_, f) && !given_behind(f, i))
            return fault(undeclared::fact, p, f->name);
    }
    return {};
  }
  constexpr bool given_behind(const fact_desc* f, size_t i) const {
    bool held = false;
    for (size_t k = i; k < count_; ++k) held = inner_[k]->gives_fact(f) || (held && inner_[k]->keeps_fact(f));
    return held;
  }

  const pass_desc& outer_;
  const phase_desc& phase_;
  const pass_desc* const* inner_;
  size_t count_;
};

/// An op that `inner` may not find, and `outer` may by what it says of itself.
constexpr inside_fault bar_of_inner(const pass_desc& outer, const pass_desc& inner) {
  const barred_ops *const bars = inner.more().barred, *const own = outer.more().barred;
  for (size_t i = 0; bars && i < bars->ops.size; ++i) {
    const op_key& op = bars->ops.data[i];
    if ((own && own->ops.contains(op.key)) || outer.eliminates.contains(op.key)) continue;
    const int code = code_of(bars->why[i].kind);
    const undeclared what = code == 45 ? undeclared::taken_out : undeclared::copied;
    return {code == 46 ? undeclared::unseen_alias : what, outer.name, inner.name, op.name(), bars->why[i].effect};
  }
  return {};
}

constexpr meta::phrase say_inside(const inside_fault& f) {
  meta::phrase s;
  (s << "tenon-E036: pass ").quoted(f.outer) << " runs ";
  s.quoted(f.inner) << " inside, which ";
  const auto say_the_same = [&](const char* what) {
    return s << ", and does not say so itself: let it say the same '" << what << "'";
  };
  switch (f.kind) {
    case undeclared::phase:
      return (s << "belongs to phase ").quoted(f.subject)
             << ", or leaves it, and the module there is in '" << f.other << "': put it into the pipeline";
    case undeclared::extension:
      return (s << "runs in a phase extended with ").quoted(f.subject)
             << ", and itself it does not: let it run in the same";
    case undeclared::need:
      return (s << "needs ").quoted(f.subject) << ", and does not itself both need and keep that: add it to its "
                                                  "'needs' and 'keeps', or run a pass that gives it before, inside too";
    case undeclared::fact:
      return (s << "breaks ").quoted(f.subject) << ", and says itself that this holds behind it: do not keep it, or "
                                                   "run a pass that gives it again, inside too";
    case undeclared::facts:
      return s << "keeps some facts only, and says itself that it keeps all but those that it breaks: let it say the "
                  "same 'keeps'";
    case undeclared::op:
      return (s << "emits ").quoted(f.subject) << ", and does not say so itself: add it to its 'emits'";
    case undeclared::ops:
      return s << "may emit any op of the phase, and says itself what it emits: leave its 'emits' out";
    case undeclared::effects:
      return s << "deletes, merges or moves ops", say_the_same("deletes', 'merges', 'moves' and 'leaves");
    case undeclared::interval: return s << "may not run everywhere", say_the_same("not_between', or 'not_after");
    case undeclared::follows:
      return (s << "must run immediately after ").quoted(f.subject) << ": run that before it, inside too";
    case undeclared::once: return s << "may run at most once", say_the_same("at_most_once");
    case undeclared::functions:
      return (s << "makes functions in phase ").quoted(f.subject), say_the_same("makes_functions_in");
    case undeclared::added: return s << "adds functions", say_the_same("adds_functions");
    case undeclared::removed: return s << "removes functions", say_the_same("removes_functions");
    case undeclared::renewed: return s << "changes functions", say_the_same("changes_functions");
    case undeclared::device: return s << "is not for every device", say_the_same("needs_of_device");
    case undeclared::works_on:
      return (s << "works on ").quoted(f.subject) << ", and does not say so itself: let it say the same 'works_on', or "
                                                     "'static constexpr bool may_find_nothing = true'";
    case undeclared::found:
      (s << "works on ").quoted(f.subject) << ", and none is left there";
      if (f.other.length) return (s << " behind ").quoted(f.other) << ": run it before that, or leave it out";
      return s << ", as that itself says in its 'needs': leave it out";
    case undeclared::outside:
      return (s << "may put ").quoted(f.subject)
             << " into any region, and says itself that it 'emits_outside' of those "
                "that do not allow it: do not say so, or let the other one say it";
    case undeclared::encloses:
      return (s << "may take more into regions, as of ").quoted(f.subject)
             << ", and says itself what they take in: let it say the same 'encloses'";
    case undeclared::changes:
      return (s << "changes ").quoted(f.subject) << ", and does not say so itself: add it to its 'changes'";
    case undeclared::copied:
      return (s << "may run ").quoted(f.subject)
             << " again, or leave several, and says itself that it leaves ops of effect '" << f.other
             << "' alone: do not say so, or let the other one say it";
    case undeclared::taken_out:
      return (s << "may take an op with effect ").quoted(f.other)
             << " out of a region of '" << f.subject
             << "', and says itself that such stay there: do not say that it "
                "'keeps_inside' them, or let the other one say it";
    case undeclared::unseen_alias:
      return (s << "does not look through ").quoted(f.subject), say_the_same("looks_through");
    case undeclared::flag:
      return (s << "is optional under '" << f.subject << "': ask cx.flag, and run the pass itself");
    default: return s;
  }
}

template <class P>
auto device_needs(int) -> meta::detail::box<typename P::needs_of_device>;
template <class P>
auto device_needs(...) -> meta::detail::box<ops<>>;
/// Does `Outer` delete, merge and move what `Inner` does, and ask of a device what it asks?
template <class Outer, class Inner>
inline constexpr bool says_as_much_of = false;
template <class Outer, class... Es>
inline constexpr bool says_as_much_of<Outer, effects<Es...>> = (speaks_of<Es, Outer> && ...);
template <class Outer>
inline constexpr bool says_as_much_of<Outer, any_effects> = __is_same(Outer, any_effects);
template <class Outer, class Inner>
inline constexpr bool says_as_much =
    says_as_much_of<duplicates_of_t<Outer>, duplicates_of_t<Inner>> &&
    says_as_much_of<recomputes_of_t<Outer>, recomputes_of_t<Inner>> &&
    meta::size_v<meta::without_t<typename deletes_of<Inner>::type, typename deletes_of<Outer>::type>> == 0 &&
    meta::size_v<meta::without_t<typename merges_of<Inner>::type, typename merges_of<Outer>::type>> == 0 &&
    meta::size_v<meta::without_t<typename moves_of<Inner>::type, typename moves_of<Outer>::type>> == 0;
template <class Outer, class Inner>
inline constexpr bool asks_of_device =
    meta::same<typename decltype(device_needs<Inner>(0))::type, ops<>> ||
    meta::same<typename decltype(device_needs<Inner>(0))::type, typename decltype(device_needs<Outer>(0))::type>;

template <class Outer, class Phase, class... Inner>
struct inside_check {
  static constexpr int unsound = [] {
    const bool sound[] = {pass_check<Inner>::ok..., pass_check<Outer>::ok};
    for (size_t i = 0; i <= sizeof...(Inner); ++i)
      if (!sound[i]) return static_cast<int>(i);
    return -1;
  }();
  static consteval verdict judged() {
    if constexpr (unsound >= 0) return verdict{};
    else return judgement<inside_input<Outer, Phase, Inner...>>::value;
  }
  static constexpr verdict order = judged();
  static constexpr inside_fault fault = [] {
    if constexpr (unsound >= 0) {
      return inside_fault{};
    } else {
      const pass_desc* const inner[] = {&pass_desc_of<Inner>..., nullptr};
      const bool effects[] = {says_as_much<Outer, Inner>..., true}, device[] = {asks_of_device<Outer, Inner>..., true};
      const inside_walk walk(pass_desc_of<Outer>, phase_desc_of<Phase>, inner, sizeof...(Inner));
      inside_fault f = walk.find_stranger();
      if (f.kind == undeclared::nothing) f = inside_fault_of(pass_desc_of<Outer>.name, order);
      if (f.kind == undeclared::nothing) f = walk.find();
      for (size_t i = 0; i < sizeof...(Inner) && f.kind == undeclared::nothing; ++i)
        if (!effects[i] || !device[i])
          f = {effects[i] ? undeclared::device : undeclared::effects, pass_desc_of<Outer>.name, inner[i]->name, {}, {}};
      for (size_t i = 0; i < sizeof...(Inner) && f.kind == undeclared::nothing; ++i)
        f = bar_of_inner(pass_desc_of<Outer>, *inner[i]);
      return f;
    }
  }();
  static constexpr bool ok = unsound < 0 && fault.kind == undeclared::nothing;
  /// Positions are those in the list.
  static consteval verdict among_themselves() {
    verdict v = order;
    int* const positions[] = {&v.pass, &v.culprit, &v.giver};
    for (int* at : positions) *at -= *at > 0;
    return v;
  }
  static consteval meta::phrase say() {
    if constexpr (unsound >= 0)
      return pass_check<meta::nth_t<static_cast<size_t>(unsound), pass_list<Inner..., Outer>>>::say();
    else if constexpr (fault.kind == undeclared::misplaced) return sentence_of(among_themselves());
    else return say_inside(fault);
  }
};

}  // namespace tenon::detail
