/// @file fusion_rules.ipp: which ops may meet in one kernel, for passes/fuse.ipp.
#pragma once

#include <tenon/ir/dims.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/lowering_table.hpp>

namespace tenon::passes::fusion {

template <class... Ops>
bool is_any(const ir::op_info& info, ops<Ops...>) {
  return ((&info == &ir::info_of<Ops>) || ...);
}

/// Anchors: they write each element of their one result once, through `store`.
inline bool is_anchor(const ir::op_info& info) {
  return is_any(
      info, ops<op::matmul, op::conv, op::conv_transpose, op::max_pool, op::average_pool, op::lp_pool, op::lrn,
                op::concat, op::reduce_sum, op::reduce_prod, op::reduce_max, op::reduce_min, op::arg_max, op::arg_min,
                op::softmax, op::log_softmax, op::cumulative_sum, op::cumulative_prod, op::grid_sample>{});
}
/// Anchors that read each element of their operand once.
inline bool reads_once(const ir::op_info& info) {
  return is_any(info, ops<op::concat, op::reduce_sum, op::reduce_prod, op::reduce_max, op::reduce_min>{});
}
/// Anchors that read each element of their operand a few times.
inline bool reads_thrice(const ir::op_info& info) { return is_any(info, ops<op::softmax, op::log_softmax>{}); }

/// Anchors whose store is in the middle of a micro-kernel: what joins there must be plain arithmetic.
inline bool is_contraction(const ir::op_info& info) {
  return is_any(info, ops<op::matmul, op::conv, op::conv_transpose>{});
}

/// Elementwise ops that cost about as much as reading their operands.
inline bool is_cheap(const ir::op_info& info) {
  return is_any(info, ops<op::add, op::sub, op::mul, op::neg, op::abs, op::minimum, op::maximum, op::cast, op::where,
                          op::equal, op::less, op::greater, op::logical_and, op::logical_or, op::logical_not>{});
}

inline bool is_movement(const ir::op_info& info) { return is_any(info, ops<op::transpose, op::slice, op::expand>{}); }

inline bool is_tensor_op(const ir::module& m, op_id op) {
  const ir::op_view v = m.view(op);
  if (!v.info().is_pure() || v.region_count() != 0 || v.result_count() != 1) return false;
  for (value_id x : m.operands(op))
    if (x && (!m.type_of(x).is_tensor() || !ir::is_known(m.type_of(x)))) return false;
  return v.result_type().is_tensor() && ir::is_known(v.result_type());
}

/// May an op be evaluated element by element inside a kernel?
inline bool is_element(const ir::module& m, op_id op, const more_lowerings& more) {
  const ir::op_info& info = m.view(op).info();
  return is_tensor_op(m, op) && !info.traits.view && has_element(info, more) &&
         !is_any(info, ops<op::constant, op::shape_of, op::extents_of, op::count_of>{});
}

/// Has a at least as many elements as b, whatever the extents are?
inline bool is_not_smaller(const ir::module& m, const ir::type& a, const ir::type& b) {
  if (a.is_static() && b.is_static()) return a.count() >= b.count();
  return a.shape == b.shape || (ir::count_of(m, a) - ir::count_of(m, b)).never_negative();
}

/// May `consumer` read `operand` by evaluating `producer`, which is not computed into a buffer then?
inline bool pulls(const ir::module& m, op_id consumer, int operand, op_id producer) {
  const ir::op_view c = m.view(consumer), p = m.view(producer);
  const ir::op_info& info = c.info();
  if (info.traits.elementwise)
    return is_not_smaller(m, p.result_type(), c.result_type()) && is_not_smaller(m, c.result_type(), p.result_type());
  if (is_movement(info)) return operand == 0 && is_not_smaller(m, p.result_type(), c.result_type());
  const bool light = p.info().traits.elementwise || is_movement(p.info());
  if (reads_once(info)) return light && (operand == 0 || &info == &ir::info_of<op::concat>);
  return reads_thrice(info) && operand == 0 && is_cheap(p.info());
}

}  // namespace tenon::passes::fusion
