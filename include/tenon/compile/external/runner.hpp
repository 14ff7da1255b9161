/// @file runner: runs modules of which parts are artifacts of external code generators: those as they were made, the
/// rest by the reference evaluation.
///
///     external_program p(std::move(m), external_formats<my_library>());
///     std::vector<tensor> y = p.run({x}, 2);
/// Artifacts are loaded once. Errors: "external.no_format", "external.no_artifact"; "eval" from evaluations.
#pragma once

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/interpret/interpreter.hpp>

namespace tenon {

class external_program {
 public:
  /// `m` is in phase `optimization`; its entry is what is run.
  external_program(ir::module m, std::span<const external_format> formats);
  std::vector<tensor> run(std::span<const tensor> inputs, int threads = 0) const;
  const ir::module& module() const { return module_; }

 private:
  struct action {
    op_id op;
    std::shared_ptr<const external_code> code;  ///< null: evaluated
    std::vector<value_id> dead;                 ///< values that nobody reads afterwards
  };
  ir::module module_;
  function_id entry_;
  std::vector<action> actions_;
};

/// Loads the artifact that a call runs.
std::unique_ptr<external_code> load_external(const ir::module& m, op_id call, std::span<const external_format> formats);

namespace detail {
template <class... T>
void evaluate_external(const void*, eval_context& cx) {
  std::vector<tensor> inputs;
  for (int i = 0; i < cx.operand_count(); ++i) inputs.push_back(cx.operand(i));
  std::vector<tensor> results = load_external(cx.mod(), cx.op(), external_formats<T...>())->run(inputs, 1);
  for (size_t i = 0; i < results.size(); ++i) cx.result(static_cast<int>(i), std::move(results[i]));
}
}  // namespace detail

/// For `interpret`: calls of these targets' artifacts are run, loaded anew each time.
template <external_target... T>
std::span<const eval_entry> external_evaluations() {
  static const eval_entry entry[] = {{&ir::info_of<op::call_external>, &detail::evaluate_external<T...>}};
  return entry;
}

}  // namespace tenon
