// Every call becomes a copy of what it calls.
#include <tenon/passes/inline_calls.hpp>

#include <support/graph.hpp>

using namespace graph_test;

TEST_CASE("calls of calls, in any order of functions") {
  const auto m = ran<passes::inline_calls>(R"(
func entry @main(%0: tensor<2xf32>, %1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %2, %3 = call(%0, %1) {callee = @f} : (tensor<2xf32>, tensor<2xf32>)
  %4, %5 = call(%3, %2) {callee = @f} : (tensor<2xf32>, tensor<2xf32>)
  return(%4, %5)
}
func @f(%0: tensor<2xf32>, %1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %2 = call(%0) {callee = @g} : tensor<2xf32>
  %3 = sub(%2, %1) : tensor<2xf32>
  return(%3, %0)
}
func @g(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = exp(%0) : tensor<2xf32>
  return(%1)
})");
  CHECK(count(m, "call") == 0);
  CHECK(count(m, "exp") == 2);
  CHECK(m.body().functions().size() == 1);
}

TEST_CASE("recursion and missing functions are errors") {
  const auto run = [](std::string_view text) {
    return code_of([&] {
      auto m = graph(text);
      context cx;
      passes::inline_calls{}.run(m, cx);
    });
  };
  CHECK(run(R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @f} : tensor<2xf32>
  return(%1)
}
func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @main} : tensor<2xf32>
  return(%1)
})") == "passes.recursion");
  auto m = graph(R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @f} : tensor<2xf32>
  return(%1)
}
func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  return(%0)
})");
  m.body().erase_function(m.body().find_function("f"));
  context cx;
  CHECK(code_of([&] { passes::inline_calls{}.run(m, cx); }) == "passes.no_function");
}
