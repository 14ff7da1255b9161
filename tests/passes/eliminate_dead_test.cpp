// Unused ops without effects and unreachable functions go; effects stay.
#include <tenon/passes/eliminate_dead.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {
struct draw {
  static constexpr fixed_string name = "test.draw";
  static constexpr op_traits traits{.effects = effect_bits::random, .max_operands = 0};
};
}  // namespace

TEST_CASE("chains of unused ops go") {
  const auto m = ran<passes::eliminate_dead>(R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = neg(%0) : tensor<2xf32>
  %2 = exp(%0) : tensor<2xf32>
  %3 = log(%2) : tensor<2xf32>
  return(%1)
})");
  CHECK(count(m, "exp") + count(m, "log") == 0);
  CHECK(count(m, "neg") == 1);
}

TEST_CASE("functions that no entry reaches go, the others stay") {
  const auto m = ran<passes::eliminate_dead>(R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @f} : tensor<2xf32>
  %2 = call(%0) {callee = @h} : tensor<2xf32>
  return(%1)
}
func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @g} : tensor<2xf32>
  return(%1)
}
func @g(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = neg(%0) : tensor<2xf32>
  return(%1)
}
func @h(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = exp(%0) : tensor<2xf32>
  return(%1)
})");
  CHECK(m.body().find_function("g"));
  CHECK_FALSE(m.body().find_function("h"));
  CHECK(m.body().functions().size() == 3);
}

TEST_CASE("effects stay, and so do calls of functions that have them") {
  auto m = graph(R"(
func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call(%0) {callee = @f} : tensor<2xf32>
  return(%0)
}
func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  return(%0)
})");
  ir::module& b = m.body();
  const region_id body = b[b.find_function("f")].body;
  ir::builder<> builder(b, body);
  builder.before(b.terminator(body));
  const type_id t[] = {b.intern(ir::type::tensor(dtype::f32, {2}))};
  builder.make_op(draw{}, {}, t);
  context cx;
  passes::eliminate_dead{}.run(m, cx);
  CHECK(count(m, "call") == 1);
  CHECK(count(m, "test.draw") == 1);
}
