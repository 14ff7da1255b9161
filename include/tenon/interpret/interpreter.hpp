/// @file interpreter: the reference: runs a module of any phase but `built`, slowly and with every access checked.
///
///     std::vector<tensor> y = interpret(m, "main", {{x}});
///
/// Graph functions take and give tensors. In `lowering` and `build` a function's arguments are its input buffers, then
/// its output buffers; the caller still gives the inputs and gets the outputs. A kernel may be run by itself: it is
/// given buffers for the first arguments and gives back the others, as it left them. Errors: "interpret.*"; "eval" from
/// the evaluation of an op.
#pragma once

#include <tenon/interpret/eval_table.hpp>

namespace tenon {

/// Runs a function. `more` holds the evaluations of ops that are not built in: `eval_table_of<ops<my_op>>()`.
std::vector<tensor> interpret(const ir::module& m, std::string_view function, std::span<const tensor> inputs,
                              std::span<const eval_entry> more = {});

/// How kernels run, for those who look for loops that are wrongly said to be parallel, or independent.
struct interpret_options {
  std::span<const eval_entry> evaluations = {};  ///< of ops that are not built in
  u64 shuffle_parallel = 0;  ///< not 0: iterations of such loops run in an order that this number says
  /// What an iteration of such a loop touches, no other one may, where one of them writes: error "interpret.race".
  bool find_races = false;
};
std::vector<tensor> interpret(const ir::module& m, std::string_view function, std::span<const tensor> inputs,
                              const interpret_options& options);

/// Runs functions that name a target, in place of the interpreter: native code, for one.
class function_caller {
 public:
  virtual std::vector<tensor> call(function_id f, std::span<const tensor> operands) = 0;

 protected:
  ~function_caller() = default;
};

/// Runs a graph function on any values: sequences and optionals too. Calls of functions that name a target go to the
/// caller, if there is one.
std::vector<value> interpret_values(const ir::module& m, std::string_view function, std::span<const value> inputs,
                                    std::span<const eval_entry> more = {}, function_caller* caller = nullptr);

/// Evaluates one graph op on tensors; absent operands are null. Ops that call functions or run regions are run too.
std::vector<tensor> evaluate_op(const ir::module& m, op_id op, std::span<const tensor* const> operands,
                                std::span<const eval_entry> more = {});

/// Makes evaluations of ops that are not built in known to all that evaluate in this process: the runtimes of
/// `interpreter`, of targets with external code, of host programs. Once, before such modules run:
/// `register_evaluations(eval_table_of<ops<my_op>>())`.
void register_evaluations(std::span<const eval_entry> entries);

/// The evaluation of an op, or null: what `evaluate_op` would call. Null for ops that the interpreter itself runs.
const eval_entry* find_evaluation(const ir::op_info& info, std::span<const eval_entry> more = {});

}  // namespace tenon
