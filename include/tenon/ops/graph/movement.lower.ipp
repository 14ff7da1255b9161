/// @file movement.lower.ipp: data movement at loop level: each result element is an operand's element at a mapped
/// index.
#pragma once

#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace movement_detail {

/// The index into a tensor of shape `from` for an index into one of shape `to` with the same elements. Runs of
/// dimensions with equal products are mapped by themselves, so that most indices stay affine.
inline index_list reshaped_index(element_context& cx, const std::vector<ir::dim> from, const std::vector<ir::dim> to,
                                 const index_list& at) {
  ir::loop_builder& b = cx.b();
  index_list r(from.size(), index_expr(0));
  for (ir::dim d : from)
    if (d == ir::dim(0)) return r;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t i_end = i, j_end = j;
    extent_expr have = 1, want = 1;
    const auto more_from = [&] { have = have * cx.expression(from[i_end++]); };
    const auto more_to = [&] { want = want * cx.expression(to[j_end++]); };
    if (i_end < from.size()) more_from();
    if (j_end < to.size()) more_to();
    while (!(have == want) && (i_end < from.size() || j_end < to.size())) {
      const bool numbers = have.is_constant() && want.is_constant();
      const bool grow_from = numbers ? have.constant() < want.constant() : floor_div(want, have) * have == want;
      if (j_end == to.size() || (grow_from && i_end < from.size())) more_from();
      else more_to();
    }
    index_expr linear(0);
    for (; j < j_end; ++j) linear = b.times(linear, cx.extent(to[j])) + (to[j] == ir::dim(1) ? index_expr(0) : at[j]);
    size_t first = i;  // the outermost dimension takes what is left
    while (first < i_end && from[first] == ir::dim(1)) ++first;
    for (size_t d = i_end; d-- > first;) {
      if (from[d] == ir::dim(1)) continue;
      r[d] = d == first ? linear : b.floor_mod(linear, cx.extent(from[d]));
      if (d != first) linear = b.floor_div(linear, cx.extent(from[d]));
    }
    i = i_end;
  }
  return r;
}

/// See padded_from in the evaluation: the same in index arithmetic, for i in [-before, n + after).
inline index_expr padded_index(ir::loop_builder& b, pad_mode mode, const index_expr& i, const index_expr& n,
                               const index_expr& before, const index_expr& after) {
  const auto none = [](const index_expr& e) { return e.is_constant() && e.constant() <= 0; };
  if (none(before) && none(after)) return i;
  if (n == 1) return 0;
  switch (mode) {
    case pad_mode::constant: return i;
    case pad_mode::edge: return clamped(b, i, n);
    case pad_mode::wrap: return b.floor_mod(i, n);
    case pad_mode::reflect: break;
  }
  const auto absolute = [&](const index_expr& e) { return b.max(e, index_expr(0) - e); };
  const auto inside = [&](const index_expr& e) { return e.is_constant() && e.constant() < n.constant(); };
  const bool once = n.is_constant() && inside(before) && inside(after);
  const index_expr m = once ? absolute(i) : b.floor_mod(i, b.max((n - 1) * 2, 1));
  return n - 1 - absolute(n - 1 - m);
}

inline value_id scalar_operand(element_context& cx, int i) { return cx.operand(i, origin(cx.operand_type(i))); }

}  // namespace movement_detail

value_id element(const reshape&, element_context& cx, const index_list& at) {
  return cx.operand(0, movement_detail::reshaped_index(cx, cx.operand_type(0).shape, cx.result_type().shape, at));
}

value_id element(const transpose& op, element_context& cx, const index_list& at) {
  index_list from(at.rbegin(), at.rend());
  for (size_t d = 0; d < op.permutation.size(); ++d)
    from[static_cast<size_t>(movement_detail::wrapped_axis(op.permutation[d], at.size()))] = at[d];
  return cx.operand(0, from);
}

value_id element(const expand&, element_context& cx, const index_list& at) { return cx.broadcast(0, at); }

value_id element(const slice& op, element_context& cx, const index_list& at) {
  const movement_detail::lowering_view view{cx};
  const auto s = view.known(
      movement_detail::symbolic_slices(op, cx.operand_type(0), movement_detail::lowering_reader{cx}), "bounds are");
  index_list from = at;
  const std::vector<ir::dim> to = cx.result_type().shape;
  for (size_t d = 0; d < at.size(); ++d) {
    if (!s[d].cut) continue;
    // What was taken for granted shows in how many elements there are.
    const bool inside = !s[d].clamped || (s[d].span && cx.expression(to[d]) == s[d].span->count);
    from[d] = at[d] * s[d].step + cx.value(view.known(inside ? s[d].span : s[d].clamped, "bounds are").start);
  }
  return cx.operand(0, from);
}

void lower(const concat& op, lower_context& cx) {
  const i64 axis = movement_detail::wrapped_axis(op.axis, cx.result_type().shape.size());
  index_expr offset = 0;
  for (int i = 0; i < cx.operand_count(); ++i) {
    const index_list shape = cx.extents(cx.operand_type(i));
    if (!cx.operand_type(i).is_static() || cx.operand_type(i).count() > 0)
      cx.b().nest(shape, [&](index_list at) {
        const value_id v = cx.load(i, at);
        at[static_cast<size_t>(axis)] = at[static_cast<size_t>(axis)] + offset;
        cx.store(v, 0, at);
      });
    offset = offset + shape[static_cast<size_t>(axis)];
  }
}

value_id element(const pad& op, element_context& cx, const index_list& at) {
  const movement_detail::lowering_view view{cx};
  const auto p =
      view.known(movement_detail::symbolic_padding_of(op, at.size(), movement_detail::lowering_reader{cx}), "pads are");
  const index_list shape = cx.extents(cx.operand_type(0));
  ir::loop_builder& b = cx.b();
  index_list from;
  bool guarded = false;
  for (size_t d = 0; d < at.size(); ++d) {
    // Amounts that are not numbers do not crop.
    const auto below = [](const extent_expr& e) { return e.is_constant() ? std::max<i64>(-e.constant(), 0) : 0; };
    const auto above = [&](const extent_expr& e) {
      return e.is_constant() ? index_expr(std::max<i64>(e.constant(), 0)) : cx.value(e);
    };
    const i64 crop = below(p.before[d]);
    const index_expr rest = shape[d] - crop - below(p.after[d]), before = above(p.before[d]), after = above(p.after[d]);
    const index_expr i = at[d] - before;
    guarded = guarded || (op.mode == pad_mode::constant && !(before == 0 && after == 0));
    if (op.mode == pad_mode::constant) from.push_back(i + crop);
    else from.push_back(movement_detail::padded_index(b, op.mode, i, rest, before, after) + crop);
  }
  if (!guarded) return cx.operand(0, from);
  const dtype t = cx.operand_type(0).elem;
  const value_id fill =
      cx.has(2) ? b.convert(movement_detail::scalar_operand(cx, 2), t) : movement_detail::literal_of(b, t, op.value);
  return cx.operand_or(fill, 0, from);
}

value_id element(const tile&, element_context& cx, const index_list& at) {
  const std::vector<ir::dim> from = cx.operand_type(0).shape, to = cx.result_type().shape;
  index_list mapped;
  for (size_t d = 0; d < at.size(); ++d)
    mapped.push_back(from[d] == to[d]        ? at[d]
                     : from[d] == ir::dim(0) ? index_expr(0)
                                             : cx.b().floor_mod(at[d], cx.extent(from[d])));
  return cx.operand(0, mapped);
}

/// Runs of the operand are copied as they stand, each as often as it is repeated; short ones are gathered.
void lower(const tile& op, lower_context& cx) {
  constexpr i64 least_run = 8;
  const std::vector<ir::dim> from = cx.operand_type(0).shape, to = cx.result_type().shape;
  const bool in_runs = !from.empty() && (from.back() == to.back() || from.back() == ir::dim(1) ||
                                         (from.back().is_static() && from.back().extent() >= least_run));
  if (!in_runs)
    return cx.b().nest(cx.extents(cx.result_type()),
                       [&](const index_list& at) { cx.store(element(op, cx, at), 0, at); });
  index_list loops;  // of each dimension: how often, and over what
  for (size_t d = 0; d < from.size(); ++d) {
    const extent_expr have = cx.expression(from[d]), want = cx.expression(to[d]);
    const bool once = from[d] == to[d] || have == extent_expr(0);
    loops.push_back(once ? index_expr(1) : from[d] == ir::dim(1) ? cx.value(want) : cx.value(floor_div(want, have)));
    loops.push_back(cx.value(have));
  }
  cx.b().nest(loops, [&](const index_list& i) {
    index_list place, source;
    for (size_t d = 0; d < from.size(); ++d) {
      source.push_back(from[d] == ir::dim(1) ? index_expr(0) : i[2 * d + 1]);
      place.push_back(from[d] == to[d]        ? source[d]
                      : from[d] == ir::dim(1) ? i[2 * d]
                                              : cx.b().times(i[2 * d], loops[2 * d + 1]) + source[d]);
    }
    cx.store(cx.load(0, source), 0, place);
  });
}

value_id element(const range&, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.result_type().elem, wide = movement_detail::wide_type(t);
  const value_id start = b.convert(movement_detail::scalar_operand(cx, 0), wide),
                 delta = b.convert(movement_detail::scalar_operand(cx, 2), wide);
  return b.convert(b.add(start, b.mul(b.convert(b.index(at[0]), wide), delta)), t);
}

namespace movement_detail {
/// The i-th of a few indices, as an integer of type t.
inline value_id chosen_size(ir::loop_builder& b, const index_list& sizes, const index_expr& i, dtype t) {
  const auto number = [&](const index_expr& e) {
    return e.is_constant() ? b.integer(t, e.constant()) : b.convert(b.convert(b.index(e), dtype::i64), t);
  };
  if (sizes.empty()) return b.integer(t, 0);
  if (i.is_constant() && i.constant() >= 0 && i.constant() < static_cast<i64>(sizes.size()))
    return number(sizes[static_cast<size_t>(i.constant())]);
  value_id r = number(sizes[0]);
  for (size_t d = 1; d < sizes.size(); ++d) r = b.select(b.equal(i, static_cast<i64>(d)), number(sizes[d]), r);
  return r;
}
}  // namespace movement_detail

value_id element(const shape_of& op, element_context& cx, const index_list& at) {
  const ir::type x = cx.operand_type(0);
  i64 start = 0, end = 0;
  movement_detail::shape_bounds(op, x.rank(), start, end);
  index_list sizes;
  for (i64 d = start; d < end; ++d) sizes.push_back(cx.extent(x.shape[static_cast<size_t>(d)]));
  return movement_detail::chosen_size(cx.b(), sizes, at[0], dtype::i64);
}

value_id element(const extents_of& op, element_context& cx, const index_list& at) {
  index_list sizes;
  for (const std::string& s : op.values) sizes.push_back(cx.value(*extent_expr::parse(s)));
  return movement_detail::chosen_size(cx.b(), sizes, at.empty() ? index_expr(0) : at[0], op.type);
}

value_id element(const count_of&, element_context& cx, const index_list&) {
  extent_expr n = 1;
  for (ir::dim d : cx.operand_type(0).shape) n = n * cx.expression(d);
  return movement_detail::chosen_size(cx.b(), {cx.value(n)}, 0, dtype::i64);
}

value_id element(const trilu& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const value_id distance = b.index(at[at.size() - 1] - at[at.size() - 2]);
  const value_id k = cx.has(1) ? b.convert(movement_detail::scalar_operand(cx, 1), dtype::index) : b.index(op.k);
  const value_id keep = b.apply(op.upper ? scalar_fn::ge : scalar_fn::le, {distance, k});
  return b.select(keep, cx.operand(0, at), b.integer(cx.result_type().elem, 0));
}

value_id element(const eye_like& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.result_type().elem;
  return b.select(b.equal(at[1] - at[0], op.k), b.integer(t, 1), b.integer(t, 0));
}

value_id element(const constant_of_shape&, element_context& cx, const index_list&) {
  return movement_detail::scalar_operand(cx, 0);
}

value_id element(const reverse_sequence& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const size_t batch = static_cast<size_t>(movement_detail::wrapped_axis(op.batch_axis, at.size())),
               time = static_cast<size_t>(movement_detail::wrapped_axis(op.time_axis, at.size()));
  const index_expr n = b.convert(cx.operand(1, {at[batch]}), dtype::index), t = at[time];
  index_list from = at;
  from[time] = movement_detail::clamped(b, movement_detail::chosen(b, b.less(t, n), n - t - 1, t),
                                        cx.extent(cx.operand_type(0).shape[time]));
  return cx.operand(0, from);
}

}  // namespace tenon::op
