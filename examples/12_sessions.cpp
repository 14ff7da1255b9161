// Lesson 12: a session runs a model on inputs of any shape. It compiles once where code can serve all of them, and says
// why where it cannot.
// needs: llvm
#include <cstdio>

#include <tenon/compile/session.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/all.hpp>

using namespace tenon;

// Rows of n numbers, of any n: shapes follow from those of the inputs.
constexpr const char* open_sizes = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<batchxnxf32>) -> (tensor<batchxnxf32>) inputs("x") outputs("y") {
  %y = softmax(%x) {axis = 1} : tensor<batchxnxf32>
  return(%y)
}
)";

void run_some(session& s) {
  for (const auto& shape : {std::vector<i64>{1, 4}, {3, 4}, {2, 10}}) {
    const std::vector<tensor> y = s.run(std::vector{tensor(dtype::f32, shape)});
    std::printf("  %s, begins with %.2f\n", y[0].describe().c_str(), y[0].at_f64(0));
  }
  std::printf("  compiled %d times%s%s\n", s.compilations(), s.reason().empty() ? "" : ": ", s.reason().c_str());
}

int main() try {
  targets::register_cpu_target();
  // A module, or an importer's model: importers::onnx::open("model.onnx").
  session for_all(parse<phases::ingestion>(open_sizes), {.target = "cpu", .threads = 2});
  std::printf("takes %s\n", for_all.inputs()[0].name.c_str());
  run_some(for_all);

  // Code for the given sizes alone may be faster; a session keeps one for each set of sizes it meets.
  std::printf("specialized\n");
  session one_each(parse<phases::ingestion>(open_sizes), {.target = "cpu", .specialize = true});
  run_some(one_each);

  // What has to be known is found out by the compilation; an input that does not fit is named.
  (void)for_all.run(std::vector{tensor(dtype::f32, {4})});
} catch (const error& e) { std::printf("%s\n", e.what()); }

// CHECK: takes x
// CHECK-NEXT: f32[1,4], begins with 0.25
// CHECK-NEXT: f32[3,4], begins with 0.25
// CHECK-NEXT: f32[2,10], begins with 0.10
// CHECK-NEXT: compiled 1 times
// CHECK-NEXT: specialized
// CHECK: f32[2,10], begins with 0.10
// CHECK-NEXT: compiled 3 times
// CHECK: 'x'
