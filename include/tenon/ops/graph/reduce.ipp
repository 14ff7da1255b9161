/// @file reduce.ipp: the type rules of ops/graph/reduce.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/infer.hpp>
#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/permutation.hpp>

namespace tenon::op {
namespace reduce_detail {

inline const ir::type& tensor_operand(const ir::infer_context& cx, int i) {
  const ir::type& t = cx.operand(i);
  if (!t.is_tensor()) cx.fail("operand " + std::to_string(i) + " is not a tensor");
  return t;
}

/// Removes the marked dimensions, or leaves them with extent 1.
inline std::vector<ir::dim> without(const std::vector<ir::dim>& shape, const std::vector<bool>& reduced, bool keep) {
  std::vector<ir::dim> r;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!reduced[d]) r.push_back(shape[d]);
    else if (keep) r.push_back(1);
  }
  return r;
}

inline std::vector<bool> marked(const ir::infer_context& cx, const std::vector<i64>& axes, int rank) {
  std::vector<bool> m(static_cast<size_t>(rank), axes.empty());
  for (i64 a : axes) {
    const size_t d = static_cast<size_t>(cx.axis(a, rank));
    if (rank == 0) continue;  // numpy's axis 0 or -1 of a scalar
    if (m[d]) cx.fail("axis " + std::to_string(a) + " is given twice");
    m[d] = true;
  }
  return m;
}

/// The result of a reduction over axes that are not known: each dimension may be reduced or not.
inline ir::type with_unknown_axes(const ir::infer_context& cx, const ir::type& x, bool keep_dims) {
  ir::type r = ir::type::tensor(x.elem, x.shape);
  if (!keep_dims) {
    const ir::type& axes = tensor_operand(cx, 1);
    if (!axes.is_static() || axes.rank() > 1) return ir::type::unranked_tensor(x.elem);
    const i64 n = axes.count();
    if (n > x.rank()) cx.fail(std::to_string(n) + " axes are given for " + std::to_string(x.rank()) + " dimensions");
    r.shape.resize(n == 0 ? 0 : static_cast<size_t>(x.rank() - n));
  }
  for (ir::dim& d : r.shape)
    if (d != ir::dim(1) || !keep_dims) d = ir::dim::unknown();
  return r;
}

void infer(axes_reduction op, ir::infer_context& cx) {
  std::vector<i64> axes = op.axes;
  const ir::type& x = tensor_operand(cx, 0);
  if (x.elem == dtype::boolean && (op.kind == reduction::sum || op.kind == reduction::product))
    cx.fail("bool has no arithmetic", "cast the operand");
  if (cx.operand_count() > 2) cx.fail(std::to_string(cx.operand_count()) + " operands are given, not 1 or 2");
  const bool by_operand = axes.empty() && cx.has(1);
  if (by_operand && !is_int(tensor_operand(cx, 1).elem))
    cx.fail("the axes have the element type " + std::string(name_of(cx.operand(1).elem)), "they must be integers");
  if (!x.ranked) cx.result(!by_operand && axes.empty() && !op.keep_dims ? ir::type::tensor(x.elem, {}) : ir::type(x));
  else if (by_operand && !cx.integers(1, axes)) cx.result(with_unknown_axes(cx, x, op.keep_dims));
  else cx.result(ir::type::tensor(x.elem, without(x.shape, marked(cx, axes, x.rank()), op.keep_dims)));
}

void infer(position_search op, ir::infer_context& cx) {
  const ir::type& x = tensor_operand(cx, 0);
  if (cx.operand_count() != 1) cx.fail(std::to_string(cx.operand_count()) + " operands are given, not 1");
  if (!x.ranked) return cx.result(ir::type::unranked_tensor(dtype::i64));
  const std::vector<bool> reduced = marked(cx, {op.axis}, x.rank());
  for (size_t d = 0; d < reduced.size(); ++d) {
    if (!reduced[d]) continue;
    if (x.shape[d] == ir::dim(0)) cx.fail("axis " + std::to_string(op.axis) + " has no elements");
    if (x.shape[d].is_symbol()) cx.require_not_negative(*cx.expression(x.shape[d]) - 1);
  }
  cx.result(ir::type::tensor(dtype::i64, without(x.shape, reduced, op.keep_dims)));
}

void infer(softmax_along op, ir::infer_context& cx) {
  const ir::type& x = tensor_operand(cx, 0);
  if (cx.operand_count() != 1) cx.fail(std::to_string(cx.operand_count()) + " operands are given, not 1");
  if (!is_float(x.elem)) cx.fail("the element type " + std::string(name_of(x.elem)) + " is not a float");
  if (x.ranked) cx.axis(op.axis, x.rank());
  cx.result(ir::type(x));
}

void infer(running_reduction op, ir::infer_context& cx) {
  const ir::type& x = tensor_operand(cx, 0);
  if (x.elem == dtype::boolean) cx.fail("bool has no arithmetic", "cast the operand");
  if (cx.operand_count() > 2) cx.fail(std::to_string(cx.operand_count()) + " operands are given, not 1 or 2");
  std::vector<i64> given{op.axis};
  if (cx.has(1)) {
    if (!is_int(tensor_operand(cx, 1).elem)) cx.fail("the axis is not an integer");
    if (cx.integers(1, given) && given.size() != 1) cx.fail(std::to_string(given.size()) + " axes are given, not one");
  }
  if (x.ranked && (!cx.has(1) || cx.constant(1))) cx.axis(given[0], x.rank());
  cx.result(ir::type(x));
}

/// Dimensions that are left are numbered anew where the reduced ones go.
inline void leave_out(const std::vector<i64>& axes, std::vector<i64>& order) {
  permutations::permutation left;
  for (const i64 d : order)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) left.push_back(d);
  order.clear();
  for (const i64 d : left)
    order.push_back(std::count_if(left.begin(), left.end(), [&](i64 other) { return other < d; }));
}

bool move_transpose(std::vector<i64>& axes, bool keep_dims, std::vector<i64>& order) {
  axes = permutations::moved_axes(axes, order.size(), order);
  std::sort(axes.begin(), axes.end());
  if (!keep_dims) leave_out(axes, order);
  return true;
}
bool move_transpose(i64& axis, bool keep_dims, std::vector<i64>& order) {
  axis = permutations::moved_axis(axis, order);
  if (!keep_dims) leave_out({axis}, order);
  return true;
}

}  // namespace reduce_detail

}  // namespace tenon::op
