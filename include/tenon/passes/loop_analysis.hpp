/// @file loop_analysis: questions about the loops of a kernel: trip counts, strides, reductions, work.
#pragma once

#include <algorithm>

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::passes::detail {

/// The value of an index that is a literal, or -1.
inline i64 literal_index(const ir::module& m, value_id v) {
  const op_id d = m[v].definition;
  if (!d) return -1;
  const auto* l = m.view(d).get_if<loop::literal>();
  return l != nullptr ? l->integer : -1;
}

/// How often a loop runs, or -1 when that is not known.
inline i64 trip_count(const ir::module& m, op_id loop) {
  const i64 lo = literal_index(m, m.operand(loop, 0)), hi = literal_index(m, m.operand(loop, 1));
  if (lo < 0 || hi < 0) return -1;
  const i64 step = m.view(loop).as<loop::for_loop>().step;
  return hi > lo ? (hi - lo + step - 1) / step : 0;
}

/// Elements by which an access moves when an index grows by one; `unknown_stride` when the address depends on it in
/// another than a linear way.
inline constexpr i64 unknown_stride = i64{1} << 40;

/// The coefficient of `index` in a value of type index: 0 when it does not depend on it.
inline i64 coefficient(const ir::module& m, value_id v, value_id index) {
  if (v == index) return 1;
  const op_id d = m[v].definition;
  if (!d) return 0;
  const ir::op_view view = m.view(d);
  if (const auto* s = view.get_if<loop::scalar>()) {
    const i64 a = coefficient(m, view.operand(0), index);
    const i64 b = view.operand_count() > 1 ? coefficient(m, view.operand(1), index) : 0;
    if (a == 0 && b == 0) return 0;
    if (a == unknown_stride || b == unknown_stride) return unknown_stride;
    if (s->fn == loop::scalar_fn::add) return a + b;
    if (s->fn == loop::scalar_fn::sub) return a - b;
    if (s->fn == loop::scalar_fn::mul) {
      if (b == 0 && literal_index(m, view.operand(1)) >= 0) return a * literal_index(m, view.operand(1));
      if (a == 0 && literal_index(m, view.operand(0)) >= 0) return b * literal_index(m, view.operand(0));
    }
    return unknown_stride;
  }
  for (int i = 0; i < view.operand_count(); ++i)
    if (view.has_operand(i) && coefficient(m, view.operand(i), index) != 0) return unknown_stride;
  return 0;
}

inline const ir::access_map& map_of(const ir::module& m, op_id access) {
  const ir::op_view v = m.view(access);
  return v.is<loop::store>() ? v.as<loop::store>().map : v.as<loop::load>().map;
}

inline i64 access_stride(const ir::module& m, op_id op, value_id index) {
  const ir::op_view v = m.view(op);
  const bool is_store = v.is<loop::store>();
  const ir::access_map& map = map_of(m, op);
  const ir::type& buffer = v.operand_type(is_store ? 1 : 0);
  const int first = is_store ? 2 : 1;
  i64 stride = 1, total = 0;  // a stride of -1 is known only when the kernel runs
  for (size_t d = map.rows.size(); d-- > 0;) {
    for (size_t k = 1; k < map.rows[d].size(); ++k) {
      if (map.rows[d][k] == 0) continue;
      const i64 c = coefficient(m, v.operand(first + static_cast<int>(k) - 1), index);
      if (c == unknown_stride || (c != 0 && stride < 0)) return unknown_stride;
      total += map.rows[d][k] * c * stride;
    }
    stride = stride < 0 || !buffer.shape[d].is_static() ? -1 : stride * buffer.shape[d].extent();
  }
  return total;
}

/// Calls f(load or store) for each access inside of a region.
template <class F>
void for_each_access(const ir::module& m, region_id r, F&& f) {
  ir::for_each_op(m, r, [&](op_id op) {
    if (m.view(op).is<loop::load>() || m.view(op).is<loop::store>()) f(op);
  });
}

/// How well a loop's accesses suit vectors: contiguous or the same for all lanes is good, anything else costs.
inline double vector_score(const ir::module& m, op_id loop) {
  const value_id index = m[m.region(loop)].arguments[0];
  double good = 0, bad = 0;
  for_each_access(m, m.region(loop), [&](op_id access) {
    const i64 s = access_stride(m, access, index);
    const bool is_store = m.view(access).is<loop::store>();
    if (s == 1) good += is_store ? 4 : 2;
    else if (s == 0 && !is_store) good += 1;
    else bad += is_store ? 4 : 2;
  });
  return good - bad;
}

/// Does no iteration of a loop touch an element that another one writes? Said only where it is sure: where what is
/// written moves by a known stride, and all else in its buffer is read and written at the same place.
inline bool writes_apart(const ir::module& m, op_id loop) {
  const region_id r = m.region(loop);
  const auto place_of = [&](op_id access) {
    const int at = m.view(access).is<loop::store>() ? 1 : 0;
    const auto operands = m.operands(access);
    return std::vector<value_id>(operands.begin() + at, operands.end());
  };
  bool apart = true;
  for_each_access(m, r, [&](op_id store) {
    if (!m.view(store).is<loop::store>()) return;
    const i64 stride = access_stride(m, store, m[r].arguments[0]);
    apart = apart && stride != 0 && stride != unknown_stride;
    const std::vector<value_id> here = place_of(store);
    for_each_access(m, r, [&](op_id other) {
      const std::vector<value_id> there = place_of(other);
      if (here[0] == there[0]) apart = apart && here == there && map_of(m, store).rows == map_of(m, other).rows;
    });
  });
  return apart;
}

/// True if every carried value is combined by an associative function that lanes can do separately, and so is all
/// that the loop writes.
inline bool is_reduction(const ir::module& m, op_id loop) {
  const ir::op_view v = m.view(loop);
  if (v.result_count() == 0) return false;
  const region_id r = v.region();
  const op_id end = m.terminator(r);
  for (int i = 0; i < v.result_count(); ++i) {
    const value_id argument = m[r].arguments[static_cast<size_t>(i) + 1], next = m.operand(end, i);
    const op_id d = m[next].definition;
    if (!d || m[d].parent != r || m.use_count(argument) != 1 || m.use_count(next) != 1) return false;
    const auto* s = m.view(d).get_if<loop::scalar>();
    if (s == nullptr) return false;
    using enum loop::scalar_fn;
    if (s->fn == fma) {
      if (m.operand(d, 2) != argument) return false;
    } else if (s->fn != add && s->fn != mul && s->fn != loop::scalar_fn::min && s->fn != loop::scalar_fn::max) {
      return false;
    } else if (m.operand(d, 0) != argument && m.operand(d, 1) != argument) {
      return false;
    }
  }
  return writes_apart(m, loop);
}

/// Do the accesses of a reduction suit vectors, and does it run often enough?
inline bool suits_reduction(const ir::module& m, op_id loop) {
  const i64 trips = trip_count(m, loop);
  return (trips < 0 || trips >= 8) && vector_score(m, loop) >= 0;
}

/// What an extent that is known only at run time is taken to be.
inline constexpr double expected_extent = 64;

/// About what an index is that follows from extents of the kernel's buffers; -1 when it depends on anything else. Of
/// what is the least of two, as rows of a block are those that are left, `limits` takes the one that it knows.
inline double expected_value(const ir::module& m, value_id v, bool limits = false) {
  const op_id d = m[v].definition;
  if (!d) return -1;
  const ir::op_view view = m.view(d);
  if (const auto* e = view.get_if<loop::extent>()) {
    const auto parsed = extent_expr::parse(e->expression);
    if (!parsed) return expected_extent;
    return std::max(1.0, static_cast<double>(
                             parsed->evaluate([](const std::string&) { return static_cast<i64>(expected_extent); })));
  }
  if (const auto* l = view.get_if<loop::literal>()) return static_cast<double>(l->integer);
  const auto* s = view.get_if<loop::scalar>();
  if (s == nullptr || view.operand_count() != 2) return -1;
  const double a = expected_value(m, view.operand(0), limits), b = expected_value(m, view.operand(1), limits);
  if (limits && s->fn == loop::scalar_fn::min && (a < 0 || b < 0)) return std::max(a, b);
  if (a < 0 || b < 0) return -1;
  switch (s->fn) {
    case loop::scalar_fn::add: return a + b;
    case loop::scalar_fn::sub: return std::max(a - b, 0.0);
    case loop::scalar_fn::mul: return a * b;
    case loop::scalar_fn::min: return std::min(a, b);
    case loop::scalar_fn::max: return std::max(a, b);
    case loop::scalar_fn::floor_div: return b > 0 ? a / b : a;
    default: return -1;
  }
}
inline bool is_sized(const ir::module& m, value_id v) { return expected_value(m, v) >= 0; }

/// Rough cycles of one run of a region, one lane at a time; contractions count their blocked speed.
inline double work(const ir::module& m, region_id r) {
  double total = 0;
  for (op_id op : m[r].ops) {
    const ir::op_view v = m.view(op);
    if (v.is<loop::for_loop>()) {
      const i64 n = trip_count(m, op);
      const double hi = n < 0 ? expected_value(m, v.operand(1), true) : static_cast<double>(n);
      total += (hi < 0 ? 4 : hi) * work(m, v.region());
    } else if (const auto* c = v.get_if<loop::contract>()) {
      const auto size = [&](i64 e) {
        return e >= 0 ? static_cast<double>(e)
                      : std::max(expected_value(m, v.operand(static_cast<int>(1 - e)), true), 1.0);
      };
      double points = size(c->n);
      for (i64 e : c->m) points *= size(e);
      double steps = 1;
      for (i64 e : c->k) steps *= size(e);
      total += points * (steps / 12 + work(m, v.region()) / 8);
    } else if (v.is<loop::branch>()) {
      total += work(m, v.region(0)) + work(m, v.region(1));
    } else {
      total += 1;
    }
  }
  return total;
}

}  // namespace tenon::passes::detail
