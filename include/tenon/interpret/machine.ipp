/// @file machine.ipp: the state of an interpreted module: frames of values, closures, decoded kernels.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/interpret/loops.hpp>
#include <tenon/runtime/run_observer.hpp>
#include <tenon/runtime/value.hpp>

namespace tenon {
namespace interpreting {

struct closure;

/// What a graph-level value is at run time.
struct item {
  tensor value;
  buffer memory;
  std::shared_ptr<const closure> function;
  std::shared_ptr<tenon::value> other;  ///< a sequence, or an optional without an element

  static item of(tenon::value v) {
    if (v.is_tensor()) return {std::move(v).take_tensor(), {}, {}, {}};
    return {{}, {}, {}, std::make_shared<tenon::value>(std::move(v))};
  }
  bool is_tensor() const { return !memory.owner && !function && !other; }
  tenon::value as_value() const { return other ? *other : tenon::value(value); }
};

/// An inner function with the values of its surroundings that it uses.
struct closure {
  op_id definition;
  std::vector<item> captures;  ///< its operands
  std::unordered_map<u32, item> outer;
};

/// The values of one function's run.
struct frame {
  std::unordered_map<u32, item> values;
  std::unordered_map<u32, int> uses_left;  ///< of values whose uses all stand in the region of their definition
  std::optional<buffer> arena;
  std::unordered_map<i64, buffer> placed;  ///< buffers that a program would place when it runs, by their number
};

class machine {
 public:
  machine(const ir::module& m, std::span<const eval_entry> more, function_caller* caller = nullptr,
          kernel_checks checks = {})
      : module_(m), more_(more), caller_(caller), checks_(checks) {}

  std::vector<tensor> run(function_id f, std::span<const tensor> inputs);
  std::vector<value> run_values(function_id f, std::span<const value> inputs);
  std::vector<tensor> run_alone(op_id op, std::span<const tensor* const> operands);

 private:
  struct depth_guard {
    explicit depth_guard(machine& m) : depth(m.depth_) {
      if (++depth > 250) throw error("interpret.recursion", "calls nest more than 250 deep");
    }
    ~depth_guard() { --depth; }
    int& depth;
  };
  struct runner final : region_runner {
    machine& m;
    frame& fr;
    runner(machine& owner, frame& f) : m(owner), fr(f) {}
    std::vector<tensor> run_region(region_id r, std::span<const tensor> arguments) override {
      std::vector<item> items;
      for (const tensor& t : arguments) items.push_back({t, {}, {}, {}});
      std::vector<tensor> out;
      for (item& i : m.run_region(fr, r, std::move(items))) out.push_back(std::move(i.value));
      return out;
    }
  };

  [[noreturn]] void fail(std::string code, std::string message, op_id op) const {
    error e(std::move(code), std::string(module_.view(op).name()) + ": " + message, module_.text(module_[op].location));
    e.note_op_said();
    throw e;
  }
  const item& get(const frame& f, value_id v, op_id user) const;
  const tensor& get_tensor(const frame& f, value_id v, op_id user) const;
  const buffer& get_buffer(const frame& f, value_id v, op_id user) const;
  std::vector<item> operands(const frame& f, op_id op, int from = 0) const;
  void set(frame& f, value_id v, item i) const;
  function_id callee(const ir::function_ref& name, op_id op) const;

  std::vector<item> run_function(function_id f, std::vector<item> arguments);
  std::vector<item> run_region(frame& f, region_id r, std::vector<item> arguments);
  void run_op(frame& f, op_id op);
  std::vector<item> call_kernel(const frame& f, op_id op);
  std::vector<tensor> call_artifact(op_id op, std::span<const tensor> given) const;
  void fill_by_artifact(op_id op, std::span<const buffer> buffers) const;
  std::vector<item> evaluated(frame& f, op_id op, std::span<const tensor* const> given);
  run_step step_of(const ir::op_view& v) const;
  void set_results(frame& f, op_id op, std::vector<item> results) const;
  std::vector<item> run_repeat(frame& f, op_id op);
  std::vector<item> evaluated_values(frame& f, op_id op, const eval_entry& e);
  std::vector<tensor> no_parts(const frame& f, op_id op, std::span<const item> state) const;
  tensor stacked(const std::vector<tensor>& parts, op_id op) const;
  std::vector<item> finished(frame& f, op_id terminator) const;
  item make_closure(const frame& f, op_id op);
  std::vector<item> call_closure(const frame& f, op_id op);
  void release(frame& f, op_id op) const;
  buffer make_slot(frame& f, op_id op);
  bool run_storage_op(frame& f, op_id op);
  kernel& decoded(function_id f);

  const ir::module& module_;
  std::span<const eval_entry> more_;
  function_caller* caller_;
  kernel_checks checks_;
  std::unordered_map<u32, std::unique_ptr<kernel>> kernels_;
  int depth_ = 0;
  function_id entry_;
  std::span<const value> given_;  ///< what `entry_` was called with
};

}  // namespace interpreting
}  // namespace tenon
