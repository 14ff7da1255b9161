/// @file options: what the importer is told besides the model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tenon/importers/onnx/budget.hpp>
#include <tenon/importers/onnx/registry.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::importers::onnx {

/// What the importer is told besides the model.
struct import_options {
  std::map<std::string, std::vector<i64>> shapes = {};  ///< shapes of inputs, instead of those that the model declares
  std::map<std::string, i64> symbols = {};              ///< numbers for the model's named dimensions
  std::map<std::string, tensor> constants = {};  ///< inputs whose value is known: they are no arguments of `main`
  std::map<std::string, i64> likely =
      {};  ///< sizes of symbols that are likely, where a question of sizes decides what the graph is
  bool asks_in_branches = false;  ///< such a question is asked before a run, too, where a branch or a loop has it
  int graphs = 8;  ///< so many there may be, for other answers to such questions; 1: for the likely ones alone
  std::optional<u32> random_seed = {};              ///< for random operators without a seed: else each run draws others
  std::vector<registered_operator> operators = {};  ///< more operators; they come before the built-in ones
  import_budget budget = {};                        ///< what the import may cost
  bool follow_links = false;                        ///< of `load`: see read_options
};

}  // namespace tenon::importers::onnx
