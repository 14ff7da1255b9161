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
