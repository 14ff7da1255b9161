/// @file onnx: ONNX models as modules in the phase `ingestion`.
///
///     ir_module<phases::ingestion> m = importers::onnx::load("model.onnx");
///     ir_module<phases::ingestion> n = importers::onnx::load("model.onnx", {.shapes = {{"x", {1, 3, 224, 224}}}});
///
/// The function `main` has the model's inputs as arguments and its outputs as results, by name and in order; inputs
/// that have an initializer are constants. Weights refer to the mapped file. Versions 1 to `newest_opset` of the
/// standard operators; each op's source location is its node. Errors are tenon::error with codes "onnx.*", "ir.infer".
/// Who writes operators of their own includes importers/onnx/context.hpp too.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <string>

#include <tenon/importer.hpp>
#include <tenon/importers/onnx/options.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/ingestion.hpp>

namespace tenon::importers::onnx {
struct dimension;  // proto.hpp has these: what a file says
struct model;
struct value_info;

ir_module<phases::ingestion> load(const std::string& path, const import_options& options = {});
/// The same for a session, which imports it for what it knows of its inputs: `session s(open("model.onnx"), {})`.
std::unique_ptr<module_source> open(const std::string& path, const import_options& options = {});
ir_module<phases::ingestion> import_model(const model& m, const import_options& options = {});

/// A model as what sessions compile, imported for what is known of its inputs.
std::unique_ptr<module_source> source_of(model m, import_options options = {});

/// The type of a declared value; options give numbers for its dimensions. Error "onnx.unsupported_type".
ir::type to_type(const value_info& v, ir::module& m, const import_options& options);
/// The symbol of a dimension of an input. One without a name is equal to itself wherever it shows up.
std::string symbol_of(const std::string& input, const dimension& d, size_t at);

}  // namespace tenon::importers::onnx
