// What functions say of their effects: the verifier holds them to it, passes go by it, text and files carry it.
#include <tenon/ir/purity.hpp>

#include <tenon/compile/build.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/targets/c_source.hpp>

#include <support/graph.hpp>
#include <text/same_module.hpp>

using namespace graph_test;

namespace {

/// `@drawn` says what is put in; `@main` calls it, and nobody uses what it gives.
std::string calling(const std::string& main, const std::string& drawn, const std::string& between = "") {
  const std::string callee = between.empty() ? "drawn" : "between";
  return "func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) inputs(\"x\") outputs(\"y\") " + main +
         " {\n  %1 = call(%0) {callee = @" + callee +
         "} : tensor<2xf32>\n  %2 = neg(%0) : tensor<2xf32>\n  return(%2)\n}\n" + between +
         "func @drawn(%0: tensor<2xf32>) -> (tensor<2xf32>) " + drawn +
         " {\n  %1 = draw_seed() : tensor<u32>\n  return(%0)\n}\n";
}
const std::string between =
    "func @between(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  %1 = call(%0) {callee = @drawn} : tensor<2xf32>\n"
    "  return(%1)\n}\n";
ir::function_purity said(const ir::module& m, std::string_view name) { return m[m.find_function(name)].purity; }
template <class... Ps>
ir_module<phases::optimization> after(const std::string& text) {
  context cx;
  cx.verify_each = true;
  return run_pipeline<pipeline<Ps...>>(graph(text), cx).edit();
}
using enum ir::function_purity;

}  // namespace

TEST_CASE("who says that it is pure, is: nothing in it has effects, and nothing that it calls") {
  CHECK_NOTHROW(graph(calling("", "impure")));
  CHECK_NOTHROW(graph(calling("pure", "forced_pure")));
  CHECK_NOTHROW(graph(calling("pure", "forced_pure", between)));
  const error own = caught([] { graph(calling("", "pure")); });
  CHECK(own.code() == "ir.verify");
  CHECK(own.message() ==
        "function 'drawn': draw_seed: it is not pure, and the function says that it is: say 'impure', or "
        "'forced_pure' if its callers need not know");
  CHECK(caught([] { graph(calling("pure", "")); }).message() ==
        "function 'main': call: it calls 'drawn', which is not pure, and the function says that it is: say 'impure', "
        "or 'forced_pure' if its callers need not know");
  CHECK(code_of([] { graph(calling("pure", "impure")); }) == "ir.verify");
  CHECK(code_of([] { graph(calling("pure", "", between)); }) == "ir.verify");
  CHECK(message_of([] { graph(calling("impure pure", "")); }).find("'{'") != std::string::npos);
}

TEST_CASE("in a circle of calls nobody is pure, but who is forced to be") {
  const auto circle = [](const std::string& ping, const std::string& pong) {
    return "func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) pure {\n"
           "  %1 = call(%0) {callee = @ping} : tensor<2xf32>\n  return(%1)\n}\n"
           "func @ping(%0: tensor<2xf32>) -> (tensor<2xf32>) " +
           ping +
           " {\n  %1 = call(%0) {callee = @pong} : tensor<2xf32>\n  return(%1)\n}\n"
           "func @pong(%0: tensor<2xf32>) -> (tensor<2xf32>) " +
           pong + " {\n  %1 = call(%0) {callee = @ping} : tensor<2xf32>\n  return(%1)\n}\n";
  };
  CHECK(code_of([&] { graph(circle("", "")); }) == "ir.verify");
  CHECK(code_of([&] { graph(circle("pure", "pure")); }) == "ir.verify");
  CHECK_NOTHROW(graph(circle("forced_pure", "pure")));
}

TEST_CASE("the op within a branch is named") {
  const error e = caught([] {
    graph(R"(
func entry @main(%c: tensor<bool>, %x: tensor<2xf32>) -> (tensor<2xf32>) pure {
  %y = if_else(%c) : tensor<2xf32> ({
    %s = draw_seed() : tensor<u32>
    yield(%x)
  }, {
    yield(%x)
  })
  return(%y)
})");
  });
  CHECK(e.message().find("function 'main': draw_seed: it is not pure") == 0);
}

TEST_CASE("where results are written to buffers nobody is pure") {
  const std::string kernel = R"(
kernel @k(%0: buffer<2xf32>) phase(lowering) WORD {
  return()
})";
  const auto with = [&](const std::string& word) { return std::string(kernel).replace(kernel.find("WORD"), 4, word); };
  CHECK(caught([&] { graph(with("pure")); }).message() ==
        "function 'k': it says that it is pure, and writes its results to buffers: say 'forced_pure'");
  CHECK_NOTHROW(graph(with("forced_pure")));
  CHECK_NOTHROW(graph(with("impure")));
}

TEST_CASE("calls that nobody needs go where what they call is pure, by its body or by what it says") {
  using dead = passes::eliminate_dead;
  CHECK(count(after<dead>(calling("", "")), "call") == 1);
  CHECK(count(after<dead>(calling("", "forced_pure")), "call") == 0);
  CHECK(count(after<dead>(calling("pure", "forced_pure", between)), "call") == 0);
  const std::string quiet = R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @f} : tensor<2xf32>
  return(%0)
}
func @f(%0: tensor<2xf32>) -> (tensor<2xf32>))";
  const std::string body = " {\n  return(%0)\n}\n";
  CHECK(count(after<dead>(quiet + body), "call") == 0);
  CHECK(count(after<dead>(quiet + " impure" + body), "call") == 1);
}

TEST_CASE("a kernel that says that it is impure is called as often as it was") {
  const auto calls =
      [](const std::string& word) {
        return count(after<passes::eliminate_common, passes::eliminate_dead>(R"(
kernel @k(%0: buffer<2xf32>, %1: buffer<2xf32>) phase(lowering))" + word + R"( {
  return()
}
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call_kernel(%0) {kernel = @k} : tensor<2xf32>
  %2 = call_kernel(%0) {kernel = @k} : tensor<2xf32>
  %3 = call_kernel(%0) {kernel = @k} : tensor<2xf32>
  return(%1)
})"),
                     "call_kernel");
      };
  CHECK(calls("") == 1);
  CHECK(calls(" impure") == 3);
}

TEST_CASE("note_purity says of each function what follows from its body, and nothing else") {
  const auto m = after<passes::note_purity>(calling("", "", between));
  CHECK(said(m.body(), "main") == impure);
  CHECK(said(m.body(), "between") == impure);
  CHECK(said(m.body(), "drawn") == impure);
  const auto forced = after<passes::note_purity>(calling("", "forced_pure", between));
  CHECK(said(forced.body(), "main") == pure);
  CHECK(said(forced.body(), "between") == pure);
  CHECK(said(forced.body(), "drawn") == forced_pure);
  const auto whole = graph(calling("", "", between));
  CHECK(caught([&] { fact::purity_said::check(whole.body()); }).message() ==
        "function 'main' does not say whether it is pure");
}

TEST_CASE("who holds the body of a function that was forced is forced, and so is who holds its") {
  const auto m = after<passes::note_purity, passes::inline_calls>(calling("", "forced_pure", between));
  CHECK(said(m.body(), "main") == forced_pure);
  CHECK(count(m, "draw_seed") == 1);
  const auto own = R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = draw_seed() : tensor<u32>
  %2 = call(%0) {callee = @drawn} : tensor<2xf32>
  return(%2)
}
func @drawn(%0: tensor<2xf32>) -> (tensor<2xf32>) forced_pure {
  %1 = draw_seed() : tensor<u32>
  return(%0)
})";
  CHECK(said(after<passes::inline_calls>(own).body(), "main") == unsaid);
}

TEST_CASE("text, files and copies carry it; files of the version before say nothing") {
  for (const std::string word : {"", "impure", "forced_pure"}) {
    const auto m = graph(calling(word, "forced_pure", between));
    const std::string text = print(m);
    CHECK(text.find("outputs(\"y\")" + (word.empty() ? "" : " " + word) + " {") != std::string::npos);
    CHECK(testing::difference(parse<phases::optimization>(text).body(), m.body()) == "");
    const std::string bytes = serialize(m);
    CHECK(testing::difference(deserialize<phases::optimization>(bytes).body(), m.body()) == "");
    CHECK(serialize(deserialize<phases::optimization>(bytes)) == bytes);
    CHECK(said(m.body().extract(m.body().find_function("main")), "main") == said(m.body(), "main"));
    ir::module compacted = m.body();
    compacted.compact();
    CHECK(testing::difference(compacted, m.body()) == "");
  }
}

TEST_CASE("a file of version 3 is read, whose functions say nothing") {
  std::string file = serialize(graph(R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) pure {
  return(%0)
})"));
  const size_t at = file.find(std::string("\x04main\x00\x01\x02", 8));  // name, kind, entry, and what it says
  REQUIRE(at != file.npos);
  file.erase(at + 7, 1);
  --file[32];  // the length of the table
  file[8] = 3;
  seal_frame(file);
  CHECK(said(deserialize(file), "main") == unsaid);
}

TEST_CASE("on the way to code pure becomes forced pure, and what was said stays") {
  const std::string text = R"(tenon.module phase=ingestion
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") pure {
  %1 = call(%0) {callee = @f} : tensor<2xf32>
  return(%1)
}
func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = exp(%0) : tensor<2xf32>
  return(%1)
})";
  context cx;
  cx.verify_each = true;
  const auto m = compile_to<phases::build, targets::c_source>(parse<phases::ingestion>(text), cx);
  CHECK(said(m.body(), "main") == forced_pure);
}
