// Lesson 14: a network that was trained elsewhere: its weights are NumPy files, as PyTorch names and stores them.
#include <cstdio>
#include <string>
#include <vector>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/importers/typed_graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

/// What `for name, w in model.state_dict().items(): numpy.save(name + ".npy", w)` left: a network of two inputs that
/// says whether they differ.
const std::vector<std::pair<std::string, tensor>> trained = {
    {"hidden.weight.npy", tensor::from<float>({3, 2}, {5.9f, -6.1f, -5.8f, 6.2f, 1.1f, 0.9f})},
    {"hidden.bias.npy", tensor::from<float>({3}, {-0.2f, -0.1f, 0.3f})},
    {"out.weight.npy", tensor::from<float>({1, 3}, {1.6f, 1.5f, 0.02f})},
    {"out.bias.npy", tensor::from<float>({1}, {-4.4f})},
};

/// `torch.nn.Linear`: its weight is [out, in]. The sizes are in the types: a file that holds others is an error that
/// names this line's caller, and a layer that does not fit the one before does not compile.
template <nn::dimension In, nn::dimension Out, nn::typed_tensor X>
auto linear(nn::graph& g, const std::string& name, const X& x,
            std::source_location at = std::source_location::current()) {
  return g.scope(name, [&] {
    const auto weight = nn::as<float, Out, In>(g.load(name + ".weight.npy", at), at);
    const auto bias = nn::as<float, Out>(g.load(name + ".bias.npy", at), at);
    return dense(x, transpose(weight, at), bias, at);
  });
}

int main() {
  for (const auto& [file, values] : trained) write_npy(file, values);

  nn::graph g("differ");
  const auto x = nn::input<float, "N", 2>(g, "x");
  const auto hidden = relu(linear<2, 3>(g, "hidden", x));
  g.output("differ", sigmoid(linear<3, 1>(g, "out", hidden)));
  try {
    (void)linear<2, 4>(g, "hidden", x);
  } catch (const error& e) { std::printf("%s\n", e.what()); }

  const ir_module<phases::ingestion> m = std::move(g).finish();  // goes to any target: build<targets::cpu>(…)
  const tensor pairs = tensor::from<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});
  const tensor y = interpret(m.body(), "main", {&pairs, 1})[0];
  for (i64 i = 0; i < 4; ++i)
    std::printf("%.0f and %.0f: %.3f\n", pairs.at_f64(2 * i), pairs.at_f64(2 * i + 1), y.at_f64(i));
  for (const auto& [file, values] : trained) std::remove(file.c_str());
}

// CHECK: 14_trained_elsewhere.cpp:{{[0-9]+}}, in 'differ/hidden': a tensor of f32[3,2] is no f32[4,2]
// As the formulas give it, in double precision:
// CHECK: 0 and 0: 0.012
// CHECK: 0 and 1: 0.992
// CHECK: 1 and 0: 0.991
// CHECK: 1 and 1: 0.020
