// needs: llvm
// Random modules as native code and in the interpreter. TENON_FUZZ_SEEDS says how many (200), TENON_FUZZ_FROM which
// first.
#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"
#include "support/setting.hpp"
#include "support/unlike.hpp"

using namespace tenon;

namespace {

program compiled(const ir::module& m, int threads) {
  context cx;
  targets::cpu target;
  target.threads = threads;
  target.configure(cx);
  return load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
}

/// What differs, or nothing.
std::string difference(const ir::module& m, std::span<const tensor> inputs, int threads) {
  return testing::unlike(compiled(m, threads).run(inputs, threads), interpret(m, "main", inputs),
                         testing::allowed_for(m));
}

std::string difference(std::string_view text, std::vector<tensor> inputs) {
  return difference(parse("tenon.module phase=ingestion\n" + std::string(text)), inputs, 1);
}

}  // namespace

TEST_CASE("native code computes what the interpreter computes") {
  const u64 from = testing::setting("TENON_FUZZ_FROM", 0), seeds = testing::setting("TENON_FUZZ_SEEDS", 200);
  for (u64 seed = from; seed < from + seeds; ++seed) {
    const ir::module m = testing::random_module(seed);
    std::string found;
    try {
      found = difference(m, testing::random_inputs(m, seed), 1 + static_cast<int>(seed % 2));
    } catch (const error& e) { found = e.what(); }
    CHECK_MESSAGE(found.empty(), "seed " << seed << ": " << found << "\n" << print(m));
  }
}

// What the fuzz test found, as the smallest programs.

TEST_CASE("a masked store of one narrowed lane does not touch its neighbour") {
  const std::string text = R"(
    func entry @main(%x: tensor<16x33xbf16>) -> (tensor<16x33xbf16>) inputs("x") outputs("y") {
      %y = softmax(%x) {axis = 0} : tensor<16x33xbf16>
      return(%y)
    })";
  CHECK(difference(text, {tensor(dtype::bf16, {16, 33})}) == "");
  std::string cast = R"(
    func entry @main(%x: tensor<4x17xi32>) -> (tensor<17x4xi8>) inputs("x") outputs("y") {
      %t = transpose(%x) {permutation = [1, 0]} : tensor<17x4xi32>
      %y = cast(%t) {to = i8} : tensor<17x4xi8>
      return(%y)
    })";
  tensor x(dtype::i32, {4, 17});
  for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i);
  CHECK(difference(cast, {x}) == "");
}

TEST_CASE("an expand that only adds a dimension is no broadcast that can be left out") {
  CHECK(difference(R"(
    func entry @main(%x: tensor<f32>) -> (tensor<1xf32>) inputs("x") outputs("y") {
      %e = expand(%x) {shape = [1]} : tensor<1xf32>
      %y = add(%e, %x) : tensor<1xf32>
      return(%y)
    })",
                   {tensor::scalar(2.f)}) == "");
}

TEST_CASE("contractions without rows, columns or terms") {
  for (const char* shape : {"0x3 3x5 0x5", "4x3 3x0 4x0", "4x0 0x5 4x5", "2x0x3 3x5 2x0x5"}) {
    const std::string s = shape;
    const size_t a = s.find(' '), b = s.rfind(' ');
    const std::string x = s.substr(0, a), w = s.substr(a + 1, b - a - 1), y = s.substr(b + 1);
    const std::string text = "tenon.module phase=ingestion\nfunc entry @main(%x: tensor<" + x + "xf32>, %w: tensor<" +
                             w + "xf32>) -> (tensor<" + y +
                             "xf32>) inputs(\"x\", \"w\") outputs(\"y\") {\n%y = matmul(%x, %w) : tensor<" + y +
                             "xf32>\nreturn(%y)\n}\n";
    const ir::module m = parse(text);
    CHECK_MESSAGE(difference(m, testing::random_inputs(m, 1), 1) == "", s);
  }
}

TEST_CASE("a result does not take the storage of an operand that another operand views") {
  CHECK(difference(R"(
constant #0 : tensor<2x2xi64> = [1, 2, 0, 0]
func entry @main(%x: tensor<4xf32>) -> (tensor<1x1xf32>) inputs("x") outputs("y") {
  %a = log_softmax(%x) : tensor<4xf32>
  %b = reshape(%a) {shape = [2, 2]} : tensor<2x2xf32>
  %i = constant() {value = #0} : tensor<2x2xi64>
  %c = gather(%a, %i) : tensor<2x2xf32>
  %d = add(%b, %c) : tensor<2x2xf32>
  %e = reduce_max(%d) {axes = [0, 1]} : tensor<1x1xf32>
  %f = reduce_sum(%d) {axes = [0, 1]} : tensor<1x1xf32>
  %y = add(%e, %f) : tensor<1x1xf32>
  return(%y)
}
)",
                   {tensor::from<float>({4}, {1, -2, 3, 0.5f})}) == "");
}

TEST_CASE("integer division: by zero, and the least by -1") {
  const i64 least = std::numeric_limits<i64>::min();
  for (const char* fn : {"div", "mod", "fmod"}) {
    const std::string text = std::string(
                                 "func entry @main(%x: tensor<5xi64>, %y: tensor<5xi64>) -> (tensor<5xi64>) "
                                 "inputs(\"x\", \"y\") outputs(\"z\") {\n%z = ") +
                             fn + "(%x, %y) : tensor<5xi64>\nreturn(%z)\n}";
    CHECK_MESSAGE(difference(text, {tensor::from<i64>({5}, {7, least, -7, least, 0}),
                                    tensor::from<i64>({5}, {0, -1, 2, 0, -3})}) == "",
                  fn);
  }
}

TEST_CASE("NaN and infinities in minima, comparisons and positions") {
  const float nan = std::nanf(""), inf = INFINITY;
  for (const char* fn : {"minimum", "maximum", "less", "greater_equal", "equal", "not_equal"}) {
    const bool compares = fn[0] != 'm';
    const std::string r = compares ? "tensor<6xbool>" : "tensor<6xf32>";
    const std::string text = "func entry @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (" + r +
                             ") inputs(\"x\", \"y\") outputs(\"z\") {\n%z = " + fn + "(%x, %y) : " + r +
                             "\nreturn(%z)\n}";
    CHECK_MESSAGE(difference(text, {tensor::from<float>({6}, {nan, 1, inf, -inf, nan, 0}),
                                    tensor::from<float>({6}, {1, nan, inf, inf, nan, -inf})}) == "",
                  fn);
  }
  for (const char* fn : {"arg_max", "arg_min"}) {
    const std::string text =
        std::string(
            "func entry @main(%x: tensor<3x6xf32>) -> (tensor<3x1xi64>) inputs(\"x\") outputs(\"z\") {\n%z = ") +
        fn + "(%x) {axis = 1} : tensor<3x1xi64>\nreturn(%z)\n}";
    CHECK_MESSAGE(difference(text, {tensor::from<float>({3, 6}, {1, 2, 2, 1, 2, 1, nan, 3, nan, 4, 0, 0, -inf, inf, inf,
                                                                 -inf, 1, 1})}) == "",
                  fn);
  }
}
