/// @file search_choice: which passes the search for the shortest order tries somewhere. See search_shortest.hpp.
///
/// Of the passes that can run, some are enough, if every order that goes on from here has one of them, and one that may
/// as well come first: those of a set that has, with each pass that can run, all that mind it (run before rather than
/// behind, it would take from them what they need, or they would take from it what it gives), and, with each that
/// cannot, all of which one must run before. Then 20 passes that do not mind each other have one order, not 20!.
/// (Strong stubborn sets, as in Wehrle and Helmert, "Efficient stubborn sets", 2014.)
#pragma once

#include <tenon/judge/search.hpp>

namespace tenon::detail {

template <class Judge, class Numbering, size_t Most>
class chooser : protected stepper<Judge, Numbering, Most> {
 protected:
  using base = stepper<Judge, Numbering, Most>;
  using base::judge_, base::n_, base::in_, base::count_;
  using base::need_, base::give_, base::goal_, base::computed_, base::absent_, base::followed_, base::watched_,
      base::side_;
  using base::stepper;
  using base::words, base::fact_words, base::op_words, base::bit, base::set, base::spend, base::stops, base::type;
  using typename base::place;
  using pass_set = u64[words];

  /// Passes that can be of use: those that lead on, eliminate, or give what a pass of use or the goal needs. Another
  /// one could be left out of every order: what it does to facts and ops is never for the better.
  constexpr void find_relevant() {
    for (size_t k = 0; k < fact_words; ++k) wanted_[k] = goal_[k];
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t p = 0; p < count_; ++p) {
        if (bit(relevant_, p)) continue;
        const pass_desc& d = *in_.passes[p];
        bool use = d.is_transition() || d.eliminates.size || bit(followed_, p);
        for (size_t w = 0; w < op_words; ++w) use = use || (judge_.made_by(p, w) & this->worked_on_[w]);
        for (size_t k = 0; k < fact_words; ++k) use = use || (give_[p][k] & wanted_[k]);
        if (!use) continue;
        set(relevant_, p), changed = true;
        for (size_t k = 0; k < fact_words; ++k) wanted_[k] |= need_[p][k];
      }
    }
  }
  /// Facts and ops that matter to passes of use, and what each of these does to them.
  constexpr void find_matter() {
    for (size_t f = 0; f < n_.fact_count; ++f)
      for (size_t w = 0; w < op_words && bit(wanted_, f) && bit(computed_, f); ++w) matter_[w] |= absent_[f][w];
    for (size_t w = 0; w < op_words; ++w) matter_[w] |= this->worked_on_[w];
    for (size_t p = 0; p < count_; ++p)
      for (size_t w = 0; w < op_words && bit(relevant_, p) && n_.from[p] != n_.to[p]; ++w)
        matter_[w] |= ~judge_.let_by(p, w);
    for (size_t p = 0; p < count_; ++p) {
      if (!bit(relevant_, p)) continue;
      spend(12 + 4 * (fact_words + op_words));
      const bool leaves = n_.from[p] != n_.to[p];
      if (leaves) set(out_[n_.from[p]], p);
      if (bit(followed_, p) || in_.passes[p]->more().after) set(bound_, p);
      for (size_t k = 0; k < fact_words; ++k) {
        const u64 here = wanted_[k] & ~computed_[k];
        lost_[p][k] = here & ~judge_.kept_by(p, k) & ~give_[p][k], gained_[p][k] = here & give_[p][k];
        for (u64 left = gained_[p][k]; left; left &= left - 1)
          set(giver_[64 * k + static_cast<size_t>(__builtin_ctzll(left))], p);
        for (u64 left = need_[p][k] & computed_[k]; left; left &= left - 1)
          for (size_t w = 0; w < op_words; ++w)
            barred_[p][w] |= absent_[64 * k + static_cast<size_t>(__builtin_ctzll(left))][w];
      }
      for (size_t w = 0; w < op_words; ++w) {
        made_[p][w] = judge_.made_by(p, w) & matter_[w], taken_[p][w] = judge_.taken_by(p, w) & matter_[w];
        if (leaves) barred_[p][w] |= matter_[w] & ~judge_.let_by(p, w);
      }
    }
  }

  /// May it hurt that `p` runs before `q` rather than behind it? `p` can run before, as far as `q` goes.
  constexpr bool minds(size_t p, size_t q) const {
    if (bit(bound_, p) || bit(bound_, q) || (bit(watched_, p) && bit(watched_, q))) return true;
    const bool p_leaves = n_.from[p] != n_.to[p], q_leaves = n_.from[q] != n_.to[q];
    if (side_ && (p_leaves || q_leaves)) return true;
    if (n_.from[p] != n_.from[q]) return side_;  // nobody comes back to a phase that was left
    if (p_leaves) return true;
    u64 any = 0;
    for (size_t k = 0; k < fact_words; ++k)
      any |= (lost_[p][k] & need_[q][k]) | (q_leaves ? 0 : lost_[q][k] & gained_[p][k]);
    for (size_t w = 0; w < op_words; ++w) any |= (taken_[p][w] & judge_.works_on_by(q, w));
    for (size_t w = 0; w < op_words; ++w)
      any |= (made_[p][w] & barred_[q][w]) | (q_leaves ? 0 : made_[q][w] & taken_[p][w]);
    return any != 0;
  }
  constexpr const pass_set& minded_by(size_t p) {
    if (!bit(minded_known_, p)) {
      set(minded_known_, p);
      spend(9 * count_);
      for (size_t q = 0; q < count_; ++q)
        if (q != p && bit(relevant_, q) && minds(p, q)) set(minded_[p], q);
    }
    return minded_[p];
  }
  constexpr void add_takers(pass_set& to, const u64* ops) {
    size_t w = 0;
    while (w < op_words && !ops[w]) ++w;
    if (w == op_words) return;
    spend(count_);
    const u64 one = ops[w] & (~ops[w] + 1);
    for (size_t q = 0; q < count_; ++q)
      if (bit(relevant_, q) && (taken_[q][w] & one)) set(to, q);
  }
  /// Passes of which one must run before `p` can.
  constexpr void add_enablers(pass_set& to, const place& w, size_t p, const typename Judge::fault& f) {
    const u64* from = nullptr;
    u64 ops[op_words]{};
    if (f.code == 1) from = out_[w.s.phase];
    else if (f.code == 2 && !bit(computed_, static_cast<size_t>(f.fact))) from = giver_[f.fact];
    else if (f.code == 2 || f.code == 4)
      for (size_t k = 0; k < op_words; ++k)
        ops[k] = w.s.ops[k] & (f.code == 2 ? absent_[f.fact][k] : barred_[p][k] & ~taken_[p][k]);
    else if (f.code == 20 || f.code == 38)
      for (size_t q = 0; q < count_; ++q) {
        bool enables = f.code == 20 && in_.passes[q]->ends_with(in_.passes[p]->more().after);
        for (size_t k = 0; k < op_words && f.code == 38; ++k)
          enables = enables || (made_[q][k] & judge_.works_on_by(p, k));
        if (enables && bit(relevant_, q)) set(to, q);
      }
    for (size_t q = 0; q < count_ && f.code == 19; ++q)
      if (bit(relevant_, q) && bit(this->closes_[q], p)) set(to, q);
    if (from)
      for (size_t k = 0; k < words; ++k) to[k] |= from[k];
    else add_takers(to, ops);  // of other codes: it never can, any more
  }
  /// Of passes, whether they can run somewhere, and who is to be tried with them.
  struct tried_passes {
    pass_set known{}, can{};
    pass_set with[Most + 1]{};
  };
  constexpr void try_pass(const place& w, size_t p, tried_passes& tried) {
    set(tried.known, p);
    if (const auto fault = stops(w, p); fault.code) {
      add_enablers(tried.with[p], w, p, fault);
    } else {
      set(tried.can, p);
      const pass_set& with = minded_by(p);
      for (size_t i = 0; i < words; ++i) tried.with[p][i] = with[i];
    }
  }
  /// The passes that can run at `w` out of the least set that has `seed`, of which every order that goes on from here
  /// has one, and with each pass those that mind it, or of which one must come before it. Not more than `most`.
  constexpr size_t close(const place& w, const pass_set& seed, tried_passes& tried, pass_set& can, size_t most) {
    pass_set all{}, seen{};
    size_t count = 0;
    for (size_t k = 0; k < words; ++k) all[k] = seed[k], can[k] = 0;
    for (bool more = true; more;) {
      more = false;
      for (size_t k = 0; k < words; ++k)
        for (u64 left = all[k] & ~seen[k]; left; left &= left - 1) {
          const size_t p = 64 * k + static_cast<size_t>(__builtin_ctzll(left));
          set(seen, p), more = true;
          spend(5 + words);
          if (!bit(tried.known, p)) try_pass(w, p, tried);
          if (bit(tried.can, p) && ++count >= most) return count;
          if (bit(tried.can, p)) set(can, p);
          for (size_t i = 0; i < words; ++i) all[i] |= tried.with[p][i];
        }
    }
    return count;
  }

  pass_set relevant_{}, bound_{}, minded_known_{};
  pass_set minded_[Most + 1]{}, giver_[fact_words * 64]{}, out_[max_phases]{};
  u64 wanted_[fact_words]{}, matter_[op_words]{};
  u64 lost_[Most + 1][fact_words]{}, gained_[Most + 1][fact_words]{};
  u64 made_[Most + 1][op_words]{}, taken_[Most + 1][op_words]{}, barred_[Most + 1][op_words]{};
};

}  // namespace tenon::detail
