// Scales and offsets per channel go into the convolution before them.
#include <tenon/passes/fold_batch_norm.hpp>

#include <support/graph.hpp>

using namespace graph_test;

TEST_CASE("a chain of scales and offsets folds into a convolution without a bias") {
  const auto m = ran<passes::fold_batch_norm>(R"(
constant #0 : tensor<2x1x1x2xf32> = [1, 2, 3, 4]
constant #1 : tensor<2x1x1xf32> = [2, -3]
constant #2 : tensor<2x1x1xf32> = [5, 7]
constant #3 : tensor<f32> = [4]
func entry @main(%0: tensor<1x1x3x4xf32>) -> (tensor<1x2x3x3xf32>) {
  %1 = constant() {value = #0} : tensor<2x1x1x2xf32>
  %2 = constant() {value = #1} : tensor<2x1x1xf32>
  %3 = constant() {value = #2} : tensor<2x1x1xf32>
  %4 = constant() {value = #3} : tensor<f32>
  %5 = conv(%0, %1) : tensor<1x2x3x3xf32>
  %6 = sub(%5, %3) : tensor<1x2x3x3xf32>
  %7 = mul(%2, %6) : tensor<1x2x3x3xf32>
  %8 = div(%7, %4) : tensor<1x2x3x3xf32>
  %9 = add(%8, %3) : tensor<1x2x3x3xf32>
  %10 = add(%9, %4) : tensor<1x2x3x3xf32>
  return(%10)
})");
  CHECK(count(m, "conv") == 1);
  CHECK(count(m, "sub") + count(m, "mul") + count(m, "div") + count(m, "add") + count(m, "reshape") +
            count(m, "expand") ==
        0);
}

TEST_CASE("channels last, and transposed convolutions") {
  const auto m = ran<passes::fold_batch_norm>(R"(
constant #0 : tensor<1x2x1x2xf32> = [1, 2, 3, 4]
constant #1 : tensor<2xf32> = [2, -3]
constant #2 : tensor<1x2x2xf32> = [1, 2, 3, 4]
constant #3 : tensor<1x2x1xf32> = [2, -3]
func entry @main(%0: tensor<1x3x4x1xf32>, %1: tensor<1x1x5xf32>) -> (tensor<1x3x3x2xf32>, tensor<1x2x6xf32>) {
  %2 = constant() {value = #0} : tensor<1x2x1x2xf32>
  %3 = constant() {value = #1} : tensor<2xf32>
  %4 = constant() {value = #2} : tensor<1x2x2xf32>
  %5 = constant() {value = #3} : tensor<1x2x1xf32>
  %6 = conv(%0, %2, %3) {layout = channels_last} : tensor<1x3x3x2xf32>
  %7 = mul(%6, %3) : tensor<1x3x3x2xf32>
  %8 = add(%7, %3) : tensor<1x3x3x2xf32>
  %9 = conv_transpose(%1, %4) : tensor<1x2x6xf32>
  %10 = mul(%9, %5) : tensor<1x2x6xf32>
  %11 = add(%10, %5) : tensor<1x2x6xf32>
  return(%8, %11)
})");
  CHECK(count(m, "mul") + count(m, "add") == 0);
}

TEST_CASE("what is not per channel, or not the only use, stays") {
  const auto m = ran<passes::fold_batch_norm>(R"(
constant #0 : tensor<2x1x1x1xf32> = [1, 3]
constant #1 : tensor<2xf32> = [2, -3]
func entry @main(%0: tensor<1x1x3x2xf32>) -> (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x1x1x1xf32>
  %2 = constant() {value = #1} : tensor<2xf32>
  %3 = conv(%0, %1) : tensor<1x2x3x2xf32>
  %4 = mul(%3, %2) : tensor<1x2x3x2xf32>
  %5 = conv(%0, %1) : tensor<1x2x3x2xf32>
  %6 = add(%5, %5) : tensor<1x2x3x2xf32>
  return(%4, %5, %6)
})");
  CHECK(count(m, "mul") == 1);
  CHECK(count(m, "add") == 1);
}

TEST_CASE("weights of every length beside that of a block") {
  for (int n : {1, 15, 16, 17, 33, 48}) {
    CAPTURE(n);
    const std::string size = std::to_string(n);
    std::string weights;
    for (int i = 0; i < 2 * n; ++i) weights += (i == 0 ? "" : ", ") + std::to_string(i - n) + ".25";
    const auto m = ran<passes::fold_batch_norm>(R"(
constant #0 : tensor<2x1x1x)" + size + R"(xf32> = [)" +
                                                weights + R"(]
constant #1 : tensor<2x1x1xf32> = [3, -0.75]
func entry @main(%0: tensor<1x1x2x)" + size + R"(xf32>) -> (tensor<1x2x2x1xf32>) {
  %1 = constant() {value = #0} : tensor<2x1x1x)" +
                                                size + R"(xf32>
  %2 = constant() {value = #1} : tensor<2x1x1xf32>
  %3 = conv(%0, %1) : tensor<1x2x2x1xf32>
  %4 = div(%3, %2) : tensor<1x2x2x1xf32>
  return(%4)
})");
    CHECK(count(m, "div") == 0);
  }
}
