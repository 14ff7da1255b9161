/// @file refused_node: models of one node that the importer refuses, with the node and a reason, or takes.
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>

#include "onnx_builder.hpp"

namespace refused_node {

using namespace onnx_builder;
namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using tn::i64;

inline tn::error error_of(const std::string& bytes, const onnx::import_options& options = {}) {
  try {
    onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx"), options);
  } catch (const tn::error& e) { return e; }
  return {"none", "no error"};
}
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A model of one node named 'it'.
struct one_node {
  std::string op;
  std::vector<std::string> inputs, attributes = {};
  std::vector<std::string> values = {}, initializers = {};
  i64 opset = 20;
  std::vector<std::string> outputs = {"y"};
  std::string domain = {};
  std::string text() const {
    std::vector<std::string> results;
    for (const std::string& o : outputs)
      if (!o.empty()) results.push_back(open_value(o));
    return model{.nodes = {node(op, inputs, outputs, attributes, "it", domain)},
                 .inputs = values,
                 .outputs = results,
                 .initializers = initializers,
                 .opset = opset,
                 .domains = {{"com.microsoft", 1}, {"ai.onnx.ml", 3}}}
        .text();
  }
};

inline void check_refused(const one_node& n, const std::string& reason) {
  const tn::error e = error_of(n.text());
  CHECK_MESSAGE(e.code() == "onnx.bad_node", n.op << ": " << e.what());
  CHECK_MESSAGE(contains(e.what(), "'it'"), e.what());
  CHECK_MESSAGE(contains(e.what(), reason), e.what());
}
inline void check_taken(const one_node& n) {
  const tn::error e = error_of(n.text());
  CHECK_MESSAGE(e.code() == "none", n.op << ": " << e.what());
}

inline const std::string x23 = value("x", {2, 3});

}  // namespace refused_node
