/// @file runner: runs modules of which parts are artifacts of external code generators: those as they were made, the
/// rest by the reference evaluation.
///
///     external_program p(std::move(m), external_formats<my_library>());
///     std::vector<tensor> y = p.run({x}, 2);
/// Artifacts are loaded once. Errors: "external.no_format", "external.no_artifact"; "eval" from evaluations.
#pragma once

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/graph/call.hpp>

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

/// Loads the artifact that `op` calls. Errors: "external.no_format", "external.no_artifact", which name the op's place.
std::unique_ptr<external_code> load_external(const ir::module& m, op_id op, const op::call_external& call,
                                             std::span<const external_format> formats);

namespace detail {
template <class... T>
void evaluate_external(const void* attributes, eval_context& cx) {
  const auto code =
      load_external(cx.mod(), cx.op(), *static_cast<const op::call_external*>(attributes), external_formats<T...>());
  std::vector<tensor> inputs;
  for (int i = 0; i < cx.operand_count(); ++i) inputs.push_back(cx.operand(i));
  if (!cx.mod().view(cx.op()).info().is_pure())  // a call in destination-passing form: its results are the last
                                                 // operands
    inputs.resize(inputs.size() - std::min(inputs.size(), code->result_count()));
  cx.results() = code->run(inputs, 1);
}
}  // namespace detail

/// For `interpret`: calls of these targets' artifacts are run, loaded anew each time, those of kernels that are
/// artifacts (ir/artifact_calls.hpp) too.
template <external_target... T>
std::span<const eval_entry> external_evaluations() {
  static const eval_entry entry[] = {{&ir::info_of<op::call_external>, &detail::evaluate_external<T...>}};
  return entry;
}

}  // namespace tenon
