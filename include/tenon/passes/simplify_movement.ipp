/// @file simplify_movement.ipp: reshapes, transposes and their like that cancel out, for passes/simplify.ipp.
#pragma once

#include <tenon/ops/graph/movement.hpp>
#include <tenon/passes/simplify_arithmetic.ipp>

namespace tenon::passes::simplifying {

inline bool same_static_type(ir::op_view v) {
  return v.has_operand(0) && v.operand_type(0).is_static() && v.operand_type(0) == v.result_type();
}

inline op::reshape reshape_to(const std::vector<i64>& shape) {
  bool zero = false;
  for (i64 e : shape) zero = zero || e == 0;
  return {shape, zero};
}

inline bool simplify_reshape(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  const auto* reshape = v.get_if<op::reshape>();
  if (reshape == nullptr) return false;
  if (same_static_type(v)) return r.replace(op, v.operand(0));
  if (!v.result_type().is_static()) return false;
  const op::reshape plain = reshape_to(v.result_type().extents());
  const op_id inner = r.defined_by<op::reshape>(v, 0);
  if (inner) return r.update(op, plain, r.mod().operand(inner, 0));
  if (v.has_operand(1) || reshape->shape != plain.shape || reshape->allow_zero != plain.allow_zero)
    return r.update(op, plain, v.operand(0));
  return false;
}

inline std::vector<i64> permutation_of(ir::op_view v) {
  std::vector<i64> p = v.as<op::transpose>().permutation;
  const i64 rank = v.result_type().rank();
  if (p.empty())
    for (i64 d = rank - 1; d >= 0; --d) p.push_back(d);
  for (i64& d : p) d += d < 0 ? rank : 0;
  return p;
}

inline bool simplify_transpose(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  if (!v.is<op::transpose>() || !v.result_type().ranked || !v.operand_type(0).ranked) return false;
  const std::vector<i64> p = permutation_of(v);
  bool identity = true;
  for (size_t d = 0; d < p.size(); ++d) identity = identity && p[d] == static_cast<i64>(d);
  if (identity) return r.replace(op, v.operand(0));
  if (const op_id inner = r.defined_by<op::transpose>(v, 0)) {
    const std::vector<i64> q = permutation_of(r.mod().view(inner));
    std::vector<i64> both;
    for (i64 d : p) both.push_back(q[static_cast<size_t>(d)]);
    return r.update(op, op::transpose{both}, r.mod().operand(inner, 0));
  }
  if (!v.result_type().is_static()) return false;
  i64 last = -1;
  for (i64 d : p) {
    if (v.operand_type(0).shape[static_cast<size_t>(d)] == ir::dim(1)) continue;
    if (d < last) return false;
    last = d;
  }
  const value_id x = v.operand(0);
  return r.replace(op, r.make_before(op, reshape_to(v.result_type().extents()), {x}));
}

inline bool simplify_identity(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  if (v.is<op::concat>()) return v.operand_count() == 1 && r.replace(op, v.operand(0));
  if (!same_static_type(v)) {
    const auto* expand = v.get_if<op::expand>();
    if (expand == nullptr || !v.has_operand(1) || !v.result_type().is_static()) return false;
    const value_id x = v.operand(0);
    return r.update(op, op::expand{v.result_type().extents()}, x);
  }
  bool nothing = v.is<op::expand>() || v.is<op::tile>();
  if (const auto* slice = v.get_if<op::slice>()) {
    nothing = !v.has_operand(4);  // steps that are not known may reverse
    for (i64 step : slice->steps) nothing = nothing && step > 0;
  }
  if (const auto* pad = v.get_if<op::pad>()) {
    nothing = !v.has_operand(1) && !pad->before.empty();
    for (i64 n : pad->before) nothing = nothing && n == 0;
    for (i64 n : pad->after) nothing = nothing && n == 0;
  }
  return nothing && r.replace(op, v.operand(0));
}

/// An elementwise op broadcasts by itself.
inline bool drop_expand(rewriting& r, op_id op) {
  ir::module& m = r.mod();
  const ir::op_view v = m.view(op);
  if (!v.info().traits.elementwise || v.result_count() != 1 || !v.result_type().is_static()) return false;
  const auto& shape = v.result_type().shape;
  const auto extent = [&](const ir::type& t, size_t d) {
    const size_t skip = shape.size() - t.shape.size();
    return d < skip ? ir::dim(1) : t.shape[d - skip];
  };
  for (int i = 0; i < v.operand_count(); ++i) {
    const op_id expand = r.defined_by<op::expand>(v, i);
    if (!expand) continue;
    const value_id x = m.operand(expand, 0);
    if (!m.type_of(x).is_static() || m.type_of(x).shape.size() > shape.size()) continue;
    size_t rank = m.type_of(x).shape.size();
    for (int k = 0; k < v.operand_count(); ++k)
      if (k != i && v.has_operand(k)) rank = std::max(rank, v.operand_type(k).shape.size());
    bool alike = rank == shape.size();
    for (size_t d = 0; d < shape.size() && alike; ++d) {
      bool reached = extent(m.type_of(x), d) == shape[d];
      for (int k = 0; k < v.operand_count(); ++k)
        if (k != i && v.has_operand(k) && v.operand_type(k).is_static() &&
            v.operand_type(k).shape.size() <= shape.size())
          reached = reached || extent(v.operand_type(k), d) == shape[d];
      alike = reached;
    }
    if (!alike) continue;
    m.set_operand(op, i, x);
    return r.changed = true;
  }
  return false;
}

inline bool simplify_movement(rewriting& r, op_id op) {
  return simplify_reshape(r, op) || simplify_transpose(r, op) || simplify_identity(r, op) || drop_expand(r, op);
}

}  // namespace tenon::passes::simplifying
