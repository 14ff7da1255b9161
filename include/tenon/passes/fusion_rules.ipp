/// @file fusion_rules.ipp: which ops may meet in one kernel, for passes/fuse.ipp.
#pragma once

#include <algorithm>

#include <tenon/ir/dims.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/layout_values.hpp>
#include <tenon/passes/lowering_table.hpp>

namespace tenon::passes::fusion {

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
  return is_tensor_op(m, op) && !info.traits.view && !info.traits.fusion.alone && has_element(info, more);
}

/// Has a at least as many elements as b, whatever the extents are?
inline bool is_not_smaller(const ir::module& m, const ir::type& a, const ir::type& b) {
  if (a.is_static() && b.is_static()) return a.count() >= b.count();
  return a.shape == b.shape || (ir::count_of(m, a) - ir::count_of(m, b)).never_negative();
}

/// Does a convolution read the planes that a transpose puts last? They are few, so that moving them would take longer
/// than reading along them does. The nests are contractions (no taps to leave out), whose image may have any order; it
/// is the shape of the buffer that tells them.
inline bool reads_planes(const ir::module& m, op_id consumer, int operand, op_id producer) {
  const auto* c = m.view(consumer).get_if<op::conv>();
  const auto* t = m.view(producer).get_if<op::transpose>();
  if (c == nullptr || t == nullptr || operand != 0 || c->layout != op::data_layout::channels_last || c->group != 1 ||
      c->interleave > 1 || std::any_of(c->pads.begin(), c->pads.end(), [](i64 p) { return p != 0; }))
    return false;
  const ir::type& image = m.view(producer).operand_type(0);
  return layout::has_few_planes(image) && image.shape[1] != image.shape[2] &&
         t->permutation == layout::channels_to_last(image.shape.size());
}

/// Is a transpose left out for a convolution, which reads what the transpose takes? That needs a buffer then.
inline bool is_left_out(const ir::module& m, op_id transpose) {
  for (use_id u = m[m.result(transpose)].first_use; u; u = m[u].next)
    if (m.operand(m[u].user, 0) == m.result(transpose) && reads_planes(m, m[u].user, 0, transpose)) return true;
  return false;
}

/// May `consumer` read `operand` by evaluating `producer`, which is not computed into a buffer then?
inline bool pulls(const ir::module& m, op_id consumer, int operand, op_id producer) {
  const ir::op_view c = m.view(consumer), p = m.view(producer);
  const ir::op_info& info = c.info();
  if (info.traits.elementwise)
    return is_not_smaller(m, p.result_type(), c.result_type()) && is_not_smaller(m, c.result_type(), p.result_type());
  if (reads_planes(m, consumer, operand, producer)) return true;
  const fusion_traits &reads = info.traits.fusion, &made = p.info().traits.fusion;
  if (reads.moves)
    return operand == 0 && is_not_smaller(m, p.result_type(), c.result_type()) && !is_left_out(m, consumer);
  if (reads.reads == 1)
    return (p.info().traits.elementwise || made.moves) && (operand == 0 || info.traits.max_operands < 0);
  return reads.reads != 0 && operand == 0 && made.cheap;  // computed again each time
}

/// Does an op only spell its operand in wider elements? Whoever reads its result may as well read the operand.
inline bool is_widening(const ir::module& m, op_id op) {
  const ir::op_view v = m.view(op);
  if (!v.is<op::dequantize>() && !v.is<op::cast>()) return false;
  const ir::type &x = v.operand_type(0), &y = v.result_type();
  if (!x.is_tensor() || size_of(x.elem) >= size_of(y.elem) || !is_not_smaller(m, x, y)) return false;
  for (int i = 1; i < v.operand_count(); ++i)
    if (v.has_operand(i) && !(v.operand_type(i).is_static() && v.operand_type(i).count() == 1)) return false;
  return true;
}

}  // namespace tenon::passes::fusion
