/// @file plain_walk: the quick way to a yes: most orders are right, and then nobody asks why.
///
/// Invariant: yes only if the judge (judge.hpp) says yes too; no means "ask the judge". Not a template, and without sets of
/// bits: facts are remembered by when they were given, and whether ops may be present is found by walking back from the
/// few places that ask. Orders with options and added ops are left to the judge.
#pragma once

#include <tenon/pipeline/numbering.hpp>

namespace tenon::detail {

class plain_walk {
 public:
  constexpr explicit plain_walk(const judge_input& in) : in_(in), mask_(in.count < 64 ? 127 : most - 1) {}

  /// Constant evaluation is slow, some hundred nanoseconds a step: so the common case is written out, without calls.
  constexpr bool right() {
    if (in_.count == 0 || in_.count > most / 2 || in_.added.size || in_.lowered) return false;
    const phase_desc* const begin = in_.start ? in_.start : in_.passes[0]->from;
    if (begin->added.size || begin->flawed || in_.known.size) return false;
    const phase_desc* phase = begin;
    const op_key* fine = nullptr;  // what the last pass emits, if the phase lists it
    for (size_t i = 0; i < in_.count; ++i) {
      const pass_desc& p = *in_.passes[i];
      if (p.from != phase) return false;
      if (p.rare) {
        if (p.from->added.size || p.to->added.size || !is_in_place(p, i)) return false;
      } else {
        // What the form of the pass does not say of itself, `sound_desc` written out.
        if (p.emits.data != fine) {
          for (size_t k = 0; k < p.emits.size; ++k)
            if (!phase->ops.contains(p.emits.data[k].key)) return false;
          fine = p.emits.data;
        }
        if (p.says_keeps && p.says_breaks) return false;
      }
      for (size_t h = mark_of(p.name) & mask_; named_[h] != &p; h = (h + 1) & mask_) {
        if (named_[h] == nullptr) {
          named_[h] = &p;
          break;
        }
        if (named_[h]->name == p.name) return false;
      }
      for (size_t k = 0; k < p.needs.size; ++k) {
        const fact_desc* const f = p.needs.data[k];
        if (const size_t h = f->mark & mask_; fact_[h] == f && given_[h] > forgotten_ && !f->op_set_fact) continue;
        if (!holds(*f, i)) return false;
      }
      const size_t now = i + 1;
      if (p.from != p.to) {
        if (p.to->added.size || p.to->flawed || entered_before(p.to, begin, i) || may_be_left(p, i)) return false;
        phase = p.to, fine = nullptr;
      }
      if (p.says_breaks) {
        for (size_t k = 0; k < p.breaks.size; ++k) {
          if (p.breaks.data[k]->flawed) return false;
          given_[slot_of(p.breaks.data[k])] = 0;
        }
        if (p.breaks.all) forgotten_ = i;
      } else if (!p.keeps.all) {
        for (size_t k = 0; k < p.keeps.size; ++k) {
          const fact_desc* const f = p.keeps.data[k];
          if (f->flawed || (f->op_set_fact && f->absent.size && !p.rare)) return false;
          if (const size_t h = slot_of(f); given_[h] > forgotten_) given_[h] = now;
        }
        forgotten_ = i;
      }
      for (size_t k = 0; k < p.gives.size; ++k) {
        const fact_desc* const f = p.gives.data[k];
        if (const size_t h = f->mark & mask_; fact_[h] == f && !f->op_set_fact) given_[h] = now;
        else if (f->flawed || (f->op_set_fact && f->absent.size && !p.rare)) return false;
        else given_[slot_of(f)] = now;
      }
    }
    if (in_.goal_phase && phase->key != in_.goal_phase->key) return false;
    for (size_t k = 0; k < in_.goal.size; ++k)
      if (!holds(*in_.goal.data[k], in_.count)) return false;
    return true;
  }

 private:
  static constexpr size_t most = fact_marks;  ///< slots; half may be in use

  /// Are its windows and counts kept?
  constexpr bool is_in_place(const pass_desc& p, size_t i) const {
    const rare_parts& r = *p.rare;
    if (r.flag_key) return false;
    if (r.after && (i == 0 || in_.passes[i - 1]->type != r.after)) return false;
    if (r.at_most_once)
      for (size_t j = 0; j < i; ++j)
        if (in_.passes[j]->type == p.type) return false;
    if (!r.window_begin) return true;
    size_t j = 0;
    while (j < i && in_.passes[j]->type != r.window_begin) ++j;
    if (j == i) return true;
    for (j = i + 1; j < in_.count; ++j)
      if (in_.passes[j]->type == r.window_end) return false;
    return true;
  }
  /// Where a fact is, or will be, in the table.
  constexpr size_t slot_of(const fact_desc* f) {
    size_t h = f->mark & mask_;
    while (fact_[h] != f) {
      if (fact_[h] == nullptr) {
        if (++fact_count_ > mask_ / 2) return most;  // a slot that nobody reads
        fact_[h] = f;
        break;
      }
      h = (h + 1) & mask_;
    }
    return h;
  }
  /// Facts that were given at `forgotten_` or before do not hold.
  constexpr bool holds(const fact_desc& f, size_t i) {
    if (f.op_set_fact) return !may_be_present(f.absent, {}, {}, i);
    const size_t h = slot_of(&f);
    return h < most && given_[h] > forgotten_;
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
  /// May an op of `set`, less those of `gone` and `fine`, be present before pass `i`? Also yes when it is too dear to tell.
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
      if (q.emits_any ? left.meets(q.to->ops) : q.emits.size && left.meets(q.emits)) return true;
      if (q.eliminates.size) left.keep(q.eliminates, false);
    }
    return left.meets((in_.start ? in_.start : in_.passes[0]->from)->ops);
  }

  const judge_input& in_;
  size_t mask_;  ///< slots in use, less one: what is never written costs nothing
  const pass_desc* named_[most]{};
  const fact_desc* fact_[most + 1]{};
  size_t given_[most + 1]{};  ///< by which pass, counted from 1; 0: by none
  size_t fact_count_ = 0;
  size_t forgotten_ = 0;
};

/// Is this order right beyond doubt?
constexpr bool is_plainly_right(const judge_input& in) { return plain_walk(in).right(); }

}  // namespace tenon::detail
