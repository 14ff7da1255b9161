/// @file reduce.lower.ipp: loop nests of reductions.
///
/// Before: %r = reduce_sum(%x[N,K,M]) {axes = [1]}
/// After:  for n, for m (independent): s = reduce k from 0 { s + x[n,k,m] }; r[n,0,m] = s
/// Kept dimensions are outside in order, so that the innermost independent loop runs along the contiguous one where it
/// is kept, and the innermost serial loop where it is reduced. 16-bit floats accumulate in f32.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/graph/row_lowering.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {
namespace reduce_detail {

using values = std::vector<value_id>;

inline size_t axis_of(const lower_context& cx, i64 a, int rank) {
  if (a < -rank || a >= std::max(rank, 1))
    cx.fail("axis " + std::to_string(a) + " is outside of the " + std::to_string(rank) + " dimensions of the operand");
  return static_cast<size_t>(a < 0 ? a + rank : a);
}

/// Which dimensions of operand 0 are reduced: the attribute's, else the constant operand's; none: all.
inline std::vector<bool> marked(const lower_context& cx, std::vector<i64> axes) {
  const int rank = cx.operand_type(0).rank();
  if (axes.empty() && cx.has(1)) {
    const tensor* t = cx.constant(1);
    if (t == nullptr) cx.fail("the axes are not constant", "fold constants first");
    for (i64 i = 0; i < t->size(); ++i) axes.push_back(t->at_i64(i));
  }
  std::vector<bool> m(static_cast<size_t>(rank), axes.empty());
  for (i64 a : axes) {
    const size_t d = axis_of(cx, a, rank);
    if (rank != 0) m[d] = true;
  }
  return m;
}

/// Independent loops over the dimensions of operand 0 that are not reduced; `body` gets `at` with those indices set.
/// Dimensions of extent 1 get no loop, so that the innermost loop is along memory.
template <class F>
void for_kept(lower_context& cx, const std::vector<bool>& reduced, index_list& at, size_t d, F&& body) {
  while (d < reduced.size() && (reduced[d] || cx.extent(0, static_cast<int>(d)) == 1)) at[d++] = index_expr(0);
  if (d == reduced.size()) return body(at);
  cx.b().for_(0, cx.extent(0, static_cast<int>(d)), [&](index_expr i) {
    at[d] = i;
    for_kept(cx, reduced, at, d + 1, body);
  });
}

/// Serial loops over the reduced dimensions, the last one innermost: body(at, carried).
template <class F>
values fold(lower_context& cx, const std::vector<bool>& reduced, index_list& at, size_t d, values init, F&& body) {
  while (d < reduced.size() && (!reduced[d] || cx.extent(0, static_cast<int>(d)) == 1)) ++d;
  if (d == reduced.size()) {
    body(at, init);
    return init;
  }
  const values r = cx.b().reduce(0, cx.extent(0, static_cast<int>(d)), std::move(init), [&](index_expr i, values& acc) {
    at[d] = i;
    acc = fold(cx, reduced, at, d + 1, acc, body);
  });
  at[d] = index_expr(0);
  return r;
}

/// Where the result's element is: with the reduced dimensions at 0, or without them.
inline index_list result_index(const index_list& at, const std::vector<bool>& reduced, bool keep_dims) {
  index_list r;
  for (size_t d = 0; d < at.size(); ++d)
    if (!reduced[d]) r.push_back(at[d]);
    else if (keep_dims) r.emplace_back(0);
  return r;
}

inline value_id identity_value(ir::loop_builder& b, reduction kind, dtype t) {
  if (kind == reduction::sum) return b.integer(t, 0);
  if (kind == reduction::product) return b.integer(t, 1);
  const bool low = kind == reduction::maximum;
  const double infinity = std::numeric_limits<double>::infinity();
  if (is_float(t)) return b.real(t, low ? -infinity : infinity);
  return visit(t, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>)
      return b.integer(t, static_cast<i64>(low ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max()));
    else return value_id{};
  });
}

/// The function that combines; on bool the extrema are the logical functions.
inline scalar_fn combine_function(reduction kind, dtype t) {
  switch (kind) {
    case reduction::sum: return scalar_fn::add;
    case reduction::product: return scalar_fn::mul;
    case reduction::minimum: return t == dtype::boolean ? scalar_fn::bit_and : scalar_fn::min;
    case reduction::maximum: break;
  }
  return t == dtype::boolean ? scalar_fn::bit_or : scalar_fn::max;
}

void lower(axes_reduction op, lower_context& cx) {
  const std::vector<bool> reduced = marked(cx, op.axes);
  const dtype elem = cx.operand_type(0).elem, t = compute_type(elem);
  const scalar_fn fn = combine_function(op.kind, t);
  index_list at(reduced.size());
  for_kept(cx, reduced, at, 0, [&](index_list& outer) {
    ir::loop_builder& b = cx.b();
    const values sum =
        fold(cx, reduced, outer, 0, {identity_value(b, op.kind, t)},
             [&](const index_list& i, values& acc) { acc[0] = b.apply(fn, {acc[0], b.convert(cx.load(0, i), t)}); });
    cx.store(b.convert(sum[0], elem), 0, result_index(outer, reduced, op.keep_dims));
  });
}

/// Marks one axis; none for a scalar, whose axis has extent 1.
inline std::vector<bool> one_axis(const lower_context& cx, i64 axis) {
  std::vector<bool> m(static_cast<size_t>(cx.operand_type(0).rank()), false);
  const size_t a = axis_of(cx, axis, cx.operand_type(0).rank());
  if (!m.empty()) m[a] = true;
  return m;
}
inline index_expr length_of(lower_context& cx, const std::vector<bool>& axis) {
  for (size_t d = 0; d < axis.size(); ++d)
    if (axis[d]) return cx.extent(0, static_cast<int>(d));
  return 1;
}
inline index_list moved(index_list at, const std::vector<bool>& axis, const index_expr& k) {
  for (size_t d = 0; d < axis.size(); ++d)
    if (axis[d]) at[d] = k;
  return at;
}

/// Does the axis run along memory? A loop over it may be vectorized then; otherwise an outer one is.
inline bool runs_along_memory(lower_context& cx, const std::vector<bool>& axis) {
  for (size_t d = axis.size(); d-- > 0 && !axis[d];)
    if (!(cx.extent(0, static_cast<int>(d)) == 1)) return false;
  return true;
}

/// A NaN is the first or last of them that there is, else what compares better.
inline value_id replaces(ir::loop_builder& b, const position_search& op, value_id v, value_id best) {
  const bool most = op.kind == reduction::maximum;
  const scalar_fn compare =
      most ? (op.last ? scalar_fn::ge : scalar_fn::gt) : (op.last ? scalar_fn::le : scalar_fn::lt);
  const value_id better = b.apply(compare, {v, best});
  if (!is_float(b.type_of(v))) return better;
  value_id wins = b.apply(scalar_fn::is_nan, {v});
  if (!op.last) wins = b.apply(scalar_fn::bit_and, {wins, b.apply(scalar_fn::eq, {best, best})});
  return b.apply(scalar_fn::bit_or, {better, wins});
}

/// Along memory in two passes, which lanes do: what the extreme is, and the first or last place that has it. Elsewhere
/// rows that stand side by side keep value and place, as lanes.
void lower(position_search op, lower_context& cx) {
  const std::vector<bool> reduced = one_axis(cx, op.axis);
  const index_expr n = length_of(cx, reduced);
  if (n == 0) cx.fail("axis " + std::to_string(op.axis) + " has no elements");
  const dtype elem = cx.operand_type(0).elem, t = elem == dtype::boolean ? dtype::i32 : compute_type(elem);
  // Lanes are as wide as most elements then.
  const dtype places = n.is_constant() && n.constant() <= i64{1} << 30 ? dtype::i32 : dtype::index;
  const bool two_passes = runs_along_memory(cx, reduced) && !(n.is_constant() && n.constant() < 16);
  index_list at(reduced.size());
  for_kept(cx, reduced, at, 0, [&](index_list& outer) {
    ir::loop_builder& b = cx.b();
    const auto x = [&](const index_expr& k) { return b.convert(cx.load(0, moved(outer, reduced, k)), t); };
    const auto place = [&](const index_expr& k) { return b.convert(b.index(k), places); };
    value_id found;
    if (two_passes) {
      const value_id best = b.reduce(0, n, {identity_value(b, op.kind, t)}, [&](index_expr k, values& acc) {
        acc[0] = b.apply(combine_function(op.kind, t), {acc[0], x(k)});
      })[0];
      const value_id none = place(op.last ? index_expr(-1) : n);
      found = b.reduce(0, n, {none}, [&](index_expr k, values& acc) {
        const value_id v = x(k);
        value_id is_best = b.apply(scalar_fn::eq, {v, best});
        // Where there is a NaN, the extreme is one, which nothing is equal to.
        if (is_float(t)) is_best = b.apply(scalar_fn::bit_or, {is_best, b.apply(scalar_fn::is_nan, {v})});
        const value_id here = b.select(is_best, place(k), none);
        acc[0] = op.last ? b.max(acc[0], here) : b.min(acc[0], here);
      })[0];
    } else {
      found = b.reduce(1, n, {x(0), place(0)}, [&](index_expr k, values& acc) {
        const value_id v = x(k), better = replaces(b, op, v, acc[0]);
        acc = {b.select(better, v, acc[0]), b.select(better, place(k), acc[1])};
      })[1];
    }
    cx.store(b.convert(found, dtype::i64), 0, result_index(outer, reduced, op.keep_dims));
  });
}

void lower(softmax_along op, lower_context& cx) {
  const std::vector<bool> along = one_axis(cx, op.axis);
  const index_expr n = length_of(cx, along);
  const dtype elem = cx.operand_type(0).elem, t = compute_type(elem);
  const bool contiguous = runs_along_memory(cx, along);
  ir::loop_builder& b = cx.b();
  const auto x = [&](const index_list& row, const index_expr& k) {
    return b.convert(cx.load(0, moved(row, along, k)), t);
  };
  const auto most = [&](const index_list& row) {
    return b.reduce(0, n, {identity_value(b, reduction::maximum, t)},
                    [&](index_expr k, values& acc) { acc[0] = b.max(acc[0], x(row, k)); })[0];
  };
  const auto exponential = [&](const index_list& row, const index_expr& k, value_id top) {
    return b.apply(scalar_fn::exp, {b.sub(x(row, k), top)});
  };
  if (contiguous && !op.log && !(n.is_constant() && n.constant() < 64)) {  // a row of exponentials stays in the cache
    const size_t axis = static_cast<size_t>(std::find(along.begin(), along.end(), true) - along.begin());
    row_parts rows(cx, axis);
    const value_id kept = cx.scratch(t, {rows.parts(), cx.operand_type(0).shape[axis]});
    rows.each([&](const index_expr& part, const index_list& row) {
      const value_id top = most(row);
      const value_id sum = b.reduce(0, n, {b.real(t, 0)}, [&](index_expr k, values& acc) {
        const value_id e = exponential(row, k, top);
        b.store(e, kept, {part, k});
        acc[0] = b.add(acc[0], e);
      })[0];
      const value_id scale = b.div(b.real(t, 1), sum);
      b.for_(0, n, [&](index_expr k) {
        cx.store(b.convert(b.mul(b.load(kept, {part, k}), scale), elem), 0, moved(row, along, k));
      });
    });
    return;
  }
  index_list at(along.size());
  for_kept(cx, along, at, 0, [&](index_list& row) {
    const value_id top = most(row);
    const value_id sum = b.reduce(
        0, n, {b.real(t, 0)}, [&](index_expr k, values& acc) { acc[0] = b.add(acc[0], exponential(row, k, top)); })[0];
    const value_id scale = op.log ? b.apply(scalar_fn::log, {sum}) : b.div(b.real(t, 1), sum);
    // It may be vectorized when it runs along memory; otherwise an outer loop must be.
    b.for_(0, n,
           [&](index_expr k) {
             const value_id y = op.log ? b.sub(b.sub(x(row, k), top), scale) : b.mul(exponential(row, k, top), scale);
             cx.store(b.convert(y, elem), 0, moved(row, along, k));
           },
           {.independent = contiguous});
  });
}

void lower(running_reduction op, lower_context& cx) {
  if (cx.has(1)) {
    const tensor* given = cx.constant(1);
    if (given == nullptr || given->size() != 1) cx.fail("the axis is not one constant", "fold constants first");
    op.axis = given->at_i64(0);
  }
  const std::vector<bool> along = one_axis(cx, op.axis);
  const index_expr n = length_of(cx, along);
  const dtype elem = cx.operand_type(0).elem, t = compute_type(elem);
  index_list at(along.size());
  for_kept(cx, along, at, 0, [&](index_list& outer) {
    ir::loop_builder& b = cx.b();
    b.reduce(0, n, {identity_value(b, op.kind, t)}, [&](index_expr i, values& acc) {
      const index_list here = moved(outer, along, op.reverse ? n - 1 - i : i);
      const value_id next = b.apply(combine_function(op.kind, t), {acc[0], b.convert(cx.load(0, here), t)});
      cx.store(b.convert(op.exclusive ? acc[0] : next, elem), 0, here);
      acc[0] = next;
    });
  });
}

}  // namespace reduce_detail

}  // namespace tenon::op
