/// @file onnx_seeds: a small model for each operator that tests/random_onnx draws, which is each that can be imported
/// (tests/fuzz/operators_test.cpp), and functions.
#pragma once

#include <map>
#include <string>

#include <tenon/importers/onnx.hpp>

#include "importers/onnx_builder.hpp"
#include "random_onnx/builder.hpp"

namespace tenon::fuzzing {

/// Models by name, of at most 4000 bytes.
inline std::map<std::string, std::string> onnx_seeds() {
  using namespace onnx_builder;
  std::map<std::string, std::string> found;
  for (const std::string& op : random_onnx::drawn_operators())
    for (u64 seed = 1; seed <= 20 && !found.contains(op); ++seed) {
      const random_onnx::model m = random_onnx::random_model(seed, nullptr, op, 1);
      const std::string file = m.main.nodes.empty() ? std::string() : random_onnx::encode(m);
      if (file.empty() || file.size() > 4000) continue;
      try {
        importers::onnx::import_model(importers::onnx::decode_model(file, nullptr, "seed"));
      } catch (const error&) { continue; }  // its sizes are not known
      found[op] = file;
    }
  const std::string x = onnx_builder::value("x", {2, 3}), y = onnx_builder::value("y", {2, 3});
  found["functions"] =
      onnx_builder::model{
          .nodes = {node("Twice", {"x"}, {"y"}, {}, "", "local")},
          .inputs = {x},
          .outputs = {y},
          .functions = {function("Twice", {"a"}, {"b"},
                                 {node("Once", {"a"}, {"m"}, {}, "", "local"), node("Add", {"m", "m"}, {"b"})}),
                        function("Once", {"a"}, {"b"}, {node("Exp", {"a"}, {"b"})})}}
          .text();
  return found;
}

}  // namespace tenon::fuzzing
