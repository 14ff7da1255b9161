/// @file walk: how the judge walks an order of passes. See judge.hpp.
#pragma once

#include <tenon/judge/judge.hpp>

namespace tenon::detail {

template <class Size>
template <class Numbering>
constexpr auto order_judge<Size>::row_of(const Numbering& n, const op_set& set) -> u16 {
  if (set.size == 0) return 0;
  if (set.data == last_set_) return last_row_;  // many passes emit the same list
  const u16 number = row_count_++;
  last_set_ = set.data, last_row_ = number;
  if (set.size < 16) {
    for (const op_key& op : set)
      if (const size_t at = n.number_of(op.key); at < op_count_) set_bit(row_[number], at);
    return number;
  }
  for (size_t a = 0, b = 0; a < op_count_ && b < set.size;) {
    const u64 x = universe_[a]->key, y = set.data[b].key;
    if (x == y) set_bit(row_[number], a);
    a += x <= y, b += y <= x;
  }
  return number;
}

template <class Size>
template <class Numbering>
constexpr order_judge<Size>::order_judge(const judge_input& in, const Numbering& n) : in_(&in) {
  fact_count_ = n.fact_count, op_count_ = n.op_count;
  same_name_[0] = n.same_name[0], same_name_[1] = n.same_name[1];
  same_fact_[0] = n.same_fact[0], same_fact_[1] = n.same_fact[1];
  for (size_t i = 0; i < op_count_; ++i) universe_[i] = n.universe[i];
  for (size_t i = 0; i < n.phase_count; ++i) phase_[i] = n.phases[i], phase_row_[i] = row_of(n, n.phases[i]->ops);
  for (size_t i = 0; i < n.phase_count; ++i) early_row_[i] = row_of(n, n.phases[i]->early);
  for (size_t f = 0; f < fact_count_; ++f) {
    fact_[f] = n.facts[f];
    partly_ = partly_ || fact_[f]->whole;
    if (!fact_[f]->op_set_fact) continue;
    set_bit(op_set_facts_, f);
    op_set_row_[f] = row_count_;  // a row of its own even if none of its ops exists here: then it always holds
    last_set_ = nullptr;
    if (row_of(n, fact_[f]->absent) == 0) ++row_count_;
  }
  if (n.added_count) {
    added_row_ = row_count_++;
    for (size_t i = 0; i < n.added_count; ++i) set_bit(row_[added_row_], n.number_of(n.added[i]->key));
  }
  const auto learn = [&](const region_rules& rules) {
    if (in.inside) return;
    for (const region_rule& r : rules) {
      const size_t op = n.number_of(r.op);
      if (op == op_count_) continue;
      regions_ = true;
      if (!region_row_[op]) region_row_[op] = row_count_++;
      for (const op_key& x : r.forbidden)
        if (const size_t at = n.number_of(x.key); at < op_count_) set_bit(row_[region_row_[op]], at);
    }
  };
  for (size_t i = 0; i < n.phase_count; ++i) learn(n.phases[i]->regions);
  for (size_t i = 0; i < in.total(); ++i)
    if (in.passes[i]->from->added.size) learn(in.passes[i]->from->regions);
  learn(in.regions);
  size_t next = 0;
  for (size_t i = 0; i < in.total(); ++i) {
    const rare_parts& more = in.passes[i]->more();
    const pass_desc& p = *in.passes[i];
    step& s = step_[i];
    s.desc = &p;
    s.from = n.from[i], s.to = n.to[i];
    for (const fact_desc* const* at = p.needed; *at; ++at) set_bit(s.need, n.reference[next++]);
    for (const fact_desc* const* at = p.given; *at; ++at) set_bit(s.give, n.reference[next++]);
    for (const fact_desc* const* at = p.changed(); *at; ++at) set_bit(s.keep, n.reference[next++]);
    const bool breaks = p.says_breaks(), all = (breaks ? p.broken : p.kept) == fact_items<all_facts>;
    for (size_t w = 0; w < fact_words; ++w) {
      if (all) s.keep[w] = ~u64(0);
      if (breaks) s.keep[w] = ~s.keep[w];
    }
    for (size_t f = 0; f < fact_count_ && partly_; ++f) {
      if (!fact_[f]->whole) continue;
      const size_t whole = number_of(fact_[f]->whole);
      const size_t both[] = {f, whole};
      for (const size_t k : both)
        if (k < fact_count_) (s.keep[k / 64] &= ~(u64(1) << k % 64)) |= u64(p.says_it_keeps(fact_[k])) << k % 64;
      if (whole < fact_count_ && bit(s.give, whole)) set_bit(s.give, f);
    }
    for (size_t f = 0; f < fact_count_; ++f)
      if (fact_[f]->bounds && bit(s.keep, f) && !p.keeps_fact(fact_[f])) s.keep[f / 64] &= ~(u64(1) << f % 64);
    s.emits = row_of(n, p.emits), s.eliminates = row_of(n, p.eliminates);
    s.added_by_target = row_of(n, p.to->added);
    if (in.lowered && in.lowered[i]) {
      s.lowered = row_count_++;
      for (size_t k = 0; k < in.added.size; ++k)
        if (in.lowered[i] >> k & 1) set_bit(row_[s.lowered], n.number_of(in.added.data[k].key));
    }
    for (const op_key& op : p.from->added) s.unknown_extension = s.unknown_extension || !n.is_added(op.key);
    if (more.works_on) {  // an op that no phase lists is one that users add, to a pipeline that follows from this one
      const auto known = [&](const op_set& set) {
        for (const op_key& op : set)
          if (n.number_of(op.key) == op_count_) return false;
        return true;
      };
      if (in.by_hand || known(*more.works_on)) {  // nobody adds any to this module
        s.works_on = s.alone = row_of(n, *more.works_on);
        if (more.patterns) s.alone = row_of(n, *more.patterns), s.pattern = row_count_;
        for (size_t k = 1; k <= more.pattern_count; ++k) {
          last_set_ = nullptr;  // each has a row of its own, an empty one if it is never found
          if (!known(more.patterns[k]) || row_of(n, more.patterns[k]) == 0) ++row_count_;
        }
      }
    }
    const auto row_of_said = [&](const op_set& said) {
      if (said.data != nullptr) return row_of(n, said);
      for (size_t w = 0; w < op_words; ++w) row_[row_count_][w] = ~u64(0);
      return row_count_++;
    };
    if (more.outside) s.outside = row_of_said(*more.outside);
    if (more.encloses) s.encloses = row_of_said(*more.encloses);
    const barred_ops* const barred[] = {more.barred, in.barred ? in.barred[i] : nullptr};
    for (const barred_ops* list : barred) {
      if (!list || in.inside) continue;
      if (!s.barred) s.barred = row_count_++;
      for (const op_key& op : list->ops)
        if (const size_t at = n.number_of(op.key); at < op_count_) set_bit(row_[s.barred], at);
    }
    s.watched = s.unknown_extension || more.at_most_once || more.interval_end || more.after;
    if (more.flag_key) {
      size_t flag = 1;
      while (flag <= flag_count_ && flag_key_[flag] != more.flag_key) ++flag;
      if (flag > flag_count_ && flag < 64) flag_key_[flag] = more.flag_key, flag_[flag] = more.flag, flag_count_ = flag;
      condition_[i] = {static_cast<u8>(flag < 64 ? flag : 0), more.flag_on};
    }
    if (i < in.count) order_.pass[order_.count++] = static_cast<u16>(i);
  }
  for (size_t k = in.known.size(); k-- > 0;) set_bit(known_, n.reference[next++]);
  for (size_t f = 0; f < fact_count_ && partly_; ++f)
    if (fact_[f]->whole)
      if (const size_t whole = number_of(fact_[f]->whole); whole < fact_count_ && bit(known_, whole))
        set_bit(known_, f);
  for (size_t k = in.goal.size(); k-- > 0;) set_bit(goal_, n.reference[next++]);
  start_phase_ = step_[0].from, first_begins_ = in.start == nullptr, offers_repairs_ = !in.by_hand && !in.inside;
  if (in.start)
    for (size_t i = 0; i < n.phase_count; ++i)
      if (phase_[i]->key == in.start->key) start_phase_ = i;
}

template <class Size>
constexpr auto order_judge<Size>::start(const order_type& order) const -> state {
  state s;
  s.phase = first_begins_ && order.count ? step_[order[0]].from : start_phase_;
  for (size_t w = 0; w < op_words; ++w) s.ops[w] = row_[phase_row_[s.phase]][w] | row_[added_row_][w];
  if (s.phase != start_phase_) {  // what is known is known where modules begin; else what its phase begins with is
    for (const fact_desc* fact : phase_[s.phase]->begins)
      if (const size_t f = number_of(fact); f < fact_count_) {
        if (!op_set_row_[f]) set_bit(s.held, f);
        for (size_t w = 0; w < op_words && op_set_row_[f]; ++w) s.ops[w] &= ~row_[op_set_row_[f]][w];
        for (size_t some = 0; some < fact_count_ && partly_; ++some)
          if (fact_[some]->whole == fact) set_bit(s.held, some);
      }
    return s;
  }
  for (size_t w = 0; w < fact_words; ++w) s.held[w] = known_[w];
  for (size_t f = 0; f < fact_count_; ++f)
    if (op_set_row_[f] && bit(known_, f))
      for (size_t w = 0; w < op_words; ++w) s.ops[w] &= ~row_[op_set_row_[f]][w];
  return s;
}

template <class Size>
constexpr auto order_judge<Size>::check(const state& s, const order_type& order, size_t i) const -> fault {
  const step& p = step_[order[i]];
  if (p.from != s.phase) return {1, i};
  if (p.watched) {
    if (p.unknown_extension) return {1, i};
    const auto at = [&](size_t j) -> const pass_desc& { return *step_[order[j]].desc; };
    if (const int code = in_->by_hand ? 0 : place_fault(i, order.count, at)) return {code, i};
  }
  for (size_t w = 0; w < fact_words; ++w)
    if (p.need[w] & ~s.held[w])
      for (size_t b = 0; b < 64; ++b)
        if ((p.need[w] & ~s.held[w]) >> b & 1)
          if (!holds(s, w * 64 + b)) return {2, i, static_cast<int>(w * 64 + b)};
  if (p.from != p.to) {
    if (s.left >> p.to & 1) return {11, i};
    for (size_t w = 0; w < op_words; ++w) {
      u64 gone = row_[p.eliminates][w] | row_[p.lowered][w];
      if (assume_lowered_ == order[i]) gone |= row_[added_row_][w];
      if (s.ops[w] & ~gone & ~allowed(p, w)) return {4, i};
    }
  }
  if (regions_)
    if (const int r = misplaced(s.ops, p); r >= 0) return {42, i, r};
  if (p.barred && finds_barred(s.ops, p)) return {43, i};
  if (p.works_on && finds_nothing(s, p)) return {38, i};  // nothing else is wrong: see `can_ever_run`
  return {};
}

template <class Size>
constexpr int order_judge<Size>::misplaced(const u64* present, const step& p) const {
  for (size_t r = 0; r < op_count_; ++r) {
    if (!region_row_[r]) continue;
    const bool there = bit(present, r) && (staying(p, r / 64) >> r % 64 & 1);
    const bool made = makes(p, r);
    for (size_t w = 0; w < op_words; ++w)
      if ((there && put_into(p, r, w)) || (made && (present[w] & staying(p, w) & taken_into(p, r, w))))
        return static_cast<int>(r);
  }
  return -1;
}

template <class Size>
constexpr void order_judge<Size>::apply(state& s, const step& p) const {
  for (size_t w = 0; w < fact_words; ++w) s.held[w] = ((s.held[w] & p.keep[w]) | p.give[w]) & ~op_set_facts_[w];
  const bool lowers_all = assume_lowered_ >= 0 && &step_[assume_lowered_] == &p;
  if (p.eliminates || p.lowered || lowers_all)
    for (size_t w = 0; w < op_words; ++w)
      s.ops[w] &= ~(row_[p.eliminates][w] | row_[p.lowered][w] | (lowers_all ? row_[added_row_][w] : 0));
  if (p.desc->emits_any())
    for (size_t w = 0; w < op_words; ++w) s.ops[w] |= row_[phase_row_[p.to]][w];
  else if (p.emits)
    for (size_t w = 0; w < op_words; ++w) s.ops[w] |= row_[p.emits][w];
  if (p.from == p.to) return;
  if (!phase_[p.from]->detours_to(*phase_[p.to])) {
    s.left |= u32(1) << p.from;
    for (size_t i = 0; phase_[p.from]->side_of && i < max_phases && phase_[i]; ++i)  // and where the detour began
      if (phase_[i]->key == phase_[p.from]->side_of) s.left |= u32(1) << i;
  }
  s.phase = p.to;
  if (early_row_[p.to])  // the module is where some of its functions were before
    for (size_t w = 0; w < op_words; ++w) s.ops[w] |= row_[early_row_[p.to]][w];
}

template <class Size>
constexpr auto order_judge<Size>::walk(const order_type& order) const -> fault {
  state s = start(order);
  for (size_t i = 0; i < order.count; ++i) {
    if (const fault f = check(s, order, i); f.code) return f;
    apply(s, step_[order[i]]);
  }
  if (in_->goal_phase && phase_[s.phase]->key != in_->goal_phase->key) return {12, order.count};
  if (in_->goal.size())
    for (size_t f = 0; f < fact_count_; ++f)
      if (bit(goal_, f) && !holds(s, f)) return {12, order.count, static_cast<int>(f)};
  return {};
}

template <class Size>
template <bool Conditional>
constexpr auto order_judge<Size>::follow() const -> trail {
  trail t;
  state s = start(order_);
  t.fact_count = fact_count_;
  for (size_t f = 0; f < fact_count_; ++f) t.fact[f] = fact_[f];
  for (size_t i = 0; i < order_.count; ++i) {
    const step& p = step_[order_[i]];
    apply(s, p);
    if (p.from != p.to)
      for (size_t w = 0; w < op_words; ++w) s.ops[w] &= allowed(p, w);
    for (size_t f = 0; f < fact_count_; ++f) {
      bool held = holds(s, f);
      if constexpr (Conditional) {  // it is known only if it holds in every combination
        conditional_fault fault;
        scan_fact(fault, order_, i + 1, f, {}, 2);
        held = fault.code == 0;
      }
      if (held) set_bit(t.held[i], f);
    }
  }
  return t;
}

}  // namespace tenon::detail
