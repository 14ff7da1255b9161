// Type rules are run again; what is known stays known; the facts' checkers fire.
#include <tenon/compile/run.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/require_static_shapes.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {
const char* vague = R"(
func entry @main(%0: tensor<2x3xf32>, %1: tensor<1x3xf32>) -> (tensor<?x?xf32>) inputs("x", "y") {
  %2 = add(%0, %1) : tensor<?x?xf32>
  %3 = exp(%2) : tensor<?x?xf32>
  return(%3)
})";
}

TEST_CASE("types become as precise as the rules allow") {
  context cx;
  auto m = run<passes::infer_shapes>(graph(vague), cx);
  const ir::module& b = m.body();
  const function_id f = b.find_function("main");
  CHECK(print(b, b.type_of(b.operand(b.terminator(b[f].body), 0))) == "tensor<2x3xf32>");
  CHECK(print(b, b[b[f].result_types[0]]) == "tensor<2x3xf32>");
  CHECK_NOTHROW(fact::shapes_known::check(b));
  auto s = run<passes::require_static_shapes>(std::move(m), cx);
  CHECK(decltype(s)::knows<fact::static_shapes>);
}

TEST_CASE("calls get what their callee gives, whatever the order of functions") {
  context cx;
  const auto m = run<passes::infer_shapes>(graph(R"(
func entry @main(%0: tensor<2x3xf32>) -> (tensor<?x3xf32>) {
  %1 = call(%0) {callee = @f} : tensor<?x3xf32>
  %2 = neg(%1) : tensor<?x3xf32>
  return(%2)
}
func @f(%0: tensor<2x3xf32>) -> (tensor<?x?xf32>) {
  %1 = neg(%0) : tensor<?x?xf32>
  return(%1)
})"),
                                           cx);
  const ir::module& b = m.body();
  CHECK(print(b, b.type_of(b.operand(b.terminator(b[b.find_function("main")].body), 0))) == "tensor<2x3xf32>");
}

TEST_CASE("shapes_known does not hold of vague types") {
  CHECK(code_of([] { fact::shapes_known::check(graph(vague).body()); }) == "fact.shapes_known");
}

TEST_CASE("a shape that contradicts the rule is an error") {
  ir::module m;
  const ir::type x = ir::type::tensor(dtype::f32, {2, 3}), wrong = ir::type::tensor(dtype::f32, {2, 4});
  const type_id in[] = {m.intern(x)}, out[] = {m.intern(wrong)};
  const function_id f = m.add_function("main", ir::function_kind::graph, in);
  ir::builder<> b(m, m[f].body, m.location("node_7"));
  const value_id operands[] = {m[m[f].body].arguments[0]};
  b.make_op(op::neg{}, operands, out);
  const std::string what = message_of([&] { ir::refine_types(m); });
  CHECK(what.find("node_7") != std::string::npos);
  CHECK(what.find("dimension 1 is known to be 4, and now follows to be 3") != std::string::npos);
}

TEST_CASE("a dynamic shape is an error that names input or op") {
  context cx;
  const auto refuse = [&](const char* text) {
    return message_of([&] {
      auto m = run<passes::infer_shapes>(graph(text), cx);
      (void)run<passes::require_static_shapes>(std::move(m), cx);
    });
  };
  const std::string input = refuse(R"(
func entry @main(%0: tensor<2xNxf32>) -> (tensor<2xNxf32>) inputs("image") {
  %1 = neg(%0) : tensor<2xNxf32>
  return(%1)
})");
  CHECK(input.find("input 'image' of function 'main' has the shape [2,N]") != std::string::npos);
  CHECK(input.find("passes.dynamic_shape") != std::string::npos);
  const std::string inner = refuse(R"(
func entry @main(%0: tensor<4xf32>) -> (tensor<1x?xi64>) {
  %1 = non_zero(%0) : tensor<1x?xi64> loc("node_3")
  return(%1)
})");
  CHECK(inner.find("node_3: non_zero: its result has the shape [1,?]") != std::string::npos);
}
