/// @file conditions: orders with optional passes, judged for every combination of flags at once.
///
/// A need fails in some combination if and only if an enabled pass breaks it (or it never held) and every pass that
/// gives it from there on is off. A phase is a fact that transitions to it give, and all other transitions break. For
/// one need and one culprit that is a conjunction of literals, since a pass is there under one flag: so walking back
/// from each need and collecting literals decides all 2^n combinations exactly, in O(passes) a need, and finds the one
/// that says least. No combination is ever enumerated.
#pragma once

#include <tenon/judge/judge.hpp>

namespace tenon::detail {

template <class Size>
constexpr void order_judge<Size>::fail_if(conditional_fault& best, const literals& l, int code, size_t i,
                                          int fact) const {
  if (best.code && best.when.size() <= l.size()) return;
  best.code = code, best.position = i, best.fact = fact, best.when = l;
}

/// May an op of `bits` be present before position `i`, in a combination that `l` allows?
template <class Size>
constexpr void order_judge<Size>::scan_ops(conditional_fault& best, const order_type& order, size_t i, op_bits bits,
                                           const literals& l, int code, size_t position, int fact) const {
  for (size_t j = i; j-- > 0;) {
    const step& q = step_[order[j]];
    bool any = false;
    for (size_t w = 0; w < op_words; ++w) any = any || bits.word[w];
    if (!any) return;
    const u16 emitted = q.desc->emits_any() ? phase_row_[q.to] : q.emits;
    const literals on = l.with(condition_[order[j]]);
    bool emits = false;
    op_bits gone;
    bool removes = false;
    for (size_t w = 0; w < op_words; ++w) {
      const u64 stay = q.from != q.to ? allowed(q, w) : ~u64(0);  // else the transition itself would have been refused
      emits = emits || (bits.word[w] & stay & (row_[emitted][w] | (q.from != q.to ? row_[early_row_[q.to]][w] : 0)));
      gone.word[w] = bits.word[w] & (row_[q.eliminates][w] | row_[q.lowered][w] | ~stay);
      removes = removes || gone.word[w];
    }
    if (emits && on.possible) return fail_if(best, on, code, position, fact);
    if (!removes) continue;
    const literals off = l.with_not(condition_[order[j]]);
    if (off.possible && !(off == l)) scan_ops(best, order, j, gone, off, code, position, fact);
    if (off == l) continue;  // it is off in these combinations anyway
    for (size_t w = 0; w < op_words; ++w) bits.word[w] &= ~gone.word[w];
  }
  const state s = start(order);
  for (size_t w = 0; w < op_words; ++w)
    if (bits.word[w] & s.ops[w]) return fail_if(best, l, code, position, fact);
}

/// May `fact` not hold before position `i`?
template <class Size>
constexpr void order_judge<Size>::scan_fact(conditional_fault& best, const order_type& order, size_t i, size_t fact,
                                            literals l, int code) const {
  const size_t position = i;
  if (op_set_row_[fact]) {
    op_bits bits;
    for (size_t w = 0; w < op_words; ++w) bits.word[w] = row_[op_set_row_[fact]][w];
    return scan_ops(best, order, i, bits, l, code, position, static_cast<int>(fact));
  }
  for (size_t j = i; j-- > 0;) {
    const step& q = step_[order[j]];
    const condition& c = condition_[order[j]];
    if (bit(q.give, fact)) {
      l = l.with_not(c);
      if (!l.possible) return;
    } else if (!bit(q.keep, fact)) {
      const literals on = l.with(c);
      if (on.possible) fail_if(best, on, code, position, static_cast<int>(fact));
      if (on == l) return;  // in these combinations it always breaks it
    }
  }
  if (!bit(known_, fact)) fail_if(best, l, code, position, static_cast<int>(fact));
}

/// A phase is like a fact that transitions to it give, and all other transitions break.
template <class Literals, class Order, class Steps, class Conditions, class Fail>
constexpr void scan_phase(const Order& order, size_t i, size_t phase, size_t start, Literals l, const Steps& steps,
                          const Conditions& conditions, const Fail& fail) {
  for (size_t j = i; j-- > 0;) {
    const auto& q = steps[order[j]];
    if (q.from == q.to) continue;
    if (q.to == phase) {
      l = l.with_not(conditions[order[j]]);
      if (!l.possible) return;
    } else {
      const Literals on = l.with(conditions[order[j]]);
      if (on.possible) fail(on);
      if (on == l) return;
    }
  }
  if (start != phase) fail(l);
}

template <class Size>
constexpr auto order_judge<Size>::walk_all(const order_type& order) const -> conditional_fault {
  conditional_fault best;
  const auto in_phase = [&](size_t i, size_t phase, const literals& l, int code) {
    scan_phase(order, i, phase, start_phase_, l, step_, condition_,
               [&](const literals& when) { fail_if(best, when, code, i, -1); });
  };
  state sure = start(order);  // what holds, and may be there, whatever flags are on
  for (size_t i = 0; i < order.count && !(best.code && best.when.size() == 0); ++i) {
    const step& p = step_[order[i]];
    const bool always = condition_[order[i]].flag == 0;
    const literals here = literals{}.with(condition_[order[i]]);
    in_phase(i, p.from, here, 1);
    if (p.unknown_extension) fail_if(best, here, 1, i, -1);
    if (p.watched) watch_all(best, order, i, here);
    if (regions_ && misplaced(sure.ops, p) >= 0) scan_regions(best, order, i, here);
    if (p.barred && finds_barred(sure.ops, p)) {
      op_bits bits;
      for (size_t w = 0; w < op_words; ++w) bits.word[w] = row_[p.barred][w];
      scan_ops(best, order, i, bits, here, 43, i, -1);
      const u64 none[op_words]{};
      if (finds_barred(none, p)) fail_if(best, here, 43, i, -1);  // by itself, in its next round
    }
    if (p.works_on && finds_nothing(sure, p)) fail_if(best, here, 38, i, -1);  // in no combination is any left
    for (size_t w = 0; w < fact_words; ++w)
      for (u64 left = p.need[w] & ~sure.held[w]; left; left &= left - 1) {
        const size_t f = w * 64 + static_cast<size_t>(__builtin_ctzll(left));
        if (!holds(sure, f)) scan_fact(best, order, i, f, here, 2);
      }
    if (p.from != p.to) {
      for (size_t j = 0; j < i; ++j) {
        const step& q = step_[order[j]];
        if (!leaves_for_good(q, p.to)) continue;
        if (const literals both = here.with(condition_[order[j]]); both.possible) fail_if(best, both, 11, i, -1);
      }
      op_bits bits;
      bool any = false;
      for (size_t w = 0; w < op_words; ++w) {
        bits.word[w] = ~(row_[p.eliminates][w] | row_[p.lowered][w] | allowed(p, w));
        any = any || (bits.word[w] & sure.ops[w]);
      }
      if (any) scan_ops(best, order, i, bits, here, 4, i, -1);
    }
    state next = sure;
    apply(next, p);
    for (size_t w = 0; w < fact_words; ++w)
      sure.held[w] = always ? next.held[w] : sure.held[w] & (p.keep[w] | p.give[w]);
    for (size_t w = 0; w < op_words; ++w)
      sure.ops[w] = always ? next.ops[w] & (p.from != p.to ? allowed(p, w) : ~u64(0)) : sure.ops[w] | next.ops[w];
  }
  // Every combination ends in one phase: that of the goal, or where the last transition leads.
  size_t last = start_phase_;
  for (size_t i = 0; i < order.count; ++i)
    if (step_[order[i]].from != step_[order[i]].to) last = step_[order[i]].to;
  for (size_t i = 0; in_->goal_phase && i < max_phases && phase_[i]; ++i)
    if (phase_[i]->key == in_->goal_phase->key) last = i;
  in_phase(order.count, last, literals{}, in_->goal_phase ? 12 : 25);
  for (size_t f = 0; f < fact_count_; ++f)
    if (bit(goal_, f) && !holds(sure, f)) scan_fact(best, order, order.count, f, {}, 12);
  return best;
}

template <class Size>
constexpr void order_judge<Size>::scan_regions(conditional_fault& best, const order_type& order, size_t i,
                                               const literals& here) const {
  const step& p = step_[order[i]];
  for (size_t r = 0; r < op_count_; ++r) {
    if (!region_row_[r]) continue;
    op_bits there, taken;
    bool put = false;
    for (size_t w = 0; w < op_words; ++w) {
      put = put || put_into(p, r, w);
      if (makes(p, r)) taken.word[w] = staying(p, w) & taken_into(p, r, w);
    }
    if (put && (staying(p, r / 64) >> r % 64 & 1)) set_bit(there.word, r);
    scan_ops(best, order, i, there, here, 42, i, static_cast<int>(r));
    scan_ops(best, order, i, taken, here, 42, i, static_cast<int>(r));
  }
}

template <class Size>
constexpr void order_judge<Size>::watch_all(conditional_fault& best, const order_type& order, size_t i,
                                            const literals& here) const {
  const pass_desc& p = *step_[order[i]].desc;
  const rare_parts& r = p.more();
  for (size_t j = 0; r.at_most_once && j < i; ++j)
    if (const literals both = here.with(condition_[order[j]]); both.possible && step_[order[j]].desc->type == p.type)
      fail_if(best, both, 15, i, -1);
  literals open = here;  // and whoever closes the interval behind its opener is off
  for (size_t k = i + 1; is_open_at_first(r) && k < order.count; ++k)
    if (ends_interval(p, *step_[order[k]].desc))
      if (const literals both = here.with(condition_[order[k]]); both.possible) fail_if(best, both, 19, i, -1);
  for (size_t j = i; r.interval_end && open.possible && j-- > 0;) {
    const pass_desc& q = *step_[order[j]].desc;
    const literals both = open.with(condition_[order[j]]);
    if (both.possible && opens_interval(r, q) && is_endless(r)) fail_if(best, both, 19, i, -1);
    for (size_t k = i + 1; both.possible && opens_interval(r, q) && k < order.count; ++k)
      if (ends_interval(p, *step_[order[k]].desc))
        if (const literals all = both.with(condition_[order[k]]); all.possible) fail_if(best, all, 19, i, -1);
    if (closes_interval(r, q)) open = open.with_not(condition_[order[j]]);
  }
  if (!p.more().after) return;
  literals l = here;
  for (size_t j = i; j-- > 0;) {
    if (!step_[order[j]].desc->ends_with(p.more().after)) {
      const literals on = l.with(condition_[order[j]]);
      if (on.possible) return fail_if(best, on, 20, i, -1);
    } else {
      l = l.with_not(condition_[order[j]]);
      if (!l.possible) return;
    }
  }
  fail_if(best, l, 20, i, -1);
}

/// The verdict on the smallest failing combination, with the passes that it leaves.
template <class Size>
constexpr auto order_judge<Size>::judge_all() const -> verdict {
  const conditional_fault f = walk_all(order_);
  if (f.code == 0) return verdict{};
  order_judge one = *this;
  one.flag_count_ = 0, one.first_begins_ = false;
  one.order_ = order_type{};
  int position[passes + 3]{};
  for (size_t i = 0; i < order_.count; ++i) {
    const condition& c = condition_[order_[i]];
    // A flag that the fault says nothing of is on.
    const bool value = c.flag == 0 || ((f.when.off >> c.flag & 1) == 0);
    if (c.flag && value != c.on) continue;
    position[one.order_.count] = static_cast<int>(i);
    one.order_.pass[one.order_.count++] = order_[i];
  }
  one.offers_repairs_ = f.when.size() == 0;
  verdict v = one.judge();
  int* const positions[] = {&v.pass, &v.culprit, &v.giver};
  for (int* at : positions)
    if (*at >= 0) *at = position[*at];
  if (f.when.size() == 0) return v;
  if (v.ok()) {  // each pass is right, and the phase at the end is not the same
    size_t here = start_phase_, last = start_phase_;
    for (size_t i = 0; i < one.order_.count; ++i) here = step_[one.order_[i]].to;
    for (size_t i = 0; i < order_.count; ++i)
      if (step_[order_[i]].from != step_[order_[i]].to)
        last = step_[order_[i]].to, v.pass = static_cast<int>(i), v.pass_name = name(order_[i]);
    v.code = 25, v.subject = phase_[here]->name, v.other = phase_[last]->name;
  }
  v.inner = v.code, v.code = 25;
  for (size_t k = 1; k <= flag_count_; ++k)
    if (((f.when.on | f.when.off) >> k & 1) && v.condition_count < 4)
      v.conditions[v.condition_count] = flag_[k], v.condition_on[v.condition_count++] = (f.when.on >> k & 1) != 0;
  repair_condition(v, f, one);
  return v;
}

template <class Size>
constexpr bool order_judge<Size>::make(order_type& order, const repair& r) const {
  const auto place = [&](label wanted) {  // of the only pass of that name
    size_t at = order.count, n = 0;
    for (size_t k = 0; k < order.count; ++k)
      if (name(order[k]) == wanted) at = k, ++n;
    return n == 1 ? at : order.count;
  };
  const size_t what = place(r.what), where = place(r.where);
  const bool is_there = what < order.count, has_place = where < order.count;
  if (r.before.length || (r.kind != repair_kind::drop && !has_place)) return false;
  if (r.kind == repair_kind::insert_before || r.kind == repair_kind::insert_after) {
    size_t c = 0;
    while (name(static_cast<u16>(c)) != r.what) ++c;  // a candidate
    order = order.inserted(where + (r.kind == repair_kind::insert_after), static_cast<u16>(c));
    return true;
  }
  if (!is_there) return false;
  if (r.kind == repair_kind::drop) order = order.erased(what);
  else if (r.kind == repair_kind::move_before) order = order.moved(what, where);
  else if (r.kind == repair_kind::move_after) order = order.moved(what, where + 1);
  else if (r.kind == repair_kind::run_again_after) order = order.inserted(where + 1, order[what]);
  else if (r.kind == repair_kind::run_before) order = order.inserted(where, order[what]);
  else return false;
  return true;
}

/// Where a pass is off that should not be, it runs always; else what cures the failing combination, as far as it cures
/// all others, too.
template <class Size>
constexpr void order_judge<Size>::repair_condition(verdict& v, const conditional_fault& f, order_judge& one) const {
  v.repair_count = 0;
  const auto try_orders = [&] {
    one.offers_repairs_ = true;
    const verdict wanted = one.judge();
    order_type both = order_;
    bool made = wanted.together;
    for (size_t k = 0; k < wanted.repair_count && made; ++k) made = make(both, wanted.repairs[k]);
    if (made && walk_all(both).code == 0)
      v.repairs[0] = wanted.repairs[0], v.repairs[1] = wanted.repairs[1], v.repair_count = 2, v.together = true;
    for (size_t k = 0; k < wanted.repair_count && !wanted.together; ++k)
      if (order_type changed = order_; make(changed, wanted.repairs[k]) && walk_all(changed).code == 0)
        v.repairs[v.repair_count++] = wanted.repairs[k];
  };
  const auto try_with = [&](size_t at, const condition& c, repair r) {
    order_judge changed = *this;
    changed.order_.pass[at] = static_cast<u16>(passes);  // a step of its own: the pass may run elsewhere too
    changed.step_[passes] = step_[order_[at]];
    changed.condition_[passes] = c;
    const conditional_fault after = changed.walk_all(changed.order_);
    if (v.repair_count < 2 && after.code == 0) v.repairs[v.repair_count++] = r;
  };
  for (size_t j = 0; j < f.position && j < order_.count; ++j) {
    const condition& c = condition_[order_[j]];
    const bool is_off = c.flag && ((c.on ? f.when.off : f.when.on) >> c.flag & 1);
    if (!is_off) continue;
    try_with(j, {}, {repair_kind::always, name(order_[j]), {}});
    if (f.position < order_.count)
      try_with(f.position, c,
               {c.on ? repair_kind::when_flag : repair_kind::unless_flag, name(order_[f.position]), flag_[c.flag]});
  }
  if (v.repair_count == 0) try_orders();
}

}  // namespace tenon::detail
