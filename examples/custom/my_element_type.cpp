// An element type of your own: floats of 6 bits, as accelerators have them, said by their format. Tensors, texts and
// files have it; ops compute in f32 and round; every target that converts narrow floats converts it.
// needs: llvm
#include <cstdio>

#include <tenon/core/element_format.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  // A sign, 3 bits of exponent, 2 of mantissa, and no infinities: what is too large becomes the largest number.
  const dtype f6 = register_element_type({"f6e3m2", 3, 2, 3, float_specials::none});
  std::printf("%.4g to %.4g\n", static_cast<double>(narrow_bits_to_f32(1, f6)),
              static_cast<double>(narrow_bits_to_f32(31, f6)));

  // Weights that a quantizer has rounded, as a constant of a graph.
  auto m = parse<phases::ingestion>(R"m(tenon.module phase=ingestion
    constant #0 "w" : tensor<2x2xf6e3m2> = [0.3, -40, 1.2, 5]
    func entry @main(%x: tensor<Nx2xf32>) -> (tensor<Nx2xf32>) inputs("x") outputs("y") {
      %w = constant() {value = #0} : tensor<2x2xf6e3m2>
      %f = cast(%w) {to = f32} : tensor<2x2xf32>
      %y = matmul(%x, %f) : tensor<Nx2xf32>
      return(%y)
    })m");
  std::printf("%s\n", print(m).c_str());

  const tensor x = tensor::from<float>({1, 2}, {1, 10});
  const tensor want = interpret(m.body(), "main", {&x, 1})[0];
  const auto built = build<targets::cpu>(std::move(m));
  const tensor y = load(built)["main"](x);
  std::printf("%.4f %.4f, %.4f %.4f\n", y.at_f64(0), y.at_f64(1), want.at_f64(0), want.at_f64(1));

  // The name is yours; what it means is fixed.
  try {
    register_element_type({"f6e3m2", 3, 2, 4, float_specials::none});
  } catch (const error& e) { std::printf("%s\n", e.what()); }
}

// CHECK: 0.0625 to 28
// CHECK: constant #0 "w" : tensor<2x2xf6e3m2> = [0.3125, -28, 1.25, 5]
// CHECK: 12.8125 22.0000, 12.8125 22.0000
// CHECK: the element type 'f6e3m2' is registered with another format
