/// @file simplify.ipp: definition of passes/simplify.hpp: laws that ops have as traits; the rest they say themselves.
#pragma once

#include <limits>
#include <vector>

#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/simplification.hpp>
#include <tenon/passes/rewrite.hpp>
#include <tenon/passes/simplify.hpp>

namespace tenon::passes {
namespace simplifying {

inline bool is_neutral(algebra law, const tensor& t) {
  const bool low = law == algebra::lowest_is_neutral;
  if (law == algebra::zero_is_neutral || law == algebra::one_is_neutral)
    return is_all(t, law == algebra::one_is_neutral ? 1 : 0);
  if (!low && law != algebra::highest_is_neutral) return false;
  if (is_float(t.type())) {
    const double infinity = std::numeric_limits<double>::infinity();
    return is_all(t, low ? -infinity : infinity);
  }
  return visit(t.type(), [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      for (T v : t.data<T>())
        if (v != (low ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max())) return false;
      return t.size() != 0;
    } else {
      return false;
    }
  });
}

inline bool drop_neutral(simplification& r) {
  const ir::op_view v = r.view();
  if (v.operand_count() != 2) return false;
  for (int c = 1; c >= (v.info().traits.commutative ? 0 : 1); --c) {
    const tensor* t = r.known(c);
    if (t == nullptr || !keeps_shape(v.operand_type(1 - c), v.result_type(), *t) ||
        !is_neutral(v.info().traits.law, *t))
      continue;
    return r.replace(v.operand(1 - c));
  }
  return false;
}

/// An op around another one of its kind.
inline bool drop_twice(simplification& r) {
  const algebra law = r.view().info().traits.law;
  if (law != algebra::involution && law != algebra::idempotent) return false;
  const op_id inner = r.mod()[r.operand(0)].definition;
  if (!inner || r.mod()[inner].info != &r.view().info() || !r.run_together(inner, r.op())) return false;
  if (r.mod()[inner].attributes != r.mod()[r.op()].attributes) return false;
  return r.replace(law == algebra::involution ? r.mod().operand(inner, 0) : r.operand(0));
}

/// An elementwise op broadcasts by itself.
inline bool drop_expand(simplification& r) {
  ir::module& m = r.mod();
  const ir::op_view v = r.view();
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
    m.set_operand(r.op(), i, x);
    return r.changed = true;
  }
  return false;
}

inline bool simplify_op(ir::module& m, op_id op) {
  simplification r(m, op);
  const ir::op_info& info = r.view().info();
  return drop_neutral(r) || drop_twice(r) ||
         (info.simplify != nullptr && info.simplify(m.attributes(m[op].attributes), r)) || drop_expand(r);
}

/// Takes ops that were replaced out of regions' lists (simplification.hpp), also where an error ends the pass.
struct swept {
  ir::module& m;

  ~swept() {
    for (function_id f : m.functions())
      if (m[f].here(ir::function_kind::graph)) sweep(m[f].body);
  }
  void sweep(region_id r) const {
    std::erase_if(m[r].ops, [&](op_id op) { return !m.alive(op); });
    for (op_id op : m[r].ops)
      for (u32 i = 0; i < m[op].region_count; ++i) sweep(m.region(op, static_cast<int>(i)));
  }
};

}  // namespace simplifying

void simplify::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  {
    const simplifying::swept after{m};
    rewrite_until_done(m, name, [&](op_id op) { return simplifying::simplify_op(m, op); });
  }
  ir::refine_types(m);
}

}  // namespace tenon::passes
