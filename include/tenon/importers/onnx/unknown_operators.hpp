/// @file unknown_operators: the operators of a model that nothing imports.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/importers/onnx/registry.hpp>

namespace tenon::importers::onnx {

struct unknown_operator_use {
  std::string domain, op_type;  ///< domain "": the standard one
  i64 version = 0;
  size_t nodes = 0;
  /// "'Rule' of domain 'ai.onnx', version 17"
  std::string text() const;
};

/// In the order in which they stand in the model, branches and bodies of loops too, and in the functions that it
/// defines. Of standard operators beyond `newest_opset` nothing is said. Cost: O(nodes).
std::vector<unknown_operator_use> unknown_operators(const model& m, std::span<const registered_operator> extra);

/// "onnx.unsupported_op", with all that the model has of such operators, so that they need not be found one by one.
unsupported_error unknown_operator(const model& m, std::span<const registered_operator> extra,
                                   const unknown_operator_use& found, std::string where);

/// What to do about an operator whose values no tensor is, so that no handler can be written for it; empty for others.
std::string_view advice_about(std::string_view domain, std::string_view op_type);

}  // namespace tenon::importers::onnx
