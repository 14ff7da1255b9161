/// @file simplification: how an op says what it can be replaced by.
///
///     bool simplify(const pow&, simplification& s) { return s.apply<square, cube>(); }    // rules (rewrite_rule.hpp)
///     bool simplify(const concat&, simplification& s) { return s.view().operand_count() == 1 &&
///     s.replace(s.operand(0)); }
///
/// Declared beside the op's struct, found by argument-dependent lookup; `passes::simplify` asks it of each op that is
/// used and has one result. True: the op was replaced, or changed in place. Only `simplified_ops` can be made.
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
  bool replace(value_id v) {
    ir::module& m = mod();
    m.replace_uses(m.result(op_), v);
    m[op_].parent = {};
    m.erase(op_);
    return changed = true;
  }
  template <class Op>
  bool update(const Op& attributes, value_id first) {
    return rewriter::update(op_, attributes, first);
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
