// Products of quantized tensors become products of bytes, and mean what they meant.
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/passes/use_byte_products.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

/// The type of the first operand of the only conv or matmul.
std::string image_type(const ir_module<phases::optimization>& m) {
  std::string s;
  ir::for_each_op(m.body(), [&](op_id o) {
    const ir::op_view v = m.body().view(o);
    if (v.name() == "conv" || v.name() == "matmul")
      s += name_of(v.operand_type(0).elem), s += name_of(v.operand_type(1).elem);
  });
  return s;
}

}  // namespace

TEST_CASE("a convolution of dequantized bytes: padding, a bias, a scale and a zero point for each output") {
  for (const char* x : {"u8", "i8"}) {
    const auto m = ran<passes::use_byte_products>(std::string(R"(
constant #0 : tensor<2x3x1x2xu8> = [1, 2, 3, 4, 5, 6, 97, 98, 99, 100, 101, 102]
constant #1 : tensor<2x1x1x1xf32> = [0.5, 0.25]
constant #2 : tensor<2x1x1x1xu8> = [3, 100]
constant #3 : tensor<1xf32> = [0.125]
constant #4 : tensor<1x)") + x + R"(> = [7]
func entry @main(%0: tensor<1x3x4x5x)" + x + R"(>, %9: tensor<2xf32>) -> (tensor<1x2x4x5xf32>) {
  %1 = constant() {value = #0} : tensor<2x3x1x2xu8>
  %2 = constant() {value = #1} : tensor<2x1x1x1xf32>
  %3 = constant() {value = #2} : tensor<2x1x1x1xu8>
  %4 = constant() {value = #3} : tensor<1xf32>
  %5 = constant() {value = #4} : tensor<1x)" + x + R"(>
  %6 = dequantize(%0, %4, %5) : tensor<1x3x4x5xf32>
  %7 = dequantize(%1, %2, %3) : tensor<2x3x1x2xf32>
  %8 = conv(%6, %7, %9) {pads = [0, 1, 0, 0]} : tensor<1x2x4x5xf32>
  return(%8)
})");
    CHECK(image_type(m) == "u8i8");
    CHECK(count(m, "pad") == 1);
    CHECK(count(m, "bit_xor") == (std::string(x) == "i8" ? 1 : 0));
  }
}

TEST_CASE("products of integers: groups, a zero point that is not constant, transposed weights") {
  const auto grouped = ran<passes::use_byte_products>(R"(
constant #0 : tensor<4x1x2x1xi32> = [1, -2, 3, -4, 127, -128, 7, 0]
constant #1 : tensor<i32> = [200]
constant #2 : tensor<4xi32> = [10, 20, 30, 40]
func entry @main(%0: tensor<2x4x3x1xu8>) -> (tensor<2x4x4x1xi32>) {
  %1 = constant() {value = #0} : tensor<4x1x2x1xi32>
  %2 = constant() {value = #1} : tensor<i32>
  %3 = constant() {value = #2} : tensor<4xi32>
  %4 = cast(%0) {to = i32} : tensor<2x4x3x1xi32>
  %5 = sub(%4, %2) : tensor<2x4x3x1xi32>
  %6 = conv(%5, %1, %3) {group = 4, pads = [1, 0, 1, 0]} : tensor<2x4x4x1xi32>
  return(%6)
})");
  CHECK(image_type(grouped) == "u8i8");
  const auto dynamic = ran<passes::use_byte_products>(R"(
constant #0 : tensor<5x2xi32> = [1, -2, 3, -4, 127, -128, 7, 0, 1, 1]
func entry @main(%0: tensor<2x3x5xi8>, %1: tensor<i8>) -> (tensor<2x3x2xi32>) {
  %2 = constant() {value = #0} : tensor<5x2xi32>
  %3 = cast(%0) {to = i32} : tensor<2x3x5xi32>
  %4 = cast(%1) {to = i32} : tensor<i32>
  %5 = sub(%3, %4) : tensor<2x3x5xi32>
  %6 = matmul(%5, %2) : tensor<2x3x2xi32>
  return(%6)
})");
  CHECK(image_type(dynamic) == "u8i8");
  const auto padded = ran<passes::use_byte_products>(R"(
constant #0 : tensor<2x3x2x1xi32> = [1, -2, 3, -4, 127, -128, 7, 0, 1, 1, 9, 9]
func entry @main(%0: tensor<1x3x3x2xi8>, %1: tensor<i8>) -> (tensor<1x2x4x2xi32>) {
  %2 = constant() {value = #0} : tensor<2x3x2x1xi32>
  %3 = cast(%0) {to = i32} : tensor<1x3x3x2xi32>
  %4 = cast(%1) {to = i32} : tensor<i32>
  %5 = sub(%3, %4) : tensor<1x3x3x2xi32>
  %6 = conv(%5, %2) {pads = [1, 0, 1, 0]} : tensor<1x2x4x2xi32>
  return(%6)
})");
  CHECK(image_type(padded) == "u8i8");
  // An empty one reverses, negative numbers count from the end.
  for (const char* permutation : {"[1, 0]", "[]", "[-1, 0]"}) {
    CAPTURE(permutation);
    const auto transposed = ran<passes::use_byte_products>(std::string(R"(
constant #0 : tensor<2x5xi8> = [1, -2, 3, -4, 127, -128, 7, 0, 1, 1]
constant #1 : tensor<2x1xf32> = [0.5, 4]
constant #2 : tensor<f32> = [0.25]
func entry @main(%0: tensor<3x5xu8>) -> (tensor<3x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x5xi8>
  %2 = constant() {value = #1} : tensor<2x1xf32>
  %3 = constant() {value = #2} : tensor<f32>
  %4 = dequantize(%0, %3) : tensor<3x5xf32>
  %5 = dequantize(%1, %2) : tensor<2x5xf32>
  %6 = transpose(%5) {permutation = )") + permutation + R"(} : tensor<5x2xf32>
  %7 = matmul(%4, %6) : tensor<3x2xf32>
  return(%7)
})");
    CHECK(image_type(transposed) == "u8i8");
  }
}

TEST_CASE("zeros around the images of a convolution of each channel by itself stay its own") {
  for (const char* zero : {"0", "3"}) {
    const auto m = ran<passes::use_byte_products>(std::string(R"(
constant #0 : tensor<3x1x3x3xi8> = [1, -2, 3, -4, 127, -128, 7, 0, 9, 1, -2, 3, -4, 5, -6, 7, 8, 9, 2, 2, 2, -3, 2, 2, 1, 5, 7]
constant #1 : tensor<f32> = [0.5]
constant #2 : tensor<u8> = [)") + zero + R"(]
func entry @main(%0: tensor<1x3x7x9xu8>) -> (tensor<1x3x4x5xf32>) {
  %1 = constant() {value = #0} : tensor<3x1x3x3xi8>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = constant() {value = #2} : tensor<u8>
  %4 = dequantize(%0, %2, %3) : tensor<1x3x7x9xf32>
  %5 = dequantize(%1, %2) : tensor<3x1x3x3xf32>
  %6 = conv(%4, %5) {group = 3, strides = [2, 2], pads = [1, 1, 1, 1]} : tensor<1x3x4x5xf32>
  return(%6)
})");
    CHECK(image_type(m) == "u8i8");
    CHECK(count(m, "pad") == (std::string(zero) == "0" ? 0 : 1));
  }
}

TEST_CASE("weights that leave i8 are moved, and the image's sums move the result back") {
  const auto conv = ran<passes::use_byte_products>(R"(
constant #0 : tensor<2x3x1x2xu8> = [0, 255, 3, 4, 5, 6, 97, 98, 99, 100, 101, 102]
constant #1 : tensor<f32> = [0.5]
constant #2 : tensor<u8> = [110]
constant #3 : tensor<u8> = [9]
func entry @main(%0: tensor<1x3x4x5xu8>) -> (tensor<1x2x4x5xf32>) {
  %1 = constant() {value = #0} : tensor<2x3x1x2xu8>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = constant() {value = #2} : tensor<u8>
  %4 = constant() {value = #3} : tensor<u8>
  %5 = dequantize(%0, %2, %4) : tensor<1x3x4x5xf32>
  %6 = dequantize(%1, %2, %3) : tensor<2x3x1x2xf32>
  %7 = conv(%5, %6) {pads = [0, 1, 0, 0]} : tensor<1x2x4x5xf32>
  return(%7)
})");
  CHECK(image_type(conv) == "i32i32u8i8");  // channels are added up once, and not for each place in the window
  CHECK(count(conv, "reduce_sum") == 1);
  for (const char* x : {"u8", "i8"}) {
    const auto product = ran<passes::use_byte_products>(std::string(R"(
constant #0 : tensor<5x2xi32> = [1, -2, 3, -4, 127, -200, 7, 0, 130, 1]
func entry @main(%0: tensor<2x3x5x)") + x + ">, %1: tensor<" +
                                                        x + R"(>) -> (tensor<2x3x2xi32>) {
  %2 = constant() {value = #0} : tensor<5x2xi32>
  %3 = cast(%0) {to = i32} : tensor<2x3x5xi32>
  %4 = cast(%1) {to = i32} : tensor<i32>
  %5 = sub(%3, %4) : tensor<2x3x5xi32>
  %6 = matmul(%5, %2) : tensor<2x3x2xi32>
  return(%6)
})");
    CHECK(image_type(product) == "u8i8");
    CHECK(count(product, "reduce_sum") == 1);
  }
}

TEST_CASE("what does not fit into bytes stays") {
  const auto wide = ran<passes::use_byte_products>(R"(
constant #0 : tensor<2x2xi32> = [1, -128, 3, 128]
func entry @main(%0: tensor<3x2xu8>) -> (tensor<3x2xi32>) {
  %1 = constant() {value = #0} : tensor<2x2xi32>
  %2 = cast(%0) {to = i32} : tensor<3x2xi32>
  %3 = matmul(%2, %1) : tensor<3x2xi32>
  return(%3)
})");
  CHECK(image_type(wide) == "i32i32");
  const auto along_k = ran<passes::use_byte_products>(R"(
constant #0 : tensor<2x2xi8> = [1, -2, 3, 4]
constant #1 : tensor<2x1xf32> = [0.5, 4]
constant #2 : tensor<f32> = [0.25]
func entry @main(%0: tensor<3x2xu8>) -> (tensor<3x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x2xi8>
  %2 = constant() {value = #1} : tensor<2x1xf32>
  %3 = constant() {value = #2} : tensor<f32>
  %4 = dequantize(%0, %3) : tensor<3x2xf32>
  %5 = dequantize(%1, %2) : tensor<2x2xf32>
  %6 = matmul(%4, %5) : tensor<3x2xf32>
  return(%6)
})");
  CHECK(image_type(along_k) == "f32f32");
}

TEST_CASE("weights of bytes are packed in fours") {
  const auto m = ran<passes::pack_weights>(R"(
constant #0 : tensor<8x3xi8> = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12]
func entry @main(%0: tensor<3x8xu8>) -> (tensor<3x3xi32>) {
  %1 = constant() {value = #0} : tensor<8x3xi8>
  %2 = matmul(%0, %1) : tensor<3x3xi32>
  return(%2)
})",
                                           passes::pack_weights{.panel = 2});
  CHECK(print(m).find("tensor<2x2x2x4xi8> = [1, 4, 7, 10, 2, 5, 8, 11, -1, -4, -7, -10") != std::string::npos);
  CHECK(count(m, "pack_panels") == 0);
}

TEST_CASE("where words are multiplied weights of bytes are packed in pairs") {
  auto m = graph(R"(
constant #0 : tensor<4x3xi8> = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
func entry @main(%0: tensor<3x4xu8>) -> (tensor<3x3xi32>) {
  %1 = constant() {value = #0} : tensor<4x3xi8>
  %2 = matmul(%0, %1) : tensor<3x3xi32>
  return(%2)
})");
  const std::vector<tensor> inputs = some_inputs(m.body()), want = interpret(m.body(), "main", inputs);
  context cx;
  cx.set(passes::kernel_options{.products_together = 2});
  passes::pack_weights{.panel = 2}.run(m, cx);
  CHECK(print(m).find("tensor<2x2x2x2xi8> = [1, 4, 2, 5, 7, 10, 8, 11, 3, 6, 0, 0") != std::string::npos);
  CHECK(same_bits(interpret(m.body(), "main", inputs)[0], want[0]));
}
