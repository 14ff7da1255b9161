/// @file judge: walks an order of passes forward over bit sets, and says whether every pass finds what it needs.
///
/// What is tracked: the phase, the facts that hold, and the ops that may be present. Op-set facts are computed from the
/// latter. A verdict that is not ok names the pass, what it misses, who broke it, and repairs, each of which was itself
/// judged. Cost: O(passes × facts / 64) once the facts are numbered; a repair costs one more walk.
#pragma once

#include <tenon/judge/numbering.hpp>
#include <tenon/judge/place.hpp>
#include <tenon/judge/verdict.hpp>

namespace tenon::detail {

/// How many passes, words of facts and of ops, and sets of ops an order has at most. One parameter: the judge has fifty
/// members that are defined apart, and compilers read its parameters before each.
template <size_t Passes, size_t FactWords, size_t OpWords, size_t Rows>
struct judge_size {
  static constexpr size_t passes = Passes, fact_words = FactWords, op_words = OpWords, rows = Rows;
};

template <class Size>
class order_judge {
  template <class T>
  using type = meta::later_t<T, Size>;

 public:
  // Most programs need no judge, and only parse what it does.
  using size_t = type<tenon::size_t>;
  using u8 = type<tenon::u8>;
  using u16 = type<tenon::u16>;
  using u32 = type<tenon::u32>;
  using u64 = type<tenon::u64>;
  using label = type<tenon::label>;
  using verdict = type<tenon::verdict>;
  using repair = type<tenon::repair>;
  using judge_input = type<tenon::judge_input>;
  using pass_desc = type<tenon::pass_desc>;
  using phase_desc = type<tenon::phase_desc>;
  using fact_desc = type<tenon::fact_desc>;
  using op_key = type<tenon::op_key>;
  using op_set = type<tenon::op_set>;
  using rare_parts = type<tenon::rare_parts>;
  using barred_ops = type<tenon::barred_ops>;
  using region_rules = type<tenon::region_rules>;
  using region_rule = type<tenon::region_rule>;
  using effect_bar = type<tenon::effect_bar>;
  using fact_list = type<tenon::fact_list>;
  static constexpr size_t passes = Size::passes, fact_words = Size::fact_words, op_words = Size::op_words;

  template <class Numbering>
  constexpr order_judge(const judge_input& in, const Numbering& n);

  /// The verdict on the order as it was given.
  constexpr verdict judge() const;

  /// Is it right as it was given? Only for orders without optional passes.
  constexpr bool is_right() const { return same_name_[0] < 0 && same_fact_[0] < 0 && walk(order_).code == 0; }

  /// The same for orders with optional passes: in every combination.
  constexpr bool is_right_always() const {
    return same_name_[0] < 0 && same_fact_[0] < 0 && walk_all(order_).code == 0;
  }

  /// What stops an order of pass numbers; code 0: nothing.
  struct fault {
    int code = 0;
    size_t position = 0;
    int fact = -1;
  };
  struct order_type {
    u16 pass[passes + 3]{};
    size_t count = 0;
    size_t again = passes + 3;  ///< where a pass was put in that the order did not have
    constexpr u16 operator[](size_t i) const { return pass[i]; }
    constexpr order_type inserted(size_t at, u16 number) const {
      order_type r;
      for (size_t i = 0; i < at; ++i) r.pass[i] = pass[i];
      r.pass[at] = number;
      for (size_t i = at; i < count; ++i) r.pass[i + 1] = pass[i];
      r.count = count + 1;
      return r;
    }
    constexpr order_type erased(size_t at) const {
      order_type r;
      for (size_t i = 0; i + 1 < count; ++i) r.pass[i] = pass[i < at ? i : i + 1];
      r.count = count - 1;
      return r;
    }
    /// The pass at `at` goes before the one at `before` (both positions in this order; `before` may be `count`).
    constexpr order_type moved(size_t at, size_t before) const {
      return erased(at).inserted(before > at ? before - 1 : before, pass[at]);
    }
  };
  constexpr fault walk(const order_type& order) const;

  /// What holds after each pass of an order that is right: bit f of row i is fact f after pass i.
  struct trail {
    u64 held[passes + 1][fact_words]{};
    const fact_desc* fact[fact_words * 64]{};
    size_t fact_count = 0;
    constexpr bool holds(const fact_desc* f, size_t row) const {
      for (size_t k = 0; k < fact_count; ++k)
        if (fact[k] == f) return bit(held[row], k);
      return false;
    }
  };
  template <bool Conditional>
  constexpr trail follow() const;

  struct state {
    u64 held[fact_words]{};
    u64 ops[op_words]{};
    size_t phase = 0;
    u32 left = 0;  ///< phases that were left
  };

  // For the planner (plan.hpp), which walks step by step.
  constexpr state beginning() const { return start(order_); }
  constexpr fault check_last(const state& s, const order_type& order) const { return check(s, order, order.count); }
  constexpr void apply_last(state& s, size_t pass) const { apply(s, step_[pass]); }
  constexpr bool leaves(size_t pass) const { return step_[pass].from != step_[pass].to; }
  // A word of what a pass keeps; of the ops that it leaves behind, takes away, and lets pass as a transition.
  constexpr u64 kept_by(size_t pass, size_t w) const { return step_[pass].keep[w]; }
  constexpr u64 made_by(size_t pass, size_t w) const {
    const step& p = step_[pass];
    return row_[p.desc->emits_any() ? phase_row_[p.to] : p.emits][w] | (p.from != p.to ? row_[early_row_[p.to]][w] : 0);
  }
  constexpr u64 works_on_by(size_t pass, size_t w) const { return row_[step_[pass].works_on][w]; }
  constexpr u64 taken_by(size_t pass, size_t w) const {
    return row_[step_[pass].eliminates][w] | row_[step_[pass].lowered][w];
  }
  constexpr u64 let_by(size_t pass, size_t w) const { return allowed(step_[pass], w); }
  constexpr bool given_by_any(int fact) const {
    for (size_t p = 0; p < in_->count; ++p)
      if (supplies(static_cast<u16>(p), static_cast<size_t>(fact))) return true;
    return false;
  }
  constexpr bool at_goal(const state& s) const {
    if (in_->goal_phase && phase_[s.phase]->key != in_->goal_phase->key) return false;
    for (size_t f = 0; f < fact_count_; ++f)
      if (bit(goal_, f) && !holds(s, f)) return false;
    return true;
  }
  /// Would `pass` break what an unused pass needs and what holds now?
  constexpr bool hurts(const state& s, size_t pass, const bool* used) const {
    state next = s;
    apply(next, step_[pass]);
    for (size_t f = 0; f < fact_count_; ++f) {
      if (!holds(s, f) || holds(next, f)) continue;
      for (size_t p = 0; p < in_->count; ++p)
        if (p != pass && !used[p] && bit(step_[p].need, f)) return true;
    }
    return false;
  }

 private:
  struct step {
    u64 need[fact_words]{}, give[fact_words]{}, keep[fact_words]{};
    u16 emits = 0, eliminates = 0, lowered = 0, added_by_target = 0, works_on = 0, alone = 0, pattern = 0, outside = 0,
        encloses = 0, barred = 0;
    u8 from = 0, to = 0;
    bool unknown_extension = false, watched = false;
    const pass_desc* desc = nullptr;
  };
  struct history {
    int giver = -1, culprit = -1;
    bool ever = false;
  };

  /// Under which flag a pass is there; flag 0: always.
  struct condition {
    u8 flag = 0;
    bool on = true;
  };
  /// A conjunction: these flags on, those off.
  struct literals {
    u64 on = 0, off = 0;
    bool possible = true;
    constexpr literals with(const condition& c) const {
      literals r = *this;
      if (c.flag == 0) return r;
      (c.on ? r.on : r.off) |= u64(1) << c.flag;
      r.possible = (r.on & r.off) == 0;
      return r;
    }
    constexpr literals with_not(const condition& c) const {
      literals r = with({c.flag, !c.on});
      if (c.flag == 0) r.possible = false;
      return r;
    }
    constexpr int size() const { return __builtin_popcountll(on) + __builtin_popcountll(off); }
    friend constexpr bool operator==(const literals& a, const literals& b) {
      return a.on == b.on && a.off == b.off && a.possible == b.possible;
    }
  };
  struct conditional_fault {
    int code = 0;
    size_t position = 0;
    int fact = -1;
    literals when;
  };
  struct op_bits {
    u64 word[op_words]{};
  };
  constexpr void fail_if(conditional_fault& best, const literals& l, int code, size_t i, int fact) const;
  constexpr void scan_ops(conditional_fault& best, const order_type& order, size_t i, op_bits bits, const literals& l,
                          int code, size_t position, int fact) const;
  constexpr void scan_fact(conditional_fault& best, const order_type& order, size_t i, size_t fact, literals l,
                           int code) const;
  constexpr conditional_fault walk_all(const order_type& order) const;
  constexpr void watch_all(conditional_fault& best, const order_type& order, size_t i, const literals& here) const;
  constexpr verdict judge_all() const;
  constexpr void repair_condition(verdict& v, const conditional_fault& f, order_judge& one) const;
  /// The order with that change made; false: it names a pass that is not there, or stands there twice.
  constexpr bool make(order_type& order, const repair& r) const;

  /// Where a fact is; `fact_count_`: nobody names it.
  constexpr size_t number_of(const fact_desc* f) const {
    size_t i = 0;
    while (i < fact_count_ && fact_[i] != f) ++i;
    return i;
  }
  static constexpr bool bit(const u64* set, size_t i) { return (set[i / 64] >> (i % 64) & 1) != 0; }
  static constexpr void set_bit(u64* set, size_t i) { set[i / 64] |= u64(1) << (i % 64); }

  template <class Numbering>
  constexpr u16 row_of(const Numbering& n, const op_set& set);
  constexpr state start(const order_type& order) const;
  constexpr fault check(const state& s, const order_type& order, size_t i) const;
  constexpr void apply(state& s, const step& p) const;
  constexpr u64 allowed(const step& p, size_t word) const {
    return row_[phase_row_[p.to]][word] | (phase_[p.to]->open || p.to == start_phase_ ? row_[added_row_][word] : 0) |
           row_[p.added_by_target][word];
  }
  constexpr bool holds(const state& s, size_t fact) const {
    if (!op_set_row_[fact]) return bit(s.held, fact);
    for (size_t w = 0; w < op_words; ++w)
      if (s.ops[w] & row_[op_set_row_[fact]][w]) return false;
    return true;
  }
  /// Does `q` leave `phase`, or a side phase of it, and not for a detour?
  constexpr bool leaves_for_good(const step& q, size_t phase) const {
    if (q.from == q.to || phase_[q.from]->detours_to(*phase_[q.to])) return false;
    return q.from == phase || phase_[q.from]->side_of == phase_[phase]->key;
  }
  constexpr history history_of(const order_type& order, size_t until, size_t fact) const;
  constexpr bool cures(const order_type& order, size_t target_now) const {
    const fault f = walk(order);
    return (f.code == 0 || (!strict_ && f.position > target_now && !was_right(order, f.position))) &&
           loses_nothing(order);
  }
  struct fact_bits {
    u64 word[fact_words]{};
    int phase = -1;  ///< where it ends; -1: not known
    constexpr bool operator==(const fact_bits&) const = default;
  };
  /// What holds at the end, whatever stops the order on its way.
  constexpr fact_bits held_behind(const order_type& order) const;
  /// Does all that held at the end of the order as it was given hold at the end of this one, which is no detour from
  /// there?
  constexpr bool loses_nothing(const order_type& order) const {
    const fact_bits now = held_behind(order);
    if (held_.phase >= 0 && phase_[now.phase]->side_of == phase_[held_.phase]->key) return false;
    for (size_t w = 0; w < fact_words; ++w)
      if (held_.word[w] & ~now.word[w]) return false;
    return true;
  }
  /// There twice, or the second way from one phase to another: what may be dropped.
  constexpr bool is_superfluous(u16 number) const;
  constexpr bool occurs_once(u16 number) const {
    size_t n = 0;
    for (size_t k = 0; k < order_.count; ++k) n += step_[order_[k]].desc == step_[number].desc;
    return n == 1;
  }
  /// Was the pass that is at `i` of a changed order right before the change? Then the change only moves the complaint.
  constexpr bool was_right(const order_type& changed, size_t i) const {
    if (i >= changed.count) return false;
    for (size_t k = 0; k < complaint_; ++k)
      if (order_[k] == changed[i]) return true;
    return false;
  }
  constexpr void offer(verdict& v, const order_type& changed, size_t target_now, repair r) const {
    if (steps_left_) return offer_first(v, changed, r);
    if (v.repair_count < 2 && cures(changed, target_now)) v.repairs[v.repair_count++] = r;
  }
  constexpr void offer_first(verdict& v, const order_type& changed, repair r) const;
  /// Does a later pass eliminate whatever the one at `i` does?
  constexpr bool is_covered_behind(size_t i) const;
  constexpr label name(u16 number) const { return step_[number].desc->name; }
  constexpr void describe(verdict& v, const fault& f) const;
  constexpr void describe_phase(verdict& v, const fault& f) const;
  constexpr void describe_fact(verdict& v, const fault& f) const;
  constexpr void describe_others(verdict& v, const fault& f, const history& first) const;
  constexpr void describe_left(verdict& v, const fault& f) const;
  constexpr void describe_region(verdict& v, const fault& f) const;
  constexpr void describe_nothing(verdict& v, const fault& f) const;
  constexpr void describe_barred(verdict& v, const fault& f) const;
  /// A word of what `p` may not find and may: of what is there, and of what it leaves itself to its next round.
  constexpr u64 found_barred(const u64* present, const step& p, size_t w) const {
    const u64 own = p.desc->more().repeats ? row_[p.desc->emits_any() ? phase_row_[p.to] : p.emits][w] : 0;
    return (present[w] | own) & row_[p.barred][w];
  }
  constexpr bool finds_barred(const u64* present, const step& p) const {
    for (size_t w = 0; w < op_words; ++w)
      if (found_barred(present, p, w)) return true;
    return false;
  }
  /// Is none of the ops left that `p` works on?
  constexpr bool finds_nothing(const state& s, const step& p) const {
    for (size_t w = 0; w < op_words; ++w)
      if (s.ops[w] & row_[p.alone][w]) return false;
    for (size_t k = 0; k < p.desc->more().pattern_count; ++k) {
      bool some = false, all = true;
      for (size_t w = 0; w < op_words; ++w) {
        some = some || row_[p.pattern + k][w];
        all = all && (row_[p.pattern + k][w] & ~s.ops[w]) == 0;
      }
      if (some && all) return false;
    }
    return true;
  }
  /// The op whose region an op may get into that it does not allow, when `p` runs: one that is there, or that `p`
  /// makes around what is there; -1: none.
  constexpr int misplaced(const u64* present, const step& p) const;
  /// Of what `p` emits, a word of what it may put into the region of `r`; of what is there, what `r` may take in.
  constexpr u64 put_into(const step& p, size_t r, size_t w) const {
    const u64 emitted = row_[p.desc->emits_any() ? phase_row_[p.to] : p.emits][w];
    return emitted & row_[region_row_[r]][w] & ~row_[p.outside][w];
  }
  constexpr u64 taken_into(const step& p, size_t r, size_t w) const {
    return row_[region_row_[r]][w] & (p.desc->more().encloses ? row_[p.encloses][w] : ~u64(0));
  }
  /// Of what is there, a word of what still is when `p` is done.
  constexpr u64 staying(const step& p, size_t w) const {
    return ~(row_[p.eliminates][w] | row_[p.lowered][w]) & (p.from != p.to ? allowed(p, w) : ~u64(0));
  }
  constexpr bool makes(const step& p, size_t r) const {
    return bit(row_[p.desc->emits_any() ? phase_row_[p.to] : p.emits], r);
  }
  constexpr void scan_regions(conditional_fault& best, const order_type& order, size_t i, const literals& here) const;
  constexpr void choose_repairs(verdict& v, const fault& f) const;
  constexpr void find_repairs(verdict& v, const fault& f) const;
  constexpr void repair_phase(verdict& v, size_t i) const;
  constexpr void repair_fact(verdict& v, size_t i, size_t fact) const;
  constexpr void repair_left(verdict& v, size_t i) const;
  constexpr bool supplies(u16 number, size_t fact) const;
  constexpr bool takes_up_what(u16 number, u16 maker) const;

  const judge_input* in_;
  step step_[passes + 1]{};
  u64 row_[Size::rows + 1][op_words]{};
  const fact_desc* fact_[fact_words * 64]{};
  u16 op_set_row_[fact_words * 64]{};
  size_t fact_count_ = 0;
  bool partly_ = false;              ///< does a fact speak of some functions?
  u16 region_row_[op_words * 64]{};  ///< by op: those that its region does not allow; 0: it has no rule
  bool regions_ = false;             ///< has any op one?
  const phase_desc* phase_[max_phases]{};
  u16 phase_row_[max_phases]{};
  u16 early_row_[max_phases]{};  ///< ops of functions that are in the phase before the module
  const op_key* universe_[op_words * 64]{};
  size_t op_count_ = 0;
  u16 row_count_ = 1, added_row_ = 0, last_row_ = 0;
  const op_key* last_set_ = nullptr;
  size_t start_phase_ = 0;
  u64 op_set_facts_[fact_words]{}, known_[fact_words]{}, goal_[fact_words]{};
  int same_name_[2]{-1, -1}, same_fact_[2]{-1, -1};
  order_type order_;
  condition condition_[passes + 1]{};
  label flag_[64]{};
  u64 flag_key_[64]{};
  size_t flag_count_ = 0;
  bool offers_repairs_ = true;
  bool first_begins_ = true;      ///< modules are where the first pass runs; else where `start_phase_` says
  fact_bits held_;                ///< at the end of the order as it was given; asked where it is wrong
  bool strict_ = true;            ///< a repair must cure everything, not this complaint only
  bool may_run_again_ = true;     ///< a pass that stands further behind may be run once more before that
  size_t complaint_ = 0;          ///< if not strict: where it is
  size_t* steps_left_ = nullptr;  ///< not null: a repair is the first one of two
  int assume_lowered_ = -1;       ///< a pass that is taken to lower every added op, to judge that repair
};

}  // namespace tenon::detail

#include <tenon/judge/conditions.hpp>
#include <tenon/judge/repair.hpp>
#include <tenon/judge/walk.hpp>
