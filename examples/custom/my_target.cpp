// Write your own target: a made-up accelerator with its own ops, phase, code generator, memory and instruction; alone,
// and as a device beside a processor. What it is made of is in my_target/.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

#include "my_target/npu.hpp"

using namespace tenon;

// A target whose code generator requires what its pipeline does not give is refused, with a sentence.
struct hasty : mine::npu {
  static constexpr fixed_string name = "hasty";
  struct code_generator {
    using requires_facts = facts<fact::loops_scheduled>;
  };
};
static_assert(!target<hasty>);

int main() {
  const auto source = [] {
    return parse<phases::ingestion>(R"(tenon.module phase=ingestion
constant #0 "w" : tensor<3x2xf32> = [1, 2, 3, 4, 5, 6]

func entry @main(%0: tensor<2x3xf32>) -> (tensor<2x2xf32>) inputs("x") outputs("y") {
  %1 = call(%0) {callee = @layer} : tensor<2x2xf32>
  %2 = softmax(%1) {axis = 1} : tensor<2x2xf32>
  return(%2)
}

func @layer(%0: tensor<2x3xf32>) -> (tensor<2x2xf32>) {
  %1 = constant() {value = #0} : tensor<3x2xf32>
  %2 = matmul(%0, %1) : tensor<2x2xf32>
  %3 = tanh(%2) : tensor<2x2xf32>
  return(%3)
}
)");
  };
  const tensor x = tensor::from<float>({2, 3}, {0.125f, -0.25f, 0.0625f, 0.25f, 0.125f, -0.125f});

  // Alone: everything runs on the accelerator.
  context cx;
  entry_of<mine::npu>().configure(parse_target("npu"), 0, cx);
  const auto built = build<mine::npu>(source(), cx);
  const mine::simulator alone(built.body());
  mine::npu_cost cost;
  const tensor y = alone.run({&x, 1}, cost)[0];
  std::printf("npu: %s, scratchpad %lld of %lld bytes\n", y.describe().c_str(),
              static_cast<long long>(built.body().build.memory.arena("scratchpad").value()),
              static_cast<long long>(mine::scratchpad_bytes));
  std::printf(
      "cost: %lld instructions, %lld products, %lld transfers of %lld bytes, %lld scalar kernels, %lld cycles\n",
      static_cast<long long>(cost.instructions), static_cast<long long>(cost.products),
      static_cast<long long>(cost.transfers), static_cast<long long>(cost.bytes_moved),
      static_cast<long long>(cost.scalar_kernels), static_cast<long long>(cost.cycles));

  // As a device of a board: the function `layer` is constrained to it, and the host does the rest.
  using board = composite<host<targets::interpreter>, device<"accelerator", mine::npu>>;
  auto m = source();
  m.constrain("layer", "accelerator");
  const auto both = build<board>(std::move(m));
  const tensor z = board::runtime::load(both.body())->run({&x, 1}, 1)[0];
  std::printf("board: %s\n%s", z.describe().c_str(), print(both).c_str());
  double worst = 0;
  for (i64 i = 0; i < y.size(); ++i) worst = std::max(worst, std::abs(y.at_f64(i) - z.at_f64(i)));
  std::printf("the same to %s\n", worst < 1e-6 ? "1e-6" : "less");
}

// CHECK: npu: f32[2,2], scratchpad 768 of 4096 bytes
// CHECK: cost: 6 instructions, 1 products, 3 transfers of 768 bytes, 2 scalar kernels
// CHECK: board: f32[2,2]
// CHECK: transfer(%0) {from = "interpreter", to = "accelerator"}
// CHECK: launch(%1) {part = "main.part0", on = "accelerator"}
// CHECK: await() {on = "accelerator"}
// CHECK: from = "accelerator", to = "interpreter"
// CHECK: launch({{.*}}on = "interpreter"
// CHECK: the same to 1e-6
