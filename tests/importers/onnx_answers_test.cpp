// needs: llvm xsimd
/// @file onnx_answers_test: program files of models of which sizes decide what the graph is: an If whose branches
/// differ in rank. They serve the sizes that the interpreter serves, whichever branch it takes.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <tenon/artifacts/c_source.hpp>
#include <tenon/compile/other_answers.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/general_variant.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd_session.hpp>

#include <support/skip.hpp>
#include "onnx_runs.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::i64;
using tn::tensor;

namespace {

/// A scalar condition on one extent of `x`.
std::vector<std::string> question(const std::string& x, i64 axis, const char* op, i64 number, const std::string& p) {
  return {constant(p + "_at", numbers({}, {axis})), constant(p + "_number", numbers({}, {number})),
          node("Shape", {x}, {p + "_shape"}),
          node("Gather", {p + "_shape", p + "_at"}, {p + "_d"}, {attribute("axis", i64{0})}),
          node(op, {p + "_d", p + "_number"}, {p})};
}
std::string if_else(const std::string& condition, const std::string& y, const std::vector<std::string>& then,
                    const std::vector<std::string>& otherwise) {
  return node("If", {condition}, {y},
              {attribute_graph("then_branch", graph(y + "_a", {}, then, {any(y + "_t")})),
               attribute_graph("else_branch", graph(y + "_b", {}, otherwise, {any(y + "_e")}))});
}
/// What exporters make of torch's squeeze(axis), which leaves x as it is where the extent is not 1.
std::vector<std::string> squeezed(const std::string& x, i64 axis, const std::string& y) {
  std::vector<std::string> nodes = question(x, axis, "Equal", 1, y + "_c");
  nodes.push_back(constant(y + "_axes", numbers({1}, {axis})));
  nodes.push_back(
      if_else(y + "_c", y, {node("Squeeze", {x, y + "_axes"}, {y + "_t"})}, {node("Identity", {x}, {y + "_e"})}));
  return nodes;
}
std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A program file of a model, opened, and the module with all graphs, beside the interpreter, which imports the model
/// for each set of sizes.
struct filed {
  explicit filed(const model& m, const std::string& target = "cpu")
      : reference(decoded(m), tn::session_options{.target = "interpreter"}), graphs(onnx::import_model(decoded(m))) {
    tn::targets::register_cpu_target();
    path = std::filesystem::temp_directory_path() / ("tenon_answers_" + std::to_string(::getpid()) + ".tenon");
    std::ofstream(path, std::ios::binary) << tn::make_program(graphs.clone(), tn::parse_target(target));
    code = tn::open_executable(path);
  }
  ~filed() { std::filesystem::remove(path); }

  std::string difference(const std::vector<tn::value>& inputs) {
    std::string with;
    for (const tn::value& v : inputs) with += " " + v.describe();
    std::vector<tn::value> want;
    try {
      want = reference.run_values(inputs);
    } catch (const tn::error&) {
      for (const bool evaluated : {false, true}) try {
          static_cast<void>(evaluated ? interpreted(inputs) : code->run_values(inputs, 1));
          return "it serves" + with + ", which are wrong";
        } catch (const tn::error&) {}  // wanted
      return "";
    }
    if (const auto why = code->refusal(inputs)) return "it refuses" + with + ": " + why->what();
    for (const std::vector<tn::value>& got : {code->run_values(inputs, 1), interpreted(inputs)})
      for (size_t i = 0; i < want.size(); ++i) {
        const bool same = got[i].describe() == want[i].describe();
        if (!same || !tn::compare(got[i].as_tensor(), want[i].as_tensor(), {1e-5, 1e-5, 1e-5}).ok)
          return "result " + std::to_string(i) + " is " + got[i].describe() + ", wanted " + want[i].describe() +
                 " with" + with;
      }
    return "";
  }
  std::vector<tn::value> interpreted(const std::vector<tn::value>& inputs) const {
    return tn::interpret_values(graphs.body(), "main", inputs);
  }
  /// For all sizes of names that the shapes of inputs speak of; a number is itself.
  std::string difference(const std::vector<std::vector<std::string>>& shapes, const std::vector<i64>& sizes) {
    std::map<std::string, size_t> at;
    for (const auto& shape : shapes)
      for (const std::string& n : shape)
        if (n[0] < '0' || n[0] > '9') at[n] = 0;
    for (;;) {
      std::vector<tn::value> inputs;
      for (const auto& shape : shapes) {
        std::vector<i64> extents;
        for (const std::string& n : shape) extents.push_back(at.contains(n) ? sizes[at[n]] : std::stoll(n));
        inputs.push_back(ramp(extents, 0.01));
      }
      if (const std::string d = difference(inputs); !d.empty()) return d;
      auto next = at.begin();
      while (next != at.end() && ++next->second == sizes.size()) (next++)->second = 0;
      if (next == at.end()) return "";
    }
  }

  tn::session reference;
  tn::ir_module<tn::phases::ingestion> graphs;
  std::string path;
  std::unique_ptr<tn::executable> code;
};

model of(std::vector<std::string> nodes, std::vector<std::vector<std::string>> shapes) {
  model m;
  m.nodes = std::move(nodes);
  for (size_t i = 0; i < shapes.size(); ++i) m.inputs.push_back(named(std::string(1, "xwv"[i]), shapes[i]));
  m.outputs = {any("y")};
  return m;
}

const std::vector<i64> few{0, 1, 2, 3, 17};

}  // namespace

TEST_CASE("one question: the file has the graph for each answer") {
  const auto m = of(joined(squeezed("x", 0, "r"), {node("Relu", {"r"}, {"y"})}), {{"n", "4"}});
  filed f(m);
  CHECK(f.difference({{"n", "4"}}, few) == "");
  REQUIRE(f.code->native() != nullptr);
  const tn::program& p = *f.code->native();
  CHECK(p.entries() == std::vector<std::string>{"main"});
  CHECK(p.describe(p.outputs()[0]) == "f32[n,4] or f32[4]");
  CHECK(!p.outputs()[0].ranked);
  CHECK(p.run({ramp({1, 4})})[0].shape() == std::vector<i64>{4});
  CHECK(p.run({ramp({2, 4})})[0].shape() == std::vector<i64>{2, 4});
  std::vector<tensor> place{tensor(tn::dtype::f32, {1, 4})};
  const std::vector<tensor> one{ramp({1, 4})};
  CHECK_THROWS_WITH_AS(p.run_into(one, place), doctest::Contains("output 'y' is f32[4], and f32[1,4] was given"),
                       tn::error);
}

TEST_CASE("questions make a tree of answers") {
  CHECK(filed(of(joined(joined(squeezed("x", 1, "r"), squeezed("r", 0, "s")), {node("Relu", {"s"}, {"y"})}),
                 {{"n", "m", "4"}}))
            .difference({{"n", "m", "4"}}, few) == "");
  // Of the same extent, again and again: one answer.
  const auto again = of(joined(joined(squeezed("x", 0, "r"), squeezed("w", 0, "s")), {node("Add", {"r", "s"}, {"y"})}),
                        {{"n", "4"}, {"n", "4"}});
  CHECK(filed(again).difference({{"n", "4"}, {"n", "4"}}, few) == "");
  const auto imported = onnx::import_model(decoded(again));
  CHECK(tn::ir::entries_of(imported.body()).size() == 2);
  for (const char* op : {"Less", "Greater", "GreaterOrEqual", "LessOrEqual"}) {
    std::vector<std::string> nodes = question("x", 0, op, 3, "c");
    nodes.push_back(if_else("c", "r", {node("Flatten", {"x"}, {"r_t"})},
                            {node("ReduceSum", {"x"}, {"r_e"}, {attribute("keepdims", i64{0})})}));
    nodes.push_back(node("Relu", {"r"}, {"y"}));
    CHECK_MESSAGE(filed(of(nodes, {{"n", "2", "2"}})).difference({{"n", "2", "2"}}, {0, 1, 2, 3, 4, 9}) == "", op);
  }
}

TEST_CASE("an If in a branch of an If") {
  std::vector<std::string> inner = squeezed("x", 1, "i");
  std::vector<std::string> nodes = question("x", 0, "Equal", 1, "c");
  inner.push_back(node("Relu", {"i"}, {"r_t"}));
  nodes.push_back(if_else("c", "r", inner, {node("ReduceMax", {"x"}, {"r_e"}, {attribute("keepdims", i64{0})})}));
  nodes.push_back(node("Exp", {"r"}, {"y"}));
  CHECK(filed(of(nodes, {{"n", "m", "3"}})).difference({{"n", "m", "3"}}, few) == "");
}

TEST_CASE("beside what is taken for granted of sizes: each answer has a general variant") {
  const auto m = of(joined(squeezed("x", 0, "r"), {node("Add", {"r", "w"}, {"s"}), node("Relu", {"s"}, {"y"})}),
                    {{"n", "k"}, {"j"}});
  filed f(m);
  CHECK(f.difference({{"n", "k"}, {"j"}}, few) == "");
  const auto why = f.code->refusal(std::vector<tn::value>{ramp({2, 3}), ramp({2})});
  REQUIRE(why);
  for (const char* part : {"input 'x', dimension 1 must be another, of which the nearest are 1 and 2",
                           "; or input 'x', dimension 0 is 2, and must be 1"})
    CHECK_MESSAGE(why->message().find(part) != std::string::npos, why->message());
}

TEST_CASE("a host's program, the other targets, and a composite") {
  auto divided = of(joined(squeezed("x", 0, "r"), {node("NonZero", {"r"}, {"y"})}), {{"n", "4"}});
  divided.outputs = {any("y", elem_type::int64)};
  filed f(divided);
  CHECK(f.code->native() == nullptr);
  CHECK(f.difference({{"n", "4"}}, few) == "");
  const auto m = of(joined(squeezed("x", 0, "r"), {node("Relu", {"r"}, {"y"})}), {{"n", "4"}});
  tn::targets::register_xsimd_target(), tn::targets::register_c_source_target();
  CHECK(filed(m, "xsimd").difference({{"n", "4"}}, few) == "");
  if (tn::has_c_compiler()) CHECK(filed(m, "c_source").difference({{"n", "4"}}, few) == "");
  else tn::testing::skip("there is no C compiler");
}

TEST_CASE("parts on several devices: each graph is linked by itself, and what serves the sizes that it does not") {
  tn::targets::register_cpu_target(), tn::targets::register_xsimd_target();
  const auto m = of(joined(squeezed("x", 0, "r"), {node("Add", {"r", "w"}, {"s"}), node("Relu", {"s"}, {"y"})}),
                    {{"n", "k"}, {"j"}});
  filed f(m, "composite(cpu,xsimd)");
  CHECK(tn::read_bundle(f.path).parts.size() == 4);
  CHECK(f.difference({{"n", "k"}, {"j"}}, few) == "");
}

TEST_CASE("several entries, each with its own answers") {
  const auto m = of(joined(squeezed("x", 0, "r"), {node("Relu", {"r"}, {"y"})}), {{"n", "4"}});
  const auto other = of(joined(squeezed("x", 1, "r"), {node("Exp", {"r"}, {"y"})}), {{"n", "k"}});
  tn::ir::module both = std::move(onnx::import_model(decoded(m)).body());
  const auto second = onnx::import_model(decoded(other));
  tn::ir::add_entry(both, second.body(), "decode");
  CHECK(tn::ir::entries_of(both).size() == 4);
  tn::targets::register_cpu_target();
  const std::string path =
      std::filesystem::temp_directory_path() / ("tenon_two_" + std::to_string(::getpid()) + ".tenon");
  std::ofstream(path, std::ios::binary) << tn::make_program(
      tn::ir_module<tn::phases::ingestion>::adopt(std::move(both)), tn::parse_target("cpu"));
  const tn::program p = tn::program::open(path);
  std::filesystem::remove(path);
  CHECK(p.entries() == std::vector<std::string>{"main", "decode"});
  for (const i64 n : few)
    for (const i64 k : few) {
      CHECK(p.run({ramp({n, 4})})[0].rank() == (n == 1 ? 1 : 2));
      CHECK(p.entry("decode").run({ramp({n, k})})[0].rank() == (k == 1 ? 1 : 2));
    }
}

TEST_CASE("a session of an imported module takes the graph for the sizes that it is given") {
  const auto m = of(joined(squeezed("x", 0, "r"), {node("Relu", {"r"}, {"y"})}), {{"n", "4"}});
  for (const bool specialize : {false, true}) {
    tn::session s(onnx::import_model(decoded(m)), tn::session_options{.target = "cpu", .specialize = specialize});
    for (const i64 n : few) CHECK(s.run(std::vector<tensor>{ramp({n, 4})})[0].rank() == (n == 1 ? 1 : 2));
  }
}

TEST_CASE("an If on sizes in a branch that data decides") {
  const std::vector<std::string> scalar{attribute("keepdims", i64{0})};
  std::vector<std::string> inner = squeezed("x", 0, "i");
  inner.push_back(node("ReduceSum", {"i"}, {"r_t"}, scalar));
  std::vector<std::string> nodes{node("ReduceMax", {"w"}, {"top"}, scalar), constant("zero", floats({}, {0})),
                                 node("Greater", {"top", "zero"}, {"c"})};
  nodes.push_back(if_else("c", "r", inner, {node("ReduceMin", {"x"}, {"r_e"}, scalar)}));
  nodes.push_back(node("Exp", {"r"}, {"y"}));
  model m = of(nodes, {{"n", "4"}, {"1"}});
  filed f(m);
  for (const i64 n : {1, 2, 3, 17})
    for (const float top : {1.0F, -1.0F}) CHECK(f.difference({ramp({n, 4}), floats({1}, {top})}) == "");
}

TEST_CASE("there are as many graphs as the importer is told, and the program says what it is for") {
  std::vector<std::string> nodes;
  std::string x = "x";
  for (const char* y : {"d", "c", "b", "a"})
    nodes = joined(nodes, squeezed(x, std::string("abcd").find(y[0]), y)), x = y;
  nodes.push_back(node("Relu", {x}, {"y"}));
  const model m = of(nodes, {{"k", "l", "m", "n"}});
  const auto entries = [&](int most) {
    const auto made = onnx::import_model(decoded(m), {.graphs = most});
    const tn::ir::module& body = made.body();
    const auto& notes = body[tn::ir::single_entry(body)].discardable;
    CHECK(!notes.empty() == (most > 1 && most < 16));
    return tn::ir::entries_of(body).size();
  };
  CHECK(entries(1) == 1);
  CHECK(entries(3) == 3);
  CHECK(entries(16) == 16);
}
