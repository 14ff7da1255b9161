/// @file elementwise.ipp: the type rules of ops/graph/elementwise.hpp.
#pragma once

#include <tenon/ir/infer.hpp>
#include <tenon/ops/graph/elementwise.hpp>

namespace tenon::op {
namespace elementwise_detail {

inline const ir::type& tensor_operand(const ir::infer_context& cx, int i) {
  const ir::type& t = cx.operand(i);
  if (!t.is_tensor()) cx.fail("operand " + std::to_string(i) + " is not a tensor");
  return t;
}

inline void expect_operands(const ir::infer_context& cx, int n) {
  if (cx.operand_count() != n)
    cx.fail(std::to_string(cx.operand_count()) + " operands are given, not " + std::to_string(n));
}

/// The result is a tensor of `elem` with the shape that the first `n` operands broadcast to.
inline void give_broadcast(ir::infer_context& cx, dtype elem, int n) {
  bool alike = tensor_operand(cx, 0).elem == elem;  // as they mostly are: then the result is of the operands' type
  for (int i = 1; i < n && alike; ++i) alike = cx.has(i) && cx.operand_type(i) == cx.operand_type(0);
  if (alike) return cx.result(cx.operand_type(0));
  ir::type r = ir::type::tensor(elem, {});
  for (int i = 0; i < n; ++i) {
    const ir::type& t = tensor_operand(cx, i);
    if (!t.ranked) return cx.result(ir::type::unranked_tensor(elem));
    r.shape = i == 0 ? t.shape : cx.broadcast(r.shape, t.shape);
  }
  cx.result(std::move(r));
}

inline void expect_same(const ir::infer_context& cx, dtype a, dtype b) {
  if (a != b)
    cx.fail("the operands have the element types " + std::string(name_of(a)) + " and " + std::string(name_of(b)),
            "cast one of them");
}

}  // namespace elementwise_detail

void infer_scalar_op(loop::scalar_fn fn, domain takes, ir::infer_context& cx) {
  static constexpr std::string_view names[] = {"any element type", "numbers", "floats", "integers", "bool"};
  const int n = loop::arity(fn);
  elementwise_detail::expect_operands(cx, n);
  const dtype elem = elementwise_detail::tensor_operand(cx, 0).elem;
  if (!op::takes(takes, elem))
    cx.fail("the element type " + std::string(name_of(elem)) + " is not supported",
            "it takes " + std::string(names[static_cast<size_t>(takes)]) + ": cast the operands");
  for (int i = 1; i < n; ++i) elementwise_detail::expect_same(cx, elem, elementwise_detail::tensor_operand(cx, i).elem);
  elementwise_detail::give_broadcast(cx, loop::gives_bool(fn) ? dtype::boolean : elem, n);
}

void infer(const pow&, ir::infer_context& cx) {
  elementwise_detail::expect_operands(cx, 2);
  const dtype base = elementwise_detail::tensor_operand(cx, 0).elem;
  const dtype exponent = elementwise_detail::tensor_operand(cx, 1).elem;
  if (base == dtype::boolean || exponent == dtype::boolean) cx.fail("bool has no powers", "cast the operands");
  elementwise_detail::give_broadcast(cx, base, 2);
}

void infer(const is_inf&, ir::infer_context& cx) { infer_scalar_op(loop::scalar_fn::is_inf, domain::real, cx); }

void infer(const where&, ir::infer_context& cx) {
  elementwise_detail::expect_operands(cx, 3);
  const dtype condition = elementwise_detail::tensor_operand(cx, 0).elem;
  if (condition != dtype::boolean)
    cx.fail("the condition has the element type " + std::string(name_of(condition)) + ", not bool", "cast it");
  const dtype elem = elementwise_detail::tensor_operand(cx, 1).elem;
  elementwise_detail::expect_same(cx, elem, elementwise_detail::tensor_operand(cx, 2).elem);
  elementwise_detail::give_broadcast(cx, elem, 3);
}

void infer(const cast& op, ir::infer_context& cx) {
  elementwise_detail::expect_operands(cx, 1);
  elementwise_detail::give_broadcast(cx, op.to, 1);
}

void infer(const dequantize&, ir::infer_context& cx) {
  const dtype elem = elementwise_detail::tensor_operand(cx, 0).elem,
              scale = elementwise_detail::tensor_operand(cx, 1).elem;
  if (!is_int(elem) || tenon::size_of(elem) > 2)
    cx.fail("elements of " + std::string(name_of(elem)) + " are not quantized");
  if (scale != dtype::f32) cx.fail("the scale is " + std::string(name_of(scale)) + ", not f32", "cast it");
  if (cx.has(2)) elementwise_detail::expect_same(cx, elem, elementwise_detail::tensor_operand(cx, 2).elem);
  elementwise_detail::give_broadcast(cx, dtype::f32, cx.has(2) ? 3 : 2);
}

void infer(const bit_cast& op, ir::infer_context& cx) {
  elementwise_detail::expect_operands(cx, 1);
  const dtype from = elementwise_detail::tensor_operand(cx, 0).elem;
  if (tenon::size_of(from) != tenon::size_of(op.to))
    cx.fail("elements of " + std::string(name_of(from)) + " and " + std::string(name_of(op.to)) +
            " have different sizes");
  elementwise_detail::give_broadcast(cx, op.to, 1);
}

}  // namespace tenon::op
