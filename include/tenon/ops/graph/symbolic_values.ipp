/// @file symbolic_values.ipp: definitions of ops/graph/symbolic_values.hpp.
#pragma once

#include <cmath>

#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>

namespace tenon::op {
namespace movement_detail {

/// Walks from a value to what it is made of.
class value_reader {
 public:
  explicit value_reader(const ir::module& m) : m_(m) {}

  std::optional<symbolic_list> read(value_id v) {
    if (!v || ++steps_ > 2000 || depth_ > 100) return std::nullopt;
    const ir::type& t = m_.type_of(v);
    if (!t.is_tensor() || !t.is_static() || t.count() > 64 ||
        !(is_int(t.elem) || t.elem == dtype::boolean || t.elem == dtype::f32))
      return std::nullopt;
    if (const tensor* c = m_.constant_value(v)) {
      if (t.elem == dtype::f32) return std::nullopt;
      symbolic_list r;
      for (i64 i = 0; i < c->size(); ++i) r.emplace_back(c->at_i64(i));
      return r;
    }
    const op_id d = m_[v].definition;
    if (!d || m_.view(d).result_count() != 1) return std::nullopt;
    ++depth_;
    std::optional<symbolic_list> r = defined(m_.view(d), t);
    --depth_;
    if (r && static_cast<i64>(r->size()) != t.count()) return std::nullopt;
    return r;
  }

 private:
  std::optional<symbolic_list> defined(const ir::op_view& v, const ir::type& t) {
    if (t.elem == dtype::f32 && !moves(v)) return v.is<floor>() ? rounded_down(v.operand(0)) : std::nullopt;
    if (const auto* s = v.get_if<shape_of>()) {
      const ir::type& x = v.operand_type(0);
      if (!x.ranked) return std::nullopt;
      i64 start = 0, end = 0;
      shape_bounds(*s, x.rank(), start, end);
      symbolic_list r;
      for (i64 d = start; d < end; ++d) r.push_back(extent(x.shape[static_cast<size_t>(d)]));
      return r;
    }
    if (v.is<count_of>()) {
      if (!ir::is_known(v.operand_type(0))) return std::nullopt;
      return symbolic_list{ir::count_of(m_, v.operand_type(0))};
    }
    if (const auto* e = v.get_if<extents_of>()) {
      symbolic_list r;
      for (const std::string& s : e->values) r.push_back(extent_expr::parse(s));
      return r;
    }
    if (v.is<cast>()) {
      if (v.operand_type(0).elem == dtype::f32)
        return is_int(t.elem) ? rounded_down(v.operand(0)) : std::nullopt;  // truncated: none is negative
      auto x = read(v.operand(0));
      if (!x || t.elem != dtype::boolean || v.operand_type(0).elem == dtype::boolean) return x;
      for (auto& e : *x) e = e ? inverted(compared(*e, 0)) : e;  // is it not 0?
      return x;
    }
    if (v.is<reshape>()) return read(v.operand(0));
    if (const auto* c = v.get_if<concat>()) return joined(v, t, c->axis);
    if (const auto* p = v.get_if<transpose>()) {
      const auto x = read(v.operand(0));
      if (!x) return std::nullopt;
      const std::vector<i64> strides = row_major_strides(v.operand_type(0).extents());
      const std::vector<i64> permutation = full_permutation(*p, strides.size());
      return moved(*x, t, [&](const std::vector<i64>& at) {
        i64 from = 0;
        for (size_t d = 0; d < at.size(); ++d) from += at[d] * strides[static_cast<size_t>(permutation[d])];
        return from;
      });
    }
    if (v.is<gather>() && v.operand_type(0).rank() == 1) return chosen(v);
    if (v.is<slice>()) return cut(v, t);
    if (v.is<constant_of_shape>()) {
      const auto x = read(v.operand(0));
      if (!x || x->size() != 1) return std::nullopt;
      return symbolic_list(static_cast<size_t>(t.count()), x->front());
    }
    if (v.is<expand>()) {
      const auto x = read(v.operand(0));
      return x ? std::optional(broadcast(*x, v.operand_type(0), t)) : std::nullopt;
    }
    if (v.is<reduce_prod>() || v.is<reduce_sum>()) {
      const auto x = t.count() == 1 ? read(v.operand(0)) : std::nullopt;
      if (!x) return std::nullopt;
      extent_expr r = v.is<reduce_prod>() ? 1 : 0;
      for (const auto& e : *x) {
        if (!e) return std::nullopt;
        r = v.is<reduce_prod>() ? r * *e : r + *e;
      }
      return symbolic_list{r};
    }
    if (v.is<where>()) return selected(v, t);
    if (v.is<logical_not>()) return each(v, t, [](const extent_expr& a, const extent_expr&) { return inverted(a); }, 1);
    if (v.is<neg>()) return each(v, t, [](const extent_expr& a, const extent_expr&) { return extent_expr(0) - a; }, 1);
    if (v.is<add>()) return each(v, t, [](const extent_expr& a, const extent_expr& b) { return a + b; });
    if (v.is<sub>()) return each(v, t, [](const extent_expr& a, const extent_expr& b) { return a - b; });
    if (v.is<mul>()) return each(v, t, [](const extent_expr& a, const extent_expr& b) { return a * b; });
    if (v.is<maximum>())
      return each(v, t, [](const extent_expr& a, const extent_expr& b) { return tenon::maximum(a, b); });
    if (v.is<minimum>())
      return each(v, t, [](const extent_expr& a, const extent_expr& b) { return tenon::minimum(a, b); });
    if (v.is<div>() || v.is<mod>()) {
      const bool quotient = v.is<div>();  // of numbers that are not negative: truncated is rounded down
      return each(v, t, [&](const extent_expr& a, const extent_expr& b) -> std::optional<extent_expr> {
        if (!b.never_negative() || b.terms().empty()) return std::nullopt;
        if (a.never_negative()) return quotient ? floor_div(a, b) : floor_mod(a, b);
        if (!quotient) return std::nullopt;
        return floor_div(tenon::maximum(a, 0), b) - floor_div(tenon::maximum(extent_expr(0) - a, 0), b);
      });
    }
    if (v.operand_count() > 0 && v.operand_type(0).elem == dtype::f32) return std::nullopt;
    if (v.is<equal>() || v.is<less>() || v.is<greater>()) {
      const int kind = v.is<equal>() ? 0 : v.is<less>() ? -1 : 1;
      return each(v, t, [&](const extent_expr& a, const extent_expr& b) { return compared(a - b, kind); });
    }
    return std::nullopt;
  }

  /// Ops whose result has elements of the operands, wherever they stand.
  static bool moves(const ir::op_view& v) {
    return v.is<reshape>() || v.is<concat>() || v.is<transpose>() || v.is<gather>() || v.is<slice>() || v.is<expand>();
  }

  /// f32 numbers rounded down: integers, or such by a scale, as floor(float(n) * 0.5). Nothing where one could be
  /// negative: it would not be truncated downwards.
  std::optional<symbolic_list> rounded_down(value_id v) {
    const op_id d = m_[v].definition;
    if (!d || !m_.type_of(v).is_static() || !(m_.view(d).is<mul>() || m_.view(d).is<div>())) return read(v);
    const ir::op_view made = m_.view(d);
    const bool quotient = made.is<div>();
    const int by = quotient || m_.constant_value(made.operand(1)) != nullptr ? 1 : 0;
    const tensor* factors = m_.constant_value(made.operand(by));
    value_id from = made.operand(1 - by);
    for (op_id c = m_[from].definition; c && m_.view(c).is<cast>() && m_.type_of(from).elem == dtype::f32;
         c = m_[from].definition)
      from = m_.operand(c, 0);
    const auto x = factors != nullptr && (is_int(m_.type_of(from).elem) || m_.type_of(from).elem == dtype::f32)
                       ? read(from)
                       : std::nullopt;
    if (!x) return std::nullopt;
    symbolic_list r = broadcast(*x, made.operand_type(1 - by), m_.type_of(v)), places;
    for (i64 i = 0; i < factors->size(); ++i) places.emplace_back(i);
    places = broadcast(places, made.operand_type(by), m_.type_of(v));
    for (size_t i = 0; i < r.size(); ++i) {
      float scale = factors->data<float>()[static_cast<size_t>(places[i]->constant())];
      int exponent = 0;
      if (quotient) scale = std::frexp(scale, &exponent) == 0.5f ? 1 / scale : 0;  // exact for powers of two
      if (r[i] && r[i]->never_negative() && std::isnormal(scale) && scale > 0) r[i] = floor_scaled(*r[i], scale);
      else r[i] = std::nullopt;
    }
    return r;
  }

  /// Is the difference 0 (or below it, above it)? Only where that is the same for all extents.
  static std::optional<extent_expr> compared(const extent_expr& d, int kind) {
    if (d.is_constant())
      return extent_expr(kind == 0 ? d.constant() == 0 : kind < 0 ? d.constant() < 0 : d.constant() > 0);
    const bool above = (d - 1).never_negative(), below = (extent_expr(-1) - d).never_negative();
    if (above) return extent_expr(kind > 0);
    if (below) return extent_expr(kind < 0);
    return std::nullopt;
  }

  /// The other answer of one that is known.
  static std::optional<extent_expr> inverted(const std::optional<extent_expr>& e) {
    if (!e || !e->is_constant()) return std::nullopt;
    return extent_expr(e->constant() == 0);
  }

  std::optional<extent_expr> extent(ir::dim d) const {
    if (d.is_unknown()) return std::nullopt;
    return ir::expression_of(m_, d);
  }

  /// The elements of a result of type `t`; `from(coordinates)` says where each stands in `x`.
  template <class F>
  static symbolic_list moved(const symbolic_list& x, const ir::type& t, F&& from) {
    symbolic_list r;
    each_index(t.extents(), [&](const std::vector<i64>& at, i64) { r.push_back(x.at(static_cast<size_t>(from(at)))); });
    return r;
  }
  /// The elements of an operand of type `from` that stand beside those of a result of type `t`.
  static symbolic_list broadcast(const symbolic_list& x, const ir::type& from, const ir::type& t) {
    const std::vector<i64> extents = from.extents(), strides = row_major_strides(extents);
    return moved(x, t, [&](const std::vector<i64>& at) {
      i64 i = 0;
      for (size_t d = 0; d < extents.size(); ++d)
        if (extents[d] != 1) i += at[at.size() - extents.size() + d] * strides[d];
      return i;
    });
  }

  template <class F>
  std::optional<symbolic_list> each(const ir::op_view& v, const ir::type& t, F&& f, int operands = 2) {
    const auto a = read(v.operand(0)), b = operands == 2 ? read(v.operand(1)) : a;
    if (!a || !b) return std::nullopt;
    const symbolic_list x = broadcast(*a, v.operand_type(0), t), y = broadcast(*b, v.operand_type(operands - 1), t);
    symbolic_list r(x.size());
    for (size_t i = 0; i < r.size(); ++i)
      if (x[i] && y[i]) r[i] = f(*x[i], *y[i]);
    return r;
  }

  std::optional<symbolic_list> selected(const ir::op_view& v, const ir::type& t) {
    symbolic_list lists[3];
    for (int i = 0; i < 3; ++i) {
      const auto x = read(v.operand(i));
      if (!x) return std::nullopt;
      lists[i] = broadcast(*x, v.operand_type(i), t);
    }
    symbolic_list r(lists[0].size());
    for (size_t i = 0; i < r.size(); ++i)
      if (const auto& chosen = lists[0][i]; chosen && chosen->is_constant())
        r[i] = lists[chosen->constant() != 0 ? 1 : 2][i];
    return r;
  }

  std::optional<symbolic_list> joined(const ir::op_view& v, const ir::type& t, i64 axis) {
    std::vector<symbolic_list> parts;
    for (int i = 0; i < v.operand_count(); ++i) {
      auto x = read(v.operand(i));
      if (!x && (!v.operand_type(i).is_static() || v.operand_type(i).count() > 64)) return std::nullopt;
      parts.push_back(x ? std::move(*x) : symbolic_list(static_cast<size_t>(v.operand_type(i).count())));
    }
    size_t outer = 1;
    for (i64 d = 0; d < wrapped_axis(axis, static_cast<size_t>(t.rank())); ++d)
      outer *= static_cast<size_t>(t.extents()[static_cast<size_t>(d)]);
    symbolic_list r;
    for (size_t o = 0; o < outer; ++o)
      for (const symbolic_list& p : parts) {
        const auto begin = p.begin() + static_cast<std::ptrdiff_t>(o * (p.size() / outer));
        r.insert(r.end(), begin, begin + static_cast<std::ptrdiff_t>(p.size() / outer));
      }
    return r;
  }

  std::optional<symbolic_list> chosen(const ir::op_view& v) {
    const auto x = read(v.operand(0)), which = read(v.operand(1));
    if (!x || !which) return std::nullopt;
    symbolic_list r;
    for (const auto& w : *which) {
      const i64 n = static_cast<i64>(x->size());
      if (!w || !w->is_constant() || w->constant() < -n || w->constant() >= n) return std::nullopt;
      r.push_back((*x)[static_cast<size_t>((w->constant() + n) % n)]);
    }
    return r;
  }

  std::optional<symbolic_list> cut(const ir::op_view& v, const ir::type& t) {
    const auto& s = v.as<slice>();
    const auto list = [&](int i, const std::vector<i64>& attribute) -> std::optional<std::vector<i64>> {
      if (!attribute.empty() || !v.has_operand(i)) return attribute;
      const auto x = read(v.operand(i));
      return x ? numbers_in(*x) : std::nullopt;
    };
    const auto starts = list(1, s.starts), ends = list(2, s.ends), axes = list(3, s.axes), steps = list(4, s.steps);
    const auto x = read(v.operand(0));
    if (!x || !starts || !ends || !axes || !steps) return std::nullopt;
    const std::vector<i64> extents = v.operand_type(0).extents(), strides = row_major_strides(extents);
    std::vector<i64> first(extents.size(), 0), step(extents.size(), 1);
    for (size_t i = 0; i < starts->size(); ++i) {
      const i64 axis = wrapped_axis(axes->empty() ? static_cast<i64>(i) : axes->at(i), extents.size());
      if (axis < 0 || i >= ends->size()) return std::nullopt;
      const auto d = static_cast<size_t>(axis);
      const auto span = clamped_span(extents[d], (*starts)[i], (*ends)[i], steps->empty() ? 1 : steps->at(i));
      if (span.count != t.extents()[d]) return std::nullopt;
      first[d] = span.start, step[d] = span.step;
    }
    return moved(*x, t, [&](const std::vector<i64>& at) {
      i64 from = 0;
      for (size_t d = 0; d < at.size(); ++d) from += (first[d] + at[d] * step[d]) * strides[d];
      return from;
    });
  }

  const ir::module& m_;
  int steps_ = 0, depth_ = 0;
};

std::optional<symbolic_list> symbolic_list_of(const ir::infer_context& cx, int i, const std::vector<i64>& attribute) {
  if (!attribute.empty() || !cx.has(i)) return symbolic_list(attribute.begin(), attribute.end());
  return symbolic_value(cx.mod(), cx.value(i));
}

std::optional<std::vector<i64>> numbers_in(const symbolic_list& l) {
  std::vector<i64> r;
  for (const auto& e : l) {
    if (!e || !e->is_constant()) return std::nullopt;
    r.push_back(e->constant());
  }
  return r;
}

symbolic_span clamped_slice(const extent_expr& n, const extent_expr& start, const extent_expr& end, i64 step) {
  const auto bound = [&](const extent_expr& e) {
    const extent_expr is_negative = tenon::minimum(tenon::maximum(extent_expr(0) - e, 0), 1);
    return tenon::maximum(tenon::minimum(e + n * is_negative, n), 0);
  };
  const extent_expr lo = bound(start), hi = bound(end);
  return {lo, tenon::maximum(ceil_div(hi - lo, step), 0)};
}

std::optional<symbolic_span> symbolic_slice(const extent_expr& n, const extent_expr& start, const extent_expr& end,
                                            i64 step, std::vector<extent_expr>& not_negative) {
  if (n.is_constant() && start.is_constant() && end.is_constant()) {
    const auto span = clamped_span(n.constant(), start.constant(), end.constant(), step);
    return symbolic_span{span.start, span.count};
  }
  constexpr i64 far = INT32_MAX;
  if (step > far || step < -far) return std::nullopt;
  const auto require = [&](const extent_expr& e) {
    if (!e.never_negative()) not_negative.push_back(e);
  };
  if (step < 0) {  // all of it, from the end
    const bool from_end =
        start == extent_expr(-1) || (start.is_constant() && start.constant() >= far) || start == n - 1;
    if (from_end && end.is_constant() && end.constant() <= -far)
      return symbolic_span{n - 1, floor_div(n + (-step - 1), -step)};
    if (!start.is_constant() || !end.is_constant()) return std::nullopt;
    // Bounds that are numbers are clamped, as `clamped_span` does: to the last element, and to the one before the
    // first.
    const auto counted = [&](i64 c) {
      return c < -far ? extent_expr(-1) : c > far ? n - 1 : c < 0 ? n + c : extent_expr(c);
    };
    const extent_expr first =
        tenon::maximum(tenon::minimum(n - 1, 0), tenon::minimum(counted(start.constant()), n - 1));
    const extent_expr last = tenon::maximum(-1, tenon::minimum(counted(end.constant()), tenon::maximum(n - 1, -1)));
    return symbolic_span{first, tenon::maximum(floor_div(first - last + (-step - 1), -step), 0)};
  }
  // A bound counts from the start or from the end: which of them must be known. A number is clamped, but for the last
  // element, of which there is to be one. Others before the first element or behind the last one would have to be
  // clamped too: sizes with them are not taken, unless the slice has no elements anyway. The other way round nothing is
  // left, as `maximum` says.
  std::vector<extent_expr> inside;
  const auto bound = [&](const extent_expr& e, bool is_start) -> extent_expr {
    if (e.is_constant() && e.constant() >= far) return n;
    if (e.is_constant() && e.constant() <= -far) return 0;
    if ((extent_expr(-1) - e).never_negative()) {
      if ((extent_expr(0) - n - e).never_negative()) return 0;
      if (is_start && e.is_constant() && e.constant() != -1) return tenon::maximum(n + e, 0);
      if (is_start) inside.push_back(n + e);
      return n + e;
    }
    if ((e - n).never_negative()) return n;
    if (e.is_constant()) return tenon::minimum(n, e);
    require(e);
    if (!is_start) inside.push_back(n - e);
    return e;
  };
  const extent_expr lo = bound(start, true), hi = bound(end, false), length = hi - lo;
  // Clamping keeps the order: bounds that leave nothing leave nothing for sizes that would need it, too.
  const auto never_above = [](const extent_expr& a, const extent_expr& b) { return (b - a).never_negative(); };
  if (lo == n || never_above(hi, lo) || never_above(hi, 0)) return symbolic_span{0, 0};
  for (const extent_expr& e : inside) require(e);
  const bool asked = std::find(not_negative.begin(), not_negative.end(), length) != not_negative.end();
  const extent_expr count = floor_div(length + (step - 1), step);
  return symbolic_span{lo, asked || length.never_negative() ? count : tenon::maximum(count, 0)};
}

}  // namespace movement_detail

std::optional<symbolic_list> symbolic_value(const ir::module& m, value_id v) {
  std::optional<symbolic_list> r;
  if (m.type_of(v).elem == dtype::f32) return r;
  try {
    r = movement_detail::value_reader(m).read(v);
  } catch (const extent_error&) {
    // Integers of a model wrap, and a division by 0 fails when it runs: neither is a size that is known.
  }
  if (!r) return r;
  for (const auto& e : *r)
    if (e) return r;
  return r->empty() ? r : std::nullopt;
}

std::optional<symbolic_list> extents_computed(const ir::module& m, op_id op) {
  const ir::op_view v = m.view(op);
  if (v.result_count() != 1 || v.is<constant>() || v.is<extents_of>() || !v.info().is_pure() || !m.has_uses(v.result()))
    return std::nullopt;
  const ir::type& t = v.result_type();
  if (!t.is_tensor() || !t.is_static() || t.rank() > 1 || t.count() == 0 ||
      (t.elem != dtype::i64 && t.elem != dtype::i32))
    return std::nullopt;
  auto list = symbolic_value(m, v.result());
  if (list)
    for (const auto& e : *list)
      if (!e) return std::nullopt;
  return list;
}

}  // namespace tenon::op
