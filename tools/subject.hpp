/// @file subject: a model or a module, with inputs to run it on: what `run`, `compare` and `reduce` work on.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/extent_condition.hpp>
#include <tenon/importer.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/program.hpp>

#include "modules.hpp"

namespace CLI { class App; }

namespace tenon::tool {

struct words;

/// What is known of an input before there is a tensor for it; -1: an extent that is not known.
struct wanted_input {
  std::string name;
  dtype type;
  bool ranked = true;
  std::vector<i64> shape;
  std::vector<std::optional<extent_expr>> extents = {};  ///< what conditions call them, where there are any
};
wanted_input wanted_of(std::string name, const ir::type& t);
std::vector<wanted_input> inputs_of(const program& p);
/// What the entry of a module takes. Error "run.input" for an input that is no tensor, unless those are left out.
std::vector<wanted_input> inputs_of_entry(const ir::module& m, bool tensors_alone = false);

/// The one with a name, of which it is a tensor. Error "usage" with the nearest name.
wanted_input input_of_entry(const std::string& model, const ir::module& m, const std::string& name);
/// A value as `--value NAME=...` says it: a .npy or .pb file, or numbers ("16000", "0,-1,2", "0.5", "true") of the
/// input's element type. Their count says an extent that is open. `shape`: where it is said. Errors: "usage".
tensor value_of(const wanted_input& w, const std::string& what,
                const std::optional<std::vector<i64>>& shape = std::nullopt);

/// The name of an extent that may be any; empty where it has none of its own.
std::string size_name(const wanted_input& w, size_t d);

/// What `--shape` says: NAME=1x3x224x224 of an input, NAME=8 of a size that the model leaves open and names.
struct said_sizes {
  std::map<std::string, std::vector<i64>> shapes;
  std::map<std::string, i64> symbols;
};
/// Error "usage" for a name that is neither, with the nearest input.
said_sizes sizes_said(const std::string& model, const std::vector<wanted_input>& wanted,
                      const std::vector<std::string>& texts);

/// Where tensors for inputs come from.
struct input_options {
  std::vector<std::string> inputs;  ///< NAME=FILE
  std::vector<std::string> values;  ///< NAME=0,2
  std::vector<std::string> shapes;  ///< of random ones: as `sizes_said` reads them
  u64 seed = 1;
  importers::onnx::read_options limits;
  bool quiet = false;
};
void add_input_options(CLI::App& sub, input_options& to);
/// What can be known of these to be wrong before there is a model: an input given twice, a file that is not there.
/// Errors: "usage", "io.open".
void check_given(const input_options& o);
/// Files where they are given, else random numbers; says which. Extents that nobody knows are the smallest that meet
/// the conditions. `model`: for messages. Errors: "usage", "run.input".
std::vector<tensor> gather_inputs(const std::string& model, const input_options& o,
                                  const std::vector<wanted_input>& wanted,
                                  std::span<const extent_condition> conditions = {});
/// What of the given ones can be known to be wrong before there is code. Errors: as of gather_inputs.
void check_inputs(const std::string& model, const input_options& o, const std::vector<wanted_input>& wanted);
/// For a program, by its conditions.
std::vector<tensor> gather_inputs(const std::string& model, const input_options& o, const program& p);

/// A model, by the importer whose format it has.
std::unique_ptr<module_source> open_source(const std::string& path, const importers::onnx::read_options& limits);
/// The same for a model that is not compiled yet: where extents are open that nobody gave, it is taken as far as native
/// code for all sizes says its conditions. Cost: of the passes that lead there.
std::vector<tensor> gather_inputs(const std::string& model, const input_options& o, const module_source& source);

struct subject {
  module_on_its_way module;
  std::vector<tensor> inputs;
};
/// A model is imported for the inputs: with their shapes, and the values that its operators must know.
subject read_subject(const std::string& path, const input_options& o);

/// A graph's module, compiled for a target, as something that runs; what passes note and warn of is said where `talk`
/// is given. Errors: those of compiling.
std::unique_ptr<executable> runnable(module_on_its_way m, const std::string& target, int threads, bool verify_each,
                                     const words* talk = nullptr);

// -- the entry of a module -----------------------------------------------------------------------------------------
/// The first graph function that is callable from outside. Error "usage" where there is none.
function_id entry_of(const ir::module& m);
/// Lets the entry give these values, and nothing else. Ops that no value needs are left where they are.
void give(ir::module& m, function_id entry, std::span<const value_id> values);
/// Erases what the results of the entry do not need, except ops with effects.
void drop_unused(ir::module& m, function_id entry);

}  // namespace tenon::tool
