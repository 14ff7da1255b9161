/// @file search_shortest: the shortest order of some passes that reaches a goal, each as often as it takes. See
/// plan.hpp.
///
/// Best first (A*), by the passes run and the passes missing at least. What is no better than a state that was reached
/// by no more passes is left out: more facts, fewer ops and fewer things forbidden never hurt. Which passes are tried
/// somewhere, and that these are enough, says search_choice.hpp.
#pragma once

#include <tenon/judge/search_choice.hpp>

namespace tenon::detail {

/// `Nodes`: how many states may be kept.
template <class Judge, class Numbering, size_t Most, size_t Nodes = 700>
class search_shortest : chooser<Judge, Numbering, Most> {
  using base = chooser<Judge, Numbering, Most>;
  using base::find_relevant, base::find_matter, base::close;
  using base::judge_, base::n_, base::in_, base::count_, base::steps_, base::result_, base::note, base::can_ever_run;
  using base::need_, base::give_, base::goal_, base::computed_, base::relevant_, base::wanted_, base::matter_;
  using base::words, base::fact_words, base::op_words, base::bit, base::set, base::spend, base::stops, base::after,
      base::beginning;
  using typename base::place, typename base::order_type, typename base::pass_set, typename base::tried_passes;

 public:
  using base::chooser;

  constexpr plan<Most> find() {
    steps_ = most_steps;
    find_relevant();
    if (can_ever_run(false)) {
      find_matter();
      find_landmarks();
      look_for_shortest();
    } else {
      note_goal();
    }
    return result_;
  }
  constexpr size_t steps_taken() const { return most_steps - steps_; }

 private:
  static constexpr size_t most_steps = 400000;
  struct node {
    place at;
    u16 pass = 0, parent = 0, length = 0;
    u16 bound = 0;  ///< no order by this way is shorter
    bool done = false;
    u64 ran[words]{};
  };

  /// The fewest passes that are to be tried at `n`: one of every open landmark must run from here on.
  constexpr void choose(const node& n, pass_set& chosen) {
    size_t fewest = Most + 2, tried = 0;
    tried_passes passes;
    const auto attempt = [&](const pass_set& seed) {
      pass_set can{};
      const size_t count = close(n.at, seed, passes, can, fewest);
      ++tried;
      if (count >= fewest) return;
      fewest = count;
      for (size_t k = 0; k < words; ++k) chosen[k] = can[k];
    };
    for (size_t i = 0; i < landmark_count_ && fewest > 1 && tried < 8; ++i)
      if (is_open(n, landmarks_[i])) attempt(landmarks_[i].by);
    if (tried == 0) attempt(relevant_);
  }

  /// Is `a` at least as good as `b`: in its phase, with its facts and more, its ops or fewer, and no more forbidden?
  constexpr bool covers(const place& a, const place& b) {
    spend(2);
    if (a.s.phase != b.s.phase || (a.s.left & ~b.s.left) || (a.last != b.last && b.last != Most)) return false;
    for (size_t k = 0; k < fact_words; ++k)
      if (b.s.held[k] & ~a.s.held[k]) return false;
    for (size_t k = 0; k < op_words; ++k)
      if ((a.s.ops[k] & ~b.s.ops[k]) | (b.s.ops[k] & ~a.s.ops[k] & this->worked_on_[k])) return false;
    for (size_t k = 0; k < words; ++k)
      if ((a.forbidden[k] & ~b.forbidden[k]) || (a.opened[k] & ~b.opened[k])) return false;
    spend(3 * (fact_words + op_words + words));
    return true;
  }
  /// Of these passes, every order has one.
  struct landmark {
    u64 by[words]{};
    int goal = -1;  ///< a fact that they give, and that must hold at the end
  };
  /// The ways out of a phase that must be left; who gives what the goal needs; and what all of these need.
  constexpr void find_landmarks() {
    const auto add = [&](int fact, auto&& fits) {
      landmark& l = landmarks_[landmark_count_++];
      for (size_t p = 0; p < count_; ++p)
        if (bit(relevant_, p) && fits(p)) set(l.by, p);
      if (fact >= 0 && bit(goal_, static_cast<size_t>(fact))) l.goal = fact;
    };
    size_t phase = judge_.beginning().phase;
    for (size_t steps = 0; steps < max_phases && in_.goal_phase && n_.phases[phase]->key != in_.goal_phase->key;
         ++steps) {
      size_t out = Most, ways = 0;
      for (size_t p = 0; p < count_; ++p)
        if (n_.from[p] == phase && n_.to[p] != phase) out = p, ++ways;
      if (ways != 1) break;
      add(-1, [&](size_t p) { return p == out; });
      phase = n_.to[out];
    }
    u64 wanted[fact_words]{}, done[fact_words]{};
    for (size_t k = 0; k < fact_words; ++k) wanted[k] = goal_[k];
    for (size_t seen = 0;;) {
      for (; seen < landmark_count_; ++seen)
        for (size_t k = 0; k < fact_words; ++k) {
          u64 common = ~u64(0);
          for (size_t p = 0; p < count_; ++p)
            if (bit(landmarks_[seen].by, p)) common &= need_[p][k];
          wanted[k] |= common & ~computed_[k];
        }
      for (size_t f = 0; f < n_.fact_count; ++f)
        if (bit(wanted, f) && !bit(done, f) && !bit(computed_, f))
          set(done, f), add(static_cast<int>(f), [&](size_t p) { return bit(give_[p], f); });
      if (seen == landmark_count_) break;
    }
    sort_landmarks();
  }
  /// Those that share passes with few others first: then `missing` counts more of them (all, where they form trees).
  constexpr void sort_landmarks() {
    u16 shared[Most + fact_words * 64]{};
    spend(landmark_count_ * landmark_count_ * 2);
    for (size_t i = 0; i < landmark_count_; ++i)
      for (size_t j = 0; j < i; ++j) {
        u64 both = 0;
        for (size_t k = 0; k < words; ++k) both |= landmarks_[i].by[k] & landmarks_[j].by[k];
        if (both) ++shared[i], ++shared[j];
      }
    for (size_t i = 1; i < landmark_count_; ++i)
      for (size_t j = i; j > 0 && shared[j] < shared[j - 1]; --j) {
        const landmark l = landmarks_[j];
        const u16 n = shared[j];
        landmarks_[j] = landmarks_[j - 1], shared[j] = shared[j - 1];
        landmarks_[j - 1] = l, shared[j - 1] = n;
      }
  }
  constexpr bool is_open(const node& n, const landmark& l) const {
    bool open = true;
    for (size_t k = 0; k < words; ++k) open = open && !(l.by[k] & n.ran[k]);
    return open || (l.goal >= 0 && !bit(n.at.s.held, static_cast<size_t>(l.goal)));
  }
  /// How many passes are missing at least: one of each landmark that has had none, or whose fact is lost again; those
  /// that share a pass count once.
  constexpr size_t missing(const node& n) {
    size_t count = 0;
    u64 counted[words]{};
    spend((5 + 2 * words) * landmark_count_);
    for (size_t i = 0; i < landmark_count_; ++i) {
      const landmark& l = landmarks_[i];
      bool apart = true;
      for (size_t k = 0; k < words; ++k) apart = apart && !(l.by[k] & counted[k]);
      if (!apart || !is_open(n, l)) continue;
      ++count;
      for (size_t k = 0; k < words; ++k) counted[k] |= l.by[k];
    }
    return count;
  }
  /// Of the least bound; of these the longest, then the first.
  constexpr size_t best_of(const node* nodes, size_t made) {
    size_t best = Nodes;
    for (size_t i = 0; i < made; ++i)
      if (!nodes[i].done && (best == Nodes || nodes[i].bound < nodes[best].bound ||
                             (nodes[i].bound == nodes[best].bound && nodes[i].length > nodes[best].length)))
        best = i;
    spend(made + 5);
    return best;
  }
  /// Is it no better than another one? Those that are no better than it are done.
  constexpr bool is_known(node* nodes, size_t made, const node& next) {
    const u64 held = next.at.s.held[0];
    spend(2 * made + 5);
    for (size_t j = 0; j < made; ++j) {
      const u64 both = nodes[j].at.s.held[0] & held;
      if (both == held && nodes[j].length <= next.length && covers(nodes[j].at, next.at)) return true;
      if (both == nodes[j].at.s.held[0] && !nodes[j].done && next.length <= nodes[j].length &&
          covers(next.at, nodes[j].at))
        nodes[j].done = true;
    }
    return false;
  }
  /// Best first, by passes run and passes missing at least: the first goal that is met is the nearest.
  constexpr void look_for_shortest() {
    node nodes[Nodes]{};
    size_t made = 1, best = 0;
    nodes[0].at = beginning(), nodes[0].bound = static_cast<u16>(missing(nodes[0]));
    for (;;) {
      if (best == Nodes || nodes[best].done) best = best_of(nodes, made);
      if (best == Nodes) return;
      if (judge_.at_goal(nodes[best].at.s)) return take(nodes, best);
      nodes[best].done = true;
      pass_set chosen{};
      choose(nodes[best], chosen);
      const size_t parent = best;
      best = Nodes;
      for (size_t word = 0; word < words; ++word)
        for (u64 left = chosen[word]; left; left &= left - 1) {
          const size_t p = 64 * word + static_cast<size_t>(__builtin_ctzll(left));
          node next{after(nodes[parent].at, p), static_cast<u16>(p), static_cast<u16>(parent),
                    static_cast<u16>(nodes[parent].length + 1)};
          for (size_t k = 0; k < fact_words; ++k) next.at.s.held[k] &= wanted_[k];
          for (size_t k = 0; k < op_words; ++k) next.at.s.ops[k] &= matter_[k];
          if (is_known(nodes, made, next)) continue;
          if (made == Nodes || steps_ == 0) {
            result_.gave_up = true;
            return;
          }
          for (size_t k = 0; k < words; ++k) next.ran[k] = nodes[parent].ran[k];
          set(next.ran, p);
          const size_t bound = next.length + missing(next);
          next.bound = bound < nodes[parent].bound ? nodes[parent].bound : static_cast<u16>(bound);
          if (best == Nodes && next.bound == nodes[parent].bound)
            best = made;  // nothing is nearer than what goes straight on
          nodes[made++] = next;
        }
    }
  }
  constexpr void take(const node* nodes, size_t last) {
    result_.count = nodes[last].length, result_.found = result_.count <= Most;
    result_.gave_up = !result_.found;  // longer than a plan can be
    for (size_t i = last; result_.found && nodes[i].length; i = nodes[i].parent)
      result_.order[nodes[i].length - 1] = nodes[i].pass;
  }
  /// For the sentence: as far as one comes, running whatever can.
  constexpr void note_goal() {
    place w = beginning();
    bool used[Most + 1]{};
    order_type order;
    for (bool changed = true; changed;) {
      changed = false;
      for (int leaving = 0; leaving < 2 && !changed; ++leaving)
        for (size_t p = 0; p < count_ && !changed; ++p) {
          if (used[p] || !bit(relevant_, p) || (n_.from[p] != n_.to[p]) != (leaving == 1) || stops(w, p).code) continue;
          w = after(w, p), used[p] = true, changed = true;
          order.pass[order.count++] = static_cast<u16>(p);
        }
    }
    note(w, order, used);
  }

  landmark landmarks_[Most + fact_words * 64]{};
  size_t landmark_count_ = 0;
};

}  // namespace tenon::detail
