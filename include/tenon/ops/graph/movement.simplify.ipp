/// @file movement.simplify.ipp: reshapes, transposes and their like that cancel out (ops/simplification.hpp).
#pragma once

#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/simplification.hpp>

namespace tenon::op {
namespace movement_detail {

inline bool same_static_type(ir::op_view v) {
  return v.has_operand(0) && v.operand_type(0).is_static() && v.operand_type(0) == v.result_type();
}

inline reshape reshape_to(const std::vector<i64>& shape) {
  bool zero = false;
  for (i64 e : shape) zero = zero || e == 0;
  return {shape, zero};
}

inline std::vector<i64> permutation_of(ir::op_view v) {
  return full_permutation(v.as<transpose>(), v.result_type().shape.size());
}

}  // namespace movement_detail

bool simplify(const reshape& op, simplification& r) {
  const ir::op_view v = r.view();
  if (movement_detail::same_static_type(v)) return r.replace(v.operand(0));
  if (!v.result_type().is_static()) return false;
  const reshape plain = movement_detail::reshape_to(v.result_type().extents());
  if (const op_id inner = r.defined_by<reshape>(v, 0)) return r.update(plain, r.mod().operand(inner, 0));
  const bool is_plain = !v.has_operand(1) && op.shape == plain.shape && op.allow_zero == plain.allow_zero;
  return !is_plain && r.update(plain, v.operand(0));
}

bool simplify(const transpose&, simplification& r) {
  const ir::op_view v = r.view();
  if (!v.result_type().ranked || !v.operand_type(0).ranked) return false;
  const std::vector<i64> p = movement_detail::permutation_of(v);
  bool identity = true;
  for (size_t d = 0; d < p.size(); ++d) identity = identity && p[d] == static_cast<i64>(d);
  if (identity) return r.replace(v.operand(0));
  if (const op_id inner = r.defined_by<transpose>(v, 0)) {
    const std::vector<i64> q = movement_detail::permutation_of(r.mod().view(inner));
    std::vector<i64> both;
    for (i64 d : p) both.push_back(q[static_cast<size_t>(d)]);
    return r.update(transpose{both}, r.mod().operand(inner, 0));
  }
  if (!v.result_type().is_static()) return false;
  i64 last = -1;
  for (i64 d : p) {
    if (v.operand_type(0).shape[static_cast<size_t>(d)] == ir::dim(1)) continue;
    if (d < last) return false;
    last = d;
  }
  const value_id x = v.operand(0);
  return r.replace(r.make(movement_detail::reshape_to(v.result_type().extents()), {x}));
}

bool simplify(const expand&, simplification& r) {
  const ir::op_view v = r.view();
  if (movement_detail::same_static_type(v)) return r.replace(v.operand(0));
  return v.has_operand(1) && v.result_type().is_static() && r.update(expand{v.result_type().extents()}, v.operand(0));
}

bool simplify(const slice& op, simplification& r) {
  bool forward = !r.view().has_operand(4);  // steps that are not known may reverse
  for (i64 step : op.steps) forward = forward && step > 0;
  return forward && movement_detail::same_static_type(r.view()) && r.replace(r.operand(0));
}

bool simplify(const concat&, simplification& r) { return r.view().operand_count() == 1 && r.replace(r.operand(0)); }

bool simplify(const pad& op, simplification& r) {
  bool nothing = !r.view().has_operand(1) && !op.before.empty();
  for (i64 n : op.before) nothing = nothing && n == 0;
  for (i64 n : op.after) nothing = nothing && n == 0;
  return nothing && movement_detail::same_static_type(r.view()) && r.replace(r.operand(0));
}

bool simplify(const tile&, simplification& r) {
  return movement_detail::same_static_type(r.view()) && r.replace(r.operand(0));
}

}  // namespace tenon::op
