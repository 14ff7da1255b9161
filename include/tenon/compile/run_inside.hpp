/// @file run_inside: passes that a pass runs in its own body, judged against what it says of itself.
///
///     struct clean_up {
///       static constexpr fixed_string name = "clean_up";
///       using runs_in = phases::optimization;
///       using needs = facts<fact::shapes_known>;               // what `simplify` needs
///       using keeps = passes::graph_facts;                     // no more than it keeps
///       using emits = passes::simplify::emits;                 // what it emits, …
///       using deletes = effects<>;
///       using leaves = passes::simplify::leaves;
///       using not_between = passes::simplify::not_between;
///       void run(ir_module<runs_in>& m, context& cx) const {
///         run_inside<passes::simplify, passes::eliminate_dead>(*this, m, cx);
///       }
///     };
///
/// A pipeline sees the pass around them only, so that must say what they need and do: else it does not compile
/// ("tenon-E036"), also on what they work. What it both needs and keeps is known in its body.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/run.hpp>

namespace tenon {
namespace detail {

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
  unseen_alias
};

struct inside_fault {
  undeclared kind = undeclared::nothing;
  label outer, inner, subject, other;
};

/// Does `outer` promise that `f` holds behind it if it did before? What it gives itself may be broken on the way.
constexpr bool promises(const pass_desc& outer, const fact_desc* f) {
  return outer.keeps_fact(f) && !outer.gives_fact(f);
}

/// Passes that run one after the other inside of `outer`, on a module in `phase`.
class inside_walk {
 public:
  constexpr inside_walk(const pass_desc& outer, const phase_desc& phase, const pass_desc* const* inner, size_t count)
      : outer_(outer), phase_(phase), inner_(inner), count_(count) {}

  constexpr inside_fault find() const {
    for (size_t i = 0; i < count_; ++i) {
      const pass_desc& p = *inner_[i];
      if (p.from->key != phase_.key || p.is_transition()) return fault(undeclared::phase, p, p.from->name, phase_.name);
      for (const op_key& op : p.from->added)
        if (!phase_.added.contains(op.key)) return fault(undeclared::extension, p, op.name());
      for (const fact_desc* f : p.needs())
        if (!known(f, i)) return fault(undeclared::need, p, f->name);
      if (const inside_fault f = place_of(i); f.kind != undeclared::nothing) return f;
      if (const inside_fault f = finds_nothing(i); f.kind != undeclared::nothing) return f;
      if (const inside_fault f = regions_of(p); f.kind != undeclared::nothing) return f;
      if (!outer_.emits_any() && p.emits_any()) return fault(undeclared::ops, p);
      for (const op_key& op : p.emits)
        if (!outer_.emits_any() && !outer_.emits.contains(op.key) && !gone_behind(op.key, i))
          return fault(undeclared::op, p, op.name());
    }
    return promises_kept();
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
  /// Is `f` known before inner pass `i`? Not if the pass around it may have broken it by then.
  constexpr bool known(const fact_desc* f, size_t i) const {
    for (size_t k = i; k-- > 0;) {
      if (!f->op_set_fact && inner_[k]->gives_fact(f)) return true;
      if (!f->op_set_fact && !inner_[k]->keeps_fact(f)) return false;
    }
    if (!f->op_set_fact)
      return (outer_.needs().contains(f) || (f->whole && outer_.needs().contains(f->whole))) && promises(outer_, f);
    const bool needed = outer_.needs().contains(f) && !outer_.emits_any() && phase_.key == outer_.from->key;
    for (const op_key& op : f->absent) {  // none is there, and none is made on the way
      if (!phase_.ops.contains(op.key) && !phase_.added.contains(op.key)) continue;
      bool gone = needed && !outer_.emits.contains(op.key);
      for (size_t k = 0; k < i; ++k) {
        const pass_desc& q = *inner_[k];
        gone = !q.emits_any() && !q.emits.contains(op.key) && (gone || q.eliminates.contains(op.key));
      }
      if (!gone) return false;
    }
    return true;
  }
  constexpr inside_fault place_of(size_t i) const {
    const pass_desc& p = *inner_[i];
    const rare_parts &r = p.more(), &own = outer_.more();
    if (r.flag_key) return fault(undeclared::flag, p, r.flag);
    if (r.touches_effects && !own.touches_effects) return fault(undeclared::effects, p);
    if (r.interval_end && !same_interval(r, own)) return fault(undeclared::interval, p);
    if (r.after && (i == 0 || !inner_[i - 1]->ends_with(r.after))) return fault(undeclared::follows, p, r.after_name);
    if (r.at_most_once && !own.at_most_once) return fault(undeclared::once, p);
    if (r.makes && r.makes != own.makes) return fault(undeclared::functions, p, r.makes->name);
    if (r.adds_functions && !own.adds_functions) return fault(undeclared::added, p);
    if (r.removes_functions && !own.removes_functions) return fault(undeclared::removed, p);
    if (r.changes_functions && !own.changes_functions) return fault(undeclared::renewed, p);
    return {};
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
  /// One of the ops that inner pass `i` works on may be left; and where nothing in here makes such, the pass around it
  /// says the same. (An op that the phase does not list is one that users add.)
  constexpr inside_fault finds_nothing(size_t i) const {
    const pass_desc& p = *inner_[i];
    const op_set* const works_on = p.more().works_on;
    if (!works_on || works_on->size == 0) return {};
    bool made = outer_.emits_any();
    label taker;
    u64 gone = 0;  // the first of what is missed
    for (const op_key& op : *works_on) {
      if (!phase_.ops.contains(op.key) && !phase_.added.contains(op.key)) return {};
      made = made || outer_.emits.contains(op.key);
      for (size_t k = 0; k < i; ++k) made = made || inner_[k]->emits_any() || inner_[k]->emits.contains(op.key);
    }
    const bool left = finds_some(p.more(), [&](u64 op) {
      bool there = true;
      for (const fact_desc* f : outer_.needs())
        there = there && !(phase_.key == outer_.from->key && f->op_set_fact && f->absent.contains(op));
      for (size_t k = 0; k < i; ++k) {
        if (there && !gone && inner_[k]->eliminates.contains(op)) taker = inner_[k]->name;
        there =
            inner_[k]->emits_any() || inner_[k]->emits.contains(op) || (there && !inner_[k]->eliminates.contains(op));
      }
      return there || outer_.emits_any() || outer_.emits.contains(op) || (gone = gone ? gone : op, false);
    });
    for (const op_key& op : *works_on)
      if (!left && op.key == gone) return fault(undeclared::found, p, op.name(), taker);
    const rare_parts& own = outer_.more();
    bool same = made || own.may_find_nothing;
    for (size_t n = 0; own.works_on && n < own.works_on->size; ++n)
      same = same || works_on->contains(own.works_on->data[n].key);
    return same ? inside_fault{} : fault(undeclared::works_on, p, works_on->data[0].name());
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
  static constexpr inside_fault fault = [] {
    if constexpr (unsound >= 0) {
      return inside_fault{};
    } else {
      const pass_desc* const inner[] = {&pass_desc_of<Inner>..., nullptr};
      const bool effects[] = {says_as_much<Outer, Inner>..., true}, device[] = {asks_of_device<Outer, Inner>..., true};
      inside_fault f = inside_walk(pass_desc_of<Outer>, phase_desc_of<Phase>, inner, sizeof...(Inner)).find();
      for (size_t i = 0; i < sizeof...(Inner) && f.kind == undeclared::nothing; ++i)
        if (!effects[i] || !device[i])
          f = {effects[i] ? undeclared::device : undeclared::effects, pass_desc_of<Outer>.name, inner[i]->name, {}, {}};
      for (size_t i = 0; i < sizeof...(Inner) && f.kind == undeclared::nothing; ++i)
        f = bar_of_inner(pass_desc_of<Outer>, *inner[i]);
      return f;
    }
  }();
  static constexpr bool ok = unsound < 0 && fault.kind == undeclared::nothing;
  static consteval meta::phrase say() {
    if constexpr (unsound >= 0)
      return pass_check<meta::nth_t<static_cast<size_t>(unsound), pass_list<Inner..., Outer>>>::say();
    else return say_inside(fault);
  }
};

/// Passes inside of another one, as a list: of each is proved what it gives, and no more.
template <class Gives, class... Inner>
struct inside_list;
template <class... Fs, class... Inner>
struct inside_list<facts<Fs...>, Inner...> {
  static constexpr scheduled_pass passes[] = {scheduled<Inner>()..., {}};
  static constexpr proof proofs[] = {proof_of<Fs>()..., {}};
  static constexpr size_t words = sizeof...(Fs) / 64 + 1;
  static constexpr auto given = [] {
    struct {
      u64 row[(sizeof...(Inner) + 1) * words]{};
    } r;
    const fact_desc* const all[] = {&fact_desc_of<Fs>..., nullptr};
    const pass_desc* const inner[] = {&pass_desc_of<Inner>..., nullptr};
    for (size_t i = 0; i < sizeof...(Inner); ++i)
      for (size_t f = 0; f < sizeof...(Fs); ++f)
        if (inner[i]->gives_fact(all[f])) r.row[i * words + f / 64] |= u64(1) << (f % 64);
    return r;
  }();
  static constexpr schedule value{passes, sizeof...(Inner), proofs, sizeof...(Fs), given.row, words};
};
template <class... Inner, class Phase>
void execute_inside(ir_module<Phase>& m, context& cx) {
  using list = inside_list<meta::unique_t<meta::concat_t<facts<>, gives_of_t<Inner>...>>, Inner...>;
  m = module_door::make<ir_module<Phase>>(
      execute(list::value, module_door::take(std::move(m)), cx, 0, sizeof...(Inner)));
}
}  // namespace detail

/// Softly: may `Outer` run these passes in its body, on a module of `Phase`?
template <class Outer, class Phase, class... Inner>
inline constexpr bool can_run_inside = detail::inside_check<Outer, Phase, Inner...>::ok;
/// Loudly.
template <class Outer, class Phase, class... Inner>
concept runs_inside = meta::answer_t<detail::inside_check<Outer, Phase, Inner...>>::accepted;

/// Runs passes, one after the other, in the body of another one: `run_inside<a, b>(*this, m, cx)`. They have the
/// options that the context holds for them, or default ones; under `verify_each` what they give is proved.
template <class... Inner, class Outer, class Phase>
void run_inside(const Outer&, ir_module<Phase>& m, context& cx) {
  using check = detail::inside_check<Outer, Phase, Inner...>;
  meta::answer_t<check>::accept();  // in the body, as `run` does
  if constexpr (check::ok) detail::execute_inside<Inner...>(m, cx);
}

}  // namespace tenon
