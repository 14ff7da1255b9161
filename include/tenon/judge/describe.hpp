/// @file describe: from a fault to a verdict: what is missing, and who did it.
#pragma once

#include <tenon/judge/judge.hpp>

namespace tenon::detail {

template <class Size>
constexpr auto order_judge<Size>::history_of(const order_type& order, size_t until, size_t fact) const -> history {
  history h;
  state s = start(order);
  bool held = holds(s, fact);
  h.ever = held;
  for (size_t i = 0; i < until; ++i) {
    apply(s, step_[order[i]]);
    if (step_[order[i]].from != step_[order[i]].to)
      for (size_t w = 0; w < op_words; ++w) s.ops[w] &= allowed(step_[order[i]], w);
    const bool now = holds(s, fact);
    if (now && !held) h.giver = static_cast<int>(i), h.ever = true;
    if (!now && held) h.culprit = static_cast<int>(i);
    if (now && bit(step_[order[i]].give, fact)) h.giver = static_cast<int>(i);
    held = now;
  }
  return h;
}

template <class Size>
constexpr void order_judge<Size>::describe(verdict& v, const fault& f) const {
  const auto named = [&](int position) { return name(order_[static_cast<size_t>(position)]); };
  if (f.code == 12) v.pass_name = in_->goal_owner, v.pass = -1;
  else v.pass_name = named(v.pass);
  switch (f.code) {
    case 1:
    case 11: describe_phase(v, f); break;
    case 2:
    case 12: describe_fact(v, f); break;
    case 4: describe_left(v, f); break;
    case 38: describe_nothing(v, f); break;
    case 42: describe_region(v, f); break;
    case 43: describe_barred(v, f); break;
    case 15:
      for (size_t i = 0; i < f.position; ++i)
        if (step_[order_[i]].desc->type == step_[order_[f.position]].desc->type) v.culprit = static_cast<int>(i);
      break;
    case 19: {
      const pass_desc& p = *step_[order_[f.position]].desc;
      const rare_parts& r = p.more();
      const bool of_ops_behind =
          r.interval_ops && is_open_at_first(r);  // then the last is named, behind which it may run
      for (size_t i = 0; i < order_.count; ++i) {
        const pass_desc& q = *step_[order_[i]].desc;
        if (i < f.position && closes_interval(r, q)) v.giver = -1;
        if (i < f.position && opens_interval(r, q) && v.giver < 0) v.giver = static_cast<int>(i);
        if (i > f.position && ends_interval(p, q) && (v.culprit < 0 || of_ops_behind)) v.culprit = static_cast<int>(i);
      }
      if (const int who = of_ops_behind ? v.culprit : v.giver; r.interval_ops)
        v.subject = op_that_opens(r, *step_[order_[static_cast<size_t>(who)]].desc)->name();
      if (r.interval_of_rewriters) v.other = {"rewrites", 8};
      break;
    }
    case 20:
      v.subject = step_[order_[f.position]].desc->more().after_name;
      v.culprit = v.pass - 1;
      break;
    default: break;
  }
  if (v.culprit >= 0) v.culprit_name = named(v.culprit);
  if (v.giver >= 0) v.giver_name = named(v.giver);
}

template <class Size>
constexpr void order_judge<Size>::describe_phase(verdict& v, const fault& f) const {
  const step& p = step_[order_[f.position]];
  size_t now = start_phase_;
  for (size_t i = 0; i < f.position; ++i) {
    const step& q = step_[order_[i]];
    if (f.code == 1 && q.from != q.to) v.culprit = static_cast<int>(i);
    if (f.code == 11 && leaves_for_good(q, p.to)) v.culprit = static_cast<int>(i);
    now = q.to;
  }
  v.subject = phase_[f.code == 11 ? p.to : p.from]->name, v.other = phase_[now]->name;
  if (!p.unknown_extension) return;
  for (const op_key& op : p.desc->from->added) {
    bool added = false;
    for (size_t i = 0; i < op_count_; ++i) added = added || (universe_[i]->key == op.key && bit(row_[added_row_], i));
    if (!added) v.add(op.name());
  }
}

template <class Size>
constexpr void order_judge<Size>::describe_fact(verdict& v, const fault& f) const {
  if (f.fact < 0) {  // the goal's phase is not reached
    v.subject = in_->goal_phase->name;
    v.other = phase_[order_.count ? step_[order_[order_.count - 1]].to : start_phase_]->name;
    return;
  }
  const size_t fact = static_cast<size_t>(f.fact);
  v.subject = fact_[fact]->name;
  const history h = history_of(order_, f.position, fact);
  if (f.position < order_.count) {
    v.where_it_begins = step_[order_[f.position]].from == start_phase_;
    describe_others(v, f, h);
  }
  for (size_t some = 0; some < fact_count_ && !h.ever; ++some) {
    if (fact_[some]->whole != fact_[fact]) continue;
    const history partly = history_of(order_, f.position, some);
    if (partly.giver > partly.culprit) v.giver = partly.giver, v.partly = true;
  }
  if (!h.ever) {
    if (!op_set_row_[fact] || v.partly) return;
    state s = start(order_);  // who is in the way of an op-set fact
    for (size_t i = 0; i < f.position; ++i) apply(s, step_[order_[i]]);
    for (size_t i = 0; i < op_count_; ++i)
      if (bit(s.ops, i) && bit(row_[op_set_row_[fact]], i)) v.add(universe_[i]->name());
    return;
  }
  if (f.code == 2) v.code = 3;
  v.culprit = h.culprit, v.giver = h.giver;
  if (h.culprit < 0) return;
  const step& c = step_[order_[static_cast<size_t>(h.culprit)]];
  if (fact_[fact]->bounds && c.desc->says_it_keeps(fact_[fact])) v.ending = end_of(*c.desc, *fact_[fact]);
  v.unkept = !fact_[fact]->op_set_fact && !c.desc->breaks().contains(fact_[fact]);
  if (!op_set_row_[fact]) return;
  const u64* emitted = row_[c.desc->emits_any() ? phase_row_[c.to] : c.emits];
  for (size_t i = 0; i < op_count_; ++i)
    if (bit(emitted, i) && bit(row_[op_set_row_[fact]], i)) v.add(universe_[i]->name());
}

/// What else the pass needs, and misses for the same reason or for another.
template <class Size>
constexpr void order_judge<Size>::describe_others(verdict& v, const fault& f, const history& first) const {
  const step& p = step_[order_[f.position]];
  state s = start(order_);
  for (size_t i = 0; i < f.position; ++i) apply(s, step_[order_[i]]);
  for (size_t fact = static_cast<size_t>(f.fact) + 1; fact < fact_count_; ++fact) {
    if (!bit(p.need, fact) || holds(s, fact)) continue;
    const history h = history_of(order_, f.position, fact);
    const bool same = h.ever == first.ever && (!h.ever || (h.culprit == first.culprit && h.giver == first.giver));
    (same ? v.also : v.besides).add(fact_[fact]->name);
  }
}

template <class Size>
constexpr void order_judge<Size>::describe_left(verdict& v, const fault& f) const {
  const step& t = step_[order_[f.position]];
  v.subject = phase_[t.to]->name;
  state s = start(order_);
  for (size_t i = 0; i < f.position; ++i) apply(s, step_[order_[i]]);
  u64 left[op_words]{};
  for (size_t w = 0; w < op_words; ++w)
    left[w] = s.ops[w] & ~(row_[t.eliminates][w] | row_[t.lowered][w]) & ~allowed(t, w);
  size_t first = op_count_;
  for (size_t i = 0; i < op_count_; ++i)
    if (bit(left, i)) {
      v.add(universe_[i]->name());
      if (first == op_count_) first = i;
    }
  state r = start(order_);
  bool present = bit(r.ops, first);
  for (size_t i = 0; i < f.position; ++i) {
    apply(r, step_[order_[i]]);
    const bool now = bit(r.ops, first);
    if (present && !now) v.giver = static_cast<int>(i);
    if (!present && now) v.culprit = static_cast<int>(i);
    present = now;
  }
}

/// Which ops may get into the region of which, and who made the one that was there first; nobody: the phase lists it.
template <class Size>
constexpr void order_judge<Size>::describe_region(verdict& v, const fault& f) const {
  const step& p = step_[order_[f.position]];
  const size_t r = static_cast<size_t>(f.fact);
  state s = start(order_);
  for (size_t i = 0; i < f.position; ++i) {
    const step& q = step_[order_[i]];
    apply(s, q);
    for (size_t w = 0; w < op_words && q.from != q.to; ++w) s.ops[w] &= allowed(q, w);
  }
  u64 put[op_words]{}, there[op_words]{};
  bool puts = false;
  for (size_t w = 0; w < op_words; ++w) {
    s.ops[w] &= staying(p, w);
    put[w] = put_into(p, r, w), there[w] = s.ops[w] & taken_into(p, r, w), puts = puts || put[w];
  }
  v.subject = universe_[r]->name(), v.other = phase_[p.from]->name;
  v.takes_in = !puts || !bit(s.ops, r);
  for (size_t i = 0; i < op_count_; ++i)
    if (bit(v.takes_in ? there : put, i)) v.add(universe_[i]->name());
  for (size_t i = f.position; i-- > 0 && v.culprit < 0;) {  // who may emit any op is no help
    const step& q = step_[order_[i]];
    bool made = !v.takes_in && bit(row_[q.emits], r);
    for (size_t w = 0; w < op_words; ++w) made = made || (v.takes_in && (row_[q.emits][w] & there[w]));
    if (made && !q.desc->emits_any()) v.culprit = static_cast<int>(i);
  }
}

/// Which ops the pass may not find, for one effect, and who emits the first of them; nobody: the phase lists it.
template <class Size>
constexpr void order_judge<Size>::describe_barred(verdict& v, const fault& f) const {
  const step& p = step_[order_[f.position]];
  state s = start(order_);
  for (size_t i = 0; i < f.position; ++i) {
    const step& q = step_[order_[i]];
    apply(s, q);
    for (size_t w = 0; w < op_words && q.from != q.to; ++w) s.ops[w] &= allowed(q, w);
  }
  const barred_ops* const lists[] = {p.desc->more().barred, in_->barred ? in_->barred[order_[f.position]] : nullptr};
  size_t first = op_count_;
  for (size_t at = 0; at < op_count_; ++at) {
    if (!(found_barred(s.ops, p, at / 64) >> at % 64 & 1)) continue;
    for (const barred_ops* list : lists)
      for (size_t k = 0; list && k < list->ops.size; ++k) {
        if (list->ops.data[k].key != universe_[at]->key) continue;
        const effect_bar& why = list->why[k];
        if (v.total == 0) v.subject = why.effect, v.bar = why.kind, first = at;
        if (v.subject == why.effect && v.bar == why.kind) v.add(universe_[at]->name());
      }
  }
  v.code = code_of(v.bar);
  v.other = phase_[p.from]->name;
  for (size_t i = f.position + (p.desc->more().repeats ? 1 : 0); i-- > 0 && v.culprit < 0 && first < op_count_;)
    if (const step& q = step_[order_[i]]; bit(row_[q.emits], first) && !q.desc->emits_any())
      v.culprit = static_cast<int>(i);  // who may emit any op is no help
  v.where_it_begins = v.culprit < 0 && p.from == start_phase_ && first < op_count_ &&
                      phase_[p.from]->ops.contains(universe_[first]->key);
}

/// Who took the last of the ops that the pass works on, and which they were; nobody: the phase has none.
template <class Size>
constexpr void order_judge<Size>::describe_nothing(verdict& v, const fault& f) const {
  const step& p = step_[order_[f.position]];
  for (const op_key& op : *p.desc->more().works_on) v.add(op.name());
  v.subject = phase_[p.from]->name;
  state s = start(order_);
  const auto note_missing = [&] {  // the first by name, of a pattern of several
    label names[4]{};
    size_t shown = 0, total = 0;
    for (const op_key& op : *p.desc->more().works_on) {
      bool there = false;
      for (size_t k = 0; k < op_count_; ++k) there = there || (universe_[k]->key == op.key && bit(s.ops, k));
      if (!there) add_sorted(names, shown, total, op.name());
    }
    if (p.desc->more().patterns) v.other = names[0];
  };
  if (finds_nothing(s, p)) note_missing();
  for (size_t i = 0; i < f.position; ++i) {
    const bool before = !finds_nothing(s, p);
    const step& q = step_[order_[i]];
    apply(s, q);
    for (size_t w = 0; w < op_words && q.from != q.to; ++w) s.ops[w] &= allowed(q, w);
    if (before && finds_nothing(s, p)) v.culprit = static_cast<int>(i), note_missing();
  }
}

}  // namespace tenon::detail
