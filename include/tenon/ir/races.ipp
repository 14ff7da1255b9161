/// @file races.ipp: definition of ir/races.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/bounds.ipp>
#include <tenon/ir/races.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {
namespace detail {

/// The indices that one iteration takes in one dimension, besides what the iteration's number adds.
struct taken_indices {
  i64 step = 0;                                     ///< what the number of the iteration is multiplied by
  i64 low = 0, high = 0;                            ///< both are taken
  bool dense = true;                                ///< and all between
  std::vector<std::pair<bounds::atom, i64>> outer;  ///< the same for all iterations

  bool contains_surely(i64 x) const { return x == low || x == high || (dense && low < x && x < high); }
};

struct element_access {
  op_id op;
  value_id buffer;
  bool writes = false;
  bool free = true;  ///< the dimensions' indices are taken independently of each other
  std::vector<taken_indices> dimensions;
};

class race_finder {
 public:
  race_finder(const module& m, op_id loop, bounds& b)
      : m_(m), loop_(loop), bounds_(b), index_(m[m.region(loop)].arguments.at(0).index) {}

  std::optional<std::string> run() {
    const auto r = bounds_.range_of(index_, loop_);
    const i64 step = m_.view(loop_).as<loop::for_loop>().step;
    if (!r || r->low == r->high) return std::nullopt;
    first_ = r->low, step_ = step, count_ = (r->high - r->low) / step + 1;
    for_each_op(m_, m_.region(loop_), [&](op_id op) { collect(op); });
    for (const element_access& a : accesses_)
      if (a.writes)
        for (const element_access& x : accesses_)
          if (x.buffer == a.buffer)
            if (auto found = meet(a, x)) return found;
    return std::nullopt;
  }

 private:
  void collect(op_id op) {
    const op_view v = m_.view(op);
    if (!bounds_.surely_runs(m_[op].parent, m_.region(loop_))) return;
    if (const auto* s = v.get_if<loop::store>()) return add(op, s->map, 1, 2, v.operand_count(), true);
    if (const auto* l = v.get_if<loop::load>(); l != nullptr && !l->guarded)
      return add(op, l->map, 0, 1, v.operand_count(), false);
    const auto* c = v.get_if<loop::contract>();
    if (c == nullptr) return;
    for (size_t k = 0; k < c->m.size() + 1 + c->k.size(); ++k)
      if (!bounds_.range_of(bounds::column_bit | static_cast<u32>(k), op)) return;
    add(op, c->map_a, 0, 2, v.operand_count(), false);
    add(op, c->map_b, 1, 2, v.operand_count(), false);
  }
  /// Does this loop's body hold what makes the atom?
  bool is_inside(bounds::atom a) const {
    if ((a & bounds::column_bit) != 0) return true;
    for (region_id r = m_[value_id(size_t{a})].owner; m_[r].parent; r = m_[m_[r].parent].parent)
      if (r == m_.region(loop_)) return true;
    return false;
  }
  i64 step_of(bounds::atom a) const {
    if ((a & bounds::column_bit) != 0) return 1;
    const auto* f = m_.view(m_[m_[value_id(size_t{a})].owner].parent).get_if<loop::for_loop>();
    return f != nullptr ? f->step : 1;
  }
  void add(op_id op, const access_map& map, int buffer, int first, int end, bool writes) {
    element_access e{op, m_.operand(op, buffer), writes, true, {}};
    std::vector<bounds::atom> seen;
    for (const auto& row : map.rows) {
      const auto index = bounds_.row_of(op, row, first, end);
      if (!index) return;
      taken_indices t;
      t.low = t.high = index->constant;
      std::vector<std::pair<i64, i64>> steps;  // between neighbours, and from the first to the last
      for (const auto& [a, c] : index->terms) {
        if (a == index_) {
          t.step = c;
        } else if (!is_inside(a)) {
          t.outer.emplace_back(a, c);
        } else {
          const auto r = bounds_.range_of(a, op);
          i64 low = 0, high = 0, apart = 0;
          if (!r || __builtin_mul_overflow(c, c > 0 ? r->low : r->high, &low) ||
              __builtin_mul_overflow(c, c > 0 ? r->high : r->low, &high) ||
              __builtin_mul_overflow(c < 0 ? -c : c, step_of(a), &apart) ||
              __builtin_add_overflow(t.low, low, &t.low) || __builtin_add_overflow(t.high, high, &t.high))
            return;
          if (low != high) steps.emplace_back(apart, high - low);
          e.free = e.free && std::find(seen.begin(), seen.end(), a) == seen.end();
          seen.push_back(a);
        }
      }
      std::sort(steps.begin(), steps.end());
      i64 covered = 0;
      for (const auto& [apart, span] : steps) t.dense = t.dense && apart <= covered + 1, covered += span;
      e.dimensions.push_back(std::move(t));
    }
    accesses_.push_back(std::move(e));
  }

  /// In each dimension an index that both take, for the iterations number i and k.
  bool meet_at(const element_access& a, const element_access& b, i64 i, i64 k) const {
    for (size_t d = 0; d < a.dimensions.size(); ++d) {
      taken_indices x = a.dimensions[d], y = b.dimensions[d];
      i64 dx = 0, dy = 0;
      if (__builtin_mul_overflow(x.step, first_ + i * step_, &dx) ||
          __builtin_mul_overflow(y.step, first_ + k * step_, &dy))
        return false;
      if (__builtin_add_overflow(x.low, dx, &x.low) || __builtin_add_overflow(x.high, dx, &x.high) ||
          __builtin_add_overflow(y.low, dy, &y.low) || __builtin_add_overflow(y.high, dy, &y.high))
        return false;
      const bool shared = x.contains_surely(y.low) || x.contains_surely(y.high) || y.contains_surely(x.low) ||
                          y.contains_surely(x.high);
      if (!shared) return false;
    }
    return true;
  }
  std::optional<std::string> meet(const element_access& a, const element_access& b) const {
    if (a.dimensions.size() != b.dimensions.size()) return std::nullopt;
    bool alike = true, fixed = a.op == b.op;
    for (size_t d = 0; d < a.dimensions.size(); ++d) {
      if (a.dimensions[d].outer != b.dimensions[d].outer) return std::nullopt;
      alike = alike && a.dimensions[d].step == b.dimensions[d].step;
      fixed = fixed && a.dimensions[d].step == 0;
    }
    if (fixed) return said(a, b, 0, 1);  // every iteration does the same
    if (!a.free || !b.free) return std::nullopt;
    const i64 near = std::min<i64>(count_, 64), some = std::min<i64>(count_, 16);
    for (i64 k = 1; k < near; ++k) {
      if (meet_at(a, b, 0, k)) return said(a, b, 0, k);
      if (meet_at(a, b, k, 0)) return said(a, b, k, 0);
    }
    for (i64 i = 1; !alike && i < some; ++i)
      for (i64 k = 1; k < some; ++k)
        if (i != k && meet_at(a, b, i, k)) return said(a, b, i, k);
    return std::nullopt;
  }
  std::string said(const element_access& a, const element_access& b, i64 i, i64 k) const {
    const auto at = [&](i64 number) { return std::to_string(first_ + number * step_); };
    const auto name = [&](const element_access& e) { return std::string(m_.view(e.op).name()); };
    std::string buffer = "a buffer";
    const region_id body = m_[m_.function_of(m_[loop_].parent)].body;
    const auto& arguments = m_[body].arguments;
    for (size_t n = 0; n < arguments.size(); ++n)
      if (arguments[n] == a.buffer) buffer = "argument " + std::to_string(n) + " of the kernel";
    return "iterations " + at(i) + " (" + name(a) + ") and " + at(k) + " (" + name(b) + ") touch one element of " +
           buffer;
  }

  const module& m_;
  op_id loop_;
  bounds& bounds_;
  bounds::atom index_;
  i64 first_ = 0, step_ = 1, count_ = 0;
  std::vector<element_access> accesses_;
};

}  // namespace detail

std::optional<std::string> race_of(const module& m, op_id loop, bounds& b) {
  return detail::race_finder(m, loop, b).run();
}

}  // namespace tenon::ir
