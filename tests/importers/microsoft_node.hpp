/// @file microsoft_node: one node of com.microsoft, run by the interpreter and on the cpu.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>

#include "on_cpu.hpp"
#include "onnx_builder.hpp"

namespace microsoft_node {

using namespace onnx_builder;
namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using tn::tensor;
using tn::u8;

/// One node of com.microsoft on inputs a, b, …; tensors without elements are left out, and outputs between 0 and the
/// last one where `ends_only`. Where `known`, all inputs but the first are constants of the model.
struct given_node {
  std::string text;
  std::vector<tensor> inputs;

  given_node(const std::string& op, const std::vector<tensor>& all, const std::vector<std::string>& attributes,
             size_t outputs = 1, bool ends_only = false, bool known = false) {
    model m;
    std::vector<std::string> in, out;
    for (size_t k = 0; k < all.size(); ++k) {
      const std::string name(1, static_cast<char>('a' + k));
      in.push_back(all[k].data() == nullptr ? "" : name);
      if (in.back().empty()) continue;
      if (known && k > 0) {
        m.initializers.push_back(onnx::encode_tensor(all[k], name));
        continue;
      }
      m.inputs.push_back(value(name, all[k].shape(), onnx::to_elem_type(all[k].type())));
      inputs.push_back(all[k]);
    }
    for (size_t k = 0; k < outputs; ++k) {
      out.push_back(ends_only && k > 0 && k + 1 < outputs ? "" : "y" + std::to_string(k));
      if (!out[k].empty()) m.outputs.push_back(open_value(out[k]));
    }
    m.nodes = {node(op, in, out, attributes, {}, "com.microsoft")};
    text = m.text();
  }
  std::vector<tensor> interpreted() const {
    const auto module = onnx::import_model(onnx::decode_model(text, nullptr, "test.onnx"), {});
    return tn::interpret(module.body(), "main", inputs);
  }
};

inline std::vector<tensor> run(const std::string& op, const std::vector<tensor>& inputs,
                               std::vector<std::string> attributes = {}, size_t outputs = 1, bool ends_only = false,
                               bool known = false) {
  const given_node n(op, inputs, attributes, outputs, ends_only, known);
  std::vector<tensor> results = n.interpreted();
  check_on_cpu(n.text, n.inputs, results);
  return results;
}

inline bool is(const tensor& got, const std::vector<double>& want, double tolerance = 1e-5) {
  bool same = got.size() == static_cast<i64>(want.size());
  for (i64 k = 0; same && k < got.size(); ++k)
    same = std::fabs(got.at_f64(k) - want[static_cast<size_t>(k)]) <= tolerance;
  if (!same)
    for (i64 k = 0; k < got.size(); ++k) MESSAGE(got.describe() << " [" << k << "] " << got.at_f64(k));
  return same;
}

inline tensor f(std::vector<i64> shape, const std::vector<float>& v) { return tensor::from<float>(shape, v); }
inline tensor bytes(std::vector<i64> shape, const std::vector<u8>& v) { return tensor::from<u8>(shape, v); }
inline tensor number(float v) { return f({1}, {v}); }
inline tensor byte(u8 v) { return bytes({1}, {v}); }
inline std::string floats(const char* name, std::initializer_list<float> values) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_int32(20, 6);
    for (float v : values) a.add_float(7, v);
  });
}
inline const tensor none;

}  // namespace microsoft_node
