/// @file numbering: the facts, phases and ops of an order of passes, numbered, so that the judge can work on bits.
///
/// Cost: O(facts named + ops of the phases), once per order.
#pragma once

#include <tenon/judge/pass_desc.hpp>

namespace tenon {

/// What the judge is asked: passes in order, then candidates that a repair may insert.
struct judge_input {
  const pass_desc* const* passes = nullptr;
  size_t count = 0, candidates = 0;
  op_set added;                  ///< ops that `with_ops` adds
  const u64* lowered = nullptr;  ///< for each pass, which of `added` (bit by position) it has a lowering for
  const barred_ops* const* barred = nullptr;  ///< for each pass, which of `added` it may not find; null: none
  const phase_desc* start = nullptr;          ///< none: the phase of the first pass
  fact_list known;                            ///< at the start
  fact_list goal;                             ///< at the end
  const phase_desc* goal_phase = nullptr;
  label goal_owner;
  region_rules regions;  ///< about ops that `with_ops` adds
  fact_list watched;     ///< facts that a trail is asked about besides those that the passes name
  bool by_hand =
      false;  ///< one pass, and nobody knows what ran before it, or will: intervals and neighbours say nothing
  bool inside = false;  ///< in the body of a pass, which answers for regions, and for ops that do not bear what it does

  constexpr size_t total() const { return count + candidates; }
  /// Its modules begin where it does: they have what the phase begins with.
  constexpr void begin_there() {
    const phase_desc* const there = start ? start : count ? passes[0]->from : nullptr;
    if (there) known = there->begins;
  }
};

namespace detail {

struct judge_sizes {
  size_t references = 0, ops = 0;
};

inline constexpr size_t max_phases = 32;

constexpr size_t phase_number(const phase_desc** phases, size_t& count, const phase_desc* p) {
  for (size_t i = 0; i < count; ++i)
    if (phases[i] == p || phases[i]->key == p->key) return i;
  if (count == max_phases) return 0;
  phases[count] = p;
  return count++;
}

/// Upper bounds for `numbering`.
constexpr judge_sizes measure(const judge_input& in) {
  judge_sizes s;
  const phase_desc* phases[max_phases]{};
  size_t count = 0;
  for (size_t i = 0; i < in.total(); ++i) {
    const pass_desc& p = *in.passes[i];
    for (const fact_desc* const* at = p.needed; *at; ++at) ++s.references;
    for (const fact_desc* const* at = p.given; *at; ++at) ++s.references;
    for (const fact_desc* const* at = p.changed(); *at; ++at) ++s.references;
    phase_number(phases, count, p.from);
    if (p.to != p.from) phase_number(phases, count, p.to);
    s.ops += p.from->added.size + p.to->added.size;
  }
  if (in.start) phase_number(phases, count, in.start), s.ops += in.start->added.size;
  s.references += in.known.size() + in.goal.size() + in.watched.size();
  for (size_t i = 0; i < count; ++i) s.ops += phases[i]->ops.size;
  s.ops += in.added.size;
  return s;
}

template <size_t Passes, size_t References, size_t Ops>
struct numbering {
  u16 reference[References + 1]{};  ///< fact numbers: of each pass its needs, gives, breaks or keeps; known; goal
  const fact_desc* facts[References + 1]{};
  size_t fact_count = 0;
  const phase_desc* phases[max_phases]{};
  size_t phase_count = 0;
  u8 from[Passes + 1]{}, to[Passes + 1]{};
  const op_key* universe[Ops + 1]{};  ///< every op that may exist, sorted by key
  size_t op_count = 0;
  const op_key* added[Ops + 1]{};  ///< those that `with_ops` and extensions add
  size_t added_count = 0;
  size_t rows = 1;           ///< op sets that are not empty; row 0 is empty
  int same_name[2]{-1, -1};  ///< two passes of one name
  int same_fact[2]{-1, -1};  ///< two passes that name two facts of one name

  constexpr explicit numbering(const judge_input& in) {
    number_facts(in);
    for (size_t i = 0; i < in.total(); ++i) {
      const pass_desc& p = *in.passes[i];
      from[i] = static_cast<u8>(phase_number(phases, phase_count, p.from));
      to[i] = p.to == p.from ? from[i] : static_cast<u8>(phase_number(phases, phase_count, p.to));
      rows += (p.emits.size != 0) + (p.eliminates.size != 0) + (p.to->added.size != 0) + (in.added.size != 0) +
              (p.more().works_on != nullptr) + (p.more().patterns != nullptr) + p.more().pattern_count +
              (p.more().outside != nullptr) + (p.more().encloses != nullptr) +
              (p.more().barred != nullptr || (in.barred && in.barred[i]));
    }
    if (in.start) phase_number(phases, phase_count, in.start);
    number_ops(in);
    rows += 2 * phase_count + 1 + in.regions.size;
    for (size_t i = 0; i < phase_count; ++i) rows += phases[i]->regions.size;
    for (size_t i = 0; i < in.total(); ++i)  // extensions are phases of their own here
      rows += in.passes[i]->from->added.size ? in.passes[i]->from->regions.size : 0;
    for (size_t f = 0; f < fact_count; ++f) rows += facts[f]->op_set_fact;
    find_same_name(in);
  }

  constexpr size_t number_of(u64 key) const {
    size_t low = 0, high = op_count;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (universe[middle]->key < key) low = middle + 1;
      else high = middle;
    }
    return low < op_count && universe[low]->key == key ? low : op_count;
  }
  constexpr bool is_added(u64 key) const {
    for (size_t i = 0; i < added_count; ++i)
      if (added[i]->key == key) return true;
    return false;
  }

 private:
  static constexpr size_t slot_count() {
    size_t n = 64;
    while (n < 2 * References && n < 2048) n *= 2;
    return n;
  }
  constexpr void number_facts(const judge_input& in) {
    constexpr size_t slots = slot_count();
    u16 slot[slots]{};
    u16 named_by[References + 1]{};  // the first pass that names a fact
    size_t next = 0;
    const auto number = [&](const fact_desc* const* list, size_t pass) {
      for (; const fact_desc* const f = *list; ++list) {
        size_t h = f->mark % slots;
        while (slot[h] != 0 && facts[slot[h] - 1] != f) {
          if (same_fact[0] < 0 && facts[slot[h] - 1]->name == f->name)
            same_fact[0] = named_by[slot[h] - 1], same_fact[1] = static_cast<int>(pass);
          h = (h + 1) % slots;
        }
        if (slot[h] == 0) {
          named_by[fact_count] = static_cast<u16>(pass);
          facts[fact_count++] = f, slot[h] = static_cast<u16>(fact_count);
        }
        reference[next++] = static_cast<u16>(slot[h] - 1);
      }
    };
    for (size_t i = 0; i < in.total(); ++i) {
      const pass_desc& p = *in.passes[i];
      number(p.needed, i), number(p.given, i), number(p.changed(), i);
    }
    const size_t none = in.total();
    number(in.known.begin(), none), number(in.goal.begin(), none), number(in.watched.begin(), none);
    if (same_fact[0] >= static_cast<int>(in.count) || same_fact[1] >= static_cast<int>(in.count)) same_fact[0] = -1;
  }
  constexpr void merge(const op_set& set) {
    const op_key* merged[Ops + 1]{};
    size_t a = 0, b = 0, n = 0;
    while (a < op_count || b < set.size) {
      if (b == set.size || (a < op_count && universe[a]->key < set.data[b].key)) merged[n++] = universe[a++];
      else if (a == op_count || set.data[b].key < universe[a]->key) merged[n++] = &set.data[b++];
      else merged[n++] = universe[a++], ++b;
    }
    for (size_t i = 0; i < n; ++i) universe[i] = merged[i];
    op_count = n;
  }
  constexpr void add(const op_set& set) {
    for (const op_key& op : set)
      if (!is_added(op.key)) added[added_count++] = &op;
    if (set.size) merge(set);
  }
  constexpr void number_ops(const judge_input& in) {
    for (size_t i = 0; i < phase_count; ++i) merge(phases[i]->ops);
    add(in.added);
    if (in.start) add(in.start->added);
    else if (in.count) add(in.passes[0]->from->added);
    for (size_t i = 0; i < in.total(); ++i)
      if (in.passes[i]->to->added.size) merge(in.passes[i]->to->added);
  }
  static constexpr bool same_name_as(const pass_desc& a, const pass_desc& b) { return &a == &b || a.name == b.name; }
  constexpr void find_same_name(const judge_input& in) {
    constexpr size_t slots = Passes < 32 ? 64 : Passes < 128 ? 256 : 1024;
    u16 slot[slots]{};
    for (size_t i = 0; i < in.count && i < slots - 1; ++i) {
      const pass_desc& p = *in.passes[i];
      size_t h = mark_of(p.name) % slots;
      while (slot[h] != 0 && !same_name_as(*in.passes[slot[h] - 1], p)) h = (h + 1) % slots;
      if (slot[h] == 0) {
        slot[h] = static_cast<u16>(i + 1);
      } else if (in.passes[slot[h] - 1]->type != p.type) {
        same_name[0] = slot[h] - 1, same_name[1] = static_cast<int>(i);
        return;
      }
    }
  }
};

}  // namespace detail
}  // namespace tenon
