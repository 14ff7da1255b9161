/// @file index_rules: what type rules ask of indices, so that none that is constant is out of range, and none reads
/// beyond a dimension.
#pragma once

#include <span>
#include <string>

#include <tenon/ir/infer.hpp>

namespace tenon::op::movement_detail {

/// A constant index of one of `extents` (in turn) that is out of range is an error, where the extent is a number. Not
/// where the inputs' values were given: data may be out of range.
inline void check_indices(const ir::infer_context& cx, int operand, std::span<const ir::dim> extents) {
  const tensor* t = cx.constant(operand);
  bool all = false;
  for (ir::dim d : extents) all = all || d.is_static();
  if (t == nullptr || !all || !is_int(t->type()) || cx.values_are_bound()) return;
  for (i64 k = 0; k < t->size(); ++k) {
    const ir::dim d = extents[static_cast<size_t>(k) % extents.size()];
    const i64 i = t->at_i64(k);
    if (d.is_static() && (i < -d.extent() || i >= d.extent()))
      cx.fail("index " + std::to_string(i) + " (element " + std::to_string(k) + " of operand " +
              std::to_string(operand) + ") is outside of an extent of " + std::to_string(d.extent()));
  }
}
/// For each element of `indices` one of x is taken: along the other dimensions than `axis` x has as many at least.
inline void check_elements(const ir::infer_context& cx, const ir::type& x, const ir::type& indices, i64 axis) {
  for (size_t d = 0; d < x.shape.size() && d < indices.shape.size(); ++d) {
    const ir::dim have = x.shape[d], want = indices.shape[d];
    if (static_cast<i64>(d) == axis || have.is_unknown() || want.is_unknown()) continue;
    if (have.is_static() && want.is_static() && want.extent() > have.extent())
      cx.fail("indices of extent " + std::to_string(want.extent()) + " along dimension " + std::to_string(d) +
              ", where the operand has " + std::to_string(have.extent()));
    cx.require_not_negative(*cx.expression(have) - *cx.expression(want));
  }
}

}  // namespace tenon::op::movement_detail
