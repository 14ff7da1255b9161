// Shapes and values for the entry's arguments.
#include <tenon/passes/bind_inputs.hpp>
#include <tenon/passes/infer_shapes.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

const char* text = R"(
func entry @main(%0: tensor<Nx3xf32>, %1: tensor<Nx1xf32>) -> (tensor<Nx3xf32>) inputs("x", "y") {
  %2 = add(%0, %1) : tensor<Nx3xf32>
  return(%2)
})";

ir_module<phases::optimization> bound(passes::input_binding binding) {
  auto m = graph(text);
  context cx;
  cx.set(std::move(binding));
  passes::bind_inputs{}.run(m, cx);
  passes::infer_shapes{}.run(m, cx);
  ir::verify<phases::optimization>(m.body());
  return m;
}

std::string refused(passes::input_binding binding) {
  return message_of([&] { bound(std::move(binding)); });
}

}  // namespace

TEST_CASE("a symbol is known everywhere once it is known somewhere") {
  const auto m = bound({.shapes = {{2, 3}}});
  const ir::module& b = m.body();
  const function_id f = b.find_function("main");
  CHECK(print(b, b.type_of(b[b[f].body].arguments[1])) == "tensor<2x1xf32>");
  CHECK(print(b, b[b[f].result_types[0]]) == "tensor<2x3xf32>");
}

TEST_CASE("a symbol is known in expressions, in lists of extents and in conditions") {
  auto m = graph(R"(
func entry @main(%0: tensor<NxMxf32>, %1: tensor<Kxf32>) -> (tensor<"M*N"xf32>, tensor<2xi64>) inputs("x", "y") {
  %2 = reshape(%0) {shape = [-1]} : tensor<"M*N"xf32>
  %3 = extents_of() {values = ["2*N", "M+N"]} : tensor<2xi64>
  %4 = add(%2, %1) : tensor<"M*N"xf32>
  return(%4, %3)
})");
  REQUIRE(m.body().conditions.items().size() == 1);
  context cx;
  cx.set(passes::input_binding{.shapes = {{3, -1}}});
  passes::bind_inputs{}.run(m, cx);
  const std::string now = print(m.body());
  CHECK(now.find("\"3*M\"xf32") != std::string::npos);
  CHECK(now.find("[\"6\", \"M+3\"]") != std::string::npos);
  CHECK(m.body().conditions.items()[0].text() == "K-3*M==0");
  cx.set(passes::input_binding{.shapes = {{}, {7}}});
  passes::bind_inputs{}.run(m, cx);
  cx.set(passes::input_binding{.shapes = {{3, 2}}});
  CHECK(message_of([&] { passes::bind_inputs{}.run(m, cx); }).find("dimension 1 is 2 (M), and 3*M = 7 must hold") !=
        std::string::npos);
}

TEST_CASE("-1 leaves an extent, an empty list leaves an argument") {
  const auto m = bound({.shapes = {{-1, 3}, {}}});
  CHECK(print(m.body(), m.body().type_of(m.body()[m.body()[m.body().find_function("main")].body].arguments[0])) ==
        "tensor<Nx3xf32>");
}

TEST_CASE("a value replaces the uses of an argument, which stays") {
  const auto m = bound({.values = {{1, tensor::from<float>({2, 1}, {10, 20})}}});
  CHECK(m.body()[m.body()[m.body().find_function("main")].body].arguments.size() == 2);
  CHECK(count(m, "constant") == 1);
  const tensor x = tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}), other(dtype::f32, {2, 1});
  const auto y = interpret(m.body(), "main", std::vector{x, other});
  CHECK(y[0].at_f64(0) == 11);
  CHECK(y[0].at_f64(5) == 26);
}

TEST_CASE("what does not fit is refused, with the input's name") {
  CHECK(refused({.shapes = {{2}}})
            .find("input 'x' of function 'main': it has 2 dimensions, and is given the shape [2]") !=
        std::string::npos);
  CHECK(refused({.shapes = {{2, 4}}}).find("dimension 1 is 3, and is given as 4") != std::string::npos);
  CHECK(refused({.shapes = {{2, 3}, {4, 1}}})
            .find("input 'y' of function 'main': dimension 0 is 2 (N), and is given as 4") != std::string::npos);
  CHECK(refused({.shapes = {{}, {}, {1}}}).find("there is no input 2") != std::string::npos);
  CHECK(refused({.values = {{1, tensor::scalar<i64>(1)}}}).find("it has elements of f32, and is given i64[]") !=
        std::string::npos);
  CHECK(refused({.values = {{-1, tensor::scalar<i64>(1)}}}).find("there is no input -1") != std::string::npos);
  CHECK(refused({.shapes = {{2, 3}}, .function = "g"}).find("there is no graph function 'g'") != std::string::npos);
}
