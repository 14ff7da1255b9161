/// @file importer: where the modules come from that a session compiles.
///
///     session s(importers::onnx::open("model.onnx"), {.target = "cpu"});
/// An importer declares a `source_of` for its model, which argument-dependent lookup finds: a `module_source` makes a
/// module of the model for what is known of its inputs. Sizes and values reach it in one way, by `known_inputs`.
/// `examples/custom/my_importer.cpp` is one; a module is its own (importers/module.hpp).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/phases/ingestion.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// What is known of inputs, by name.
struct known_inputs {
  std::map<std::string, std::vector<i64>> shapes;
  std::map<std::string, tensor> values;
  /// Sizes of symbols that are likely, where a question of sizes decides what a graph is.
  std::map<std::string, i64> likely;
  /// Such a question is asked before a run, too, where a branch or a loop has it: there is code for other answers.
  bool asks_in_branches = false;
};

/// A module for what is known; or none, and what would have to be known.
struct sourced_module {
  std::optional<ir_module<phases::ingestion>> module;
  std::vector<ir::input_need> needs;
  std::optional<unsupported_error> why;
  /// Of the module's conditions those that say for which answers to questions of sizes its graph is.
  condition_list assumed = {};
};

class module_maker {
 public:
  virtual ~module_maker() = default;
  /// An input whose value is known may be missing among the module's inputs; the others keep their names. Throws what
  /// is wrong with the model.
  virtual sourced_module make(const known_inputs& known) const = 0;
};
class module_source : public module_maker {
 public:
  /// A module whose entry has the inputs' names and declared types, and the outputs' names.
  virtual const ir::module& signature() const = 0;
};

namespace detail {
template <class Model>
concept has_source = requires(Model m) {
  { source_of(std::move(m)) } -> std::same_as<std::unique_ptr<module_source>>;
};
}  // namespace detail

}  // namespace tenon
