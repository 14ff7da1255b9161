/// @file rules: what holds for every node of a model, whether an import comes to it or not.
///
/// The branch of an If that is not taken, the body of a loop that never runs and a function that nobody calls are parts
/// of the model, too: what is wrong with one is an error, as it is for ONNX's own checker.
#pragma once

#include <span>
#include <string>

#include <tenon/importers/onnx/proto.hpp>
#include <tenon/importers/onnx/registry.hpp>

namespace tenon::importers::onnx {

class import_context;

/// "node 'name' (domain.Operator)", for messages.
std::string place_of(const node& n);

/// Each node of an operator that has a row gives as many inputs and outputs, and such attributes, as the row says; an
/// operator of the standard exists in the version that the model imports; each name is made once, before it is used.
/// An operator set is imported in one version, and the file is of an IR version that is known.
/// `given`: names that have a value without the model. Errors: "onnx.bad_node", "onnx.unsupported_op",
/// "onnx.duplicate_name", "onnx.undefined_value", "onnx.unsupported_ir", "onnx.malformed". Cost: O(nodes and names).
void check_rules(const model& m, std::span<const registered_operator> extra, std::span<const std::string> given);

/// Before a node is imported. Error "onnx.bad_node" for an input of elements that its row does not list.
void check_elements(import_context& cx, const registered_operator& op);

}  // namespace tenon::importers::onnx
