// Compiles an ONNX model for this machine, and runs it.
// needs: llvm
#include <cstdio>

#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

/// What stands in for a model when none is given: y = relu(x + 1).
ir_module<phases::ingestion> tiny_network() {
  return parse<phases::ingestion>(R"(tenon.module phase=ingestion
    constant #0 "one" : tensor<f32> = [1]
    constant #1 "zero" : tensor<f32> = [0]
    func entry @main(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") {
      %1 = constant() {value = #0} : tensor<f32>
      %2 = add(%0, %1) : tensor<2x3xf32>
      %3 = constant() {value = #1} : tensor<f32>
      %4 = maximum(%2, %3) : tensor<2x3xf32>
      return(%4)
    })");
}

// Pipelines are types. Where two passes do not fit, this line does not compile, and the error says what to do.
using pipeline_for_graphs =
    pipeline<passes::lift_lambdas, passes::infer_shapes, passes::simplify, passes::eliminate_dead>;
static_assert(!is_valid<pass_list<passes::lift_lambdas, passes::simplify>>, "simplify needs shapes_known");

int main(int argc, char** argv) try {
  ir_module<phases::ingestion> model = argc > 1 ? importers::onnx::load(argv[1]) : tiny_network();
  context cx;
  targets::cpu{}.configure(cx);
  const auto built =
      build<targets::cpu>(std::move(model), cx);  // ir_module<phases::built, …>: cannot be optimized again
  for (const pass_record& r : cx.records) std::printf("%-14s%s\n", r.phase.c_str(), r.name.c_str());

  const program p = load(built);
  std::vector<tensor> inputs;
  for (const port& in : p.inputs()) inputs.emplace_back(in.type, in.shape);  // zeros
  const std::vector<tensor> outputs = p.run(inputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    std::printf("%s is %s and begins with %g\n", p.outputs()[i].name.c_str(), outputs[i].describe().c_str(),
                outputs[i].at_f64(0));
} catch (const error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

// CHECK: optimization  lift_lambdas
// CHECK: lowering      to_lowering
// CHECK: built         generate_code
// CHECK: y is f32[2,3] and begins with 1
