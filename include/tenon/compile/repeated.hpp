/// @file repeated: which passes can be repeated, one after the other, until nothing changes.
///
/// A round is walked twice: what the first one leaves is what the second one finds, and every later one.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/pass.hpp>

namespace tenon::detail {

/// Says whether a round changed the module. Throws "pass.repeat" where there were too many.
class rounds {
 public:
  rounds(const ir::module& m, label name, int most);
  bool changed(const ir::module& m);

 private:
  label name_;
  int most_, done_ = 0;
  u64 before_;
};

/// Why passes cannot be one that repeats them. One sentence each.
enum class unfit : u8 {
  nothing,
  none,
  unsound,
  leaves,
  elsewhere,
  flag,
  once,
  follows,
  intervals,
  interval,
  functions,
  ahead,
  needs,
  found,
  undone
};

struct repeat_fault {
  unfit kind = unfit::nothing;
  size_t at = 0;
  label pass, other, subject;
  // Of a circle: who emits what the next one eliminates, or gives what the next one breaks.
  label emitter[4]{}, op[4]{};
  bool of_facts = false;
  size_t shown = 0, total = 0;
};

/// Passes that are repeated, as data.
struct round_walk {
  const pass_desc* const* members;
  size_t count;

  constexpr const pass_desc& at(size_t step) const { return *members[step % count]; }

  /// Who made or broke a fact last, before a step; -1: nobody, so it is what it was at first.
  struct said_of {
    int who = -1;
    bool holds = true;
  };
  constexpr said_of fact_before(const fact_desc* f, size_t step) const {
    for (size_t k = step; k-- > 0 && !f->op_set_fact;) {
      if (at(k).gives_fact(f)) return {static_cast<int>(k), true};
      if (!at(k).keeps_fact(f)) return {static_cast<int>(k), false};
    }
    said_of r;
    for (size_t n = 0; f->op_set_fact && n < f->absent.size; ++n)
      if (const said_of op = op_before(f->absent.data[n].key, step); op.who >= 0 && op.holds) return {op.who, false};
    if (f->op_set_fact && taken(f->absent, step)) r.who = 0;
    return r;
  }
  /// The same of an op: `holds`: there may be some.
  constexpr said_of op_before(u64 op, size_t step) const {
    for (size_t k = step; k-- > 0;) {
      if (at(k).emits_any() ? at(k).to->ops.contains(op) || at(k).to->added.contains(op) : at(k).emits.contains(op))
        return {static_cast<int>(k), true};
      if (at(k).eliminates.contains(op)) return {static_cast<int>(k), false};
    }
    return {};
  }
  constexpr bool taken(const op_set& ops, size_t step) const {
    for (const op_key& op : ops)
      if (op_before(op.key, step).who < 0 && at(0).from->ops.contains(op.key)) return false;
    return true;
  }
  /// Must it hold in front of the first round?
  constexpr bool is_needed(const fact_desc* f) const {
    for (size_t i = 0; i < count; ++i)
      if (at(i).needs().contains(f) && fact_before(f, i).who < 0) return true;
    return false;
  }
  constexpr bool is_given(const fact_desc* f) const {
    const said_of last = fact_before(f, count);
    return !f->op_set_fact && last.who >= 0 && last.holds;
  }
  constexpr bool is_kept(const fact_desc* f) const {
    for (size_t i = 0; i < count; ++i)
      if (!at(i).keeps_fact(f)) return false;
    return true;
  }
  constexpr bool keeps_rest() const {
    for (size_t i = 0; i < count; ++i)
      if (at(i).says_breaks() ? at(i).breaks().all() : !at(i).keeps().all()) return false;
    return true;
  }
  constexpr bool emits_any() const {
    for (size_t i = 0; i < count; ++i)
      if (at(i).emits_any()) return true;
    return false;
  }
  constexpr bool is_emitted(u64 op) const {
    const said_of last = op_before(op, count);
    return last.who >= 0 && last.holds;
  }
  constexpr bool is_eliminated(u64 op) const {
    const said_of last = op_before(op, count);
    return last.who >= 0 && !last.holds;
  }
  /// Does no member make what `p` works on?
  constexpr bool works_on_others(const pass_desc& p) const {
    for (size_t i = 0; i < count && p.more().works_on; ++i)
      for (const op_key& op : *p.more().works_on)
        if (at(i).emits_any() || at(i).emits.contains(op.key)) return false;
    return p.more().works_on != nullptr;
  }
  /// Does each member that may emit `op` never put it into a region that does not allow it?
  constexpr bool is_outside(u64 op) const {
    for (size_t i = 0; i < count; ++i) {
      const op_set* const outside = at(i).more().outside;
      if ((at(i).emits_any() || at(i).emits.contains(op)) && !(outside && (!outside->data || outside->contains(op))))
        return false;
    }
    return true;
  }
  /// Does each member that emits any op say so of all?
  constexpr bool puts_all_outside() const {
    for (size_t i = 0; i < count; ++i)
      if (at(i).emits_any() && !(at(i).more().outside && !at(i).more().outside->data)) return false;
    return true;
  }
  /// Does each member that may make regions say what they take in, and one at least?
  constexpr bool says_encloses() const {
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
      const op_set* const taken_in = at(i).more().encloses;
      any = any || taken_in;
      for (const region_rule& r : at(i).from->regions)
        if ((at(i).emits_any() || at(i).emits.contains(r.op)) && !(taken_in && taken_in->data)) return false;
    }
    return any;
  }
  /// Who opens the interval of member `i`, in this round or the one before; the count: nobody.
  constexpr size_t opener(size_t i) const {
    const rare_parts& r = at(i).more();
    size_t who = count;
    for (size_t k = 0; is_open_at_first(r) && !r.interval_ops && k < count; ++k)  // of ops, the next round finds them
      if (at(k).is(r.interval_end)) return k;
    for (size_t k = 0; r.interval_end && k < count + i; ++k)
      if (r.interval_of_rewriters && k % count == i) continue;  // what it rewrites itself, it has found
      else if (opens_interval(r, at(k))) who = k % count;
      else if (closes_interval(r, at(k))) who = count;
    return who;
  }
  constexpr repeat_fault find() const {
    repeat_fault f;
    const auto fault = [&](unfit kind, size_t i, label subject = {}, label other = {}) {
      return f.kind = kind, f.at = i, f.pass = at(i).name, f.subject = subject, f.other = other, f;
    };
    for (size_t i = 0; i < count; ++i) {
      const pass_desc& p = at(i);
      const rare_parts& r = p.more();
      if (p.is_transition()) return fault(unfit::leaves, i);
      if (p.from != at(0).from) return fault(unfit::elsewhere, i, p.from->name, at(0).from->name);
      if (r.flag_key) return fault(unfit::flag, i, r.flag);
      if (r.at_most_once) return fault(unfit::once, i);
      if (r.after && (i == 0 || at(i - 1).type != r.after)) return fault(unfit::follows, i, r.after_name);
      if (r.makes && r.makes != makes()) return fault(unfit::functions, i);
      if (const size_t who = opener(i); who < count) return fault(unfit::interval, i, {}, at(who).name);
    }
    if (find_circle(f, &handed) || find_circle(f, &handed_fact)) return f;
    for (size_t step = 0; step < 2 * count; ++step)
      for (const fact_desc* need : at(step).needs())
        if (const said_of s = fact_before(need, step); !s.holds)
          return fault(unfit::needs, step % count, need->name, at(static_cast<size_t>(s.who)).name);
    for (size_t i = 0; i < count; ++i)
      if (const op_set* const on = at(i).more().works_on; on && on->size) {
        int taker = -1;
        u64 gone = 0;
        const bool left = finds_some(at(i).more(), [&](u64 op) {
          bool there = false;
          int who = -1;
          for (size_t step = i; step < 2 * count; step += count)
            if (const said_of s = op_before(op, step); s.holds) there = true;
            else who = s.who;
          if (!there && !gone) gone = op, taker = who;
          return there;
        });
        for (const op_key& op : *on)
          if (!left && op.key == gone) return fault(unfit::found, i, op.name(), at(static_cast<size_t>(taker)).name);
      }
    return f;
  }
  constexpr const phase_desc* makes() const {
    for (size_t i = 0; i < count; ++i)
      if (at(i).more().makes) return at(i).more().makes;
    return nullptr;
  }
  /// The op that `p` names in its `emits` and `q` eliminates; an empty name: none.
  static constexpr label handed(const pass_desc& p, const pass_desc& q) {
    for (const op_key& op : p.emits)
      if (q.eliminates.contains(op.key)) return op.name();
    return {};
  }
  /// The fact that `p` gives and `q` names in its `breaks`, or ends by ops that it names.
  static constexpr label handed_fact(const pass_desc& p, const pass_desc& q) {
    for (const fact_desc* f : p.gives()) {
      if (q.says_breaks() && !q.breaks().all() && q.breaks().contains(f)) return f->name;
      if (!f->bounds || q.gives_fact(f) || !q.says_it_keeps(f)) continue;
      if (const fact_end how = end_of(q, *f).how; how == fact_end::emission || how == fact_end::elimination)
        return f->name;
    }
    return {};
  }
  /// The shortest circle of members of which each hands the next one something that this takes away.
  constexpr bool find_circle(repeat_fault& f, label (*hands)(const pass_desc&, const pass_desc&)) const {
    constexpr size_t most = 32;
    size_t best = most + 1;
    for (size_t start = 0; start < count && count <= most; ++start) {
      size_t before[most]{}, far[most]{};
      size_t queue[most]{start}, head = 0, tail = 1;
      bool seen[most]{};
      while (head < tail) {
        const size_t p = queue[head++];
        for (size_t q = 0; q < count; ++q) {
          if (q == p || hands(at(p), at(q)).length == 0) continue;
          if (q == start && far[p] + 1 < best) {
            best = far[p] + 1;
            size_t ring[most]{};
            size_t k = best;
            for (size_t now = p; k-- > 0; now = before[now]) ring[k] = now;
            f.kind = unfit::undone, f.of_facts = hands == &handed_fact, f.at = start, f.total = best,
            f.shown = best < 4 ? best : 4;
            for (size_t i = 0; i < f.shown; ++i) {
              f.emitter[i] = at(ring[i]).name;
              f.op[i] = hands(at(ring[i]), at(ring[(i + 1) % best]));
            }
          }
          if (q != start && !seen[q]) seen[q] = true, before[q] = p, far[q] = far[p] + 1, queue[tail++] = q;
        }
      }
    }
    return best <= most;
  }
};

constexpr meta::phrase say_unfit(const repeat_fault& f) {
  meta::phrase s;
  s << "tenon-E039: ";
  if (f.kind == unfit::none) return s << "repeat<> has no pass: name those that it repeats";
  if (f.kind == unfit::intervals)
    return s << "the passes of a repeat may not run in different intervals: give each such pass a repeat of its own";
  if (f.kind == unfit::undone) {
    s << "a repeat may never come to rest: ";
    for (size_t i = 0; i < f.shown; ++i) {
      (s << (i ? ", and " : "pass ")).quoted(f.emitter[i]);
      (s << (f.of_facts ? " gives " : " emits ")).quoted(f.op[i]) << ", which ";
      s.quoted(i + 1 < f.total && i + 1 < 4 ? f.emitter[i + 1] : f.emitter[0])
          << (f.of_facts ? " breaks" : " eliminates");
    }
    return s << ": leave one of them out, or let it run once, in front of the repeat";
  }
  (s << "pass ").quoted(f.pass) << " cannot be repeated here, since it ";
  switch (f.kind) {
    case unfit::leaves: return s << "leaves its phase: put it behind the repeat";
    case unfit::elsewhere:
      return (s << "runs in phase ").quoted(f.subject) << ", and the first one in '" << f.other << "': repeat it apart";
    case unfit::flag:
      return s << "is optional under '" << f.subject
               << "': let the repeat be optional, optional<repeat<...>, when<...>>";
    case unfit::once: return s << "may run at most once: put it in front of the repeat, or behind it";
    case unfit::follows:
      return (s << "must run immediately after ").quoted(f.subject) << ": put that before it, in the repeat";
    case unfit::functions: return s << "makes functions in another phase than one before it: repeat it apart";
    case unfit::ahead:
      return (s << "makes functions in phase ").quoted(f.subject)
             << ", ahead of the module, and an order that comes as text does not say who may call those of a repeat: "
                "put it in front of the repeat, or behind it";
    case unfit::interval:
      return (s << "may not run after ").quoted(f.other) << ", as its interval says: repeat it apart";
    case unfit::needs:
      return (s << "needs ").quoted(f.subject) << ", which '" << f.other
                                               << "' breaks, in this round or the one before: put a pass that gives it "
                                                  "between them, in the repeat";
    case unfit::found:
      return (s << "works on ").quoted(f.subject) << ", and '" << f.other
                                                  << "' leaves none of it: leave it out, or say "
                                                     "'static constexpr bool may_find_nothing = true'";
    default: return s;
  }
}

/// The intervals that they have, each once.
template <class... Ps>
using intervals_of =
    meta::without_t<meta::unique_t<pass_list<void, typename decltype(interval_of<Ps>())::type...>>, pass_list<void>>;

template <class... Ps>
struct repeat_check {
  static constexpr int unsound = [] {
    const bool sound[] = {pass_check<Ps>::ok..., true};
    for (size_t i = 0; i < sizeof...(Ps); ++i)
      if (!sound[i]) return static_cast<int>(i);
    return -1;
  }();
  static constexpr repeat_fault fault = [] {
    repeat_fault f;
    if constexpr (sizeof...(Ps) == 0) {
      return f.kind = unfit::none, f;
    } else if constexpr (unsound >= 0) {
      return f.kind = unfit::unsound, f;
    } else {
      const pass_desc* const members[] = {&pass_desc_of<Ps>..., nullptr};
      f = round_walk{members, sizeof...(Ps)}.find();
      if constexpr (meta::size_v<intervals_of<Ps...>> > 1)
        if (f.kind == unfit::nothing) f.kind = unfit::intervals;
      return f;
    }
  }();
  static constexpr bool ok = fault.kind == unfit::nothing;
  static constexpr int code = [] {
    if constexpr (unsound >= 0)
      return pass_check<meta::nth_t<static_cast<size_t>(unsound), pass_list<Ps...>>>::fault.code;
    else return ok ? 0 : 39;
  }();
  static consteval meta::phrase say() {
    if constexpr (unsound >= 0) return pass_check<meta::nth_t<static_cast<size_t>(unsound), pass_list<Ps...>>>::say();
    else return say_unfit(fault);
  }
};

}  // namespace tenon::detail
