/// @file recurrent: ONNX RNN, GRU and LSTM, unrolled over a sequence of known length.
///
/// The products with the inputs are one matrix product for all steps; each step then adds the state's product, and goes
/// on where its sequence has not ended. Weights are [directions, gates * hidden, …].
#pragma once

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

struct recurrence {
  value_id x;        // [steps, batch, inputs]
  value_id lengths;  // of the sequences, or value_id{}
  i64 steps = 0, hidden = 0, gates = 0;
  bool batch_first = false;
  float clip = 0;
};

/// The activation functions of one direction, with their parameters.
struct cell_function {
  std::string name;
  float alpha, beta;
};

inline value_id apply_function(import_context& cx, const cell_function& f, value_id x) {
  const auto& n = f.name;
  if (n == "Sigmoid") return cx.make(op::sigmoid{}, {x});
  if (n == "Tanh") return cx.make(op::tanh{}, {x});
  if (n == "Relu") return cx.maximum(x, 0.);
  if (n == "Affine") return cx.add(cx.mul(x, f.alpha), f.beta);
  if (n == "LeakyRelu") return cx.where(cx.less(x, cx.like(x, 0)), cx.mul(x, f.alpha), x);
  if (n == "ThresholdedRelu") return cx.where(cx.greater(x, cx.like(x, f.alpha)), x, cx.like(x, 0));
  if (n == "ScaledTanh") return cx.mul(cx.make(op::tanh{}, {cx.mul(x, f.beta)}), f.alpha);
  if (n == "HardSigmoid") return cx.minimum(cx.maximum(cx.add(cx.mul(x, f.alpha), f.beta), 0.), 1.);
  if (n == "Elu")
    return cx.where(cx.less(x, cx.like(x, 0)), cx.mul(cx.make(op::expm1{}, {cx.minimum(x, 0.)}), f.alpha), x);
  if (n == "Softsign") return cx.div(x, cx.add(cx.make(op::abs{}, {x}), 1.));
  if (n == "Softplus") {
    const value_id small = cx.make(op::exp{}, {cx.make(op::neg{}, {cx.make(op::abs{}, {x})})});
    return cx.add(cx.maximum(x, 0.), cx.make(op::log1p{}, {small}));
  }
  cx.bad("there is no activation '" + n + "'");
}

/// The functions of all directions, one after another; those that take parameters consume them in order.
inline std::vector<cell_function> read_functions(import_context& cx, std::vector<std::string> defaults,
                                                 size_t directions) {
  std::vector<std::string> names = cx.strings("activations");
  if (names.empty())
    for (size_t d = 0; d < directions; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  if (names.size() != directions * defaults.size()) cx.bad(std::to_string(names.size()) + " activations");
  const std::vector<float> alphas = cx.floats("activation_alpha"), betas = cx.floats("activation_beta");
  size_t next_alpha = 0, next_beta = 0;
  struct parameters {
    const char* name;
    bool has_alpha, has_beta;
    float alpha, beta;
  };
  static constexpr parameters known[] = {
      {"Affine", true, true, 1, 0},     {"LeakyRelu", true, false, 0.01f, 0},    {"ThresholdedRelu", true, false, 1, 0},
      {"ScaledTanh", true, true, 1, 1}, {"HardSigmoid", true, true, 0.2f, 0.5f}, {"Elu", true, false, 1, 0}};
  std::vector<cell_function> functions;
  for (const std::string& name : names) {
    cell_function f{name, 0, 0};
    for (const parameters& p : known) {
      if (p.name != name) continue;
      f.alpha = p.has_alpha && next_alpha < alphas.size() ? alphas[next_alpha++] : p.alpha;
      f.beta = p.has_beta && next_beta < betas.size() ? betas[next_beta++] : p.beta;
    }
    functions.push_back(std::move(f));
  }
  return functions;
}

/// The part of an operand that belongs to a direction, without that dimension.
inline value_id of_direction(import_context& cx, value_id v, i64 direction, i64 axis = 0) {
  return v ? cx.squeeze(cx.slice(v, axis, direction, direction + 1), {axis}) : v;
}
/// Gate number k of [.., gates * hidden].
inline value_id gate(import_context& cx, value_id v, i64 k, i64 hidden) {
  return v ? cx.slice(v, cx.rank(v) - 1, k * hidden, (k + 1) * hidden) : v;
}
inline value_id plus(import_context& cx, value_id a, value_id b) { return b ? cx.add(a, b) : a; }

/// What one step of a cell sees and makes.
struct cell_state {
  value_id h, c;
};

struct recurrent_result {
  import_context::values outputs;  // per step
  cell_state last;
};

/// Runs a cell over the steps of one direction. `step(x_product, state)` gives the next state.
template <class F>
recurrent_result run_direction(import_context& cx, const recurrence& r, bool backwards, value_id products,
                               cell_state state, F&& step) {
  recurrent_result result;
  result.outputs.resize(static_cast<size_t>(r.steps));
  for (i64 n = 0; n < r.steps; ++n) {
    const i64 t = backwards ? r.steps - 1 - n : n;
    cell_state next = step(of_direction(cx, products, t), state);
    value_id y = next.h;
    if (r.lengths) {
      const value_id goes_on = cx.less(cx.like(r.lengths, static_cast<double>(t)), r.lengths);
      y = cx.where(goes_on, y, cx.like(y, 0));
      next.h = cx.where(goes_on, next.h, state.h);
      if (next.c) next.c = cx.where(goes_on, next.c, state.c);
    }
    result.outputs[static_cast<size_t>(t)] = y;
    state = next;
  }
  result.last = state;
  return result;
}

inline recurrence read_recurrence(import_context& cx, i64 gates) {
  recurrence r;
  r.batch_first = cx.i("layout", 0) != 0;
  r.x = r.batch_first ? cx.transpose(cx.in(0), {1, 0, 2}) : cx.in(0);
  r.gates = gates;
  r.clip = cx.f("clip", 0.f);
  const ir::dim steps = cx.dim(r.x, 0), hidden = cx.dim(cx.in(2), 2);
  if (!steps.is_static() || !hidden.is_static() || steps.extent() < 1 || steps.extent() > 4096)
    cx.fail("onnx.needs_constant", "a recurrent operator over a sequence whose length is not known, or too large",
            "give the shapes of the model's inputs in the import options");
  r.steps = steps.extent();
  r.hidden = hidden.extent();
  if (cx.has(4)) r.lengths = cx.unsqueeze(cx.in(4), {1});  // [batch, 1]
  return r;
}

/// Runs all directions and gives the outputs: Y, the last hidden state, and what else `last` picks.
template <class Cell>
void run_recurrence(import_context& cx, const recurrence& r, const std::vector<std::string>& defaults, Cell&& cell) {
  const std::string direction = cx.s("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    cx.bad("direction is '" + direction + "'");
  const i64 directions = direction == "bidirectional" ? 2 : 1;
  const std::vector<cell_function> functions = read_functions(cx, defaults, static_cast<size_t>(directions));
  const auto initial = [&](int i, i64 d) -> value_id {
    if (cx.has(i)) return of_direction(cx, cx.in(i), d, r.batch_first ? 1 : 0);
    const value_id batch = cx.slice(cx.shape_of(r.x), 0, 1, 2);
    return cx.expand(cx.like(r.x, 0), cx.concat({batch, cx.list({r.hidden})}, 0));
  };
  import_context::values ys, hs, cs;
  for (i64 d = 0; d < directions; ++d) {
    const value_id w = cx.transpose(of_direction(cx, cx.in(1), d), {1, 0});
    const value_id recurrent = cx.transpose(of_direction(cx, cx.in(2), d), {1, 0});
    const value_id b = cx.has(3) ? of_direction(cx, cx.in(3), d) : value_id{};
    const value_id input_bias = b ? cx.slice(b, 0, 0, r.gates * r.hidden) : b;
    const value_id state_bias = b ? cx.slice(b, 0, r.gates * r.hidden, 2 * r.gates * r.hidden) : b;
    const value_id products = plus(cx, cx.matmul(r.x, w), input_bias);
    const bool has_cell = defaults.size() == 3;
    const cell_function* const f = functions.data() + static_cast<size_t>(d) * defaults.size();
    const cell_state start{initial(5, d), has_cell ? initial(6, d) : value_id{}};
    const recurrent_result result =
        run_direction(cx, r, direction == "reverse" || d == 1, products, start,
                      [&](value_id x, const cell_state& s) { return cell(d, f, x, recurrent, state_bias, s); });
    import_context::values steps;
    for (const value_id y : result.outputs) steps.push_back(cx.unsqueeze(y, {0}));
    if (cx.wants(0)) ys.push_back(cx.unsqueeze(cx.concat(steps, 0), {1}));
    hs.push_back(cx.unsqueeze(result.last.h, {r.batch_first ? 1 : 0}));
    if (has_cell) cs.push_back(cx.unsqueeze(result.last.c, {r.batch_first ? 1 : 0}));
  }
  const i64 axis = r.batch_first ? 1 : 0;
  if (cx.wants(0)) {
    const value_id y = cx.concat(ys, 1);  // [steps, directions, batch, hidden]
    cx.out(0, r.batch_first ? cx.transpose(y, {2, 0, 1, 3}) : y);
  }
  cx.out(1, cx.concat(hs, axis));
  if (!cs.empty()) cx.out(2, cx.concat(cs, axis));
}

inline value_id clipped(import_context& cx, const recurrence& r, value_id v) {
  return r.clip > 0 ? cx.minimum(cx.maximum(v, -r.clip), r.clip) : v;
}

inline void rnn(import_context& cx, const node&) {
  const recurrence r = read_recurrence(cx, 1);
  run_recurrence(cx, r, {"Tanh"}, [&](i64, const cell_function* f, value_id x, value_id w, value_id b, cell_state s) {
    const value_id sum = cx.add(x, plus(cx, cx.matmul(s.h, w), b));
    return cell_state{apply_function(cx, f[0], clipped(cx, r, sum)), {}};
  });
}

/// Gates: update z, reset r, hidden h.
inline void gru(import_context& cx, const node&) {
  const recurrence r = read_recurrence(cx, 3);
  const bool reset_last = cx.i("linear_before_reset", 0) != 0;
  const auto cell = [&](i64, const cell_function* f, value_id x, value_id w, value_id b, cell_state s) {
    const auto at = [&](value_id v, i64 k) { return gate(cx, v, k, r.hidden); };
    const auto open = [&](i64 k) {
      const value_id sum = cx.add(at(x, k), plus(cx, cx.matmul(s.h, at(w, k)), at(b, k)));
      return apply_function(cx, f[0], clipped(cx, r, sum));
    };
    const value_id z = open(0), reset = open(1);
    const value_id state = reset_last ? cx.mul(reset, plus(cx, cx.matmul(s.h, at(w, 2)), at(b, 2)))
                                      : plus(cx, cx.matmul(cx.mul(reset, s.h), at(w, 2)), at(b, 2));
    const value_id h = apply_function(cx, f[1], clipped(cx, r, cx.add(at(x, 2), state)));
    return cell_state{cx.add(cx.mul(cx.sub(cx.like(z, 1), z), h), cx.mul(z, s.h)), {}};
  };
  run_recurrence(cx, r, {"Sigmoid", "Tanh"}, cell);
}

/// Gates: input i, output o, forget f, cell c. Peepholes, for i, o and f, look at the cell.
inline void lstm(import_context& cx, const node&) {
  const recurrence r = read_recurrence(cx, 4);
  const bool coupled = cx.i("input_forget", 0) != 0;
  const auto cell = [&](i64 d, const cell_function* f, value_id x, value_id w, value_id b, cell_state s) {
    const value_id sums = cx.add(x, plus(cx, cx.matmul(s.h, w), b));
    const value_id peephole = cx.has(7) ? of_direction(cx, cx.in(7), d) : value_id{};
    const auto open = [&](i64 k, i64 function, i64 peep, value_id c) {
      value_id sum = gate(cx, sums, k, r.hidden);
      if (peephole && peep >= 0) sum = cx.add(sum, cx.mul(gate(cx, peephole, peep, r.hidden), c));
      return apply_function(cx, f[function], clipped(cx, r, sum));
    };
    const value_id i = open(0, 0, 0, s.c);
    const value_id forget = coupled ? cx.sub(cx.like(i, 1), i) : open(2, 0, 2, s.c);
    const value_id c = cx.add(cx.mul(forget, s.c), cx.mul(i, open(3, 1, -1, s.c)));
    return cell_state{cx.mul(open(1, 0, 1, c), apply_function(cx, f[2], c)), c};
  };
  run_recurrence(cx, r, {"Sigmoid", "Tanh", "Tanh"}, cell);
}

}  // namespace handlers

TENON_INLINE std::span<const registered_operator> families::recurrent() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"GRU", gru},
      {"LSTM", lstm},
      {"RNN", rnn},
  };
  return table;
}

}  // namespace tenon::importers::onnx
