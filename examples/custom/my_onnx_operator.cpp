// Write your own ONNX operator: a handler that says it in built-in ops, with its attributes, its errors, and the
// versions of its domain that have it.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/definitions/onnx.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;
namespace onnx = importers::onnx;

/// com.example Snake: x + sin(alpha * x)^2 / alpha. Attribute `alpha`, 1 where it is not given.
void import_snake(onnx::import_context& cx, const onnx::node&) {
  const float alpha = cx.f("alpha", 1.f);
  if (alpha == 0) cx.bad("'alpha' is 0");  // the error names the node
  const value_id x = cx.in(0), s = cx.make(op::sin{}, {cx.mul(x, static_cast<double>(alpha))});
  cx.out(cx.add(x, cx.mul(cx.mul(s, s), 1. / static_cast<double>(alpha))));
}

/// More operators than the built-in ones; these come first, so one of the standard can be said in another way, too.
onnx::import_options with_snake() {
  onnx::import_options options;
  options.operators = {
      {.op_type = "Snake", .import = import_snake, .domain = "com.example", .since = 1, .inputs = 1, .outputs = 1}};
  return options;
}

/// A model as a file would have it: y = Snake(x), for any number n of elements. `onnx::load(path, options)` reads one.
onnx::model with_one_node(float alpha) {
  onnx::attribute a;
  a.name = "alpha", a.type = onnx::attribute::type_t::float_, a.f = alpha;
  onnx::value_info value{.name = "x", .type = {}};
  value.type.kind = onnx::value_type::kind_t::tensor;
  value.type.element = onnx::elem_type::float32;
  value.type.has_shape = true;
  value.type.dims = {{.value = -1, .symbol = "n"}};
  onnx::model m;
  m.ir_version = 8;
  m.opset_imports = {{"", 17}, {"com.example", 1}};
  m.graph.inputs = {value};
  value.name = "y";
  m.graph.outputs = {value};
  onnx::node n;
  n.name = "first", n.op_type = "Snake", n.domain = "com.example", n.inputs = {"x"}, n.outputs = {"y"};
  n.attributes = {a};
  m.graph.nodes = {n};
  return m;
}
}  // namespace mine

int main() {
  using namespace tenon;
  const auto m = mine::onnx::import_model(mine::with_one_node(2), mine::with_snake());
  std::printf("%s", print(m).c_str());  // each op has the node as its place
  const tensor x = tensor::from<float>({3}, {0, 0.5f, 1});
  const tensor y = interpret(m.body(), "main", {&x, 1})[0];
  for (i64 i = 0; i < y.size(); ++i) std::printf("%.4f\n", y.at_f64(i));
  for (const auto& options : {mine::with_snake(), mine::onnx::import_options{}}) try {
      (void)mine::onnx::import_model(mine::with_one_node(0), options);
    } catch (const error& e) { std::printf("%s: %s\n", e.code().c_str(), e.message().c_str()); }
}

// CHECK: sin(
// CHECK: 0.0000
// CHECK: 0.8540
// CHECK: 1.4134
// CHECK: onnx.bad_node: {{.*}}'alpha' is 0
// CHECK: onnx.unsupported_op: {{.*}}'Snake'
