// Lesson 1: a graph is built with a builder that can make the ops of its phase only, and prints as text.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();

  // A function takes and gives tensors; a dimension is a number, a symbol, or unknown.
  const ir::dim batch = ir::dim::symbol(m.symbol("N"));
  const type_id x_type = m.intern(ir::type::tensor(dtype::f32, {batch, 3}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&x_type, 1});
  m[f].entry = true;
  m[f].argument_names = {"x"};
  m[f].result_names = {"y"};

  // The builder's type says what it may make. `loop::for_loop`, which `ingestion` does not list, would not compile:
  static_assert(can_emit<op::matmul, phases::ingestion::op_list>);
  static_assert(!can_emit<loop::for_loop, phases::ingestion::op_list>);
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  b.set_location(m.location("01_build_a_graph"));
  const value_id x = m[m[f].body].arguments[0];
  const constant_id weights = m.add_constant(tensor::from<float>({3, 2}, {1, 2, 3, 4, 5, 6}), "weights");
  const value_id w = b.make(op::constant{weights}, {});
  const value_id product = b.make(op::matmul{}, {x, w});  // its type follows from its operands
  const value_id y = b.make(op::softmax{.axis = 1}, {product});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};

  const std::string text = print(graph);
  std::printf("%s\n", text.c_str());

  // Everything is in the text: reading it back gives the same module.
  const auto again = parse<phases::ingestion>(text);
  std::printf("read back: %s\n", print(again) == text ? "the same" : "different");
}

// CHECK: tenon.module phase=ingestion
// CHECK: constant #0 "weights" : tensor<3x2xf32> = [1, 2, 3, 4, 5, 6]
// CHECK: func entry @main(%0: tensor<Nx3xf32>) -> (tensor<Nx2xf32>) inputs("x") outputs("y")
// CHECK: matmul({{.*}}) : tensor<Nx2xf32> loc("01_build_a_graph")
// CHECK: read back: the same
