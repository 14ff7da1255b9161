// needs: llvm
// Code for symbolic shapes whose extents say something of each other: beside the interpreter, for several sizes.
#include <doctest/doctest.h>

#include <string>

#include "support/all_sizes.hpp"

using namespace tenon;
using namespace tenon::testing::all_sizes;

TEST_CASE("x[:1] broadcasts to x for all sizes: it is 1, or both are 0") {
  const std::string first = "%s = slice(%a) {starts = [0], ends = [1], axes = [1]} : tensor<bx?xf32>\n";
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>", first + "%y = sub(%a, %s) : tensor<bxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>",
                         first + "%e = exp(%s) : tensor<bx?xf32>\n%t = shape_of(%a) : tensor<2xi64>\n"
                                 "%y = expand(%e, %t) : tensor<bxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bx4xnxf32>, %c: tensor<bxnx3xf32>", "tensor<bx4x3xf32>",
                         "%s = slice(%a) {starts = [0], ends = [1], axes = [0]} : tensor<?x4xnxf32>\n"
                         "%y = matmul(%s, %c) : tensor<bx4x3xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bx4xnxf32>, %c: tensor<bxnx40xf32>", "tensor<bx4x40xf32>",
                         "%s = slice(%c) {starts = [0], ends = [1], axes = [0]} : tensor<?xnx40xf32>\n"
                         "%y = matmul(%a, %s) : tensor<bx4x40xf32>"),
                   sizes) == "");
}

TEST_CASE("what is computed from a reduction of x[:1] is in its kernel: it reads the element that is there") {
  CHECK(difference(entry("%a: tensor<bxnx4xf32>", "tensor<bx?xf32>",
                         "%s = slice(%a) {starts = [0], ends = [1], axes = [1]} : tensor<bx?x4xf32>\n"
                         "%m = reduce_max(%s) {axes = [2], keep_dims = false} : tensor<bx?xf32>\n"
                         "%e = exp(%m) : tensor<bx?xf32>\n%y = sub(%e, %m) : tensor<bx?xf32>"),
                   sizes) == "");
}

TEST_CASE("products of bytes by constant ones, whose depth is a symbol that a condition holds to theirs") {
  std::string weights;
  for (int i = 0; i < 64 * 32; ++i) weights += (i ? ", " : "") + std::to_string(i * 37 % 251 - 125);
  const std::string text = "constant #0 : tensor<64x32xi8> = [" + weights + "]\n" +
                           entry("%a: tensor<bxnxu8>", "tensor<bx32xi32>",
                                 "%w = constant() {value = #0} : tensor<64x32xi8>\n"
                                 "%y = matmul(%a, %w) : tensor<bx32xi32>");
  CHECK(difference(text, {{{"b", 3}, {"n", 64}}, {{"b", 1}, {"n", 64}}, {{"b", 40}, {"n", 64}}}, 0) == "");
}
