/// @file session: runs a model on inputs of any shape. Native code is made once for all of them where the target has
/// such code and the model's shapes follow from the inputs' extents; else, or when asked to, once for each set of
/// shapes.
///
///     session s(importers::onnx::open("model.onnx"), session_options{.target = "cpu", .threads = 2});
///     std::vector<tensor> y = s.run({x});
/// A session takes what has a `source_of` (importer.hpp): a module, or an importer's model. What is made
/// of it is decided by its `compilation_plan`: where this asks for the values of inputs (a Reshape whose shape is an
/// input), code is made for those values, and kept by them.
///
/// A session serves any number of threads at once: the code and its constants are in memory once, each run has an arena
/// of its own, and code is made by one thread while those that need it wait. What it says of the last compilation is
/// for a time when no other thread compiles.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/compile/size_advice.hpp>
#include <tenon/importers/module.hpp>
#include <tenon/ir/type.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/named_tensors.hpp>
#include <tenon/runtime/run_options.hpp>
#include <tenon/runtime/value.hpp>
#include <tenon/targets/compilation_plan.hpp>

namespace tenon {

struct session_options {
  std::string target = "cpu";  ///< see targets/spec.hpp: cpu:threads=2, zen4, composite(cpu,npu)
  int threads = 1;             ///< 0: those of the target (cpu:threads=2), else the process's default
  bool specialize = false;     ///< code for each set of shapes, of constant extents
  bool verify_each = false;
  /// A folder where programs are kept by what they follow from, such as `program_cache::usual_folder()`: the next
  /// session of the same model, in any process, opens them. What the folder holds is run as code (docs/security.md).
  /// Empty: none. Not used with `prepare` or `verify_each`, nor for what is no single piece of native code.
  std::string cache = {};
  /// Called with the context before each compilation: for hooks, and options of passes.
  void (*prepare)(context&, void* user) = nullptr;
  void* prepare_user = nullptr;
};

/// A target as sessions take it, by a name or a target's text. Errors: "target.unknown", with those that are nearest;
/// "target.members".
target_spec find_target(std::string_view text);

class session {
 public:
  session(std::unique_ptr<module_source> source, session_options options);
  template <class Model>
    requires detail::has_source<Model>
  session(Model model, session_options options) : session(source_of(std::move(model)), std::move(options)) {}

  struct input_info {
    std::string name;
    ir::type type;  ///< symbols are unknown dimensions here; of a sequence or optional, its kind
  };
  const std::vector<input_info>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }

  /// Inputs in order. Errors name the input.
  std::vector<tensor> run(std::span<const tensor> inputs);
  /// On the caller's pool, or so that it can be stopped: "program.stopped", and the session can be run again. While
  /// code is made, nothing stops it. `threads` 0: those of the session.
  std::vector<tensor> run(std::span<const tensor> inputs, const run_options& o);
  /// By name. Errors: "program.name" with the nearest name, "program.count", which lists what is missing.
  named_tensors run_named(const named_tensors& inputs, const run_options& o = {});
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
  /// What became of the module when it was compiled last.
  const compilation_plan& last_plan() const { return plan_; }

 private:
  /// How much of an input a compilation is told.
  enum class told : u8 { nothing, shape, value };
  struct specialization {
    std::unique_ptr<executable> code;
    std::vector<size_t> arguments;  ///< which inputs the code takes; the others were known when it was made
  };
  struct attempt {
    std::optional<specialization> made;
    std::vector<ir::input_need> needs;  ///< of what was not made
    std::optional<unsupported_error> why;
  };
  bool serves_all_sizes() const;
  void check(std::span<const value> inputs) const;
  known_inputs given(std::span<const value> inputs) const;
  specialization& find(std::span<const value> inputs, bool specialize);
  attempt compile(std::span<const value> inputs, std::span<const told> known);
  std::unique_ptr<executable> by_cache(const ir_module<phases::ingestion>& m);
  bool tell_more(std::span<const value> inputs, std::span<const ir::input_need> needs);
  std::string key_of(std::span<const value> inputs) const;
  std::vector<value> run_with(const specialization& s, std::span<const value> inputs) const;
  /// What is raised while it runs is of these sizes, for which the code was made.
  std::vector<value> run_for_these(const specialization& s, std::span<const value> inputs) const;
  void note_reason(std::string why);

  std::unique_ptr<module_source> source_;
  session_options options_;
  compilation_request request_;
  std::vector<input_info> inputs_;
  std::vector<std::string> outputs_;
  /// Of what follows. It is kept elsewhere so that sessions can be moved.
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::vector<told> told_;  ///< of each input, where code is for given ones; grows when a plan needs more
  std::map<std::string, specialization> made_;
  std::unique_ptr<std::atomic<bool>> any_refused_ = std::make_unique<std::atomic<bool>>(false);
  std::set<std::string> refused_;  ///< what code for all shapes does not serve: why is found out, and said, once
  context context_;
  compilation_plan plan_;
  std::optional<specialization> for_all_;  ///< the code for all shapes, when there is one
  bool tried_for_all_ = false;
  int compilations_ = 0;
  mutable advice_time advice_left_ = usual_advice_time;
  std::string reason_;
};

}  // namespace tenon
