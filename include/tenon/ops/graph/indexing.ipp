/// @file indexing.ipp: the type rules of ops/graph/indexing.hpp.
#pragma once

#include <tenon/ops/graph/index_rules.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

namespace movement_detail {

inline void expect_indices(const ir::infer_context& cx, int i) {
  if (!is_int(cx.operand(i).elem))
    cx.fail("operand " + std::to_string(i) + " is of " + std::string(name_of(cx.operand(i).elem)) +
            " and must hold integers");
}

/// Extents that must be equal for two operands to fit together.
inline void expect_extent(const ir::infer_context& cx, ir::dim a, ir::dim b, const char* what) {
  if (a.is_static() && b.is_static() && a != b)
    cx.fail(std::string(what) + ": " + std::to_string(a.extent()) + " and " + std::to_string(b.extent()));
  if (!a.is_unknown() && !b.is_unknown()) cx.same(a, b);
}

/// gather_nd's result shape from the shapes of x and its indices; also the shape of scatter_nd's updates.
template <class Context>
std::vector<ir::dim> gathered_dims(const Context& cx, const std::vector<ir::dim>& x,
                                   const std::vector<ir::dim>& indices, i64 batch_dims) {
  if (indices.empty()) cx.fail("the indices are a scalar");
  const i64 depth = indices.back().extent();
  if (batch_dims < 0 || batch_dims >= static_cast<i64>(indices.size()) ||
      depth + batch_dims > static_cast<i64>(x.size()))
    cx.fail("indices of " + std::to_string(depth) + " dimensions after " + std::to_string(batch_dims) +
            " batch dimensions, for an operand of " + std::to_string(x.size()));
  std::vector<ir::dim> to(indices.begin(), indices.end() - 1);
  to.insert(to.end(), x.begin() + static_cast<std::ptrdiff_t>(batch_dims + depth), x.end());
  return to;
}

/// check_indices for tuples; `gathered_dims` has been asked before.
inline void check_tuples(const ir::infer_context& cx, const ir::type& x, const ir::type& indices, i64 batch_dims) {
  const auto named =
      std::span(x.shape).subspan(static_cast<size_t>(batch_dims), static_cast<size_t>(indices.shape.back().extent()));
  if (!named.empty()) check_indices(cx, 1, named);
}

}  // namespace movement_detail

void infer(const gather& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), indices = cx.operand(1);
  movement_detail::expect_indices(cx, 1);
  if (!x.ranked || !indices.ranked) return cx.result(ir::type::unranked_tensor(x.elem));
  const i64 axis = cx.axis(op.axis, x.rank());
  if (axis >= x.rank()) cx.fail("a scalar has no axis to gather from");
  if (op.panel != 0) {
    if (op.panel < 0 || op.columns < 0 || axis != 0 || x.rank() != 3 ||
        (x.is_static() && (x.shape[0].extent() != quotient_up(op.columns, op.panel) || x.shape[2] != op.panel)))
      cx.fail("the table is no panels of " + std::to_string(op.panel) + " of " + std::to_string(op.columns) + " rows");
    const ir::dim rows(op.columns);
    movement_detail::check_indices(cx, 1, std::span(&rows, 1));
    std::vector<ir::dim> to = indices.shape;
    to.push_back(x.shape[1]);
    return cx.result(ir::type::tensor(x.elem, std::move(to)));
  }
  movement_detail::check_indices(cx, 1, std::span(&x.shape[static_cast<size_t>(axis)], 1));
  std::vector<ir::dim> to(x.shape.begin(), x.shape.begin() + axis);
  to.insert(to.end(), indices.shape.begin(), indices.shape.end());
  to.insert(to.end(), x.shape.begin() + axis + 1, x.shape.end());
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const gather_elements& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  ir::type r = cx.operand(1);
  movement_detail::expect_indices(cx, 1);
  if (x.ranked) {
    const i64 axis = cx.axis(op.axis, x.rank());
    if (r.ranked && r.rank() != x.rank())
      cx.fail("indices of " + std::to_string(r.rank()) + " dimensions for an operand of " + std::to_string(x.rank()));
    if (x.rank() == 0) cx.fail("a scalar has no axis to gather from");
    movement_detail::check_indices(cx, 1, std::span(&x.shape[static_cast<size_t>(axis)], 1));
    if (r.ranked) movement_detail::check_elements(cx, x, r, axis);
  }
  r.elem = x.elem;
  cx.result(r);
}

void infer(const gather_nd& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), indices = cx.operand(1);
  movement_detail::expect_indices(cx, 1);
  if (!x.ranked || !indices.ranked || (!indices.shape.empty() && !indices.shape.back().is_static()))
    return cx.result(ir::type::unranked_tensor(x.elem));
  std::vector<ir::dim> to = movement_detail::gathered_dims(cx, x.shape, indices.shape, op.batch_dims);
  for (size_t d = 0; d < static_cast<size_t>(op.batch_dims); ++d) {
    movement_detail::expect_extent(cx, x.shape[d], indices.shape[d],
                                   "the batch dimensions of operand and indices differ");
  }
  movement_detail::check_tuples(cx, x, indices, op.batch_dims);
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const scatter_elements& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), indices = cx.operand(1), updates = cx.operand(2);
  movement_detail::expect_indices(cx, 1);
  if (updates.elem != x.elem) cx.fail("the updates are not of the operand's element type");
  if (x.ranked) {
    const i64 axis = cx.axis(op.axis, x.rank());
    if (x.rank() == 0) cx.fail("a scalar has no axis to scatter along");
    movement_detail::check_indices(cx, 1, std::span(&x.shape[static_cast<size_t>(axis)], 1));
    if (indices.ranked) movement_detail::check_elements(cx, x, indices, axis);
  }
  if (indices.ranked && updates.ranked) {
    if (indices.rank() != updates.rank() || (x.ranked && x.rank() != indices.rank()))
      cx.fail("operand, indices and updates have different numbers of dimensions");
    for (size_t d = 0; d < indices.shape.size(); ++d)
      movement_detail::expect_extent(cx, indices.shape[d], updates.shape[d],
                                     "indices and updates have different extents");
  }
  cx.result(x);
}

void infer(const scatter_nd&, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), indices = cx.operand(1), updates = cx.operand(2);
  movement_detail::expect_indices(cx, 1);
  if (updates.elem != x.elem) cx.fail("the updates are not of the operand's element type");
  if (x.ranked && indices.ranked && !indices.shape.empty() && indices.shape.back().is_static()) {
    const std::vector<ir::dim> wanted = movement_detail::gathered_dims(cx, x.shape, indices.shape, 0);
    movement_detail::check_tuples(cx, x, indices, 0);
    if (updates.ranked && updates.shape.size() != wanted.size())
      cx.fail("updates of " + std::to_string(updates.rank()) + " dimensions and not " + std::to_string(wanted.size()));
    for (size_t d = 0; updates.ranked && d < wanted.size(); ++d)
      movement_detail::expect_extent(cx, wanted[d], updates.shape[d],
                                     "the updates do not have the shape that the indices ask for");
  }
  cx.result(x);
}

void infer(const top_k& op, ir::infer_context& cx) {
  ir::type x = cx.operand(0);
  if (x.ranked) {
    const i64 axis = cx.axis(op.axis, x.rank());
    if (x.rank() == 0) cx.fail("a scalar has no axis to choose from");
    ir::dim k = op.k >= 0 ? ir::dim(op.k) : ir::dim::unknown();
    if (op.k < 0) {
      if (!cx.has(1)) cx.fail("k is missing");
      if (const tensor* t = cx.constant(1); t != nullptr) {
        if (t->size() != 1 || t->at_i64(0) < 0) cx.fail("k is not one number that is 0 or more");
        k = t->at_i64(0);
      } else if (const auto list = symbolic_value(cx.mod(), cx.value(1)); list && list->size() == 1) {
        k = movement_detail::dim_for(cx, list->front());
      }
    }
    ir::dim& d = x.shape[static_cast<size_t>(axis)];
    if (d.is_static() && k.is_static() && k.extent() > d.extent())
      cx.fail("k is " + std::to_string(k.extent()) + " of " + std::to_string(d.extent()) + " elements");
    if (!d.is_unknown() && !k.is_unknown()) cx.require_not_negative(*cx.expression(d) - *cx.expression(k));
    d = k;
  }
  cx.result(x);
  x.elem = dtype::i64;
  cx.result(x);
}

void infer(const one_hot& op, ir::infer_context& cx) {
  const ir::type indices = cx.operand(0), values = cx.operand(2);
  if (values.is_static() && values.count() != 2)
    cx.fail("values has " + std::to_string(values.count()) + " elements and not [off, on]");
  if (values.ranked && values.rank() == 1) cx.same(values.shape[0], 2);
  if (!indices.ranked) return cx.result(ir::type::unranked_tensor(values.elem));
  ir::dim depth = op.depth >= 0 ? ir::dim(op.depth) : ir::dim::unknown();
  if (op.depth < 0) {
    if (!cx.has(1)) cx.fail("depth is missing");
    if (const tensor* t = cx.constant(1); t != nullptr) {
      if (t->size() != 1 || t->at_i64(0) < 0) cx.fail("depth is not one number that is 0 or more");
      depth = t->at_i64(0);
    } else if (const auto list = symbolic_value(cx.mod(), cx.value(1)); list && list->size() == 1) {
      depth = movement_detail::dim_for(cx, list->front());
    }
  }
  std::vector<ir::dim> to = indices.shape;
  to.insert(to.begin() + cx.axis(op.axis, indices.rank() + 1), depth);
  cx.result(ir::type::tensor(values.elem, std::move(to)));
}

void infer(const non_zero&, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  cx.result(ir::type::tensor(dtype::i64, {x.ranked ? ir::dim(x.rank()) : ir::dim::unknown(), ir::dim::unknown()}));
}

void infer(const compress& op, ir::infer_context& cx) {
  ir::type x = cx.operand(0);
  if (cx.operand(1).elem != dtype::boolean) cx.fail("the condition is not of bool");
  if (op.flatten) return cx.result(ir::type::tensor(x.elem, {ir::dim::unknown()}));
  if (x.ranked) {
    const i64 axis = cx.axis(op.axis, x.rank());
    if (x.rank() == 0) cx.fail("a scalar has no axis");
    x.shape[static_cast<size_t>(axis)] = ir::dim::unknown();
  }
  cx.result(x);
}

void infer(const unique& op, ir::infer_context& cx) {
  ir::type x = cx.operand(0);
  if (op.flatten) {
    x = ir::type::tensor(x.elem, {ir::dim::unknown()});
  } else if (x.ranked) {
    const i64 axis = cx.axis(op.axis, x.rank());
    if (x.rank() == 0) cx.fail("a scalar has no axis");
    x.shape[static_cast<size_t>(axis)] = ir::dim::unknown();
  }
  cx.result(x);
  for (int i = 0; i < 3; ++i) cx.result(ir::type::tensor(dtype::i64, {ir::dim::unknown()}));
}

void infer(const non_max_suppression&, ir::infer_context& cx) {
  const ir::type boxes = cx.operand(0), scores = cx.operand(1);
  if (!is_float(boxes.elem) || boxes.elem != scores.elem) cx.fail("boxes and scores are not of one float type");
  if ((boxes.ranked && boxes.rank() != 3) || (scores.ranked && scores.rank() != 3))
    cx.fail("boxes and scores do not have three dimensions");
  if (boxes.ranked && boxes.shape[2].is_static() && boxes.shape[2] != ir::dim(4))
    cx.fail("a box has " + std::to_string(boxes.shape[2].extent()) + " numbers, not 4");
  if (boxes.ranked && scores.ranked) {
    movement_detail::expect_extent(cx, boxes.shape[0], scores.shape[0], "boxes and scores of different batches");
    movement_detail::expect_extent(cx, boxes.shape[1], scores.shape[2], "not one score per box");
  }
  cx.result(ir::type::tensor(dtype::i64, {ir::dim::unknown(), 3}));
}

bool absorb(top_k& op, int operand, const tensor& value) {
  if (operand != 1 || value.size() != 1) return false;
  if (op.k < 0) op.k = value.at_i64(0);
  return true;
}
bool absorb(one_hot& op, int operand, const tensor& value) {
  if (operand != 1 || value.size() != 1) return false;
  if (op.depth < 0) op.depth = value.at_i64(0);
  return true;
}

}  // namespace tenon::op
