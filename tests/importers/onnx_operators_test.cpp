/// @file onnx_operators_test: ONNX operators that are composed while importing, on values computed by hand.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>

#include "on_cpu.hpp"
#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::tensor;

namespace {

std::vector<tensor> run(const model& m, const std::vector<tensor>& inputs, const onnx::import_options& options = {}) {
  const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), options);
  return tn::interpret(module.body(), "main", inputs);
}

/// One node; each input is one of the model's, named a, b, … and of the tensor's type.
struct single {
  std::string op;
  std::vector<std::string> attributes = {};
  i64 opset = 22;
  std::string domain = {};
  size_t outputs = 1;

  std::vector<tensor> operator()(const std::vector<tensor>& inputs, std::vector<size_t> constants = {}) const {
    model m{.opset = opset};
    std::vector<std::string> in, out;
    std::vector<tensor> given, all;
    onnx::import_options options;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const std::string name(1, static_cast<char>('a' + k));
      in.push_back(inputs[k].data() == nullptr ? "" : name);
      if (in.back().empty()) continue;
      all.push_back(inputs[k]);
      m.inputs.push_back(value(name, inputs[k].shape(), onnx::to_elem_type(inputs[k].type())));
      if (std::find(constants.begin(), constants.end(), k) != constants.end()) options.constants[name] = inputs[k];
      else given.push_back(inputs[k]);
    }
    for (size_t k = 0; k < outputs; ++k) {
      out.push_back("y" + std::to_string(k));
      m.outputs.push_back(open_value(out.back()));
    }
    m.nodes = {node(op, in, out, attributes, {}, domain)};
    std::vector<tensor> results = run(m, given, options);
    check_on_cpu(m.text(), all, results);
    return results;
  }
};

bool is(const tensor& got, const std::vector<double>& want, double tolerance = 1e-5) {
  bool same = got.size() == static_cast<i64>(want.size());
  for (i64 k = 0; same && k < got.size(); ++k)
    same = std::fabs(got.at_f64(k) - want[static_cast<size_t>(k)]) <= tolerance;
  if (!same)
    for (i64 k = 0; k < got.size(); ++k) MESSAGE(got.describe() << " [" << k << "] " << got.at_f64(k));
  return same;
}

tensor floats(std::vector<i64> shape, const std::vector<float>& v) { return tensor::from<float>(shape, v); }
tensor longs(std::vector<i64> shape, const std::vector<i64>& v) { return tensor::from<i64>(shape, v); }

/// A graph with one node as an attribute.
std::string branch(const char* name, const std::string& n, const std::string& output) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_int32(20, 5);
    pbf_writer g(a, 6);
    g.add_message(1, n);
    g.add_string(2, name);
    g.add_message(12, value(output, {1}));
  });
}

std::string code_of(const model& m) {
  try {
    onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
  } catch (const tn::error& e) { return e.code(); }
  return "none";
}

}  // namespace

TEST_CASE("Det eliminates with pivots") {
  const single det{"Det"};
  CHECK(is(det({floats({2, 2}, {1, 2, 3, 4})})[0], {-2}));
  CHECK(is(det({floats({3, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 1})})[0], {-1}));
  CHECK(is(det({floats({2, 2, 2}, {1, 2, 2, 4, 2, 0, 5, 3})})[0], {0, 6}));
  CHECK(det({floats({1, 1}, {7})})[0].shape().empty());
  CHECK_THROWS_AS(det({floats({2, 3}, {1, 2, 3, 4, 5, 6})}), tn::error);
}

TEST_CASE("DeformConv without offsets is a convolution, and with them reads between elements") {
  const single conv{"DeformConv"};
  const tensor image = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), ones = floats({1, 1, 2, 2}, {1, 1, 1, 1});
  CHECK(is(conv({image, ones, floats({1, 8, 2, 2}, std::vector<float>(32, 0))})[0], {12, 16, 24, 28}));
  CHECK(is(conv({image, ones, floats({1, 8, 2, 2}, std::vector<float>(32, 0)), floats({1}, {1}),
                 floats({1, 4, 2, 2}, std::vector<float>(16, 0.5f))})[0],
           {7, 9, 13, 15}));
  // Half an element to the right of two: outside there are zeros.
  CHECK(is(conv({floats({1, 1, 1, 2}, {0, 4}), floats({1, 1, 1, 1}, {1}), floats({1, 2, 1, 2}, {0, 0, .5f, .5f})})[0],
           {2, 2}));
}

TEST_CASE("TensorScatter writes from an index of each sample on") {
  const tensor cache = floats({1, 4, 1}, {1, 2, 3, 4}), update = floats({1, 2, 1}, {9, 8});
  single scatter{"TensorScatter", {}, 24};
  CHECK(is(scatter({cache, update, longs({1}, {1})})[0], {1, 9, 8, 4}));
  CHECK(is(scatter({cache, update})[0], {9, 8, 3, 4}));
  scatter.attributes = {attribute("mode", std::string("circular"))};
  CHECK(is(scatter({cache, update, longs({1}, {3})})[0], {8, 2, 3, 9}));
}

TEST_CASE("RoiAlign, by its operator set") {
  const tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4}), roi = floats({1, 4}, {0, 0, 2, 2}), batch = longs({1}, {0});
  CHECK(is(single{"RoiAlign", {}, 16}({x, roi, batch})[0], {2.5}));
  CHECK(is(single{"RoiAlign", {}, 10}({x, roi, batch})[0], {3.25}));
}

TEST_CASE("Resize 10 takes the next element up where it shrinks, and the next one down where it grows") {
  model m{.opset = 10};
  m.inputs = {value("x", {1, 1, 2, 4})};
  m.outputs = {open_value("y")};
  m.initializers = {initializer<float>("s", {4}, {1, 1, .6f, 1.5f})};
  m.nodes = {node("Resize", {"x", "s"}, {"y"})};
  const tensor x = floats({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::vector<tensor> y = run(m, {x});
  CHECK(is(y[0], {1, 1, 2, 3, 3, 4}));
  check_on_cpu(m.text(), {x}, y);
  m.initializers = {initializer<float>("s", {4}, {1, 1, .6f, .6f})};
  CHECK(is(run(m, {x})[0], {1, 3}));
}

TEST_CASE("Resize takes the one of scales and sizes that has elements, known or not before the program runs") {
  const tensor x = floats({1, 1, 1, 2}, {1, 2}), none = floats({0}, {}), twice = floats({4}, {1, 1, 1, 2});
  model m{.opset = 13};
  m.inputs = {value("x", {1, 1, 1, 2}), value("scales", {-1})};
  m.outputs = {open_value("y")};
  m.initializers = {initializer<i64>("sizes", {4}, {1, 1, 1, 4})};
  m.nodes = {node("Resize", {"x", "", "scales", "sizes"}, {"y"})};
  CHECK(is(run(m, {x, none})[0], {1, 1, 2, 2}));
  check_on_cpu(m.text(), {x, none}, run(m, {x, none}));
  const auto imported = [&] { return onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {}); };
  const auto module = imported();
  const auto& conditions = module.body().conditions.items();
  CHECK(std::any_of(conditions.begin(), conditions.end(), [](const auto& c) { return c.text() == "n==0"; }));
  const auto code_of = [&] {
    try {
      imported();
    } catch (const tn::error& e) { return e.code(); }
    return std::string("none");
  };
  m.inputs[1] = value("scales", {4});
  CHECK(code_of() == "onnx.bad_node");
  m.inputs = {value("x", {1, 1, 1, 2}), value("scales", {-1}), value("sizes", {-1}, onnx::elem_type::int64)};
  m.initializers.clear();
  CHECK(code_of() == "onnx.needs_constant");
  m.inputs[1] = value("scales", {4});  // and so the sizes must be empty
  CHECK(is(run(m, {x, twice, tensor(tn::dtype::i64, {0})})[0], {1, 1, 2, 2}));
}

TEST_CASE("what the options give a value is no input of a source, either") {
  model m;
  m.inputs = {value("x", {2}), value("y", {2})};
  m.outputs = {open_value("z")};
  m.nodes = {node("Add", {"x", "y"}, {"z"})};
  onnx::import_options options;
  options.constants.emplace("y", floats({2}, {1, 2}));
  tn::session s(onnx::source_of(onnx::decode_model(m.text(), nullptr, "test.onnx"), options),
                tn::session_options{.target = "interpreter"});
  CHECK(is(s.run(std::vector<tensor>{floats({2}, {1, 1})})[0], {2, 3}));
}

TEST_CASE("cubic GridSample reads its border, but places points as they are") {
  const single sample{"GridSample",
                      {attribute("mode", std::string("cubic")), attribute("padding_mode", std::string("border"))}};
  CHECK(is(sample({floats({1, 1, 1, 4}, {1, 2, 4, 8}), floats({1, 1, 3, 2}, {1.2f, 0, -1.1f, 0, 0, 0})})[0],
           {8.027, .95275, 2.71875}));
}

TEST_CASE("Shrink cuts integers off after it has shrunk them") {
  const single shrink{"Shrink", {attribute("lambd", 1.5f), attribute("bias", 1.5f)}};
  CHECK(is(shrink({longs({5}, {-4, -2, 1, 2, 4})})[0], {-2, 0, 0, 0, 2}));
  CHECK(is(shrink({floats({2}, {-4, 2})})[0], {-2.5, .5}));
}

TEST_CASE("BatchNormalization in its old forms") {
  const tensor x = floats({2, 2}, {1, 2, 3, 6}), one = floats({2}, {1, 1}), zero = floats({2}, {0, 0});
  // Who asks for the new mean trains.
  const auto y = single{"BatchNormalization", {attribute("epsilon", 0.f), attribute("momentum", .5f)}, 9, {}, 5}(
      {x, one, zero, one, one});
  CHECK(is(y[0], {-1, -1, 1, 1}));
  CHECK(is(y[1], {1.5, 2.5}));
  CHECK(is(y[2], {1, 2.5}));
  CHECK(is(y[3], {2, 4}));
  CHECK(is(y[4], {1, 4}));
  // Parameters for each element.
  const single each{"BatchNormalization", {attribute("epsilon", 0.f), attribute("spatial", i64{0})}, 7};
  const tensor four = floats({1, 2}, {4, 4});
  CHECK(is(each({floats({2, 1, 2}, {1, 2, 3, 4}), floats({1, 2}, {2, 4}), floats({1, 2}, {0, 1}),
                 floats({1, 2}, {1, 2}), four})[0],
           {0, 1, 2, 5}));
}

TEST_CASE("Dropout drops and makes larger when it trains") {
  const tensor x = floats({1000}, std::vector<float>(1000, 3)), ratio = floats({}, {.25f});
  const tensor training = tensor::from<bool>({}, {true}), inference = tensor::from<bool>({}, {false});
  const single dropout{"Dropout", {attribute("seed", i64{3})}, 13, {}, 2};
  const auto y = dropout({x, ratio, training});
  i64 kept = 0;
  for (i64 i = 0; i < 1000; ++i) {
    kept += y[1].at_i64(i);
    CHECK(y[0].at_f64(i) == doctest::Approx(y[1].at_i64(i) != 0 ? 4. : 0.));
  }
  CHECK((kept > 700 && kept < 800));
  CHECK(is(dropout({x, ratio, inference})[0], std::vector<double>(1000, 3)));
  CHECK(is(dropout({x, floats({}, {0}), training}, {1, 2})[0], std::vector<double>(1000, 3)));
}

TEST_CASE("Col2Im takes its shapes as constants") {
  const single col2im{"Col2Im"};
  CHECK(is(col2im({floats({1, 2, 2}, {1, 2, 10, 20}), longs({1}, {3}), longs({1}, {2})}, {1, 2})[0], {1, 12, 20}));
  CHECK_THROWS_AS(col2im({floats({1, 2, 2}, {1, 2, 10, 20}), longs({1}, {3}), longs({1}, {2})}), tn::error);
}

TEST_CASE("NonMaxSuppression keeps the best of those that overlap") {
  const tensor boxes = floats({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, .9f, 0, 10, 1, 11}),
               scores = floats({1, 1, 3}, {.8f, .9f, .7f}), most = longs({1}, {3}), iou = floats({1}, {.5f});
  const single nms{"NonMaxSuppression"};
  CHECK(is(nms({boxes, scores, most, iou})[0], {0, 0, 1, 0, 0, 2}));
  CHECK(is(nms({boxes, scores, most, iou, floats({1}, {.75f})})[0], {0, 0, 1}));
  CHECK(nms({boxes, scores})[0].shape() == std::vector<i64>{0, 3});  // none is asked for
}

TEST_CASE("MelWeightMatrix is a constant") {
  const auto scalar = [](i64 v) { return longs({}, {v}); };
  CHECK(is(single{"MelWeightMatrix"}({scalar(1), scalar(8), scalar(8), floats({}, {0}), floats({}, {4})},
                                     {0, 1, 2, 3, 4})[0],
           {0, 1, 0, 0, 0}));
}

TEST_CASE("TfIdfVectorizer counts n-grams with gaps") {
  std::vector<std::string> attributes{attribute("min_gram_length", i64{1}),  attribute("max_gram_length", i64{2}),
                                      attribute("max_skip_count", i64{1}),   attribute("ngram_counts", {0, 2}),
                                      attribute("ngram_indexes", {0, 1, 3}), attribute("pool_int64s", {2, 3, 2, 3})};
  const auto with = [&](const char* mode) {
    auto all = attributes;
    all.push_back(attribute("mode", std::string(mode)));
    return single{"TfIdfVectorizer", all, 9};
  };
  CHECK(is(with("TF")({longs({5}, {2, 3, 2, 7, 3})})[0], {2, 2, 0, 2}));
  CHECK(is(with("IDF")({longs({5}, {2, 3, 2, 7, 3})})[0], {1, 1, 0, 1}));
  CHECK(is(with("TF")({longs({2, 1}, {2, 7})})[0], {1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_CASE("LinearAttention, by its rules") {
  const tensor one = floats({1, 2, 1}, {1, 1}), v = floats({1, 2, 1}, {2, 3}), none;
  const float half = std::log(0.5f);
  const tensor decay = floats({1, 2, 1}, {half, half});
  const auto with = [&](const char* rule) {
    return single{"LinearAttention",
                  {attribute("q_num_heads", i64{1}), attribute("kv_num_heads", i64{1}), attribute("scale", 1.f),
                   attribute("update_rule", std::string(rule))},
                  27,
                  {},
                  2};
  };
  CHECK(is(with("linear")({one, one, v})[0], {2, 5}));
  CHECK(is(with("linear")({one, one, v})[1], {5}));
  CHECK(is(with("linear")({one, one, v, floats({1, 1, 1, 1}, {10})})[0], {12, 15}));
  CHECK(is(with("gated")({one, one, v, none, decay})[0], {2, 4}));
  CHECK(is(with("delta")({one, one, v, none, none, one})[0], {2, 3}));
  CHECK(is(with("gated_delta")({one, one, v, none, decay, floats({1, 2, 1}, {1, .5f})})[0], {2, 2}));
  CHECK_THROWS_AS(with("gated")({one, one, v}), tn::error);
}

TEST_CASE("what must be known while importing is asked for") {
  const model sum{.nodes = {node("CumSum", {"x", "axis"}, {"y"})},
                  .inputs = {value("x", {2}), value("axis", {1}, elem_type::int64)},
                  .outputs = {value("y", {2})}};
  CHECK(code_of(sum) == "onnx.needs_constant");
  model choice{
      .nodes = {node("Equal", {"rate", "rate"}, {"c"}), node("If", {"c"}, {"y"},
                                                             {branch("then_branch", node("Relu", {"x"}, {"t"}), "t"),
                                                              branch("else_branch", node("Neg", {"x"}, {"e"}), "e")})},
      .inputs = {value("x", {1}), value("rate", {1}, elem_type::int64)},
      .outputs = {value("y", {1})}};
  CHECK(code_of(choice) == "none");  // what an If chooses is found when the model runs
  choice.nodes[0] = node("Less", {"x", "x"}, {"c"});
  CHECK(code_of(choice) == "none");
}

TEST_CASE("Flatten of nothing keeps the other extent, which only the run knows") {
  onnx_builder::model m;
  m.inputs = {value("x", {0, 2, -1})};
  m.outputs = {value("y", {0, -1})};
  m.nodes = {node("Flatten", {"x"}, {"y"})};
  const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
  const std::vector<tensor> inputs{tensor(tn::dtype::f32, {0, 2, 3})};
  CHECK(tenon::interpret(module.body(), "main", inputs)[0].shape() == std::vector<tn::i64>{0, 6});
}

TEST_CASE("what only a shape says is asked for, not said to be wrong") {
  const auto code = [](const char* op, std::vector<std::string> inputs) {
    onnx_builder::model m{.opset = 23};
    for (size_t k = 0; k < inputs.size(); ++k)
      m.inputs.push_back(value(inputs[k], k == 0 ? std::vector<tn::i64>{1, 4, -1} : std::vector<tn::i64>{1, -1, 2, 4}));
    if (std::string(op) == "Attention") m.inputs[0] = value(inputs[0], {1, 4, 2, 4});
    m.outputs = {value("y", {1})};
    m.nodes = {node(op, inputs, {"y"})};
    try {
      onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
    } catch (const tn::error& e) { return e.code(); }
    return std::string();
  };
  CHECK(code("DFT", {"x"}) == "onnx.unsupported");
  CHECK(code("Attention", {"q", "k", "v"}) == "onnx.unsupported");
}
