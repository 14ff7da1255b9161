/// @file bounds.ipp: definitions of ir/bounds.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/checked.hpp>
#include <tenon/ir/bounds.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {

std::string overrun::text(const module& m, op_id op) const {
  const type& t = m.view(op).operand_type(operand);
  std::string buffer;
  for (dim d : t.shape)
    buffer += (d.is_static() ? std::to_string(d.extent()) : d.is_symbol() ? m.name(d.symbol()) : "?") + "x";
  return "it reaches " +
         (low == high ? "index " + std::to_string(low)
                      : "indices " + std::to_string(low) + " to " + std::to_string(high)) +
         " of dimension " + std::to_string(dimension) + " of operand " + std::to_string(operand) + ", a buffer<" +
         buffer + std::string(name_of(t.elem)) + ">";
}

i64 bounds::affine::of(atom a) const {
  for (const auto& [x, c] : terms)
    if (x == a) return c;
  return 0;
}

// -- what ops access ------------------------------------------------------------------------------------------------

inline std::vector<bounds::side> bounds::sides_of(op_id op) const {
  const op_view v = m_.view(op);
  const int n = v.operand_count();
  if (const auto* l = v.get_if<loop::load>()) return {{&l->map, 0, 1, n - (l->guarded ? 1 : 0)}};
  if (const auto* s = v.get_if<loop::store>()) return {{&s->map, 1, 2, n}};
  if (const auto* c = v.get_if<loop::contract>()) return {{&c->map_a, 0, 2, n}, {&c->map_b, 1, 2, n}};
  return {};
}

namespace detail {
/// The extents m..., n, k... of a contraction, as its maps have columns for them.
inline std::vector<i64> extents_of(const loop::contract& c) {
  std::vector<i64> e = c.m;
  e.push_back(c.n);
  e.insert(e.end(), c.k.begin(), c.k.end());
  return e;
}
}  // namespace detail

// -- exact ----------------------------------------------------------------------------------------------------------

namespace detail {
inline void add_term(bounds::affine& to, bounds::atom a, i64 c) {
  if (c == 0) return;
  const auto at =
      std::lower_bound(to.terms.begin(), to.terms.end(), a, [](const auto& t, bounds::atom x) { return t.first < x; });
  if (at == to.terms.end() || at->first != a) return void(to.terms.insert(at, {a, c}));
  at->second = checked_add(at->second, c);
  if (at->second == 0) to.terms.erase(at);
}
inline void add_scaled(bounds::affine& to, const bounds::affine& from, i64 c) {
  to.constant = checked_add(to.constant, checked_mul(from.constant, c));
  for (const auto& [a, k] : from.terms) add_term(to, a, checked_mul(k, c));
}
/// Values of these types are the same bits.
inline bool is_index(dtype t) { return t == dtype::index || t == dtype::i64; }
}  // namespace detail

inline const std::optional<bounds::affine>& bounds::affine_of(value_id v, int depth) {
  if (const auto known = affine_.find(v.index); known != affine_.end()) return known->second;
  std::optional<affine> made;
  try {
    if (depth < 200) made = affine_at(v, depth);
    if (made && made->terms.size() > 32) made.reset();
  } catch (const error&) {  // a number that fits nowhere: nothing is known
  }
  return affine_.insert_or_assign(v.index, std::move(made)).first->second;
}

inline std::optional<bounds::affine> bounds::affine_at(value_id v, int depth) {
  const value_node& node = m_[v];
  if (!node.definition) {
    const op_id owner = m_[node.owner].parent;
    if (!owner) return std::nullopt;
    const op_view o = m_.view(owner);
    const bool is_loop_index =
        (o.is<loop::for_loop>() && node.number == 0) || (o.is<loop::contract>() && node.number != 0);
    if (!is_loop_index) return std::nullopt;
    return affine{0, {{v.index, 1}}};
  }
  const op_view d = m_.view(node.definition);
  if (const auto* l = d.get_if<loop::literal>()) {
    if (!detail::is_index(l->type)) return std::nullopt;
    return affine{l->integer, {}};
  }
  if (d.is<loop::convert>() && detail::is_index(d.result_type().elem) && detail::is_index(d.operand_type(0).elem))
    return affine_of(d.operand(0), depth + 1);
  const auto* s = d.get_if<loop::scalar>();
  if (s == nullptr || !detail::is_index(d.result_type().elem)) return std::nullopt;
  using enum loop::scalar_fn;
  if (s->fn != add && s->fn != sub && s->fn != mul && s->fn != neg) return std::nullopt;
  std::optional<affine> a = affine_of(d.operand(0), depth + 1);
  if (!a) return std::nullopt;
  affine r;
  if (s->fn == neg) return detail::add_scaled(r, *a, -1), r;
  const std::optional<affine> b = affine_of(d.operand(1), depth + 1);
  if (!b) return std::nullopt;
  if (s->fn == mul) {
    if (a->terms.empty()) detail::add_scaled(r, *b, a->constant);
    else if (b->terms.empty()) detail::add_scaled(r, *a, b->constant);
    else return std::nullopt;
    return r;
  }
  detail::add_scaled(r, *a, 1);
  detail::add_scaled(r, *b, s->fn == add ? 1 : -1);
  return r;
}

std::optional<bounds::affine> bounds::row_of(op_id op, const std::vector<i64>& row, int first, int end) {
  try {
    affine r;
    r.constant = row[0];
    const size_t outer = static_cast<size_t>(end - first);
    for (size_t k = 1; k < row.size(); ++k) {
      if (row[k] == 0) continue;
      if (k > outer) {
        detail::add_term(r, column_bit | static_cast<u32>(k - 1 - outer), row[k]);
        continue;
      }
      const auto& x = affine_of(m_.operand(op, first + static_cast<int>(k) - 1));
      if (!x) return std::nullopt;
      detail::add_scaled(r, *x, row[k]);
    }
    return r;
  } catch (const error&) { return std::nullopt; }
}

std::optional<bounds::range> bounds::range_of(atom a, op_id op) const {
  const auto upto = [](i64 extent) { return extent > 0 ? std::optional<range>({0, extent - 1}) : std::nullopt; };
  if ((a & column_bit) != 0) {
    const auto extents = detail::extents_of(m_.view(op).as<loop::contract>());
    const size_t k = a & ~column_bit;
    return k < extents.size() ? upto(extents[k]) : std::nullopt;
  }
  const value_node& node = m_[value_id(size_t{a})];
  const op_view o = m_.view(m_[node.owner].parent);
  if (const auto* c = o.get_if<loop::contract>()) {
    if (node.number > c->m.size() + 1) return std::nullopt;
    return upto(node.number <= c->m.size() ? c->m[node.number - 1] : c->n);
  }
  const auto number = [&](value_id v) -> std::optional<i64> {
    const op_id d = m_[v].definition;
    const auto* l = d ? m_.view(d).get_if<loop::literal>() : nullptr;
    return l != nullptr ? std::optional<i64>(l->integer) : std::nullopt;
  };
  const auto lo = number(o.operand(0)), hi = number(o.operand(1));
  const i64 step = o.as<loop::for_loop>().step;
  i64 length = 0;
  if (!lo || !hi || *lo >= *hi || step <= 0 || __builtin_sub_overflow(*hi, *lo, &length)) return std::nullopt;
  return range{*lo, *lo + (length - 1) / step * step};
}

bool bounds::surely_runs(region_id r, region_id within) const {
  for (; r != within && m_[r].parent; r = m_[m_[r].parent].parent) {
    const op_id op = m_[r].parent;
    if (m_.view(op).is<loop::for_loop>()) {
      if (m_[r].arguments.empty() || !range_of(m_[r].arguments[0].index, op)) return false;
    } else if (const auto* c = m_.view(op).get_if<loop::contract>()) {
      for (size_t k = 0; k <= c->m.size(); ++k)
        if (!range_of(column_bit | static_cast<u32>(k), op)) return false;
    } else {
      return false;  // a branch
    }
  }
  return true;
}

std::optional<overrun> bounds::overrun_of(op_id op) {
  const op_view v = m_.view(op);
  if (const auto* l = v.get_if<loop::load>(); l != nullptr && l->guarded) return std::nullopt;
  const auto sides = sides_of(op);
  if (sides.empty() || !surely_runs(m_[op].parent)) return std::nullopt;
  if (const auto* c = v.get_if<loop::contract>()) {
    const size_t columns = c->m.size() + 1 + c->k.size();
    for (size_t k = 0; k < columns; ++k)
      if (!range_of(column_bit | static_cast<u32>(k), op)) return std::nullopt;  // it may read nothing at all
  }
  for (const side& s : sides)
    for (size_t d = 0; d < s.map->rows.size(); ++d) {
      const dim extent = v.operand_type(s.operand).shape[d];
      const auto index = row_of(op, s.map->rows[d], s.first, s.end);
      if (!index) continue;
      overrun o{s.operand, d, index->constant, index->constant};
      bool exact = true;
      for (const auto& [a, c] : index->terms) {
        const auto r = range_of(a, op);
        i64 low = 0, high = 0;
        exact = exact && r && !__builtin_mul_overflow(c, c > 0 ? r->low : r->high, &low) &&
                !__builtin_mul_overflow(c, c > 0 ? r->high : r->low, &high) &&
                !__builtin_add_overflow(o.low, low, &o.low) && !__builtin_add_overflow(o.high, high, &o.high);
        if (!exact) break;
      }
      if (exact && (o.low < 0 || (extent.is_static() && o.high >= extent.extent()))) return o;
    }
  return std::nullopt;
}

}  // namespace tenon::ir

#include <tenon/ir/bounds_proof.ipp>
