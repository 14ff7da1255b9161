/// @file fold_batch_norm.ipp: definition of passes/fold_batch_norm.hpp.
#pragma once

#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/ops/rewriter.hpp>
#include <tenon/passes/fold_batch_norm.hpp>
#include <tenon/passes/fold_constants.hpp>

namespace tenon::passes {
namespace batch_norm {

using rewriting = rewriter<fold_batch_norm::emits>;

using step = op::combining;

/// `a` combined with one number per index of a dimension, or one number at all. What is large is computed with all that
/// passes will say of it (ops/graph/moved_elements.hpp).
inline tensor combined(const tensor& a, step s, const tensor& list, size_t dimension) {
  op::moved_elements r(a);
  r.combine(s, list, dimension);
  return r.result_when_read();
}

/// A convolution whose weights are constants and whose result only `op` uses; where its channels are.
struct folded_conv {
  op_id op;
  bool transposed = false;
  size_t channel = 0;     ///< of the result
  size_t in_weights = 0;  ///< which dimension of the weights they are
  i64 channels = 0;
};

inline bool find_conv(rewriting& r, value_id x, folded_conv& c) {
  ir::module& m = r.mod();
  c.op = m[x].definition;
  if (!c.op || m.use_count(x) != 1 || !m.type_of(x).ranked) return false;
  const ir::op_view v = m.view(c.op);
  const auto* conv = v.get_if<op::conv>();
  const auto* back = v.get_if<op::conv_transpose>();
  if (conv == nullptr && back == nullptr) return false;
  const tensor* w = r.constant(v, 1);
  if (w == nullptr || w->type() != m.type_of(x).elem || (v.has_operand(2) && r.constant(v, 2) == nullptr)) return false;
  if (op::is_half(w->type())) return false;
  const size_t rank = w->shape().size();
  c.transposed = back != nullptr;
  c.channel = 1;
  c.in_weights = 0;
  if (conv != nullptr) {
    if (conv->panel != 0) return false;
    if (conv->layout == op::data_layout::channels_last) c.channel = c.in_weights = rank - 1;
  } else {
    if (back->group != 1 || back->panel != 0) return false;
    c.in_weights = 1;
    if (back->layout == op::data_layout::channels_last) c.channel = c.in_weights = rank - 1;
  }
  c.channels = w->shape()[c.in_weights];
  if (v.has_operand(2) && r.constant(v, 2)->shape() != std::vector<i64>{c.channels}) return false;
  return true;
}

/// Does a constant broadcast over the result with one element per channel, or one at all?
inline bool is_per_channel(const tensor& t, const folded_conv& c, const ir::type& result) {
  if (t.shape().size() > result.shape.size()) return false;
  const size_t skip = result.shape.size() - t.shape().size();
  for (size_t d = 0; d < t.shape().size(); ++d)
    if (t.shape()[d] != 1 && (d + skip != c.channel || t.shape()[d] != c.channels)) return false;
  return true;
}

inline bool replace(rewriting& r, op_id op, const folded_conv& c, value_id weights, const tensor* bias) {
  ir::module& m = r.mod();
  const ir::op_view v = m.view(c.op);
  std::vector<value_id> operands{v.operand(0), weights};
  if (bias != nullptr) operands.push_back(r.constant_before(op, *bias));
  ir::builder<fold_batch_norm::emits> b(m, m[op].parent);
  b.before(op);
  ir::discardable_attributes notes = m.discardable(c.op);  // what is made is both
  notes.join(m.discardable(op));
  const std::string where = m.text(m[op].location), target = m.target(m[op].location);
  b.set_location(m.location(where, target, m.intern(notes)));
  const op_id now = c.transposed ? b.make_op(op::conv_transpose(v.as<op::conv_transpose>()), operands)
                                 : b.make_op(op::conv(v.as<op::conv>()), operands);
  return r.replace(op, m.result(now));
}

inline bool fold_step(rewriting& r, op_id op, const folded_conv& c, step s, const tensor& given) {
  ir::module& m = r.mod();
  const ir::op_view v = m.view(c.op);
  const tensor constant = given;  // new constants of the module move the old ones
  const bool scale = s == step::mul || s == step::div;
  const bool has_bias = v.has_operand(2);
  tensor bias = has_bias ? *m.constant_value(v.operand(2)) : tensor(constant.type(), {c.channels});
  bias = combined(bias, s, constant, 0);
  value_id weights = v.operand(1);
  if (scale) weights = r.constant_before(op, combined(*m.constant_value(weights), s, constant, c.in_weights));
  return replace(r, op, c, weights, has_bias || !scale ? &bias : nullptr);
}

inline bool fold(rewriting& r, op_id op) {
  ir::module& m = r.mod();
  const ir::op_view v = m.view(op);
  const bool scale = v.is<op::mul>() || v.is<op::div>(), offset = v.is<op::add>() || v.is<op::sub>();
  if (!scale && !offset) return false;
  const bool either = v.is<op::mul>() || v.is<op::add>();
  for (int i = 0; i < (either ? 2 : 1); ++i) {
    const tensor* t = r.constant(v, 1 - i);
    folded_conv c;
    if (t == nullptr || t->size() == 0 || !find_conv(r, v.operand(i), c) || !r.run_together(c.op, op)) continue;
    if (m.type_of(v.operand(i)) != v.result_type() || !is_per_channel(*t, c, v.result_type())) continue;
    const op_id old = c.op;
    const step s = v.is<op::mul>() ? step::mul : v.is<op::div>() ? step::div : v.is<op::add>() ? step::add : step::sub;
    fold_step(r, op, c, s, *t);
    erase_unused(m, old);
    return true;
  }
  return false;
}

}  // namespace batch_norm

void fold_batch_norm::run(ir_module<runs_in>& module, context&) const {
  batch_norm::rewriting r(module.body());
  // In program order each fold is seen by the next op of a chain.
  ir::for_each_op(module.body(), ir::function_kind::graph, [&](op_id op) { batch_norm::fold(r, op); });
}

}  // namespace tenon::passes
