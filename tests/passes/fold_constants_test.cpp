// Ops on constants are computed; constant operands become attributes; types get precise on the way.
#include <tenon/passes/fold_constants.hpp>

#include <support/graph.hpp>

using namespace graph_test;

TEST_CASE("constants fold through several ops") {
  const auto m = ran<passes::fold_constants>(R"(
constant #0 : tensor<2xf32> = [1, 2]
constant #1 : tensor<f32> = [3]
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = constant() {value = #0} : tensor<2xf32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = add(%1, %2) : tensor<2xf32>
  %4 = sqrt(%3) : tensor<2xf32>
  %5 = mul(%0, %4) : tensor<2xf32>
  return(%5)
})");
  CHECK(count(m, "add") + count(m, "sqrt") == 0);
  const ir::module& b = m.body();
  const value_id y = b.operand(b.terminator(b[b.find_function("main")].body), 0);
  const tensor* c = b.constant_value(b.operand(b[y].definition, 1));
  REQUIRE(c != nullptr);
  CHECK(c->at_f64(0) == 2);
}

TEST_CASE("Shape, Gather, Concat, Reshape is one reshape") {
  const auto m = ran<passes::fold_constants>(R"(
constant #0 : tensor<1xi64> = [0]
constant #1 : tensor<1xi64> = [-1]
func entry @main(%0: tensor<2x3x4xf32>) -> (tensor<?x?xf32>) {
  %1 = constant() {value = #0} : tensor<1xi64>
  %2 = constant() {value = #1} : tensor<1xi64>
  %3 = shape_of(%0) : tensor<3xi64>
  %4 = gather(%3, %1) {axis = 0} : tensor<1xi64>
  %5 = concat(%4, %2) {axis = 0} : tensor<2xi64>
  %6 = reshape(%0, %5) : tensor<?x?xf32>
  return(%6)
})");
  CHECK(count(m, "shape_of") + count(m, "gather") + count(m, "concat") == 0);
  const ir::module& b = m.body();
  const function_id f = b.find_function("main");
  const value_id y = b.operand(b.terminator(b[f].body), 0);
  CHECK(b.view(b[y].definition).operand_count() == 1);
  CHECK(b.view(b[y].definition).as<op::reshape>().shape == std::vector<i64>{2, -1});
  CHECK(print(b, b.type_of(y)) == "tensor<2x12xf32>");
  CHECK(b[f].result_types[0] == b[y].type);
}

TEST_CASE("a middle operand becomes an attribute, a computed one stays") {
  const auto m = ran<passes::fold_constants>(R"(
constant #0 : tensor<1xi64> = [1]
constant #1 : tensor<1xi64> = [3]
func entry @main(%0: tensor<5xf32>) -> (tensor<2xf32>) {
  %1 = constant() {value = #0} : tensor<1xi64>
  %2 = constant() {value = #1} : tensor<1xi64>
  %3 = slice(%0, %1, %2) : tensor<2xf32>
  return(%3)
})");
  const ir::module& b = m.body();
  const value_id y = b.operand(b.terminator(b[b.find_function("main")].body), 0);
  CHECK(b.view(b[y].definition).operand_count() == 1);
  CHECK(b.view(b[y].definition).as<op::slice>().starts == std::vector<i64>{1});
  CHECK(b.view(b[y].definition).as<op::slice>().ends == std::vector<i64>{3});
}

TEST_CASE("results that grow beyond the limit are left to run") {
  const char* text = R"(
constant #0 : tensor<f32> = [1]
func entry @main() -> (tensor<100x1000xf32>) {
  %0 = constant() {value = #0} : tensor<f32>
  %1 = expand(%0) {shape = [100, 1000]} : tensor<100x1000xf32>
  return(%1)
})";
  CHECK(count(ran<passes::fold_constants>(text), "expand") == 1);
  CHECK(count(ran(text, passes::fold_constants{.max_bytes = 1 << 20}), "expand") == 0);
}

TEST_CASE("an op whose evaluation fails is left alone") {
  auto m = graph(R"(
constant #0 : tensor<2xf32> = [1, 2]
constant #1 : tensor<3xbool> = [false, true, true]
func entry @main() -> (tensor<?xf32>) {
  %0 = constant() {value = #0} : tensor<2xf32>
  %1 = constant() {value = #1} : tensor<3xbool>
  %2 = compress(%0, %1) {axis = 0} : tensor<?xf32>
  return(%2)
})");
  context cx;
  passes::fold_constants{}.run(m, cx);
  CHECK(count(m, "compress") == 1);
}
