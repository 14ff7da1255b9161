// What both projects build: a pipeline of the library's passes, and a model that the interpreter runs.
#include <cstdio>

#include <tenon/core/version.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

using clean = pipeline<passes::lift_lambdas, passes::infer_shapes, passes::simplify, passes::eliminate_dead>;

int main() {
  auto model = [] {
    return parse<phases::ingestion>(R"(tenon.module phase=ingestion
      constant #0 "two" : tensor<f32> = [2]
      func entry @main(%0: tensor<3xf32>) -> (tensor<3xf32>) inputs("x") outputs("y") {
        %1 = constant() {value = #0} : tensor<f32>
        %2 = constant() {value = #0} : tensor<f32>
        %3 = mul(%0, %1) : tensor<3xf32>
        return(%3)
      })");
  };
  context cx;
  const auto cleaned = run_pipeline<clean>(model(), cx);
  int left = 0;
  ir::for_each_op(cleaned.body(), [&](op_id) { ++left; });
  const auto built = build<targets::interpreter>(model());
  const tensor x = tensor::from<float>({3}, {1, 2, 3});
  const tensor y = targets::interpreter::runtime::load(built.body())->run({&x, 1}, 1)[0];
  std::printf("tenon %d.%d.%d: %d ops are left, and twice 3 is %g\n", version_major, version_minor, version_patch, left,
              y.at_f64(2));
}
