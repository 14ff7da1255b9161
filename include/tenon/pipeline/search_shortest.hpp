/// @file search_shortest: the shortest order of some passes that reaches a goal, each as often as it takes. See plan.hpp.
///
/// Best first, by the passes run and the passes missing at least. What is no better than a state that was reached by no
/// more passes is left out: more facts, fewer ops and fewer things forbidden never hurt.
#pragma once

#include <tenon/pipeline/search.hpp>

namespace tenon::detail {

/// `Nodes`: how many states may be kept.
template <class Court, class Numbering, size_t Most, size_t Nodes = 400>
class search_shortest : stepper<Court, Numbering, Most> {
  using base = stepper<Court, Numbering, Most>;
  using typename base::place, typename base::state, typename base::order_type;
  using base::words, base::fact_words, base::op_words, base::bit, base::set, base::spend, base::stops, base::after, base::beginning;
  using base::need_, base::give_, base::goal_, base::computed_, base::followed_;
  using base::court_, base::n_, base::in_, base::count_, base::steps_, base::result_, base::note, base::can_ever_run;

 public:
  using base::stepper;

  constexpr plan<Most> find() {
    steps_ = 400000;
    find_relevant();
    if (can_ever_run(false)) look_for_shortest();
    else note_goal();
    return result_;
  }

 private:
  struct node {
    place at;
    u16 pass = 0, parent = 0, length = 0;
    u16 bound = 0;  ///< no order by this way is shorter
    bool done = false;
    u64 ran[words]{};
  };

  /// Passes that can be of use: those that lead on, eliminate, or give what a pass of use or the goal needs. Another one
  /// could be left out of every order: what it does to facts and ops is never for the better.
  constexpr void find_relevant() {
    u64 wanted[fact_words]{};
    for (size_t k = 0; k < fact_words; ++k) wanted[k] = goal_[k];
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t p = 0; p < count_; ++p) {
        if (bit(relevant_, p)) continue;
        const pass_desc& d = *in_.passes[p];
        bool use = d.is_transition() || d.eliminates.size || bit(followed_, p);
        for (size_t k = 0; k < fact_words; ++k) use = use || (give_[p][k] & wanted[k]);
        if (!use) continue;
        set(relevant_, p), changed = true;
        for (size_t k = 0; k < fact_words; ++k) wanted[k] |= need_[p][k];
      }
    }
  }
  /// Is `a` at least as good as `b`: in its phase, with its facts and more, its ops or fewer, and no more forbidden?
  constexpr bool covers(const place& a, const place& b) {
    spend(6);
    if (a.s.phase != b.s.phase || (a.s.left & ~b.s.left) || (a.last != b.last && b.last != Most)) return false;
    for (size_t k = 0; k < fact_words; ++k)
      if (b.s.held[k] & ~a.s.held[k]) return false;
    for (size_t k = 0; k < op_words; ++k)
      if (a.s.ops[k] & ~b.s.ops[k]) return false;
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
    size_t phase = court_.beginning().phase;
    for (size_t steps = 0; steps < max_phases && in_.goal_phase && n_.phases[phase]->key != in_.goal_phase->key; ++steps) {
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
      if (seen == landmark_count_) return;
    }
  }
  /// How many passes are missing at least: one of each landmark that has had none, or whose fact is lost again; those that
  /// share a pass count once.
  constexpr size_t missing(const node& n) {
    size_t count = 0;
    u64 counted[words]{};
    spend((8 + 3 * words) * landmark_count_);
    for (size_t i = 0; i < landmark_count_; ++i) {
      const landmark& l = landmarks_[i];
      bool open = true, apart = true;
      for (size_t k = 0; k < words; ++k) open = open && !(l.by[k] & n.ran[k]), apart = apart && !(l.by[k] & counted[k]);
      open = open || (l.goal >= 0 && !bit(n.at.s.held, static_cast<size_t>(l.goal)));
      if (!open || !apart) continue;
      ++count;
      for (size_t k = 0; k < words; ++k) counted[k] |= l.by[k];
    }
    return count;
  }
  /// Best first, by passes run and passes missing at least: the first goal that is met is the nearest.
  constexpr void look_for_shortest() {
    node nodes[Nodes]{};
    size_t made = 1;
    find_landmarks();
    nodes[0].at = beginning(), nodes[0].bound = static_cast<u16>(missing(nodes[0]));
    for (;;) {
      size_t best = Nodes;  // of the least bound; of these the longest, then the first
      for (size_t i = 0; i < made; ++i)
        if (!nodes[i].done && (best == Nodes || nodes[i].bound < nodes[best].bound ||
                               (nodes[i].bound == nodes[best].bound && nodes[i].length > nodes[best].length)))
          best = i;
      spend(4 * made);
      if (best == Nodes) return;
      if (court_.at_goal(nodes[best].at.s)) return take(nodes, best);
      nodes[best].done = true;
      for (size_t p = 0; p < count_; ++p) {
        if (!bit(relevant_, p) || stops(nodes[best].at, p).code) continue;
        node next{after(nodes[best].at, p), static_cast<u16>(p), static_cast<u16>(best), static_cast<u16>(nodes[best].length + 1)};
        bool known = false;
        for (size_t j = 0; j < made && !known; ++j) known = nodes[j].length <= next.length && covers(nodes[j].at, next.at);
        if (known) continue;
        if (made == Nodes || steps_ == 0) {
          result_.gave_up = true;
          return;
        }
        for (size_t k = 0; k < words; ++k) next.ran[k] = nodes[best].ran[k];
        set(next.ran, p);
        next.bound = static_cast<u16>(next.length + missing(next));
        nodes[made++] = next;
      }
    }
  }
  constexpr void take(const node* nodes, size_t last) {
    result_.count = nodes[last].length, result_.found = result_.count <= Most;
    result_.gave_up = !result_.found;  // longer than a plan can be
    for (size_t i = last; result_.found && nodes[i].length; i = nodes[i].parent) result_.order[nodes[i].length - 1] = nodes[i].pass;
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

  u64 relevant_[words]{};
  landmark landmarks_[Most + fact_words * 64]{};
  size_t landmark_count_ = 0;
};

}  // namespace tenon::detail
