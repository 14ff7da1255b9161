// Compiles an ONNX model for this machine, and runs it.
// needs: llvm
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <tenon/compile/session.hpp>
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
  targets::register_cpu_target();
  const session_options options{.target = "cpu"};
  session model = argc > 1 ? session(importers::onnx::open(argv[1]), options) : session(tiny_network(), options);

  int next = 2;  // sizes that the model leaves open are the next arguments, and the last one again where there is none
  i64 open = 1;
  std::vector<tensor> inputs;
  for (const session::input_info& in : model.inputs()) {
    std::vector<i64> shape;
    for (const ir::dim& d : in.type.shape) {
      if (!d.is_static() && next < argc) open = std::atoll(argv[next++]);
      shape.push_back(d.is_static() ? d.extent() : open);
    }
    inputs.emplace_back(in.type.elem, shape);
    std::printf("%s is %s, of zeros\n", in.name.c_str(), inputs.back().describe().c_str());
  }
  const std::vector<tensor> outputs =
      model.run(inputs);  // compiles first: once for all sizes, where code can serve them
  for (const pass_record& r : model.last_compilation().records)
    std::printf("%-14s%-24s%.2f ms\n", r.phase.c_str(), r.name.c_str(), r.milliseconds);
  const auto start = std::chrono::steady_clock::now();
  model.run(inputs);
  std::printf("a run takes %.3f ms\n",
              std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::printf("%s is %s", model.outputs()[i].c_str(), outputs[i].describe().c_str());
    if (outputs[i].size() > 0) std::printf(" and begins with %g", outputs[i].at_f64(0));
    std::printf("\n");
  }
} catch (const error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

// CHECK: x is f32[2,3], of zeros
// CHECK: optimization  lift_lambdas
// CHECK: lowering      to_lowering
// CHECK: built         generate_code
// CHECK: a run takes {{[0-9.]+}} ms
// CHECK-NEXT: y is f32[2,3] and begins with 1
