// Lesson 9: a model written in C++: layers are functions, shapes follow from the inputs', and an operator that does not
// fit names the line where it was called.
#include <cstdio>
#include <vector>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/importers/typed_graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
using nn::variable;

/// Weights would come from training: `g.load("w1.npy")`. These are small numbers of both signs.
tensor weights(std::vector<i64> shape) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 5 % 7) / 8 - 0.375);
  return t;
}

/// A layer of one's own is a function. Its ops stand at the line that calls it, in the scope that it opens.
variable residual_block(nn::graph& g, variable x, i64 channels) {
  return g.scope("residual", [&] {
    const variable w = g.constant(weights({channels, channels, 3, 3})), b = g.constant(weights({channels}));
    return relu(x + conv(x, w, b, {.pads = {1, 1, 1, 1}}));
  });
}

/// With shapes in the types, what does not fit does not compile: a weight of <float, 5, 4> here is tenon-E080.
nn::typed<float, "N", 5> head(nn::graph& g, const nn::typed<float, "N", 4>& features) {
  return dense(features, nn::constant<float, 4, 5>(g, weights({4, 5})), nn::constant<float, 5>(g, weights({5})));
}

int main() {
  nn::graph g("classifier");
  const variable image = g.input<float>("image", {"N", 3, 8, 8});  // "N": any number of images
  variable x = relu(conv(2 * image - 1, g.constant(weights({4, 3, 3, 3})), {.strides = {2, 2}}));
  x = residual_block(g, x, 4);
  const variable scores = head(g, nn::as<float, "N", 4>(flatten(global_average_pool(x))));
  g.output("probabilities", softmax(scores));

  try {
    (void)dense(scores, g.constant(weights({4, 5})));
  } catch (const error& e) { std::printf("%s\n", e.what()); }

  const ir_module<phases::ingestion> m = std::move(g).finish();  // goes to any target: build<targets::cpu>(…)
  for (i64 batch : {1, 3}) {
    const tensor images = weights({batch, 3, 8, 8});
    const tensor y = interpret(m.body(), "main", {&images, 1})[0];
    double sum = 0;
    for (i64 i = 0; i < y.size(); ++i) sum += y.at_f64(i);
    std::printf("%s, which sums to %.3f\n", y.describe().c_str(), sum);
  }
}

// CHECK: 09_write_a_model.cpp:{{[0-9]+}}, in 'classifier': matmul: columns of a and rows of b differ: 5 and 4
// CHECK: f32[1,5], which sums to 1.000
// CHECK: f32[3,5], which sums to 3.000
