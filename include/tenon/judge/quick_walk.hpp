/// @file quick_walk: the quick way to a yes: most orders are right, and then nobody asks why.
///
/// Invariant: yes only if the judge (judge.hpp) says yes too, and then facts that are watched hold at the end where it
/// says so; no means "ask the judge". Random tests hold both to it (tests/judge). Not a template, and without sets of
/// bits: facts are remembered by when they were given, and whether ops may be present is found by walking back from the
/// few places that ask. So the flow of facts and ops is told a second time here: to number an order's facts and ops for
/// the judge costs ten times as much as this walk. What a pass says of its place (place.hpp), what it keeps and what
/// intervals mean is asked of the same functions. Orders with options and added ops are left to the judge.
#pragma once

#include <tenon/judge/numbering.hpp>
#include <tenon/judge/place.hpp>

namespace tenon::detail {

class quick_walk {
 public:
  constexpr explicit quick_walk(const judge_input& in) : in_(in) {}

  /// Constant evaluation is slow, some hundred nanoseconds a step: so the common case is written out, without calls,
  /// and what a pass says in a usual way is reported from where its list stands. `watched`: which of the facts that the
  /// input watches hold at the end of an order that is right.
  constexpr bool right(bool* watched = nullptr) {
    if (in_.count == 0 || in_.count > most / 2 || in_.added.size) return false;
    const phase_desc* const begin = in_.start ? in_.start : in_.passes[0]->from;
    if (!begin || begin->added.size || begin->flawed || (begin->regions.size && !in_.inside)) return false;

    const pass_desc* named[most]{&unsound_pass};  // which has an empty name, as no other may
    const fact_desc* const* const every_fact = fact_items<all_facts>;
    const fact_desc* const* const nothing_said = fact_items<unsaid>;
    const fact_desc* fact[most + 1]{};
    size_t given[most + 1]{};  // by which pass, counted from 2; 1: known from the start; 0: by none
    size_t facts = 0, forgotten = 0;
    bool unsure = false;  // two facts of one name, or one that ends without being broken
    // Where a fact is, or will be, in the table. Those that are computed from ops are never there.
    const auto slot_of = [&](const fact_desc* f) {
      size_t h = f->mark;
      while (fact[h] != f) {
        if (fact[h] == nullptr) {
          if (f->op_set_fact || ++facts > most / 2) return most;  // a slot that nobody reads
          if (f->bounds || f->whole) unsure = true;
          fact[h] = f;
          break;
        }
        if (fact[h]->name == f->name) unsure = true;
        h = (h + 1) % most;
      }
      return h;
    };
    const auto holds = [&](const fact_desc* f, size_t i) {
      if (f->op_set_fact) return !may_be_present(f->absent, {}, {}, i);
      const size_t h = slot_of(f);
      return h < most && given[h] > forgotten;
    };

    const phase_desc* phase = begin;
    const op_set* fine = nullptr;  // what a pass before emits, which the phase lists
    size_t now = 1;
    for (const fact_desc* f : in_.known) given[slot_of(f)] = now;
    for (const pass_desc *const *at = in_.passes, *const *const end = at + in_.count; at != end; ++at) {
      const pass_desc& p = **at;
      const size_t i = now++ - 1;
      if (p.from != phase) return false;  // also of an unsound pass, which has none
      if (p.rare) {
        if (!is_in_place(p, i)) return false;
      } else if (&p.emits != fine && p.emits.size) {  // what its form does not say of itself, `sound_desc` written out
        for (const op_key& op : p.emits)
          if (!phase->ops.contains(op.key)) return false;
        fine = &p.emits;
      }

      const size_t length = p.name.length;
      const char* const tail = p.name.first + length;  // the end tells most names apart, numbered ones too
      size_t h = (length < 2 ? length : length * 191 + size_t(tail[-1]) + size_t(tail[-2]) * 11) % most;
      if (named[h] == nullptr) named[h] = &p;
      else if (!is_told_apart(named, h, p)) return false;

      for (const fact_desc* const* next = p.needed; const fact_desc* const f = *next; ++next) {
        const size_t h = f->mark;
        if (fact[h] == f ? given[h] <= forgotten : !holds(f, i)) return false;
      }

      if (p.rare && p.from != p.to) {
        if (p.to->added.size || p.to->flawed || p.to->regions.size || entered_before(p.to, begin, i) ||
            may_be_left(p, i))
          return false;
        phase = p.to, fine = nullptr;
      }

      if (p.kept != every_fact || p.broken != nothing_said) {
        if (p.broken != nothing_said) {
          if (p.kept != nothing_said && !p.rare) return false;
          for (const fact_desc* const* next = p.broken == every_fact ? no_facts : p.broken;
               const fact_desc* const f = *next; ++next) {
            if (const size_t h = f->mark; fact[h] == f) given[h] = 0;
            else if (f->flawed()) return false;
            else given[slot_of(f)] = 0;
          }
          if (p.broken == every_fact) forgotten = now - 1;
        } else if (p.kept != every_fact) {
          for (const fact_desc* const* next = p.kept; const fact_desc* const f = *next; ++next) {
            if (f->flawed() || (f->op_set_fact && f->absent.size && !p.rare)) return false;
            if (const size_t h = slot_of(f); given[h] > forgotten) given[h] = now;
          }
          forgotten = now - 1;
        }
      }

      for (const fact_desc* const* next = p.given; const fact_desc* const f = *next; ++next) {
        if (const size_t h = f->mark; fact[h] == f) given[h] = now;
        else if (f->flawed() || (f->op_set_fact && f->absent.size && !p.rare)) return false;
        else given[slot_of(f)] = now;
      }
    }
    if (in_.goal_phase && phase->key != in_.goal_phase->key) return false;
    for (const fact_desc* f : in_.goal)
      if (!holds(f, in_.count)) return false;
    if (watched)
      for (const fact_desc* f : in_.watched) *watched++ = holds(f, in_.count);
    return !unsure;
  }
  /// Does a pass of an order that is right run twice?
  constexpr bool twice() const { return twice_; }

 private:
  /// Has no other pass the name of `p`? Then `p` is in the table.
  constexpr bool is_told_apart(const pass_desc** named, size_t h, const pass_desc& p) {
    for (; named[h] != nullptr && named[h] != &p; h = (h + 1) % most)
      if (named[h]->name == p.name) return false;
    if (named[h] == &p) twice_ = true;
    named[h] = &p;
    return true;
  }
  static constexpr size_t most = fact_marks;  ///< slots; half may be in use

  /// Are its intervals and counts kept?
  constexpr bool is_in_place(const pass_desc& p, size_t i) const {
    const rare_parts& r = *p.rare;
    if (r.barred && !in_.inside && (r.repeats || may_be_present(r.barred->ops, {}, {}, i))) return false;
    if (r.flag_key || r.patterns ||
        (r.works_on && !may_be_present(*r.works_on, {}, {}, i) && (in_.by_hand || is_listed(*r.works_on))))
      return false;
    for (size_t j = i + 1; r.makes && j < in_.count;
         ++j)  // else the judge asks who may call what it made (functions_left_ahead.hpp)
      if (in_.passes[j]->is_transition()) {
        if (in_.passes[j]->to->key != r.makes->key) return false;
        break;
      }
    if (in_.by_hand || !(r.at_most_once || r.after || r.interval_end)) return true;
    return place_fault(i, in_.count, [&](size_t j) -> const pass_desc& { return *in_.passes[j]; }) == 0;
  }
  /// Does a phase of this order list each of these ops? Of others, which users add, nobody knows here.
  constexpr bool is_listed(const op_set& set) const {
    for (const op_key& op : set) {
      bool listed = false;
      for (size_t j = 0; j < in_.count && !listed; ++j)
        listed = in_.passes[j]->from->ops.contains(op.key) || in_.passes[j]->to->ops.contains(op.key);
      if (!listed) return false;
    }
    return true;
  }
  constexpr bool entered_before(const phase_desc* phase, const phase_desc* begin, size_t i) const {
    if (phase == begin) return true;
    for (size_t j = 0; j < i; ++j)
      if (in_.passes[j]->to == phase && in_.passes[j]->from != phase) return true;
    return false;
  }
  constexpr bool may_be_left(const pass_desc& p, size_t i) const {
    for (size_t k = 0; k < p.from->early.size; ++k)
      if (!p.from->ops.contains(p.from->early.data[k].key)) return true;
    return may_be_present(p.from->ops, p.eliminates, p.to->ops, i);
  }

  /// Sorted keys of ops.
  struct keys {
    u64 key[most]{};
    size_t count = 0;

    constexpr void keep(const op_set& set, bool inside) {
      size_t kept = 0;
      for (size_t a = 0, b = 0; a < count; ++a) {
        while (b < set.size && set.data[b].key < key[a]) ++b;
        if ((b < set.size && set.data[b].key == key[a]) == inside) key[kept++] = key[a];
      }
      count = kept;
    }
    constexpr bool meets(const op_set& set) const {
      for (size_t a = 0, b = 0; a < count && b < set.size;) {
        if (key[a] == set.data[b].key) return true;
        if (key[a] < set.data[b].key) ++a;
        else ++b;
      }
      return false;
    }
  };
  /// May an op of `set`, less those of `gone` and `fine`, be present before pass `i`? Also yes when it is too expensive
  /// to tell.
  constexpr bool may_be_present(const op_set& set, const op_set& gone, const op_set& fine, size_t i) const {
    if (set.size > most) return true;
    keys left;
    for (size_t k = 0; k < set.size; ++k) left.key[k] = set.data[k].key;
    left.count = set.size;
    if (gone.size) left.keep(gone, false);
    if (fine.size) left.keep(fine, false);
    for (size_t j = i; j-- > 0;) {
      if (left.count == 0) return false;
      const pass_desc& q = *in_.passes[j];
      if (q.to != q.from) {
        left.keep(q.to->ops, true);
        if (q.to->early.size && left.meets(q.to->early)) return true;
      }
      if (q.emits.data == nullptr ? left.meets(q.to->ops) : q.emits.size && left.meets(q.emits)) return true;
      if (q.eliminates.size) left.keep(q.eliminates, false);
    }
    for (const fact_desc* f : in_.known)
      if (f->op_set_fact) left.keep(f->absent, false);
    return left.meets((in_.start ? in_.start : in_.passes[0]->from)->ops);
  }

  const judge_input& in_;
  bool twice_ = false;
};

/// Is this order right beyond doubt?
constexpr bool is_surely_right(const judge_input& in, bool* watched = nullptr) { return quick_walk(in).right(watched); }
/// The same, and no pass runs twice?
enum class quick_answer : u8 { no, right, right_each_once };
constexpr quick_answer quick_answer_to(const judge_input& in) {
  quick_walk w(in);
  return !w.right() ? quick_answer::no : w.twice() ? quick_answer::right : quick_answer::right_each_once;
}

}  // namespace tenon::detail
