/// @file onnx_test: ONNX models to modules: names, operator versions, functions, options, and errors that help.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/core/attempt.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/interpret/interpreter.hpp>

#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::tensor;

namespace {

tn::ir_module<tn::phases::ingestion> import_text(const std::string& bytes, const onnx::import_options& options = {}) {
  return onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx"), options);
}

std::vector<float> run(const model& m, std::vector<tensor> inputs, const onnx::import_options& options = {}) {
  const auto module = import_text(m.text(), options);
  const auto results = tn::interpret(module.body(), "main", inputs);
  const auto values = results.at(0).data<float>();
  return {values.begin(), values.end()};
}

tn::error error_of(const model& m, const onnx::import_options& options = {}) {
  try {
    import_text(m.text(), options);
  } catch (const tn::error& e) { return e; }
  return {"none", "no error"};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int count_ops(const tn::ir::module& m, std::string_view name) {
  int n = 0;
  for (size_t i = 0; i < m.op_count(); ++i) n += m.alive(tn::op_id(i)) && m.view(tn::op_id(i)).name() == name;
  return n;
}

const tensor x4 = tensor::from<float>({4}, {-1.f, 0.f, 2.f, 9.f});

}  // namespace

TEST_CASE("inputs and outputs keep their names, and ops know their node") {
  const model m{.nodes = {node("Add", {"x", "w"}, {"s"}, {}, "first"), node("Relu", {"s"}, {"y"})},
                .inputs = {value("x", {4}), value("w", {4})},
                .outputs = {value("y", {4})},
                .initializers = {initializer<float>("w", {4}, {1, 2, 3, 4})}};
  const auto module = import_text(m.text());
  const tn::ir::module& b = module.body();
  const tn::ir::function& f = b[b.find_function("main")];
  CHECK(f.entry);
  CHECK(f.argument_names == std::vector<std::string>{"x"});  // w has an initializer
  CHECK(f.result_names == std::vector<std::string>{"y"});
  bool found = false;
  for (size_t i = 0; i < b.op_count(); ++i) {
    const tn::ir::op_view op = b.view(tn::op_id(i));
    if (op.is<tn::op::add>()) {
      found = true;
      CHECK(b.text(op.location()) == "node 'first' (Add)");
      CHECK(op.result_type().extents() == std::vector<i64>{4});
    }
  }
  CHECK(found);
  CHECK(run(m, {x4}) == std::vector<float>{0, 2, 5, 13});
}

TEST_CASE("initializers refer to the file's bytes when they lie aligned") {
  const model m{.nodes = {node("Add", {"x", "w"}, {"y"})},
                .inputs = {value("x", {4})},
                .outputs = {value("y", {4}, elem_type::uint8)},
                .initializers = {initializer<tn::u8>("w", {4}, {1, 2, 3, 4})}};
  model bytes = m;
  bytes.inputs = {value("x", {4}, elem_type::uint8)};
  const auto text = std::make_shared<std::string>(bytes.text());
  const auto data_of = [](const auto& imported) {
    REQUIRE(imported.body().constant_count() >= 1);
    return static_cast<const char*>(imported.body()[tn::constant_id(0)].value.data());
  };
  const auto module = onnx::import_model(onnx::decode_model(*text, text, "test.onnx"), {});
  CHECK(data_of(module) >= text->data());
  CHECK(data_of(module) < text->data() + text->size());
  // Without an owner, to those of a copy.
  const onnx::model copied = onnx::decode_model(*text, nullptr, "test.onnx");
  text->assign(text->size(), '\xff');
  CHECK(std::string_view(data_of(onnx::import_model(copied, {})), 4) == "\1\2\3\4");
}

TEST_CASE("large initializers stay in the file until they are read, however they lie in it") {
  std::vector<float> numbers(20000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  for (const std::string name : {"w", "we", "wei", "weig"}) {
    CAPTURE(name);
    tn::tensor w = tn::tensor::from<float>({20000}, std::span<const float>(numbers));
    model m{.nodes = {node("Add", {"x", name}, {"y"})},
            .inputs = {value("x", {20000}, elem_type::float32)},
            .outputs = {value("y", {20000}, elem_type::float32)}};
    m.initializers.push_back(onnx::encode_tensor(w, name));
    const auto text = std::make_shared<std::string>(m.text());
    const auto module = onnx::import_model(onnx::decode_model(*text, text, "test.onnx"), {});
    const tn::tensor& t = module.body()[tn::constant_id(0)].value;
    const auto* const at = static_cast<const char*>(t.stored());
    CHECK(at >= text->data());
    CHECK(at < text->data() + text->size());
    CHECK(t.at_f64(19999) == 19999);
  }
}

TEST_CASE("an unknown operator is named with its node, domain and version, and what to do") {
  model m{.nodes = {node("Frobnicate", {"x"}, {"y"}, {}, "frob")},
          .inputs = {value("x", {4})},
          .outputs = {value("y", {4})}};
  const tn::error e = error_of(m);
  CHECK(e.code() == "onnx.unsupported_op");
  CHECK(tn::attempt([&] { import_text(m.text()); }).as<tn::unsupported_error>() != nullptr);
  for (const char* part : {"'Frobnicate'", "'frob'", "ai.onnx", "17", "register"}) CHECK(contains(e.what(), part));
  m.nodes = {node("Frobnicate", {"x"}, {"y"}, {}, "frob", "com.example")};
  CHECK(contains(error_of(m).what(), "com.example"));
  // One that is nearly an operator is misspelt.
  m.nodes = {node("relu", {"x"}, {"y"})};
  CHECK(contains(error_of(m).hint(), "did you mean 'Relu'? Else replace it by other operators"));
  m.nodes = {node("Sogmoid", {"x"}, {"y"})};
  CHECK(contains(error_of(m).hint(), "did you mean 'Sigmoid'?"));
  // All of them at once, each with its number of nodes, wherever they stand.
  m.nodes = {node("Relu", {"x"}, {"r"}),
             node("Frobnicate", {"r"}, {"a"}, {}, "frob"),
             node("Frobnicate", {"a"}, {"b"}),
             node("Twice", {"b"}, {"c"}, {}, {}, "com.example"),
             node("Thrice", {"c"}, {"d"}, {}, {}, "com.example"),
             node("Thrice", {"d"}, {"y"}, {}, {}, "com.example")};
  CHECK(contains(error_of(m).message(),
                 "operator 'Frobnicate' of domain 'ai.onnx', version 17 is not supported yet; nor is 'Twice' of domain "
                 "'com.example', version 1, 'Thrice' of domain 'com.example', version 1 (2 nodes)"));
  m.nodes = {node("Relu", {"x"}, {"y"})};
  m.opset = 1000;
  CHECK(error_of(m).code() == "onnx.unsupported_opset");
}

TEST_CASE("a program adds an operator of its own") {
  const model m{.nodes = {node("Twice", {"x"}, {"y"}, {}, {}, "com.example")},
                .inputs = {value("x", {4})},
                .outputs = {value("y", {4})}};
  onnx::import_options options;
  options.operators.push_back(
      {"Twice", [](onnx::import_context& cx, const onnx::node&) { cx.out(cx.mul(cx.in(0), 2.)); }, "com.example"});
  CHECK(run(m, {x4}, options) == std::vector<float>{-2, 0, 4, 18});
}

TEST_CASE("nodes may stand before those that they read from") {
  const model m{.nodes = {node("Add", {"r", "u"}, {"y"}), node("Relu", {"t"}, {"r"}), node("Add", {"t", "t"}, {"u"}),
                          node("Neg", {"x"}, {"t"})},
                .inputs = {value("x", {4})},
                .outputs = {value("y", {4})}};
  CHECK(run(m, {x4}) == std::vector<float>{3, 0, -4, -18});
}

TEST_CASE("graphs that are no graphs are refused") {
  model m{.nodes = {node("Relu", {"b"}, {"a"}), node("Relu", {"a"}, {"b"})},
          .inputs = {value("x", {4})},
          .outputs = {value("b", {4})}};
  CHECK(error_of(m).code() == "onnx.undefined_value");
  CHECK(contains(error_of(m).what(), "topological"));
  m.nodes = {node("Relu", {"x"}, {"y"}), node("Relu", {"x"}, {"y"})};
  CHECK(error_of(m).code() == "onnx.duplicate_name");
  m.nodes = {node("Relu", {"x"}, {"y"})};
  m.outputs = {value("z", {4})};
  CHECK(error_of(m).code() == "onnx.undefined_value");
  m.outputs = {value("y", {4})};
  m.nodes = {node("Relu", {}, {"y"})};
  CHECK(error_of(m).code() == "onnx.bad_node");
  m.nodes = {node("LeakyRelu", {"x"}, {"y"}, {attribute("alpha", i64{1})})};
  CHECK(contains(error_of(m).what(), "must be of type float, not int"));
  m.nodes = {node("Softmax", {"x"}, {"y"}, {attribute("axis", i64{7})}, "soft")};
  CHECK(contains(error_of(m).what(), "'soft'"));
}

TEST_CASE("wrong types are errors with the node's name") {
  const model m{.nodes = {node("Add", {"x", "w"}, {"y"}, {}, "mixed")},
                .inputs = {value("x", {4}), value("w", {4}, elem_type::int64)},
                .outputs = {value("y", {4})}};
  const tn::error e = error_of(m);
  CHECK(e.code() == "ir.infer");
  CHECK(contains(e.what(), "'mixed'"));
  const model f8{.nodes = {node("Relu", {"x"}, {"y"})},
                 .inputs = {value("x", {4}, elem_type::complex64)},
                 .outputs = {value("y", {4})}};
  CHECK(contains(error_of(f8).what(), "complex64"));
}

TEST_CASE("operators mean what their version says") {
  model m{.nodes = {node("Clip", {"x"}, {"y"}, {attribute("min", 0.f), attribute("max", 5.f)})},
          .inputs = {value("x", {4})},
          .outputs = {value("y", {4})},
          .opset = 6};
  CHECK(run(m, {x4}) == std::vector<float>{0, 0, 2, 5});
  m.nodes = {node("Clip", {"x", "", "high"}, {"y"})};
  m.initializers = {initializer<float>("high", {}, {3})};
  m.opset = 13;
  CHECK(run(m, {x4}) == std::vector<float>{-1, 0, 2, 3});

  const tensor x = tensor::from<float>({2, 1, 2}, {0, 0, 0, 0});
  model soft{.nodes = {node("Softmax", {"x"}, {"y"}, {attribute("axis", i64{0})})},
             .inputs = {value("x", {2, 1, 2})},
             .outputs = {value("y", {2, 1, 2})},
             .opset = 11};
  CHECK(run(soft, {x}).at(0) == doctest::Approx(0.25f));  // over all dimensions from the axis on
  soft.opset = 13;
  CHECK(run(soft, {x}).at(0) == doctest::Approx(0.5f));

  model add{.nodes = {node("Add", {"x", "w"}, {"y"}, {attribute("broadcast", i64{1}), attribute("axis", i64{0})})},
            .inputs = {value("x", {2, 2})},
            .outputs = {value("y", {2, 2})},
            .initializers = {initializer<float>("w", {2}, {10, 20})},
            .opset = 6};
  CHECK(run(add, {tensor::from<float>({2, 2}, {1, 2, 3, 4})}) == std::vector<float>{11, 12, 23, 24});
}

TEST_CASE("functions are expanded, with attributes and defaults, and not for ever") {
  model m{.nodes = {node("Leak", {"x"}, {"y"}, {attribute("slope", 0.5f)}, "outer", "local")},
          .inputs = {value("x", {4})},
          .outputs = {value("y", {4})},
          .functions = {function("Leak", {"a", "unused"}, {"b"},
                                 {node("LeakyRelu", {"a"}, {"b"}, {reference("alpha", "slope", 1)})})}};
  CHECK(run(m, {x4}) == std::vector<float>{-0.5f, 0, 2, 9});
  m.nodes = {node("Leak", {"x"}, {"y"}, {}, "outer", "local")};  // the reference leads nowhere: LeakyRelu's default
  CHECK(run(m, {x4}).at(0) == doctest::Approx(-0.01f));
  m.functions = {function("Leak", {"a"}, {"b"}, {node("Leak", {"a"}, {"b"}, {}, {}, "local")})};
  CHECK(error_of(m).code() == "onnx.recursive_function");
}

TEST_CASE("shapes computed from shapes are known while importing, when shapes are given") {
  const model m{.nodes = {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "zero"}, {"n"}),
                          node("Unsqueeze", {"n", "axis"}, {"n1"}),
                          node("Concat", {"n1", "rest"}, {"to"}, {attribute("axis", i64{0})}),
                          node("Reshape", {"x", "to"}, {"y"})},
                .inputs = {value("x", {-1, 2, 2})},
                .outputs = {value("y", {-1, 4})},
                .initializers = {initializer<i64>("zero", {}, {0}), initializer<i64>("axis", {1}, {0}),
                                 initializer<i64>("rest", {1}, {-1})}};
  onnx::import_options options;
  options.shapes["x"] = {3, 2, 2};
  const auto module = import_text(m.text(), options);
  CHECK(count_ops(module.body(), "gather") == 0);
  CHECK(count_ops(module.body(), "concat") == 0);
  REQUIRE(count_ops(module.body(), "reshape") == 1);
  const auto& f = module.body()[module.body().find_function("main")];
  CHECK(module.body()[f.result_types.at(0)].extents() == std::vector<i64>{3, 4});

  options.shapes.clear();
  options.symbols["n"] = 5;
  const auto named = import_text(m.text(), options);
  CHECK(named.body()[named.body()[named.body().find_function("main")].result_types.at(0)].extents() ==
        std::vector<i64>{5, 4});

  const tensor x = tensor::from<float>({1, 2, 2}, {1, 2, 3, 4});
  CHECK(run(m, {x}) == std::vector<float>{1, 2, 3, 4});  // and without: when it runs
}

TEST_CASE("options that do not fit are errors") {
  const model m{
      .nodes = {node("Relu", {"x"}, {"y"})}, .inputs = {value("x", {-1, 2})}, .outputs = {value("y", {-1, 2})}};
  onnx::import_options options;
  options.shapes["x"] = {3, 5};
  CHECK(error_of(m, options).code() == "onnx.bad_option");
  options.shapes["x"] = {3};
  CHECK(error_of(m, options).code() == "onnx.bad_option");
  options.shapes = {{"other", {3, 2}}};
  CHECK(error_of(m, options).code() == "onnx.bad_option");
}

TEST_CASE("an input can be made a constant") {
  const model m{.nodes = {node("Unsqueeze", {"x", "axes"}, {"y"})},
                .inputs = {value("x", {4}), value("axes", {1}, elem_type::int64)},
                .outputs = {value("y", {4, 1})}};
  CHECK(error_of(m).code() == "onnx.needs_constant");
  CHECK(tn::attempt([&] { import_text(m.text()); }).as<tn::unsupported_error>() != nullptr);
  onnx::import_options options;
  options.constants.emplace("axes", tensor::from<i64>({1}, {1}));
  const auto module = import_text(m.text(), options);
  const auto& f = module.body()[module.body().find_function("main")];
  CHECK(f.argument_names.size() == 1);
  CHECK(module.body()[f.result_types.at(0)].extents() == std::vector<i64>{4, 1});
}

TEST_CASE("a model cut off at any byte is an error or a module") {
  const model m{
      .nodes = {node("Conv", {"x", "w"}, {"c"}, {attribute("pads", {1, 1, 1, 1})}), node("Relu", {"c"}, {"y"})},
      .inputs = {value("x", {1, 1, 3, 3})},
      .outputs = {value("y", {1, 1, 3, 3})},
      .initializers = {initializer<float>("w", {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})}};
  const std::string whole = m.text();
  int errors = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      import_text(bytes);
    } catch (const tn::error&) { ++errors; }
  };
  for (size_t n = 0; n < whole.size(); ++n) attempt(whole.substr(0, n));
  for (size_t n = 0; n < whole.size(); ++n) {
    std::string changed = whole;
    changed[n] = static_cast<char>(changed[n] ^ 0x11);
    attempt(changed);
  }
  CHECK(errors > static_cast<int>(whole.size()));
}
