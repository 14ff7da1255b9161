/// @file simplification: how an op says what it can be replaced by.
///
///     bool simplify(const pow&, simplification& s) { return s.apply<square, cube>(); }    // rules (rewrite_rule.hpp)
///
/// Declared beside the op's struct, found by argument-dependent lookup; `passes::simplify` asks it of each op that is
/// used and has one result. True: the op was replaced, or changed in place. Only `simplified_ops` can be made.
///
/// What an op of this library can be replaced by is rules, in its family's `x.simplify.ipp`, each with its before →
/// after in tests/text/passes/simplify.tir by its name. What holds of every op with a trait, its law or that it is
/// elementwise, whoever defines the op, is in no pattern, which names its ops: that is code in passes/simplify.ipp, as
/// computing what is constant is in passes/fold_constants.ipp.
#pragma once

#include <tenon/ops/rewrite_rule.hpp>
#include <tenon/ops/simplified_ops.hpp>

namespace tenon {

class simplification : public rewriter<simplified_ops> {
 public:
  simplification(ir::module& m, op_id op) : rewriter(m), op_(op) {}

  op_id op() const { return op_; }
  ir::op_view view() const { return mod().view(op_); }
  value_id operand(int i) const { return view().operand(i); }
  /// The operand's value if it is a constant of the module, else null.
  const tensor* known(int i) const { return constant(view(), i); }

  template <class Op>
  value_id make(const Op& attributes, std::initializer_list<value_id> operands) {
    return make_before(op_, attributes, operands);
  }
  value_id make_constant(tensor value) { return constant_before(op_, std::move(value)); }
  /// The op stays in its region's list, erased, until `passes::simplify` is through: to take each out at once would
  /// move all that stand behind it.
  bool replace(value_id v) { return replace(op_, v); }
  bool replace(op_id op, value_id v) {
    ir::module& m = mod();
    m.replace_uses(m.result(op), v);
    m[op].parent = {};
    m.erase(op);
    return changed = true;
  }
  /// The first of the rules that fits, by benefit.
  template <class... Rules>
  bool apply() {
    return rewrite_rules<Rules...>::apply(*this, op_);
  }

 private:
  op_id op_;
};

}  // namespace tenon
