/// @file indexing.lower.ipp: gather, scatter, top_k and one_hot at loop level.
///
/// Indices are clamped to what exists where they are read through, and skipped where they are written through: native
/// code cannot fail. non_zero, compress, unique and non_max_suppression have no lowering: the extents of their results
/// are data.
#pragma once

#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/top_k.lower.ipp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace movement_detail {

inline value_id combined(ir::loop_builder& b, scatter_reduction r, value_id old, value_id update) {
  const dtype t = b.type_of(old), wide = wide_type(t);
  if (t == dtype::boolean) {
    const bool either = r == scatter_reduction::add || r == scatter_reduction::max;
    return b.apply(either ? scalar_fn::bit_or : scalar_fn::bit_and, {old, update});
  }
  const value_id x = b.convert(old, wide), y = b.convert(update, wide);
  switch (r) {
    case scatter_reduction::none: return update;
    case scatter_reduction::add: return b.convert(b.add(x, y), t);
    case scatter_reduction::mul: return b.convert(b.mul(x, y), t);
    case scatter_reduction::max: return b.convert(b.max(x, y), t);
    case scatter_reduction::min: break;
  }
  return b.convert(b.min(x, y), t);
}

/// The result starts as a copy of the first operand.
inline value_id start_scatter(lower_context& cx) {
  const value_id out = cx.result_buffer(0);
  cx.b().nest(cx.extents(cx.operand_type(0)), [&](const index_list& at) { cx.b().store(cx.load(0, at), out, at); });
  return out;
}

/// Combines into out[to] unless an index is out of range.
inline void scatter_at(lower_context& cx, scatter_reduction r, value_id out, value_id inside, const index_list& to,
                       const index_list& update) {
  ir::loop_builder& b = cx.b();
  b.if_(
      inside,
      [&] {
        const value_id v = cx.load(2, update);
        b.store(r == scatter_reduction::none ? v : combined(b, r, b.load(out, to), v), out, to);
        return std::vector<value_id>{};
      },
      [] { return std::vector<value_id>{}; });
}

inline value_id is_inside(ir::loop_builder& b, const index_expr& i, const index_expr& n) {
  const value_id v = b.index(i);
  return b.apply(scalar_fn::bit_and,
                 {b.apply(scalar_fn::ge, {v, b.index(0)}), b.apply(scalar_fn::lt, {v, b.index(n)})});
}

}  // namespace movement_detail

value_id element(const gather& op, element_context& cx, const index_list& at) {
  if (op.panel > 0) {
    const index_list which(at.begin(), at.end() - 1);
    const index_expr row = movement_detail::wrapped(cx.b(), cx.operand(1, which), op.columns);
    return movement_detail::chosen_element(
        cx, {cx.b().floor_div(row, op.panel), at.back(), cx.b().floor_mod(row, op.panel)}, {op.columns});
  }
  const index_list shape = cx.extents(cx.operand_type(0));
  const auto axis = static_cast<std::ptrdiff_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  const auto rank =
      static_cast<std::ptrdiff_t>(cx.operand_type(1).rank());  // a type is not held on to: reads may add types
  const index_list which(at.begin() + axis, at.begin() + axis + rank);
  index_list from(at.begin(), at.begin() + axis);
  const index_expr n = shape[static_cast<size_t>(axis)];
  const tensor* known = cx.constant(1);
  const auto fits = [&](i64 i) { return n.is_constant() && i >= -n.constant() && i < n.constant(); };
  if (known != nullptr && known->size() == 1 && fits(known->at_i64(0)))
    from.emplace_back((known->at_i64(0) + n.constant()) % n.constant());
  else from.push_back(movement_detail::wrapped(cx.b(), cx.operand(1, which), n));
  from.insert(from.end(), at.begin() + axis + rank, at.end());
  return movement_detail::chosen_element(cx, from, {n});
}

value_id element(const gather_elements& op, element_context& cx, const index_list& at) {
  const index_list shape = cx.extents(cx.operand_type(0));
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  index_list from = at;
  from[axis] = movement_detail::wrapped(cx.b(), cx.operand(1, at), shape[axis]);
  return movement_detail::chosen_element(cx, from, {shape[axis]});
}

value_id element(const gather_nd& op, element_context& cx, const index_list& at) {
  const index_list shape = cx.extents(cx.operand_type(0));
  const std::vector<ir::dim> indices = cx.operand_type(1).shape;
  const auto tuple = static_cast<std::ptrdiff_t>(indices.size()) - 1;
  index_list from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(op.batch_dims)),
      which(at.begin(), at.begin() + tuple), named;
  which.emplace_back(0);
  for (i64 d = 0; d < indices.back().extent(); ++d) {
    which.back() = index_expr(d);
    named.push_back(shape[from.size()]);
    from.push_back(movement_detail::wrapped(cx.b(), cx.operand(1, which), named.back()));
  }
  from.insert(from.end(), at.begin() + tuple, at.end());
  return movement_detail::chosen_element(cx, from, named);
}

value_id element(const one_hot& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.result_type());
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  index_list which = at;
  which.erase(which.begin() + static_cast<std::ptrdiff_t>(axis));
  const index_expr hot = b.convert(cx.operand(0, which), dtype::index);
  const value_id here = b.apply(scalar_fn::bit_or, {b.equal(hot, at[axis]), b.equal(hot + shape[axis], at[axis])});
  const value_id on = cx.operand(2, {index_expr(1)}), off = cx.operand(2, {index_expr(0)});
  return b.select(here, on, off);
}

void lower(const scatter_elements& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.operand_type(0));
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  const value_id out = movement_detail::start_scatter(cx);
  index_list at;
  // Two updates meet only along the axis.
  movement_detail::mixed_nest(
      b, cx.extents(cx.operand_type(1)), at, [&](size_t d) { return d != axis; },
      [&](const index_list& update) {
        index_list to = update;
        to[axis] = movement_detail::from_end(b, cx.load(1, update), shape[axis]);
        movement_detail::scatter_at(cx, op.reduction, out, movement_detail::is_inside(b, to[axis], shape[axis]), to,
                                    update);
      });
}

void lower(const scatter_nd& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.operand_type(0));
  const std::vector<ir::dim> indices = cx.operand_type(1).shape;
  const size_t tuple = indices.size() - 1, depth = static_cast<size_t>(indices.back().extent());
  const value_id out = movement_detail::start_scatter(cx);
  index_list at;
  movement_detail::mixed_nest(
      b, cx.extents(cx.operand_type(2)), at, [&](size_t d) { return d >= tuple; },
      [&](const index_list& update) {
        index_list which(update.begin(), update.begin() + static_cast<std::ptrdiff_t>(tuple)), to;
        which.emplace_back(0);
        value_id inside = b.integer(dtype::boolean, 1);
        for (size_t d = 0; d < depth; ++d) {
          which.back() = index_expr(static_cast<i64>(d));
          to.push_back(movement_detail::from_end(b, cx.load(1, which), shape[d]));
          inside = b.apply(scalar_fn::bit_and, {inside, movement_detail::is_inside(b, to.back(), shape[d])});
        }
        to.insert(to.end(), update.begin() + static_cast<std::ptrdiff_t>(tuple), update.end());
        movement_detail::scatter_at(cx, op.reduction, out, inside, to, update);
      });
}

}  // namespace tenon::op
