/// @file bounds_proof.ipp: proofs of ir/bounds.hpp that an access stays inside: limits of sums, from the inside of
/// loops out.
#pragma once

#include <algorithm>

#include <tenon/ir/bounds.ipp>

namespace tenon::ir {

namespace detail {
/// Sums grow no larger than what can be compared in good time, and their sizes cannot wrap by factors.
inline constexpr i64 most_coefficient = i64{1} << 40;
inline constexpr i64 most_end = i64{1} << 61;
inline bool is_zero(const extent_expr& e) { return e.is_constant() && e.constant() == 0; }

template <class Sum>
void add_to(Sum& to, bounds::atom a, const extent_expr& c) {
  if (is_zero(c)) return;
  for (auto it = to.terms.begin(); it != to.terms.end(); ++it) {
    if (it->first != a) continue;
    it->second = it->second + c;
    if (is_zero(it->second)) to.terms.erase(it);
    return;
  }
  to.terms.emplace_back(a, c);
}
template <class Sum>
Sum combined(const Sum& x, const Sum& y, const extent_expr& c) {
  Sum r = x;
  r.constant = r.constant + y.constant * c;
  for (const auto& [a, k] : y.terms) add_to(r, a, k * c);
  return r;
}
/// The one of two expressions that is never above (`high`: never below) the other one.
inline std::optional<extent_expr> outer_of(const extent_expr& a, const extent_expr& b, bool high) {
  if ((a - b).never_negative()) return high ? a : b;
  if ((b - a).never_negative()) return high ? b : a;
  return std::nullopt;
}
/// What values of a type can be, for those that are narrower than an index.
inline std::optional<bounds::range> range_of_type(dtype t) {
  if (t == dtype::boolean) return bounds::range{0, 1};
  if (!is_int(t) || size_of(t) > 4 || is_narrow(t)) return std::nullopt;
  const i64 bits = size_of(t) * 8;
  return is_unsigned_int(t) ? bounds::range{0, (i64{1} << bits) - 1}
                            : bounds::range{-(i64{1} << (bits - 1)), (i64{1} << (bits - 1)) - 1};
}
}  // namespace detail

inline const bounds::sum& bounds::sum_of(value_id v, int depth) {
  if (const auto known = sums_.find(v.index); known != sums_.end()) return known->second;
  sum s;
  try {
    s = depth < 200 ? sum_at(v, depth) : sum{0, {{v.index, 1}}};
  } catch (const error&) { s = sum{0, {{v.index, 1}}}; }
  bool large = s.terms.size() > 32 || s.constant.terms().size() > 32;
  for (const auto& t : s.terms)
    for (const auto& c : t.second.terms())
      large = large || c.coefficient > detail::most_coefficient || c.coefficient < -detail::most_coefficient;
  if (large) s = sum{0, {{v.index, 1}}};
  return sums_.insert_or_assign(v.index, std::move(s)).first->second;
}

inline bounds::sum bounds::sum_at(value_id v, int depth) {
  const sum itself{0, {{v.index, 1}}};
  if (!m_[v].definition) return itself;
  const op_view d = m_.view(m_[v].definition);
  if (const auto* l = d.get_if<loop::literal>()) return detail::is_index(l->type) ? sum{l->integer, {}} : itself;
  if (const auto* e = d.get_if<loop::extent>())
    return {extent_expr::parse(e->expression).value_or(extent_expr::name(e->expression)), {}};
  if (!detail::is_index(d.result_type().elem)) return itself;
  if (d.is<loop::convert>()) return detail::is_index(d.operand_type(0).elem) ? sum_of(d.operand(0), depth + 1) : itself;
  const auto* s = d.get_if<loop::scalar>();
  if (s == nullptr) return itself;
  using enum loop::scalar_fn;
  if (s->fn != add && s->fn != sub && s->fn != mul && s->fn != neg) return itself;
  const sum a = sum_of(d.operand(0), depth + 1);
  if (s->fn == neg) return detail::combined(sum{}, a, -1);
  const sum b = sum_of(d.operand(1), depth + 1);
  if (s->fn != mul) return detail::combined(a, b, s->fn == add ? 1 : -1);
  if (a.terms.empty()) return detail::combined(sum{}, b, a.constant);
  if (b.terms.empty()) return detail::combined(sum{}, a, b.constant);
  return itself;
}

inline bounds::sum bounds::extent_at(op_id contract, i64 extent) {
  return extent >= 0 ? sum{extent, {}} : sum_of(m_.operand(contract, static_cast<int>(1 - extent)));
}

inline const bounds::limits& bounds::limits_of(atom a, op_id op) {
  if ((a & column_bit) != 0) limits_.erase(a);  // another op has other columns
  if (const auto known = limits_.find(a); known != limits_.end()) return known->second;
  limits_[a] = {};  // while it is computed, nothing is known
  limits made;
  try {
    made = limits_at(a, op);
  } catch (const error&) { made = {}; }
  return limits_.insert_or_assign(a, std::move(made)).first->second;
}

inline bounds::limits bounds::limits_at(atom a, op_id op) {
  const sum zero{0, {}}, minus_one{-1, {}};
  const auto below = [&](const sum& s) { return detail::combined(s, minus_one, 1); };
  if ((a & column_bit) != 0) {
    const i64 extent = detail::extents_of(m_.view(op).as<loop::contract>()).at(a & ~column_bit);
    return {{zero}, {below(extent_at(op, extent))}};
  }
  const value_id v(size_t{a});
  if (!m_[v].definition) {
    const op_id owner = m_[m_[v].owner].parent;
    if (!owner) return {};
    const op_view o = m_.view(owner);
    const u32 number = m_[v].number;
    if (const auto* f = o.get_if<loop::for_loop>(); f != nullptr && number == 0) {
      const sum end = sum_of(o.operand(1));
      // A longer step may jump past the greatest number there is.
      if (f->step != 1 && !(end.terms.empty() && end.constant.is_constant() &&
                            end.constant.constant() < detail::most_end && f->step < detail::most_end))
        return {};
      return {{sum_of(o.operand(0))}, {below(end)}};
    }
    if (const auto* c = o.get_if<loop::contract>(); c != nullptr && number != 0 && number <= c->m.size() + 1)
      return {{zero}, {below(extent_at(owner, number <= c->m.size() ? c->m[number - 1] : c->n))}};
    return {};
  }
  const op_view d = m_.view(m_[v].definition);
  limits r;
  const auto keep = [](std::vector<sum>& to, std::optional<extent_expr> e) {
    if (e) to.push_back({*std::move(e), {}});
  };
  if (d.is<loop::convert>()) {
    if (const auto t = detail::range_of_type(d.operand_type(0).elem)) return {{{t->low, {}}}, {{t->high, {}}}};
    return {};
  }
  const auto* s = d.get_if<loop::scalar>();
  if (s == nullptr || !detail::is_index(d.result_type().elem)) return {};
  using enum loop::scalar_fn;
  const auto outer = [&](const sum& x, const sum& y, bool high) -> std::optional<extent_expr> {
    for (const extent_expr& e : limit_of(x, high, op))
      for (const extent_expr& f : limit_of(y, high, op))
        if (auto o = detail::outer_of(e, f, high)) return o;
    return std::nullopt;
  };
  if (s->fn == loop::scalar_fn::min || s->fn == loop::scalar_fn::max || s->fn == select) {
    const int first = s->fn == select ? 1 : 0;
    const sum x = sum_of(d.operand(first)), y = sum_of(d.operand(first + 1));
    if (s->fn == loop::scalar_fn::min) r.highs = {x, y};
    else keep(r.highs, outer(x, y, true));
    if (s->fn == loop::scalar_fn::max) r.lows = {x, y};
    else keep(r.lows, outer(x, y, false));
    return r;
  }
  if (s->fn == bit_and) {
    for (int i : {0, 1})
      if (const sum mask = sum_of(d.operand(i));
          mask.terms.empty() && mask.constant.is_constant() && mask.constant.constant() >= 0)
        return {{zero}, {mask}};
    return {};
  }
  if (s->fn != mod && s->fn != floor_div && s->fn != loop::scalar_fn::div) return {};
  const sum x = sum_of(d.operand(0)), y = sum_of(d.operand(1));
  if (!y.terms.empty() || !(y.constant - 1).never_negative()) return {};  // a divisor of 0 gives anything
  if (s->fn == mod) return {{zero}, {below(y)}};
  bool positive = false;
  for (const extent_expr& e : limit_of(x, false, op)) {
    positive = positive || e.never_negative();
    if (s->fn == floor_div) keep(r.lows, tenon::floor_div(e, y.constant));
  }
  if (positive) r.lows.push_back(zero);
  if (s->fn == floor_div || positive)
    for (const extent_expr& e : limit_of(x, true, op)) keep(r.highs, tenon::floor_div(e, y.constant));
  return r;
}

/// Inner values first: their bounds may be outer values.
inline std::pair<int, u32> bounds::rank_of(atom a) const {
  if ((a & column_bit) != 0) return {1 << 20, a};
  const value_id v(size_t{a});
  int depth = 0;
  for (region_id r = m_[v].definition ? m_[m_[v].definition].parent : m_[v].owner; m_[r].parent;
       r = m_[m_[r].parent].parent)
    ++depth;
  return {depth, a};
}

inline void bounds::limit(sum s, bool high, op_id op, std::vector<extent_expr>& to, int depth) {
  if (++steps_ > 400 || depth > 40 || to.size() >= 8) return;
  if (s.terms.empty()) return void(to.push_back(s.constant));
  const auto at = std::max_element(s.terms.begin(), s.terms.end(),
                                   [&](const auto& x, const auto& y) { return rank_of(x.first) < rank_of(y.first); });
  const auto [a, c] = *at;
  const bool positive = c.never_negative();
  if (!positive && !(c * extent_expr(-1)).never_negative()) return;
  s.terms.erase(at);
  const limits known = limits_of(a, op);
  for (const sum& g : positive == high ? known.highs : known.lows)
    limit(detail::combined(s, g, c), high, op, to, depth + 1);
}

inline std::vector<extent_expr> bounds::limit_of(const sum& s, bool high, op_id op) {
  std::vector<extent_expr> found;
  limit(s, high, op, found, 0);
  return found;
}

inline bool bounds::side_is_inside(op_id op, const side& s) {
  const size_t outer = static_cast<size_t>(s.end - s.first);
  for (size_t d = 0; d < s.map->rows.size(); ++d) {
    const std::vector<i64>& row = s.map->rows[d];
    const dim extent = m_.view(op).operand_type(s.operand).shape[d];
    if (extent.is_unknown()) return false;
    sum index{row[0], {}};
    for (size_t k = 1; k < row.size(); ++k) {
      if (row[k] == 0) continue;
      if (k > outer) detail::add_to(index, column_bit | static_cast<u32>(k - 1 - outer), row[k]);
      else index = detail::combined(index, sum_of(m_.operand(op, s.first + static_cast<int>(k) - 1)), row[k]);
    }
    const auto any = [&](bool high, auto&& good) {
      steps_ = 0;
      for (const extent_expr& e : limit_of(index, high, op))
        if (good(e)) return true;
      return false;
    };
    const extent_expr last = expression_of(m_, extent) - 1;
    if (!any(false, [](const extent_expr& e) { return e.never_negative(); })) return false;
    if (!any(true, [&](const extent_expr& e) { return (last - e).never_negative(); })) return false;
  }
  return true;
}

bool bounds::proven(op_id op) {
  if (const auto* l = m_.view(op).get_if<loop::load>(); l != nullptr && l->guarded) return true;
  try {
    for (const side& s : sides_of(op))
      if (!side_is_inside(op, s)) return false;
    return true;
  } catch (const error&) {  // numbers that fit nowhere
    return false;
  }
}

}  // namespace tenon::ir
