// needs: llvm
// Code of docs/how_to/: models from ONNX files and from C++.
#include <cstdio>
#include <fstream>

#include <doctest/doctest.h>

#include <tenon/importers/graph.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "../importers/onnx_builder.hpp"

using namespace tenon;

// [operator]
/// ThresholdedRelu of com.example: x where it is above `alpha`, 0 elsewhere.
void import_thresholded(importers::onnx::import_context& cx, const importers::onnx::node&) {
  const value_id x = cx.in(0), above = cx.cast(cx.greater(x, cx.like(x, cx.f("alpha", 1.f))), cx.type_of(x).elem);
  cx.out(cx.mul(x, above));
}
// [end]

TEST_CASE("own ONNX operator") {
  namespace with = onnx_builder;
  const with::model m{
      .nodes = {with::node("Thresholded", {"x"}, {"y"}, {with::attribute("alpha", 2.f)}, {}, "com.example")},
      .inputs = {with::value("x", {4})},
      .outputs = {with::value("y", {4})},
      .domains = {{"com.example", 1}}};
  const char* const file = "how_to_own_operator.onnx";
  std::ofstream(file, std::ios::binary) << m.text();
  // [import]
  importers::onnx::import_options options;
  options.operators.push_back(
      {.op_type = "Thresholded", .import = import_thresholded, .domain = "com.example", .inputs = 1});
  const program p = load(build<targets::cpu>(importers::onnx::load(file, options)));
  // [end]
  std::remove(file);
  const tensor y = p["main"](tensor::from<float>({4}, {-1, 1, 3, 5}));
  CHECK(y.at_f64(1) == 0);
  CHECK(y.at_f64(2) == 3);
}

TEST_CASE("a model in C++") {
  const tensor w1(dtype::f32, {4, 8}), w2(dtype::f32, {8, 2});
  // [graph]
  nn::graph g("classifier");
  const nn::variable x = g.input<float>("x", {"batch", 4});
  const nn::variable hidden = relu(dense(x, g.constant(w1)));  // g.load("w1.npy") reads what was trained elsewhere
  g.output("probabilities", softmax(dense(hidden, g.constant(w2))));
  const program p = load(build<targets::cpu>(std::move(g).finish()));
  // [end]
  CHECK(p.run({tensor(dtype::f32, {3, 4})})[0].at_f64(0) == doctest::Approx(0.5));
}
