/// @file fuse_attention.ipp: definition of passes/fuse_attention.hpp.
#pragma once

#include <optional>

#include <tenon/ir/constraint.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/attention.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/rewriter.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/fuse_attention.hpp>
#include <tenon/passes/kernel_options.hpp>

namespace tenon::passes {
namespace attention {

/// What stands between the two products, from the second one up to the first.
struct chain {
  std::vector<op_id> ops;
  op_id scores;        ///< the first product
  value_id mask;       ///< none: all scores count
  bool hides = false;  ///< the mask says which scores do not count
  op::attention made;
};

class finder {
 public:
  finder(const ir::module& m, op_id product) : m_(m), product_(product) {}

  std::optional<chain> find() const {
    const ir::op_view y = m_.view(product_);
    const auto* p = y.get_if<op::matmul>();
    if (p == nullptr || p->panel != 0) return std::nullopt;
    const op_id weights = alone<op::softmax>(y.operand(0));
    if (!weights) return std::nullopt;
    const ir::op_view w = m_.view(weights);
    const i64 axis = w.as<op::softmax>().axis, rank = w.result_type().rank();
    if (!w.result_type().ranked || rank < 2 || (axis != -1 && axis != rank - 1)) return std::nullopt;
    chain c;
    c.ops.push_back(weights);
    if (scaled(w.operand(0), c) || added(w.operand(0), c) || chosen(w.operand(0), c)) return c;
    return std::nullopt;
  }

 private:
  /// The op that makes a value, if it is an `Op` beside the product and nothing else uses the value.
  template <class Op>
  op_id alone(value_id v) const {
    const op_id d = v ? m_[v].definition : op_id{};
    const bool fits = d && m_.view(d).is<Op>() && m_[d].parent == m_[product_].parent && m_.use_count(v) == 1 &&
                      m_.target(m_[d].location) == m_.target(m_[product_].location);
    return fits ? d : op_id{};
  }
  const tensor* number(value_id v) const {
    const tensor* t = v ? m_.constant_value(v) : nullptr;
    return t != nullptr && t->size() == 1 ? t : nullptr;
  }
  bool same_type(value_id a, value_id b) const { return m_.type_of(a) == m_.type_of(b); }

  /// Scores as they are, or times a number.
  bool scaled(value_id v, chain& c) const {
    const size_t before = c.ops.size();
    const op_id times = alone<op::mul>(v), by = alone<op::div>(v);
    if (const op_id s = times ? times : by) {
      const ir::op_view view = m_.view(s);
      const bool second = number(view.operand(1)) != nullptr;
      if (!second && (by || number(view.operand(0)) == nullptr)) return false;
      const double n = number(view.operand(second ? 1 : 0))->at_f64(0);
      c.made.scale = by ? 1 / n : n;
      c.ops.push_back(s);
      const value_id x = view.operand(second ? 0 : 1);
      if (!same_type(x, v)) return false;
      v = x;
    }
    if (const op_id p = alone<op::matmul>(v); p && m_.view(p).as<op::matmul>().panel == 0) {
      c.ops.push_back(p), c.scores = p;
      return true;
    }
    c.ops.resize(before), c.made.scale = 1;
    return false;
  }
  bool added(value_id v, chain& c) const {
    const op_id a = alone<op::add>(v);
    for (int i = 0; a && i < 2; ++i) {
      chain with = c;
      with.ops.push_back(a), with.mask = m_.operand(a, 1 - i);
      if (same_type(m_.operand(a, i), v) && scaled(m_.operand(a, i), with)) return c = std::move(with), true;
    }
    return false;
  }
  bool chosen(value_id v, chain& c) const {
    const op_id w = alone<op::where>(v);
    for (int i = 1; w && i < 3; ++i) {
      const tensor* fill = number(m_.operand(w, 3 - i));
      chain with = c;
      with.ops.push_back(w), with.mask = m_.operand(w, 0), with.hides = i == 2;
      if (fill == nullptr || !same_type(m_.operand(w, i), v)) continue;
      with.made.fill = fill->at_f64(0);
      if (scaled(m_.operand(w, i), with)) return c = std::move(with), true;
    }
    return false;
  }

  const ir::module& m_;
  op_id product_;
};

/// Is it worth it for these operands?
inline bool pays(const ir::module& m, value_id q, value_id k, value_id v, i64 least_scores) {
  constexpr i64 least_queries = 16;
  const dtype t = m.type_of(q).elem;
  for (value_id x : {q, k, v})
    if (!m.type_of(x).ranked || m.type_of(x).rank() < 2 || m.type_of(x).elem != t) return false;
  if ((t != dtype::f32 && t != dtype::f64) || m.constant_value(k) != nullptr || m.constant_value(v) != nullptr)
    return false;
  const ir::dim queries = m.type_of(q).shape[m.type_of(q).shape.size() - 2], keys = m.type_of(k).shape.back();
  if (queries.is_static() && queries.extent() < least_queries) return false;
  if (keys.is_static() && keys.extent() == 0) return false;
  return !queries.is_static() || !keys.is_static() || queries.extent() * keys.extent() >= least_scores;
}

using rewriting = rewriter<fuse_attention::emits>;

inline void fuse(rewriting& r, op_id op, i64 least_scores) {
  ir::module& m = r.mod();
  const auto found = finder(m, op).find();
  if (!found) return;
  const value_id q = m.operand(found->scores, 0), k = m.operand(found->scores, 1), v = m.operand(op, 1);
  if (!pays(m, q, k, v, least_scores)) return;
  std::vector<op_id> all(found->ops.rbegin(), found->ops.rend());
  all.push_back(op);
  ir::discardable_attributes notes = m.discardable(op);  // what is made is all of them
  for (op_id o : found->ops) notes.join(m.discardable(o));
  const std::string where(m.text(ir::joined_location(m, all, m[op].location))), target(m.target(m[op].location));
  value_id mask = found->mask;
  if (mask && found->hides) mask = r.make_before(op, op::logical_not{}, {mask});
  ir::builder<fuse_attention::emits> b(m, m[op].parent);
  b.before(op);
  b.set_location(m.location(where, target, m.intern(notes)));
  std::vector<value_id> operands{q, k, v};
  if (mask) operands.push_back(mask);
  const value_id y = m.result(b.make_op(found->made, operands));
  if (m.type_of(y) != m.view(op).result_type() && !m.type_of(y).is_static()) m.set_type(y, m[m.result(op)].type);
  const op_id weights = found->ops.front();
  r.replace(op, y);
  erase_unused(m, weights);
}

}  // namespace attention

void fuse_attention::run(ir_module<runs_in>& module, context& cx) const {
  const ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  attention::rewriting r(module.body());
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (program.of(ir::constraint_of(m, op)).attention) attention::fuse(r, op, least_scores);
  });
}

}  // namespace tenon::passes
