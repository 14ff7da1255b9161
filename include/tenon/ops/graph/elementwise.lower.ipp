/// @file elementwise.lower.ipp: the element of an elementwise op at an index, from its operands' elements there.
///
/// 16-bit floats are computed in f32. `bit_cast` has no element: as a view it costs nothing.
#pragma once

#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {
namespace elementwise_detail {

/// The function of the operands as scalars of `type`, as `result` unless it gives bool.
inline value_id apply_at(loop::scalar_fn fn, dtype type, dtype result, element_context& cx, const index_list& at) {
  value_id operands[2];
  const int n = loop::arity(fn);
  for (int i = 0; i < n; ++i) operands[i] = cx.b().convert(cx.broadcast(i, at), type);
  const value_id r = cx.b().apply(fn, std::span<const value_id>(operands, static_cast<size_t>(n)));
  return loop::gives_bool(fn) ? r : cx.b().convert(r, result);
}

}  // namespace elementwise_detail

value_id scalar_op_element(loop::scalar_fn fn, element_context& cx, const index_list& at) {
  const dtype t = cx.operand_type(0).elem;
  return elementwise_detail::apply_at(fn, compute_type(t), t, cx, at);
}

value_id element(const pow&, element_context& cx, const index_list& at) {
  const dtype base = cx.operand_type(0).elem;
  const dtype t = compute_type(power_type(base, cx.operand_type(1).elem));
  return elementwise_detail::apply_at(loop::scalar_fn::pow, t, base, cx, at);
}

value_id element(const is_inf& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  if (!op.detect_negative && !op.detect_positive) return b.integer(dtype::boolean, 0);
  const dtype t = compute_type(cx.operand_type(0).elem);
  const value_id x = b.convert(cx.broadcast(0, at), t);
  if (op.detect_negative && op.detect_positive) return b.apply(scalar_fn::is_inf, {x});
  const double infinity = std::numeric_limits<double>::infinity();
  return b.apply(scalar_fn::eq, {x, b.real(t, op.detect_positive ? infinity : -infinity)});
}

value_id element(const where&, element_context& cx, const index_list& at) {
  const value_id condition = cx.broadcast(0, at), a = cx.broadcast(1, at);
  return cx.b().select(condition, a, cx.broadcast(2, at));
}

value_id element(const dequantize&, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  value_id x = b.convert(cx.broadcast(0, at), dtype::i32);
  if (cx.has(2)) x = b.apply(scalar_fn::sub, {x, b.convert(cx.broadcast(2, at), dtype::i32)});
  return b.mul(b.convert(x, dtype::f32), cx.broadcast(1, at));
}

value_id element(const cast& op, element_context& cx, const index_list& at) {
  return cx.b().convert(cx.broadcast(0, at), op.to);
}

}  // namespace tenon::op
