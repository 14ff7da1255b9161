// needs: llvm
// Code of docs/how_to/: models from ONNX files and from C++.
#include <cstdio>
#include <fstream>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/typed_graph.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "../importers/onnx_builder.hpp"

using namespace tenon;

TEST_CASE("an ONNX model of one's own") {
  namespace with = onnx_builder;
  std::ofstream("scorer.onnx", std::ios::binary)
      << with::model{.nodes = {with::node("Gather", {"table", "ids"}, {"words"}),
                               with::node("ReduceSum", {"words"}, {"scores"},
                                          {with::attribute("axes", {1}), with::attribute("keepdims", i64{0})})},
                     .inputs = {with::value("ids", {-1, 3}, with::elem_type::int64)},
                     .outputs = {with::open_value("scores")},
                     .initializers = {with::initializer<float>("table", {4, 2}, {0, 0, 1, 2, 10, 20, 100, 200})},
                     .opset = 11}
             .text();
  // [model]
  targets::register_cpu_target();
  session model(importers::onnx::open("scorer.onnx"), {.target = "cpu"});
  const std::vector<i64> words = {3, 1, 2};
  const named_tensors y = model.run_named({{"ids", tensor::from<i64>({1, 3}, words)}});  // compiles; other sizes do not
  const tensor& scores = y.at("scores");                                                 // f32[1,2]
  std::printf("%s: %g and %g\n", scores.describe().c_str(), scores.at_f64(0), scores.at_f64(1));
  // [end]
  CHECK(scores.at_f64(0) == 111);
  CHECK(scores.at_f64(1) == 222);
  model.run_named({{"ids", tensor::from<i64>({2, 3}, {3, 1, 2, 0, 0, 1})}});
  CHECK(model.compilations() == 1);
  std::remove("scorer.onnx");
}

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

TEST_CASE("functions and loops of a model in C++") {
  const tensor w1(dtype::f32, {4, 4}), w2(dtype::f32, {4, 4});
  nn::graph g("net");
  const nn::variable x = g.input<float>("x", {"batch", 4});
  // [functions]
  const auto block = g.function("block", {nn::parameter<float>("x", {"n", 4}), nn::parameter<float>("w", {4, 4})},
                                [](nn::variable x, nn::variable w) { return relu(dense(x, w)) + x; });
  const nn::variable y = block(block(x, g.constant(w1)), g.constant(w2));
  // [end]
  // [loops]
  const auto [last, sums] = g.scan(y, g.constant(tensor(dtype::f32, {4})), [](nn::variable sum, nn::variable row) {
    return std::pair{sum + row, sum + row};  // the next state, and what is stacked
  });
  const nn::variable halved = g.repeat_while(
      last, [](nn::variable v) { return greater(reduce_max(v, {}, false), 1); }, [](nn::variable v) { return v / 2; });
  g.output("sums", g.if_else(greater(extent_of(x, 0), 1), [&] { return sums; }, [&] { return y; }));
  // [end]
  g.output("halved", halved);
  session s(std::move(g).finish(), {.target = "cpu"});
  const std::vector<tensor> r = s.run(std::vector{tensor::from<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})});
  CHECK(r[0].at_f64(7) == 12);
  CHECK(r[1].at_f64(3) == 0.75);
}

TEST_CASE("recurrent layers and types of a model in C++") {
  const tensor w(dtype::f32, {64, 8}), r(dtype::f32, {64, 16}), b(dtype::f32, {64});
  nn::graph g("reader");
  // [recurrent]
  // Weights as PyTorch saves them: torch.nn.LSTM(8, 16, batch_first=True).
  const nn::variable words = g.input<float>("words", {"batch", "steps", 8});
  const auto [all, last, cell] =
      lstm(words, transpose(g.constant(w)), transpose(g.constant(r)), g.constant(b));  // b: b_ih + b_hh
  g.output("last", last);
  // [end]
  // [typed]
  const auto head = g.function("head", {"x", "w"}, [](nn::typed<float, "n", 16> x, nn::typed<float, 16, "classes"> w) {
    return softmax(matmul(x, w));
  });
  const auto weight = nn::constant<float, 16, 3>(g, tensor(dtype::f32, {16, 3}));
  const nn::typed<float, "batch", 3> classes = head(nn::as<float, "batch", 16>(last), weight);
  // [end]
  g.output("classes", classes);
  const program p = load(build<targets::cpu>(std::move(g).finish()));
  CHECK(p.run({tensor(dtype::f32, {2, 5, 8})})[1].at_f64(0) == doctest::Approx(1. / 3));
}
