// needs: llvm
// Modules of several functions that are callable from outside, and one function by itself.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include <tenon/compile/alone.hpp>
#include <tenon/compile/session.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/passes/outline.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

using namespace tenon;

namespace {

/// "code: message; hint"
std::string caught(auto&& f) {
  const error e = testing::caught(f);
  return e.code() + ": " + e.message() + (e.hint().empty() ? "" : "; " + e.hint());
}

/// Two functions that multiply by equal matrices of 64 × 64 elements, and a third that both call.
std::string coder(const char* rows) {
  std::string text = R"m(tenon.module phase=ingestion
constant #0 : tensor<64x64xf32> = [ELEMENTS]
constant #1 : tensor<64x64xf32> = [ELEMENTS]
func entry @encode(%x: tensor<ROWSx64xf32>) -> (tensor<ROWSx64xf32>) inputs("x") outputs("code") {
  %w = constant() {value = #0} : tensor<64x64xf32>
  %p = matmul(%x, %w) : tensor<ROWSx64xf32>
  %y = call(%p) {callee = @squashed} : tensor<ROWSx64xf32>
  return(%y)
}
func entry @decode(%code: tensor<ROWSx64xf32>, %bias: tensor<64xf32>) -> (tensor<ROWSx64xf32>, tensor<ROWSx64xf32>) inputs("code", "bias") outputs("y", "squashed") {
  %w = constant() {value = #1} : tensor<64x64xf32>
  %p = matmul(%code, %w) : tensor<ROWSx64xf32>
  %s = add(%p, %bias) : tensor<ROWSx64xf32>
  %t = call(%s) {callee = @squashed} : tensor<ROWSx64xf32>
  return(%s, %t)
}
func @squashed(%x: tensor<ROWSx64xf32>) -> (tensor<ROWSx64xf32>) {
  %y = tanh(%x) : tensor<ROWSx64xf32>
  return(%y)
}
)m";
  const auto all = [&](std::string_view from, std::string_view to) {
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  };
  std::string list;
  for (int i = 0; i < 64 * 64; ++i) list += (i == 0 ? "" : ", ") + std::to_string((i * 37 % 101) - 50) + ".0";
  all("ROWS", rows);
  all("ELEMENTS", list);
  return text;
}
ir_module<phases::ingestion> coder_module(const char* rows) { return parse<phases::ingestion>(coder(rows)); }

tensor ramp(std::vector<i64> shape, double step) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, (static_cast<double>(i % 29) - 14) * step);
  return t;
}
bool agree(const tensor& a, const tensor& b) {
  if (a.shape() != b.shape() || a.type() != b.type()) return false;
  for (i64 i = 0; i < a.size(); ++i)
    if (std::abs(a.at_f64(i) - b.at_f64(i)) > 1e-4 * (1 + std::abs(b.at_f64(i)))) return false;
  return true;
}
/// Both entries, against the interpreter, with so many rows.
bool computes(const program& p, const ir::module& m, i64 rows) {
  const tensor x = ramp({rows, 64}, 0.01), bias = ramp({64}, 0.1);
  const program encode = p.entry("encode"), decode = p.entry("decode");
  const tensor code = encode.run({x}, 1).at(0);
  const std::vector<tensor> back = decode.run({code, bias}, 2);
  const std::vector<tensor> want = interpret(m, "decode", std::vector<tensor>{code, bias});
  return agree(code, interpret(m, "encode", std::vector<tensor>{x}).at(0)) && back.size() == 2 &&
         agree(back[0], want.at(0)) && agree(back[1], want.at(1)) && agree(p["encode"](x), code);
}
i64 bytes_of(const std::vector<tensor>& constants) {
  i64 n = 0;
  for (const tensor& t : constants) n += t.defined() ? t.bytes() : 0;
  return n;
}

}  // namespace

TEST_CASE("entries of a module are entries of its program, whose constants are there once") {
  const auto m = coder_module("8");
  const auto built = build<targets::cpu>(m.clone());
  const program p = load(built);
  CHECK(p.entries() == std::vector<std::string>{"encode", "decode"});
  CHECK(p.entry("decode").entries() == std::vector<std::string>{"decode", "encode"});
  CHECK(p.inputs().size() == 1);
  CHECK(p.entry("decode").inputs().at(1).name == "bias");
  CHECK(computes(p, m.body(), 8));
  CHECK(computes(p.entry("decode"), m.body(), 8));
  CHECK(bytes_of(p.description().constants) == 64 * 64 * 4);
  CHECK(p.entry("decode").description().constants.size() == p.description().constants.size());
  CHECK(caught([&] { static_cast<void>(p["main"]); }) ==
        "program.entry: the program has no entry 'main'; it has 'encode', 'decode'");
}

TEST_CASE("each entry has sizes of its own") {
  const auto m = coder_module("n");
  const program p = load(build<targets::cpu>(m.clone()));
  for (const i64 rows : {1, 3, 17}) CHECK(computes(p, m.body(), rows));
  // One entry with sizes that are numbers, one whose buffers are placed for each run.
  const auto mixed = parse<phases::ingestion>(R"m(tenon.module phase=ingestion
func entry @fixed(%x: tensor<4x6xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %s = softmax(%x) {axis = 1} : tensor<4x6xf32>
  %t = softmax(%s) {axis = 0} : tensor<4x6xf32>
  %y = reduce_sum(%t) {axes = [1], keep_dims = false} : tensor<4xf32>
  return(%y)
}
func entry @open(%x: tensor<nxkxf32>) -> (tensor<nxf32>) inputs("x") outputs("y") {
  %s = softmax(%x) {axis = 1} : tensor<nxkxf32>
  %t = softmax(%s) {axis = 0} : tensor<nxkxf32>
  %y = reduce_sum(%t) {axes = [1], keep_dims = false} : tensor<nxf32>
  return(%y)
}
)m");
  const program q = load(build<targets::cpu>(mixed.clone()));
  const tensor x = ramp({4, 6}, 0.2), wide = ramp({33, 70}, 0.05);
  CHECK(agree(q["fixed"](x), interpret(mixed.body(), "fixed", std::vector<tensor>{x}).at(0)));
  CHECK(agree(q["open"](x), q["fixed"](x)));
  CHECK(agree(q["open"](wide), interpret(mixed.body(), "open", std::vector<tensor>{wide}).at(0)));
  CHECK(agree(q["fixed"](x), q["open"](x)));
}

TEST_CASE("a program file has all entries, and what it says of them is held to") {
  const std::string path = (std::filesystem::temp_directory_path() / "tenon_entries_test.tenon").string();
  const auto m = coder_module("n");
  save(path, build<targets::cpu>(m.clone()));
  CHECK(computes(program::open(path), m.body(), 5));
  program_contents read = read_program(path);
  REQUIRE(read.parts.more.size() == 1);
  CHECK(bytes_of(read.parts.constants) == 64 * 64 * 4);
  read.parts.more[0].outputs[0].type = dtype::f64;
  CHECK(caught([&] { open_program(std::move(read)); }).starts_with("program.interface: "));
  std::filesystem::remove(path);
}

TEST_CASE("C source has all entries") {
  const auto m = coder_module("8");
  const auto built = build<targets::c_source>(m.clone());
  CHECK(computes(load_c_source(built), m.body(), 8));
  const auto source = artifact_of<formats::c_source>(built);
  const std::string text(source.bytes().begin(), source.bytes().end());
  CHECK(text.find("void tenon_main(") != std::string::npos);
  CHECK(text.find("void tenon_main_1(") != std::string::npos);
  CHECK(text.find("tn_c0[") != std::string::npos);
  CHECK(text.find("tn_c1[") == std::string::npos);
}

TEST_CASE("one function is built by itself, for every target, as a whole model is") {
  const auto m = coder_module("8");
  const tensor x = ramp({8, 64}, 0.01);
  const program p = load(build<targets::cpu>(alone(m.clone(), "squashed"), targets::cpu{.threads = 1}));
  CHECK(p.entries() == std::vector<std::string>{"squashed"});
  CHECK(agree(p.run({x}).at(0), interpret(m.body(), "squashed", std::vector<tensor>{x}).at(0)));
  targets::register_c_source_target();
  for (const char* target : {"cpu", "c_source", "interpreter", "composite(cpu,second@cpu)"}) {
    session s(alone(m.clone(), "encode"), {.target = target});
    CHECK(agree(s.run(std::vector<tensor>{x}).at(0), interpret(m.body(), "encode", std::vector<tensor>{x}).at(0)));
  }
  // Ops that are chosen become a function, and then a program.
  auto graph = m.clone();
  ir::module& body = graph.body();
  const std::vector<op_id> ops = body[body[body.find_function("decode")].body].ops;
  passes::outline(body, std::vector<op_id>{ops[0], ops[1]}, "product");
  const ir::module whole = body;
  const program product = load(build<targets::cpu>(alone(std::move(graph), "product")));
  CHECK(agree(product.run({x}).at(0), interpret(whole, "product", std::vector<tensor>{x}).at(0)));
}

TEST_CASE("what takes one entry says which there are") {
  const std::string both = "the module has 2 entries, 'encode', 'decode', and this takes one";
  CHECK(caught([] { session(coder_module("8"), {.target = "cpu"}); }).starts_with("program.entries: " + both));
  const auto evaluated = build<targets::interpreter>(coder_module("8"));
  CHECK(caught([&] { targets::evaluator::load(evaluated.body()); }).starts_with("program.entries: "));
  CHECK(caught([] {
          static_cast<void>(build<composite<host<targets::cpu>, device<"second", targets::cpu>>>(coder_module("8")));
        }).starts_with("program.entries: "));
  CHECK(caught([] { static_cast<void>(alone(coder_module("8"), "main")); }) ==
        "program.entry: the module has no graph function 'main'; it has 'encode', 'decode', 'squashed'");
}

TEST_CASE("models join as entries of one module, and share the weights that are equal") {
  const auto one = [](const std::string& op) {
    return parse<phases::ingestion>(R"m(tenon.module phase=ingestion
constant #0 : tensor<4xf32> = [1, 2, 3, 4]
func entry @main(%x: tensor<nx4xf32>) -> (tensor<nx4xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<4xf32>
  %y = )m" + op + R"m((%x, %w) : tensor<nx4xf32>
  return(%y)
}
)m");
  };
  auto sums = one("add");
  ir::add_entry(sums.body(), one("mul").body(), "product");
  CHECK(caught([&] {
          ir::add_entry(sums.body(), one("mul").body(), "product");
        }).starts_with("program.entries: the module has a function 'product' already"));
  const ir::module reference = sums.body();
  const program p = load(build<targets::cpu>(std::move(sums)));
  const tensor x = ramp({3, 4}, 0.5);
  CHECK(agree(p["main"](x), interpret(reference, "main", std::vector<tensor>{x}).at(0)));
  CHECK(agree(p["product"](x), interpret(reference, "product", std::vector<tensor>{x}).at(0)));
  CHECK(bytes_of(p.description().constants) == 16);
}
