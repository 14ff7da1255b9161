// needs: llvm
// Products by weights of four bits, made once for one row and any number of them, against
// the interpreter.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

#include "support/lowered.hpp"

using namespace tenon;

namespace {

std::string numbers(int count, const char* after) {
  std::string s;
  for (int i = 0; i < count; ++i) s += (i == 0 ? "" : ", ") + std::to_string(i * 7919 % 251) + after;
  return s;
}

/// The largest error of y over inputs of these shapes, on one thread and on two.
double error_of(const std::string& arguments, const std::string& inputs, const std::string& result,
                const std::string& body, const std::vector<std::vector<std::vector<i64>>>& shapes) {
  const std::string text = "tenon.module phase=ingestion\nconstant #0 : tensor<70x8x16xu8> = [" +
                           numbers(70 * 8 * 16, "") + "]\nconstant #1 : tensor<70x8xf32> = [" + numbers(70 * 8, "e-3") +
                           "]\nconstant #2 : tensor<70x4xu8> = [" + numbers(70 * 4, "") + "]\nfunc entry @main(" +
                           arguments + ") -> (" + result + ") inputs(" + inputs +
                           ") outputs(\"y\") {\n%w = constant() {value = #0} : tensor<70x8x16xu8>\n"
                           "%s = constant() {value = #1} : tensor<70x8xf32>\n"
                           "%z = constant() {value = #2} : tensor<70x4xu8>\n" +
                           body + "\nreturn(%y)\n}\n";
  const ir::module m = parse(text);
  double worst = 0;
  for (int threads : {1, 2}) {
    context cx;
    targets::cpu target;
    target.threads = threads;
    target.configure(cx);
    const program p = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
    for (const auto& run : shapes) {
      std::vector<tensor> given;
      for (const std::vector<i64>& shape : run) given.push_back(testing::random_tensor(dtype::f32, shape, 3));
      worst = std::max(worst, testing::distance(p.run(given, threads)[0], interpret(m, "main", given)[0]));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("weights of four bits: one row, and any number of them") {
  const std::string attributes = " {block = 32, depth = 256, columns = 70} : ";
  std::vector<std::vector<std::vector<i64>>> shapes;
  for (const auto& [b, n] : std::vector<std::pair<i64, i64>>{{1, 1}, {2, 16}, {3, 37}, {1, 5}, {0, 5}, {2, 0}})
    shapes.push_back({{b, n, 256}, {b, n, 70}});
  CHECK(error_of("%a: tensor<bxnx256xf32>, %c: tensor<bxnx70xf32>", "\"a\", \"c\"", "tensor<bxnx70xf32>",
                 "%p = matmul_nbits(%a, %w, %s, %z)" + attributes +
                     "tensor<bxnx70xf32>\n%y = add(%p, %c) : tensor<bxnx70xf32>",
                 shapes) < 1e-4);
  // The length of a row is a symbol, too.
  CHECK(error_of("%a: tensor<nxkxf32>", "\"a\"", "tensor<nx70xf32>",
                 "%y = matmul_nbits(%a, %w, %s)" + attributes + "tensor<nx70xf32>", {{{1, 256}}, {{9, 256}}}) < 1e-4);
}
