// Lesson 11: a flow with a stop. A pass slices a part out of a graph and says which device it is for; the half-built
// module goes to a file, which says so too, and the build goes on from there for all devices of a board.
#include <cstdio>
#include <filesystem>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/ir/module_file.hpp>
#include <tenon/passes/outline.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

// Two devices; the second one would be an accelerator (examples/custom/my_target.cpp has one).
using board = composite<host<targets::interpreter>, device<"npu", targets::interpreter>>;

/// The pass: whatever leads to the first `tanh`, with it, becomes a function for the npu.
struct slice_encoder {
  static constexpr fixed_string name = "slice_encoder";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = facts<fact::shapes_known>;  // calls are there again: calls_inlined is broken
  using emits = ops<op::call, op::return_, op::constant>;
  static constexpr bool adds_functions = true;

  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    std::vector<op_id> chosen;
    for (op_id op : m[m[m.find_function("main")].body].ops) {
      chosen.push_back(op);
      if (m.view(op).is<op::tanh>()) break;
    }
    passes::outline(m, chosen, "encoder");  // a set that other ops stand between would be refused, with their name
    ir::constrain(m, "encoder", "npu");
  }
};

constexpr std::string_view text = R"(tenon.module phase=ingestion
constant #0 "w" : tensor<2x3xf32> = [1, 2, 3, 4, 5, 6]
func entry @main(%x: tensor<4x2xf32>) -> (tensor<4x3xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<2x3xf32>
  %m = matmul(%x, %w) : tensor<4x3xf32>
  %t = tanh(%m) : tensor<4x3xf32>
  %e = exp(%t) : tensor<4x3xf32>
  return(%e)
}
)";

int main() {
  tensor x(dtype::f32, {4, 2});
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, 0.1 * static_cast<double>(i));
  const auto expected = interpret(parse<phases::ingestion>(text).body(), "main", std::vector{x});
  const std::string file = std::filesystem::temp_directory_path() / "tenon_lesson_11.tmod";
  {
    // Stop where the board's pipeline would leave graphs, run a pass that is in no pipeline, and keep the module.
    context cx;
    auto graph = compile_to<phases::optimization, board>(parse<phases::ingestion>(text), cx);
    auto sliced = run<slice_encoder>(std::move(graph).edit(), cx);
    std::printf("%s\n", print(sliced).c_str());
    save_module(file, sliced);
  }
  // Another process would do the rest. The file knows what it was begun for: `build<targets::interpreter>` is an error.
  const auto built = build<board>(load<phases::optimization>(file));
  std::printf("%s\n", print(built).c_str());
  const auto got = board::runtime::load(built.body())->run(std::vector{x}, 1);
  std::printf("the same result: %s\n", same_bits(got[0], expected[0]) ? "yes" : "no");
  std::filesystem::remove(file);
}

// CHECK: target = "composite(interpreter,npu@interpreter)"
// CHECK: func entry @main
// CHECK: call(%0) {callee = @encoder}
// CHECK-NEXT: exp
// CHECK: func @encoder
// CHECK: target("npu")
// CHECK: matmul
// CHECK-NEXT: tanh
// CHECK: transfer(%0) {from = "interpreter", to = "npu"}
// CHECK: launch
// CHECK: on = "npu"
// CHECK: the same result: yes
