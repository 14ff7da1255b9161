/// @file session: runs a model on inputs of any shape. Native code is made once for all of them where the model's
/// shapes follow from the inputs' extents; else, or when asked to, once for each set of shapes.
///
///     session s(importers::onnx::load_model("model.onnx"), session_options{.target = "cpu", .threads = 2});
///     std::vector<tensor> y = s.run({x});
/// Where shapes depend on the values of small inputs (a Reshape whose shape is an input), code is made for those values
/// too, and kept by them. Safe to use from one thread; the programs inside may be shared.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/value.hpp>

namespace tenon {

struct session_options {
  std::string target = "cpu";  ///< see targets/spec.hpp: cpu:threads=2, zen4, composite(cpu,npu)
  int threads = 1;             ///< 0: those of the target (cpu:threads=2), else the process's default
  bool specialize = false;     ///< code for each set of shapes, of constant extents
  bool verify_each = false;
  /// Called with the context before each compilation: for hooks, and options of passes.
  void (*prepare)(context&, void* user) = nullptr;
  void* prepare_user = nullptr;
  std::optional<u32> random_seed = {};  ///< for random operators without a seed; else every run draws other numbers
  importers::onnx::import_budget budget = {};  ///< of each compilation's import
};

/// Makes an executable from a module; the context holds what was measured afterwards.
using compile_function = std::unique_ptr<executable> (*)(ir_module<phases::ingestion>&& m, const session_options& o,
                                                         context& cx);

/// The targets that a program was linked with, by name. `interpreter` is always there, and `cpu` where `tenon::llvm` is
/// linked.
void register_target(std::string_view name, compile_function compile);
std::vector<std::string> registered_targets();
/// By a name, or a target's text. An unknown name is an error with those that are nearest.
compile_function find_target(std::string_view name);

class session {
 public:
  session(importers::onnx::model model, session_options options);

  struct input_info {
    std::string name;
    ir::type type;  ///< symbols are unknown dimensions here; of a sequence or optional, its kind
    importers::onnx::value_type declared;
  };
  const std::vector<input_info>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }

  /// Inputs in order. Errors name the input.
  std::vector<tensor> run(std::span<const tensor> inputs);
  /// The same for models with sequences and optionals.
  std::vector<value> run_values(std::span<const value> inputs);
  /// The executable for these inputs, compiled when it is not there yet.
  const executable& prepare(std::span<const tensor> inputs);
  /// How many times code was made; parts that were made again for given sizes count each.
  int compilations() const;
  /// Why it was made for one set of shapes rather than for all; empty when it was not.
  std::string reason() const;
  /// What the last compilation measured.
  const context& last_compilation() const { return context_; }

 private:
  struct specialization {
    std::unique_ptr<executable> code;
    std::vector<size_t> arguments;  ///< which inputs the code takes; the others were known when it was made
  };
  bool is_symbolic_wanted() const;
  specialization& find(std::span<const value> inputs, bool specialize);
  specialization compile(std::span<const value> inputs, int knowledge);

  importers::onnx::model model_;
  session_options options_;
  std::vector<input_info> inputs_;
  std::vector<std::string> outputs_;
  int knowledge_ = 0;  ///< how much of the inputs a compilation must know; grows when shapes alone were not enough
  std::map<std::string, specialization> made_;
  context context_;
  specialization symbolic_;  ///< the code for all shapes, when there is one
  bool tried_symbolic_ = false;
  int compilations_ = 0;
  std::string reason_;
};

#if TENON_HAS_LLVM
namespace targets { void register_cpu_target(); }
namespace detail {
/// A program that links `tenon::llvm` and has sessions compiles for `cpu`: this refers to what would else not be
/// linked.
inline const bool knows_cpu = (targets::register_cpu_target(), true);
}  // namespace detail
#endif

}  // namespace tenon
