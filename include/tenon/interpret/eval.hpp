/// @file eval: what the evaluation of an op sees: tensors in, tensors out; for some ops any values.
#pragma once

#include <tenon/ir/module.hpp>
#include <tenon/runtime/value.hpp>

namespace tenon {

/// Runs a region of the op that is evaluated: its arguments get tensors, and what its terminator names comes back.
class region_runner {
 public:
  virtual std::vector<tensor> run_region(region_id r, std::span<const tensor> arguments) = 0;

 protected:
  ~region_runner() = default;
};

namespace detail {
[[noreturn]] inline void throw_of_evaluation(const ir::module& m, op_id op, const std::string& message,
                                             std::string hint) {
  error e("eval", std::string(m.view(op).name()) + ": " + message, m.text(m[op].location), std::move(hint));
  e.note_op_said();
  throw e;
}
}  // namespace detail

class eval_context {
 public:
  eval_context(const ir::module& m, op_id op, std::span<const tensor* const> operands, region_runner* runner = nullptr)
      : module_(m), op_(op), operands_(operands), results_(static_cast<size_t>(m.view(op).result_count())),
        runner_(runner) {}

  int operand_count() const { return static_cast<int>(operands_.size()); }
  bool has(int i) const { return i < operand_count() && operands_[static_cast<size_t>(i)] != nullptr; }
  const tensor& operand(int i) const { return *operands_[static_cast<size_t>(i)]; }
  int result_count() const { return static_cast<int>(results_.size()); }
  /// The declared type of a result; its extents are static when shape inference could know them.
  const ir::type& result_type(int i = 0) const { return module_.view(op_).result_type(i); }
  void result(int i, tensor t) { results_[static_cast<size_t>(i)] = std::move(t); }
  void result(tensor t) { result(0, std::move(t)); }
  std::vector<tensor>& results() { return results_; }
  /// A zeroed tensor of a result's static type.
  tensor make_result(int i = 0) const { return tensor(result_type(i).elem, result_type(i).extents()); }
  /// Runs the op's i-th region.
  std::vector<tensor> run_region(int i, std::span<const tensor> arguments) {
    if (runner_ == nullptr) fail("its regions can only be run by the interpreter");
    return runner_->run_region(module_.region(op_, i), arguments);
  }
  const ir::module& mod() const { return module_; }
  op_id op() const { return op_; }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    detail::throw_of_evaluation(module_, op_, message, std::move(hint));
  }

 private:
  const ir::module& module_;
  op_id op_;
  std::span<const tensor* const> operands_;
  std::vector<tensor> results_;
  region_runner* runner_;
};

/// What ops on sequences and optionals see.
class value_context {
 public:
  struct operand_slot {
    value* v = nullptr;  ///< null: the operand is absent
    bool last = false;   ///< nobody needs it afterwards
  };
  value_context(const ir::module& m, op_id op, std::span<const operand_slot> operands)
      : module_(m), op_(op), operands_(operands) {}

  int operand_count() const { return static_cast<int>(operands_.size()); }
  bool has(int i) const { return i < operand_count() && operands_[static_cast<size_t>(i)].v != nullptr; }
  const value& operand(int i) const { return *operands_[static_cast<size_t>(i)].v; }
  /// The operand to keep or change: moved out when nobody needs it afterwards. Taken once, and not read after that.
  value take(int i) const {
    const operand_slot& s = operands_[static_cast<size_t>(i)];
    return s.last ? std::move(*s.v) : *s.v;
  }
  /// The one element of an operand.
  i64 integer(int i) const {
    const tensor& t = operand(i).as_tensor();
    if (t.size() != 1) fail("operand " + std::to_string(i) + " is " + t.describe() + ", not one number");
    return t.at_i64(0);
  }
  const ir::type& result_type() const { return module_.view(op_).result_type(); }
  void result(value v) { result_ = std::move(v); }
  value take_result() { return std::move(result_); }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    detail::throw_of_evaluation(module_, op_, message, std::move(hint));
  }

 private:
  const ir::module& module_;
  op_id op_;
  std::span<const operand_slot> operands_;
  value result_;
};

}  // namespace tenon
