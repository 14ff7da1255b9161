// Lesson 13: models of sequences of any length: attention, a recurrent layer of one's own, and weights that NumPy
// saved.
#include <cstdio>
#include <vector>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/importers/graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
using nn::variable;

constexpr i64 width = 8, heads = 2;

/// Small numbers of both signs.
tensor numbers(std::vector<i64> shape) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 5 % 7) / 8 - 0.375);
  return t;
}

/// Each of n words looks at all of them: x [n, width], of any n.
variable self_attention(nn::graph& g, variable x) {
  return g.scope("attention", [&] {
    const auto part = [&] { return split_heads(dense(x, g.constant(numbers({width, width}))), heads); };
    const variable looked = merge_heads(attention(part(), part(), part()));
    return layer_norm(x + looked, 1, 0);
  });
}

/// A layer of one's own: an LSTM, whose loop runs once a word. It gives the state behind the last one, [1, width].
/// (`nn::lstm` is one op that does the same; lesson 15 has more loops.)
variable lstm(nn::graph& g, variable x) {
  return g.scope("lstm", [&] {
    const variable w = g.load("lstm_w.npy"), r = g.constant(numbers({width, 4 * width}));
    const variable words = reshape(g.make(op::shape_of{.start = 0, .end = 1}, {x}), {});
    const variable zero = g.constant(tensor(dtype::f32, {1, width}));
    const auto [h, c] = g.repeat(words, std::array{zero, zero}, [&](variable t, const std::array<variable, 2>& state) {
      const variable gates = dense(gather(x, reshape(t, {1})), w) + dense(state[0], r);
      const auto gate = [&](i64 k) { return slice(gates, 1, k * width, (k + 1) * width); };
      const variable memory = sigmoid(gate(1)) * state[1] + sigmoid(gate(0)) * tanh(gate(2));
      return std::array{sigmoid(gate(3)) * tanh(memory), memory};
    });
    return h;
  });
}

int main() {
  write_npy("lstm_w.npy", numbers({width, 4 * width}));  // as `numpy.save` does, where the model was trained

  nn::graph g("reader");
  const variable x = g.input<float>("words", {"n", width});
  const variable read = lstm(g, self_attention(g, x));
  g.output("classes", softmax(dense(read, g.constant(numbers({width, 3})))));
  const ir_module<phases::ingestion> m = std::move(g).finish();  // goes to any target, or a session

  for (i64 n : {1, 2, 6}) {
    const tensor words = numbers({n, width});
    const tensor y = interpret(m.body(), "main", {&words, 1})[0];
    std::printf("%lld words: %s, [%.4f %.4f %.4f]\n", static_cast<long long>(n), y.describe().c_str(), y.at_f64(0),
                y.at_f64(1), y.at_f64(2));
  }
  std::remove("lstm_w.npy");
}

// As the formulas give it, in double precision:
// CHECK: 1 words: f32[1,3], [0.3426 0.3223 0.3351]
// CHECK: 2 words: f32[1,3], [0.3560 0.3225 0.3215]
// CHECK: 6 words: f32[1,3], [0.3503 0.3079 0.3418]
