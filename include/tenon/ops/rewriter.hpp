/// @file rewriter: what rewrites of graph ops share: replacing an op, new ops beside it, questions about constants.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/graph/constant.hpp>

namespace tenon {

template <class Emits>  // a list of ops, or a pass
class rewriter {
 public:
  using emits = Emits;
  explicit rewriter(ir::module& m) : m_(m) {}
  ir::module& mod() const { return m_; }
  bool changed = false;

  const tensor* constant(ir::op_view v, int operand) const {
    return v.has_operand(operand) ? m_.constant_value(v.operand(operand)) : nullptr;
  }
  /// The op that defines an operand if it is an `Op` that is to run where its user runs, else none.
  template <class Op>
  op_id defined_by(ir::op_view v, int operand) const {
    if (!v.has_operand(operand)) return {};
    const op_id d = m_[v.operand(operand)].definition;
    return d && m_[d].info == &ir::info_of<Op> && run_together(d, v.id()) ? d : op_id{};
  }
  /// Two ops with different target constraints do not become one.
  bool run_together(op_id a, op_id b) const { return m_.target(m_[a].location) == m_.target(m_[b].location); }
  bool used_once(op_id op) const { return m_.use_count(m_.result(op)) == 1; }

  template <class Op>
  value_id make_before(op_id place, const Op& attributes, std::initializer_list<value_id> operands) {
    ir::builder<Emits> b(m_, m_[place].parent);
    b.before(place);
    return b.make(attributes, operands);
  }
  value_id constant_before(op_id place, tensor value) {
    return make_before(place, op::constant{m_.add_constant(std::move(value))}, {});
  }
  /// The op's one result is `v` from now on. Always true, for `return replace(…)`.
  bool replace(op_id op, value_id v) {
    m_.replace_uses(m_.result(op), v);
    m_.erase(op);
    return changed = true;
  }
  /// Other attributes and a new first operand for an op in place; further operands are dropped.
  template <class Op>
  bool update(op_id op, const Op& attributes, value_id first) {
    for (u32 i = 1; i < m_[op].operand_count; ++i) m_.set_operand(op, static_cast<int>(i), {});
    m_[op].operand_count = 1;
    m_.set_operand(op, 0, first);
    m_.set_attributes(op, m_.intern_attributes(ir::info_of<Op>, &attributes));
    ir::refine_op(m_, op);
    return changed = true;
  }

 private:
  ir::module& m_;
};

/// Are all elements this number?
inline bool is_all(const tensor& t, double number) {
  if (t.size() == 0) return false;
  for (i64 i = 0; i < t.size(); ++i)
    if (!(t.at_f64(i) == number)) return false;
  return true;
}

/// Does a broadcast of `x` with a constant to `result` leave x's shape as it is?
inline bool keeps_shape(const ir::type& x, const ir::type& result, const tensor& constant) {
  if (!(x == result) || !x.ranked) return false;
  return x.is_static() || (constant.size() == 1 && constant.rank() <= x.rank());
}

}  // namespace tenon
