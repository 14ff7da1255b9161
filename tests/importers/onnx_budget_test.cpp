/// @file onnx_budget_test: small models that ask for much are refused by a budget, before memory and time are taken.
#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/runtime/strings.hpp>

#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::i64;
using tn::tensor;

namespace {

const std::string x4 = value("x", {4}), y4 = value("y", {4});

tn::ir_module<tn::phases::ingestion> imported(const std::string& bytes, const onnx::import_options& options = {}) {
  return onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx", {}, {options.budget, false}), options);
}
tn::error error_of(const std::string& bytes, const onnx::import_options& options = {}) {
  try {
    imported(bytes, options);
  } catch (const tn::error& e) { return e; }
  return {"none", "no error"};
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Functions f0 … fn, each calling the one before `times` times in a row; the model calls the last.
model chain(int n, int times) {
  model m{.nodes = {node("f" + std::to_string(n), {"x"}, {"y"}, {}, {}, "local")}, .inputs = {x4}, .outputs = {y4}};
  m.functions.push_back(function("f0", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})}));
  for (int k = 1; k <= n; ++k) {
    std::vector<std::string> calls;
    for (int t = 0; t < times; ++t)
      calls.push_back(node("f" + std::to_string(k - 1), {t == 0 ? "a" : "t" + std::to_string(t)},
                           {t + 1 == times ? "b" : "t" + std::to_string(t + 1)}, {}, {}, "local"));
    m.functions.push_back(function("f" + std::to_string(k), {"a"}, {"b"}, calls));
  }
  return m;
}

std::string graph(std::vector<std::string> inputs, std::vector<std::string> nodes, std::vector<std::string> outputs,
                  std::vector<std::string> initializers = {}) {
  return message([&](pbf_writer& g) {
    for (const auto& n : nodes) g.add_message(1, n);
    for (const auto& t : initializers) g.add_message(5, t);
    for (const auto& v : inputs) g.add_message(11, v);
    for (const auto& v : outputs) g.add_message(12, v);
  });
}
std::string attribute_graph(const char* name, const std::string& g) {
  return message([&](pbf_writer& a) { a.add_string(1, name), a.add_message(6, g), a.add_int32(20, 5); });
}

void check_budget(const tn::error& e, const char* limit, const char* member, const char* option) {
  CHECK_MESSAGE(e.code() == "onnx.budget", e.what());
  for (const char* part : {limit, member, option}) CHECK_MESSAGE(contains(e.what(), part), e.what());
}

}  // namespace

TEST_CASE("functions that double thirty times are stopped by the number of nodes") {
  onnx::import_options options;
  options.budget.nodes = 10'000;
  check_budget(error_of(chain(30, 2).text(), options), "10000", "import_budget::nodes", "--max-nodes");
  CHECK(error_of(chain(30, 2).text()).code() == "onnx.budget");  // as is
  // Twelve times are 4096 nodes, and the calls around them.
  options.budget.nodes = 40'000;
  CHECK(imported(chain(12, 2).text(), options).body().op_count() >= 4096);
  options.budget.nodes = 4'000;
  CHECK(error_of(chain(12, 2).text(), options).code() == "onnx.budget");
}

TEST_CASE("functions in functions, and graphs in graphs, are as deep as the budget says") {
  check_budget(error_of(chain(10'000, 1).text()), "more than 64 deep", "import_budget::depth", "--max-depth");
  CHECK_NOTHROW(imported(chain(60, 1).text()));
  onnx::import_options options;
  options.budget.depth = 800;
  CHECK_NOTHROW(imported(chain(700, 1).text(), options));
  options.budget.depth = 3;
  // An If in an If … whose condition is an input: both branches are written.
  std::string inner = graph({}, {node("Relu", {"x"}, {"r"})}, {value("r", {4})});
  for (int k = 0; k < 5; ++k)
    inner = graph(
        {}, {node("If", {"c"}, {"r"}, {attribute_graph("then_branch", inner), attribute_graph("else_branch", inner)})},
        {value("r", {4})});
  const model m{.nodes = {node("If", {"c"}, {"y"},
                               {attribute_graph("then_branch", inner), attribute_graph("else_branch", inner)})},
                .inputs = {x4, value("c", {}, elem_type::boolean)},
                .outputs = {y4}};
  CHECK(error_of(m.text(), options).code() == "onnx.budget");
  CHECK_NOTHROW(imported(m.text()));
  for (const int depth : {-1, 100'000}) {
    options.budget.depth = depth;
    CHECK(error_of(m.text(), options).code() == "onnx.bad_option");
  }
}

TEST_CASE("a loop that writes itself in each turn of a loop is counted in each turn") {
  std::string body = graph({value("i", {}, elem_type::int64), value("c", {}, elem_type::boolean), value("v", {4})},
                           {node("Identity", {"c"}, {"c2"}), node("Relu", {"v"}, {"v2"})},
                           {value("c2", {}, elem_type::boolean), value("v2", {4})});
  for (int k = 0; k < 3; ++k)
    body =
        graph({value("i", {}, elem_type::int64), value("c", {}, elem_type::boolean), value("v", {4})},
              {node("Identity", {"c"}, {"c2"}), node("Loop", {"n", "", "v"}, {"v2"}, {attribute_graph("body", body)})},
              {value("c2", {}, elem_type::boolean), value("v2", {4})});
  const model m{.nodes = {node("Loop", {"n", "", "x"}, {"y"}, {attribute_graph("body", body)})},
                .inputs = {x4},
                .outputs = {y4},
                .initializers = {initializer<i64>("n", {}, {1000})}};
  onnx::import_options options;
  options.budget.nodes = 50'000;
  CHECK(error_of(m.text(), options).code() == "onnx.budget");
}

TEST_CASE("constants that importing makes are counted before they are there") {
  // The diagonal of a matrix is taken by a unit matrix of its size.
  const model diagonal{.nodes = {node("Einsum", {"x"}, {"y"}, {attribute("equation", std::string("ii->i"))})},
                       .inputs = {value("x", {1 << 20, 1 << 20})},
                       .outputs = {value("y", {1 << 20})}};
  check_budget(error_of(diagonal.text()), "1073741824 bytes", "import_budget::bytes", "--max-bytes");
  const auto words = [](i64 column) {
    return model{.nodes = {node("TfIdfVectorizer", {"x"}, {"y"},
                                {attribute("min_gram_length", i64{1}), attribute("max_gram_length", i64{1}),
                                 attribute("max_skip_count", i64{0}), attribute("mode", std::string("TF")),
                                 attribute("ngram_counts", {0}), attribute("ngram_indexes", {column}),
                                 attribute("pool_int64s", {7})})},
                 .inputs = {value("x", {4}, elem_type::int64)},
                 .outputs = {message([](pbf_writer& v) { v.add_string(1, "y"); })}};
  };
  CHECK(error_of(words(i64{1} << 40).text()).code() == "onnx.budget");
  CHECK(error_of(words(INT64_MAX).text()).code() == "extent.overflow");
  CHECK(error_of(words(2).text()).code() == "none");

  // What is folded in small pieces is counted, too.
  model many{.inputs = {x4}, .outputs = {y4}};
  many.initializers = {initializer<i64>("shape", {1}, {4096})};
  many.nodes.push_back(node("ConstantOfShape", {"shape"}, {"c0"}));
  for (int k = 0; k < 100; ++k)
    many.nodes.push_back(node("Neg", {"c" + std::to_string(k)}, {"c" + std::to_string(k + 1)}));
  many.nodes.push_back(node("Relu", {"x"}, {"y"}));
  onnx::import_options options;
  options.budget.bytes = 1'000'000;
  CHECK(error_of(many.text(), options).code() == "onnx.budget");
  options.budget.bytes = 3'000'000;
  CHECK(error_of(many.text(), options).code() == "none");
}

TEST_CASE("a sparse tensor is counted as large as it is when it is dense") {
  const auto sparse = [](i64 extent) {
    return message([&](pbf_writer& s) {
      s.add_message(1, onnx::encode_tensor(tensor::from<float>({1}, {5.f}), "w"));
      s.add_message(2, onnx::encode_tensor(tensor::from<i64>({1}, {3}), ""));
      s.add_int64(3, extent);
    });
  };
  const auto text = [&](i64 extent) {
    return message([&](pbf_writer& m) {
      m.add_int64(1, 8);
      {
        pbf_writer o(m, 8);
        o.add_int64(2, 17);
      }
      pbf_writer g(m, 7);
      g.add_message(1, node("Relu", {"w"}, {"y"}));
      g.add_message(15, sparse(extent));
      g.add_message(12, message([](pbf_writer& v) { v.add_string(1, "y"); }));
    });
  };
  CHECK(error_of(text(i64{1} << 30)).code() == "onnx.budget");
  CHECK(error_of(text(1000)).code() == "none");
}

TEST_CASE("texts that double are not computed while importing") {
  model m{.inputs = {value("x", {1}, elem_type::string)}, .outputs = {value("y", {1}, elem_type::string)}, .opset = 20};
  m.initializers = {onnx::encode_tensor(tn::string_tensor({1}, {"abcdefgh"}), "t0")};
  for (int k = 0; k < 60; ++k)
    m.nodes.push_back(
        node("StringConcat", {"t" + std::to_string(k), "t" + std::to_string(k)}, {"t" + std::to_string(k + 1)}));
  m.nodes.push_back(node("Identity", {"x"}, {"y"}));
  CHECK(error_of(m.text()).code() == "none");
}

TEST_CASE("time is a budget: what is tried again goes on counting") {
  onnx::import_options options;
  options.budget.seconds = 0.05;
  options.budget.nodes = options.budget.bytes = INT64_MAX;
  const auto begin = std::chrono::steady_clock::now();
  check_budget(error_of(chain(50, 2).text(), options), "more than 0.05 s", "import_budget::seconds", "--max-seconds");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  options.budget.seconds = -1;
  CHECK(error_of(chain(1, 1).text(), options).code() == "onnx.bad_option");
}

TEST_CASE("many empty messages are more in memory than in the file") {
  const std::string bytes = message([](pbf_writer& m) {
    pbf_writer g(m, 7);
    for (int k = 0; k < 10'000; ++k) g.add_message(13, std::string());
  });
  const auto code_of = [&](i64 budget) -> std::string {
    onnx::read_options options;
    options.budget.bytes = budget;
    try {
      onnx::decode_model(bytes, nullptr, "test.onnx", {}, options);
    } catch (const tn::error& e) { return e.code(); }
    return "none";
  };
  CHECK(code_of(1'000'000) == "onnx.budget");
  CHECK(code_of(10'000'000) == "none");
}

TEST_CASE("a session passes its budget on, and gives up at once when it is used up") {
  onnx::import_options options;
  options.budget.nodes = 100;
  tn::session s(onnx::source_of(decoded(chain(12, 2)), options), tn::session_options{.target = "interpreter"});
  const tensor x = tensor::from<float>({4}, {1.f, 2.f, 3.f, 4.f});
  std::string code;
  try {
    s.run({{x}});
  } catch (const tn::error& e) { code = e.code(); }
  CHECK(code == "onnx.budget");
}
