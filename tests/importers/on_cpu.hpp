/// @file on_cpu: runs models of one node in the interpreter, and asks the target cpu for the same, where the library
/// has code generation.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include "onnx_builder.hpp"

/// Checks that a model gives these results natively, too: all of its inputs are given.
inline void check_on_cpu([[maybe_unused]] const std::string& bytes,
                         [[maybe_unused]] const std::vector<tenon::tensor>& inputs,
                         [[maybe_unused]] const std::vector<tenon::tensor>& expected) {
#if TENON_HAS_LLVM
  tenon::targets::register_cpu_target();
  tenon::session s(tenon::importers::onnx::decode_model(bytes, nullptr, "test.onnx"),
                   tenon::session_options{.target = "cpu"});
  const std::vector<tenon::tensor> got = s.run(inputs);
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i].type() == expected[i].type());
    REQUIRE(got[i].shape() == expected[i].shape());
    if (got[i].type() == tenon::dtype::string) {
      CHECK(tenon::compare(got[i], expected[i]).ok);
      continue;
    }
    for (tenon::i64 k = 0; k < got[i].size(); ++k) {
      const double x = got[i].at_f64(k), y = expected[i].at_f64(k);
      if (std::isfinite(y)) CHECK(std::fabs(x - y) <= 1e-5 * (1 + std::fabs(y)));
      else CHECK((x == y || (std::isnan(x) && std::isnan(y))));
    }
  }
#endif
}

/// One node of a domain on inputs x0, x1, …: its outputs.
inline std::vector<tenon::tensor> run_node(const std::string& domain, tenon::i64 version, const std::string& op,
                                           const std::vector<tenon::tensor>& inputs,
                                           std::vector<std::string> attributes, size_t outputs = 1) {
  namespace onnx = tenon::importers::onnx;
  onnx_builder::model m;
  if (!domain.empty()) m.domains = {{domain, version}};
  std::vector<std::string> in, out;
  for (size_t k = 0; k < inputs.size(); ++k) {
    in.push_back("x" + std::to_string(k));
    m.inputs.push_back(onnx_builder::value(in[k], inputs[k].shape(), onnx::to_elem_type(inputs[k].type())));
  }
  for (size_t k = 0; k < outputs; ++k) {
    out.push_back("y" + std::to_string(k));
    m.outputs.push_back(onnx_builder::open_value(out[k]));
  }
  m.nodes = {onnx_builder::node(op, in, out, attributes, {}, domain)};
  const std::string bytes = m.text();
  const auto module = onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx"), {});
  std::vector<tenon::tensor> results = tenon::interpret(module.body(), "main", inputs);
  check_on_cpu(bytes, inputs, results);
  return results;
}
