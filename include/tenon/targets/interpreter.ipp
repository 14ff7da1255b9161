/// @file interpreter.ipp: definitions of targets/interpreter.hpp.
#pragma once

#include <tenon/ir/check_constraints.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tenon::targets {
namespace evaluating {

class evaluated final : public executable {
 public:
  explicit evaluated(const ir::module& m) : module_(m) {
    const function_id f = ir::single_entry(m);
    entry_ = m[f].name;
    for (value_id v : m[m[f].body].arguments)
      if (m.type_of(v).is_buffer())
        throw error("program.format",
                    "'" + entry_ +
                        "' takes buffers: the module is one that code is generated from, and this runtime "
                        "evaluates graphs of values",
                    {}, "give the target the runtime of the code that its code generator makes");
  }
  std::vector<tensor> run(std::span<const tensor> inputs, int) const override {
    return interpret(module_, entry_, inputs);
  }
  std::vector<value> run_values(std::span<const value> inputs, int) const override {
    return interpret_values(module_, entry_, inputs);
  }

 private:
  ir::module module_;
  std::string entry_;
};

}  // namespace evaluating

std::unique_ptr<executable> evaluator::load(const ir::module& m) {
  auto evaluated = std::make_unique<evaluating::evaluated>(m);
  ir::check_constraints(m, "interpreter");
  return evaluated;
}

}  // namespace tenon::targets
