// Lesson 2: every module runs, in every phase: the interpreter is slow, checks each access, and needs no compiler.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/interpret/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr std::string_view text = R"(tenon.module phase=optimization
constant #0 "half" : tensor<f32> = [0.5]
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = constant() {value = #0} : tensor<f32>
  %2 = mul(%0, %1) : tensor<4xf32>
  %3 = exp(%2) : tensor<4xf32>
  return(%3)
}
)";

void show(const char* what, const tensor& t) {
  std::printf("%s:", what);
  for (i64 i = 0; i < t.size(); ++i) std::printf(" %.4f", t.at_f64(i));
  std::printf("\n");
}

int main() {
  auto m = parse<phases::optimization>(text);
  const tensor x = tensor::from<float>({4}, {0, 1, 2, 3});
  show("the graph", interpret(m.body(), "main", {&x, 1})[0]);

  // The same after kernels were made of the ops: loops over elements, run one by one.
  context cx;
  auto shaped = run<passes::infer_shapes>(std::move(m), cx);
  auto fixed = run<passes::require_static_shapes>(std::move(shaped), cx);
  auto legal = run<passes::legalize_ops>(std::move(fixed), cx);
  show("its kernels", interpret(legal.body(), "main", {&x, 1})[0]);

  // And with buffers in place of tensors.
  auto lowered = run<passes::to_lowering>(std::move(legal), cx);
  show("its buffers", interpret(lowered.body(), "main", {&x, 1})[0]);

  // What is wrong is an error that says so; nothing crashes.
  try {
    const tensor wrong = tensor::from<float>({3}, {0, 1, 2});
    (void)interpret(lowered.body(), "main", {&wrong, 1});
  } catch (const error& e) { std::printf("error %s\n", e.code().c_str()); }
}

// CHECK: the graph: 1.0000 1.6487 2.7183 4.4817
// CHECK: its kernels: 1.0000 1.6487 2.7183 4.4817
// CHECK: its buffers: 1.0000 1.6487 2.7183 4.4817
// CHECK: error interpret.
