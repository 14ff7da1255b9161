/// @file elementwise.lower: the element of an elementwise op at an index, from its operands' elements there.
///
/// 16-bit floats are computed in f32. `bit_cast` has no element: as a view it costs nothing.
#pragma once

#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

value_id scalar_op_element(loop::scalar_fn fn, element_context& cx, const index_list& at);
template <scalar_op Op>
value_id element(const Op&, element_context& cx, const index_list& at) {
  return scalar_op_element(Op::fn, cx, at);
}
value_id element(const pow&, element_context&, const index_list& at);
value_id element(const is_inf&, element_context&, const index_list& at);
value_id element(const where&, element_context&, const index_list& at);
value_id element(const cast&, element_context&, const index_list& at);
value_id element(const dequantize&, element_context&, const index_list& at);

}  // namespace tenon::op
