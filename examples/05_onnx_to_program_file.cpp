// Lesson 5: an ONNX model becomes a program file, which is run without compiler, importer or model.
// needs: llvm
#include <cstdio>

#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

// A whole model: y = relu(x + x) on 2x2 numbers, opset 17.
constexpr std::string_view model_bytes =
    "\x08\x08:W\x0a\x15\x0a\x01x\x0a\x01x\x12\x01s\x1a\x05twice\x22\x03"
    "Add\x0a\x11\x0a\x01s\x12\x01y\x1a\x03"
    "cut"
    "\x22\x04Relu\x12\x01gZ\x13\x0a\x01x\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02"
    "b\x13\x0a\x01y"
    "\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02"
    "B\x02\x10\x11";

int main() try {
  write_file("relu.onnx", model_bytes);
  {
    auto m = importers::onnx::load("relu.onnx");
    std::printf("%s", print(m).c_str());
    context cx;
    targets::cpu{}.configure(cx);
    save("relu.tenon", build<targets::cpu>(std::move(m), cx));
  }
  const program p = program::open("relu.tenon");
  const tensor x = tensor::from<float>({2, 2}, {-1, 2, -3, 4});
  const tensor y = p["main"](x);
  std::printf("y =");
  for (i64 i = 0; i < y.size(); ++i) std::printf(" %g", y.at_f64(i));
  std::printf("\n");

  // What is not a model is an error with a place and a reason.
  write_file("broken.onnx", model_bytes.substr(0, 40));
  (void)importers::onnx::load("broken.onnx");
} catch (const error& e) { std::printf("error %s\n", e.code().c_str()); }

// CHECK: tenon.module phase=ingestion
// CHECK: add(%0, %0) : tensor<2x2xf32> loc("node 'twice' (Add)")
// CHECK: y = 0 4 0 8
// CHECK: error onnx.malformed
