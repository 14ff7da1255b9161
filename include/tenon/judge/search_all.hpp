/// @file search_all: an order of all passes of a list. See plan.hpp.
///
/// Passes keep the order in which they were given where the rules allow it: what cannot hurt goes first, what leads to
/// another phase last, and a choice that led nowhere is taken back. O(passes²) in the usual case.
#pragma once

#include <tenon/judge/search.hpp>

namespace tenon::detail {

template <class Judge, class Numbering, size_t Most>
class search_all : stepper<Judge, Numbering, Most> {
  using base = stepper<Judge, Numbering, Most>;
  using base::judge_, base::n_, base::in_, base::count_, base::steps_, base::result_, base::note, base::can_ever_run;
  using base::need_, base::give_, base::goal_, base::computed_, base::watched_, base::opens_;
  using base::side_;
  using base::words, base::fact_words, base::op_words, base::bit, base::set, base::spend, base::holds, base::stops,
      base::after, base::beginning;
  using typename base::place, typename base::state, typename base::order_type;

 public:
  constexpr search_all(const Judge& judge, const Numbering& n, const judge_input& in) : base(judge, n, in) {
    find_flags();
    find_breaks();
  }

  constexpr plan<Most> find() {
    const bool possible = can_ever_run(true);
    steps_ = possible ? 400000 : 40000;  // then it is only to say how far one gets
    bool used[Most + 1]{};
    order_type order;
    search(beginning(), order, used);
    result_.gave_up = possible && !result_.found && steps_ == 0;
    return result_;
  }

 private:
  constexpr void find_breaks() {
    for (size_t p = 0; p < count_; ++p) {
      const pass_desc& d = *in_.passes[p];
      for (size_t f = 0; f < n_.fact_count; ++f) {
        const fact_desc& fact = *n_.facts[f];
        bool breaks = !fact.op_set_fact && !d.keeps_fact(&fact);
        for (size_t k = 0; fact.op_set_fact && !breaks && k < fact.absent.size; ++k)
          breaks =
              d.emits_any() ? d.to->ops.contains(fact.absent.data[k].key) : d.emits.contains(fact.absent.data[k].key);
        if (breaks) set(break_[p], f);
      }
    }
  }
  constexpr void find_flags() {
    for (size_t p = 0; p < count_; ++p) {
      const rare_parts& r = in_.passes[p]->more();
      if (!r.flag_key) continue;
      size_t k = 0;
      while (k < flag_count_ && flag_[k] != r.flag_key) ++k;
      if (k == flag_count_ && k < 6) flag_[flag_count_++] = r.flag_key;
      flag_of_[p] = static_cast<u8>(k + 1);
    }
  }

  using fact_set = u64[fact_words];
  /// What the passes that are still to run need and break.
  struct rest {
    fact_set needed{}, needed_twice{}, broken{}, broken_twice{};  // by one; by several
    fact_set needed_to_leave{};                                   // by transitions out of this phase
    bool waits = false;                                           // one of this phase is among them
  };
  constexpr rest rest_of(const place& w, const bool (&used)[Most + 1]) {
    rest r;
    spend(count_ * (3 + 2 * fact_words));
    for (size_t p = 0; p < count_; ++p) {
      if (used[p]) continue;
      const bool here = n_.from[p] == w.s.phase, stays = here && n_.to[p] == w.s.phase;
      r.waits = r.waits || stays;
      for (size_t k = 0; k < fact_words; ++k) {
        r.needed_twice[k] |= r.needed[k] & need_[p][k], r.needed[k] |= need_[p][k];
        if (here && !stays) r.needed_to_leave[k] |= need_[p][k];
        if (stays) r.broken_twice[k] |= r.broken[k] & break_[p][k], r.broken[k] |= break_[p][k];
      }
    }
    return r;
  }

  constexpr bool search(const place& w, order_type& order, bool (&used)[Most + 1]) {
    if (!spend(20 + 3 * count_)) return false;
    if (order.count > result_.best_count || !result_.noted) note(w, order, used);
    if (order.count == count_) return arrived(w, order);
    const rest r = rest_of(w, used);
    u8 turn_of[Most + 1]{};
    for (u8 turn = 0; turn < never; ++turn)
      for (size_t p = 0; p < count_; ++p) {
        if (used[p] || turn_of[p] != turn) continue;
        fact_set others{};
        for (size_t k = 0; k < fact_words; ++k) others[k] = r.needed_twice[k] | (r.needed[k] & ~need_[p][k]);
        if (turn == 0 && (turn_of[p] = turn_for(w, p, used, r, others)) != 0) continue;
        order.pass[order.count] = static_cast<u16>(p);
        used[p] = true, ++order.count;
        if (search(after(w, p), order, used)) return true;
        used[p] = false, --order.count;
        if (steps_ == 0 || (turn == 0 && is_idle(p, others))) return false;  // later, it would do no better
      }
    return false;
  }
  static constexpr u8 harmless = 0, too_early = 1, harmful = 2, leaving = 3, never = 4;
  constexpr u8 turn_for(const place& w, size_t p, const bool (&used)[Most + 1], const rest& r, const u64* others) {
    if (stops(w, p).code) return never;
    const bool leaves = r.waits && n_.from[p] != n_.to[p];
    if (leaves && !in_.passes[p]->from->detours_to(*in_.passes[p]->to)) return never;  // nobody comes back
    const place next = after(w, p);
    if (shuts_out(w, next, used, p)) return never;
    if (leaves) return leaving;
    if (hurts(w.s, next.s, others) || opens_on(used, p)) return harmful;
    // What it gives, a transition needs, which waits for a pass that breaks it.
    for (size_t k = 0; k < fact_words; ++k)
      if (give_[p][k] & r.needed_to_leave[k] & (r.broken_twice[k] | (r.broken[k] & ~break_[p][k])) & ~w.s.held[k])
        return too_early;
    return harmless;
  }
  /// Is a pass forbidden now that is still to run?
  constexpr bool shuts_out(const place& now, const place& next, const bool (&used)[Most + 1], size_t p) const {
    for (size_t k = 0; k < words; ++k)
      for (u64 left = next.forbidden[k] & ~now.forbidden[k]; left; left &= left - 1) {
        const size_t q = 64 * k + static_cast<size_t>(__builtin_ctzll(left));
        if (q != p && !used[q]) return true;
      }
    return false;
  }
  /// Does it open an interval in which a pass that is still to run may not?
  constexpr bool opens_on(const bool (&used)[Most + 1], size_t p) const {
    for (size_t k = 0; k < words; ++k)
      for (u64 left = opens_[p][k]; left; left &= left - 1) {
        const size_t q = 64 * k + static_cast<size_t>(__builtin_ctzll(left));
        if (q != p && !used[q]) return true;
      }
    return false;
  }
  /// Is something lost that `others` need?
  constexpr bool hurts(const state& now, const state& next, const u64* others) {
    spend(4 * fact_words);
    for (size_t k = 0; k < fact_words; ++k) {
      if (now.held[k] & ~next.held[k] & others[k]) return true;
      u64 left = computed_[k] & others[k];
      for (size_t b = 0; left; ++b, left >>= 1)
        if ((left & 1) && spend(2 + op_words) && holds(now, 64 * k + b) && !holds(next, 64 * k + b)) return true;
    }
    return false;
  }
  /// A pass that gives the others nothing: when it hurts nobody now, there is no reason to wait with it.
  constexpr bool is_idle(size_t p, const u64* others) const {
    const pass_desc& d = *in_.passes[p];
    if (side_ || flag_count_ || bit(watched_, p) || d.more().works_on || d.is_transition() || d.eliminates.size ||
        d.to->added.size)
      return false;
    for (size_t k = 0; k < fact_words; ++k)
      if (give_[p][k] & (others[k] | goal_[k])) return false;
    return true;
  }
  /// The goal is reached, and the order is right whichever flags are on.
  constexpr bool arrived(const place& w, const order_type& order) {
    if (!judge_.at_goal(w.s)) return false;
    for (unsigned combination = 0; combination < (1u << flag_count_); ++combination) {
      order_type there;
      for (size_t i = 0; i < order.count; ++i) {
        const size_t p = order.pass[i], f = flag_of_[p];
        const bool on = f == 0 || f > flag_count_ || (combination >> (f - 1) & 1) == 0;
        if (f == 0 || on == in_.passes[p]->more().flag_on) there.pass[there.count++] = order.pass[i];
      }
      if (!spend(there.count * 30)) return false;
      if (judge_.walk(there).code) return false;
    }
    for (size_t i = 0; i < order.count; ++i) result_.order[i] = order.pass[i];
    result_.count = order.count;
    return result_.found = true;
  }

  u64 break_[Most + 1][fact_words]{};
  u64 flag_[6]{};
  u8 flag_of_[Most + 1]{};
  size_t flag_count_ = 0;
};

}  // namespace tenon::detail
