/// @file search: what looking for orders of passes has in common: one step, what it forbids, what can be reached at
/// all.
///
/// Invariants of both searches (search_all.hpp, search_shortest.hpp): an order that is found is right; "none" is said
/// only when there is none; who runs out of steps says so. A step is counted as about half of what clang counts, which
/// allows a million per constant, so both compilers find the same.
#pragma once

#include <tenon/judge/judge.hpp>

namespace tenon::detail {

template <size_t N>
struct plan {
  u16 order[N + 1]{};
  size_t count = 0;
  bool found = false;
  bool gave_up = false;  ///< not found, and not everything was tried
  // If not found: how far the best attempt came, which pass could not run then, and what it missed.
  u16 best[N + 1]{};
  size_t best_count = 0;
  int stuck = -1, fact = -1;
  int code = 0;
  int weight = 0;
  bool noted = false;
};

/// Walks step by step, with what intervals and counts forbid. `Most`: how many passes there may be.
template <class Judge, class Numbering, size_t Most>
class stepper {
 public:
  using state = typename Judge::state;
  using order_type = typename Judge::order_type;
  static constexpr size_t words = Most / 64 + 1, fact_words = sizeof(state::held) / 8,
                          op_words = sizeof(state::ops) / 8;

  constexpr stepper(const Judge& judge, const Numbering& n, const judge_input& in)
      : judge_(judge), n_(n), in_(in), count_(in.count) {
    size_t next = 0;
    for (size_t p = 0; p < count_; ++p) {
      const pass_desc& d = *in.passes[p];
      for (const fact_desc* const* at = d.needed; *at; ++at) set(need_[p], n.reference[next++]);
      for (const fact_desc* const* at = d.given; *at; ++at) set(give_[p], n.reference[next++]);
      for (size_t f = 0; f < n.fact_count; ++f)
        if (n.facts[f]->whole && d.gives_fact(n.facts[f])) set(give_[p], f);
      for (const fact_desc* const* at = d.changed(); *at; ++at) ++next;
      side_ = side_ || d.from->side_of || d.to->side_of;
    }
    next += in.known.size();
    for (size_t k = in.goal.size(); k-- > 0;) set(goal_, n.reference[next++]);
    for (size_t f = 0; f < n.fact_count; ++f)
      if (n.facts[f]->op_set_fact) {
        set(computed_, f);
        for (const op_key& op : n.facts[f]->absent)
          if (const size_t at = n.number_of(op.key); at < n.op_count) set(absent_[f], at);
      }
    bool watched = false;
    for (size_t p = 0; p < count_; ++p) {
      const rare_parts& r = in.passes[p]->more();
      watched = watched || r.interval_end || r.after || r.at_most_once;
      for (size_t w = 0; w < op_words; ++w) worked_on_[w] |= judge_.works_on_by(p, w);
    }
    for (size_t p = 0; watched && p < count_; ++p) type_[p] = in.passes[p]->type;
    for (size_t p = 0; watched && p < count_; ++p) find_watched(p);
    for (size_t p = 0; watched && p < count_; ++p) {
      bool closed = !bit(endless_, p);
      for (size_t q = 0; q < count_; ++q) closed = closed || bit(closes_[q], p);
      for (size_t q = 0; q < count_ && !closed; ++q)
        if (bit(opens_[q], p)) set(shuts_[q], p);
    }
  }

 protected:
  /// Where one is, and what the passes that ran forbid.
  struct place {
    state s;
    u64 forbidden[words]{};  ///< passes that may not run any more
    u64 opened[words]{};     ///< passes whose interval is open
    u16 last = Most;         ///< the pass that ran last, if another must follow it immediately
  };

  static constexpr void set(u64* bits, size_t i) { bits[i / 64] |= u64(1) << (i % 64); }
  static constexpr bool bit(const u64* bits, size_t i) { return bits[i / 64] >> (i % 64) & 1; }
  constexpr bool spend(size_t n) {
    steps_ = steps_ > n ? steps_ - n : 0;
    return steps_ != 0;
  }
  constexpr const pass_tag* type(size_t p) const { return type_[p]; }

  constexpr void find_watched(size_t p) {
    const rare_parts& r = in_.passes[p]->more();
    if (!r.interval_end && !r.after && !r.at_most_once) return;
    set(watched_, p);
    if (is_endless(r)) set(endless_, p);
    if (is_open_at_first(r)) set(open_at_first_, p);
    for (size_t q = 0; q < count_; ++q) {
      const pass_desc& d = *in_.passes[q];
      if (r.interval_end && opens_interval(r, d)) set(opens_[q], p), set(watched_, q);
      if (r.interval_end && closes_interval(r, d)) set(closes_[q], p), set(watched_, q);
      if (r.interval_end && ends_interval(*in_.passes[p], d)) set(end_of_[p], q), set(watched_, q);
      if (r.after && d.ends_with(r.after)) set(followed_, q), set(watched_, q);
      if (r.at_most_once && type(q) == type(p)) set(same_[p], q);
    }
  }
  constexpr place beginning() const {
    place w;
    w.s = judge_.beginning();
    for (size_t k = 0; k < words; ++k) w.opened[k] = open_at_first_[k];
    return w;
  }
  constexpr bool holds(const state& s, size_t fact) const {
    if (!bit(computed_, fact)) return bit(s.held, fact);
    for (size_t w = 0; w < op_words; ++w)
      if (s.ops[w] & absent_[fact][w]) return false;
    return true;
  }

  /// What stops pass `p` here; code 0: nothing.
  constexpr typename Judge::fault stops(const place& w, size_t p) {
    spend(6 + fact_words);
    if (n_.from[p] != w.s.phase) return {1, 0};
    if (bit(watched_, p)) {
      const pass_tag* const after = in_.passes[p]->more().after;
      if (after && (w.last == Most || !in_.passes[w.last]->ends_with(after))) return {20, 0};
      if (bit(w.forbidden, p) || (bit(endless_, p) && bit(w.opened, p))) return {19, 0};
    }
    for (size_t k = 0; k < fact_words; ++k)
      if (const u64 missing = need_[p][k] & ~w.s.held[k] & ~computed_[k]) {
        size_t b = 0;
        while (!(missing >> b & 1)) ++b;
        spend(b);
        return {2, 0, static_cast<int>(64 * k + b)};
      }
    spend(20 + 4 * op_words);
    order_type two;
    if (w.last != Most) two.pass[two.count++] = w.last;
    two.pass[two.count] = static_cast<u16>(p);
    return judge_.check_last(w.s, two);
  }
  constexpr place after(const place& w, size_t p) {
    spend(10 + 5 * (fact_words + op_words));
    place next = w;
    judge_.apply_last(next.s, p);
    next.last = Most;
    if (!bit(watched_, p)) return next;
    const bool opened = bit(w.opened, p);
    for (size_t k = 0; k < words; ++k) {
      next.forbidden[k] |= same_[p][k] | shuts_[p][k] | (opened ? end_of_[p][k] : 0);
      next.opened[k] = (w.opened[k] & ~closes_[p][k]) | opens_[p][k];
    }
    if (bit(followed_, p)) next.last = static_cast<u16>(p);
    return next;
  }

  constexpr void note(const place& w, const order_type& order, const bool (&used)[Most + 1]) {
    result_.noted = true, result_.best_count = order.count;
    result_.stuck = -1, result_.fact = -1, result_.code = 0, result_.weight = 0;
    for (size_t i = 0; i < order.count; ++i) result_.best[i] = order.pass[i];
    for (size_t p = 0; p < count_; ++p) {
      if (used[p]) continue;
      const auto f = stops(w, p);
      if (f.code == 0) continue;
      // What says most: a fact that nobody gives, another fact, another rule, another phase.
      const int weight = f.code == 1 ? 1 : f.code != 2 ? 2 : judge_.given_by_any(f.fact) ? 3 : 4;
      if (weight <= result_.weight) continue;
      result_.weight = weight, result_.stuck = static_cast<int>(p), result_.fact = f.fact, result_.code = f.code;
    }
  }

  // --- what can be reached at all

  /// Could every pass run (or the goal be reached) if nothing were ever broken, and nothing forbidden? If not, there is
  /// no order; if so, there may be one.
  constexpr bool can_ever_run(bool all) {
    place reached[max_phases]{};
    bool there[max_phases]{}, ran[Most + 1]{};
    const place first = beginning();
    reached[first.s.phase] = first, there[first.s.phase] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t p = 0; p < count_; ++p) {
        if (!there[n_.from[p]] || !can_follow(p)) continue;
        place& w = reached[n_.from[p]];
        w.last = Most;
        if (const pass_tag* const before = in_.passes[p]->more().after)
          for (size_t q = 0; q < count_; ++q)
            if (in_.passes[q]->ends_with(before)) w.last = static_cast<u16>(q);
        if (const int code = stops(w, p).code; code != 0 && code != 38) continue;  // ops go here and never come
        const place next = after(w, p);
        changed = changed || !ran[p];
        ran[p] = true;
        place& to = reached[n_.to[p]];
        if (!there[n_.to[p]]) {
          to.s = next.s, to.s.left = 0, there[n_.to[p]] = changed = true;
          continue;
        }
        for (size_t k = 0; k < fact_words; ++k)
          if (next.s.held[k] & ~to.s.held[k]) to.s.held[k] |= next.s.held[k], changed = true;
        for (size_t k = 0; k < op_words; ++k)
          if (to.s.ops[k] & ~next.s.ops[k]) to.s.ops[k] &= next.s.ops[k], changed = true;
      }
    }
    for (size_t p = 0; all && p < count_; ++p)
      if (!ran[p]) return false;
    for (size_t i = 0; i < max_phases; ++i)
      if (there[i] && judge_.at_goal(reached[i].s)) return true;
    return false;
  }
  constexpr bool can_follow(size_t p) const {
    const pass_tag* const before = in_.passes[p]->more().after;
    if (!before) return true;
    for (size_t q = 0; q < count_; ++q)
      if (in_.passes[q]->ends_with(before)) return true;
    return false;
  }

  const Judge& judge_;
  const Numbering& n_;
  const judge_input& in_;
  size_t count_;
  size_t steps_ = 0;
  plan<Most> result_{};
  bool side_ = false;
  u64 need_[Most + 1][fact_words]{}, give_[Most + 1][fact_words]{}, goal_[fact_words]{}, computed_[fact_words]{};
  u64 absent_[fact_words * 64][op_words]{};
  u64 watched_[words]{}, followed_[words]{}, endless_[words]{}, open_at_first_[words]{};
  u64 worked_on_[op_words]{};  ///< ops of which one must be left for some pass
  // Of a pass: whose intervals it opens and closes; who ends its own, and who is of its type if it runs at most once.
  u64 opens_[Most + 1][words]{}, closes_[Most + 1][words]{}, end_of_[Most + 1][words]{}, same_[Most + 1][words]{};
  u64 shuts_[Most + 1][words]{};  ///< whose endless intervals it opens, where no pass closes them
  const pass_tag* type_[Most + 1]{};
};

}  // namespace tenon::detail
