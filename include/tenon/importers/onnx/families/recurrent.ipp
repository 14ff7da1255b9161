/// @file recurrent: ONNX RNN, GRU and LSTM: for each direction the products with the inputs, of all steps at once, and
/// one `recurrence` over the steps, for any batch and length of the sequence.
///
/// Weights are [directions, gates * hidden, …].
#pragma once

#include <algorithm>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// The names that `op::recurrence` has for ONNX's activations, and the parameters that they have when none are given.
struct activation {
  const char *name, *ours;
  bool has_alpha = false, has_beta = false;
  float alpha = 0, beta = 0;
};
inline constexpr activation activations[] = {{"Sigmoid", "sigmoid"},
                                             {"Tanh", "tanh"},
                                             {"Relu", "relu"},
                                             {"Softsign", "softsign"},
                                             {"Softplus", "softplus"},
                                             {"Affine", "affine", true, true, 1, 0},
                                             {"LeakyRelu", "leaky_relu", true, false, 0.01f, 0},
                                             {"ThresholdedRelu", "thresholded_relu", true, false, 1, 0},
                                             {"ScaledTanh", "scaled_tanh", true, true, 1, 1},
                                             {"HardSigmoid", "hard_sigmoid", true, true, 0.2f, 0.5f},
                                             {"Elu", "elu", true, false, 1, 0}};

/// Gives each direction's op its functions; those that take parameters consume them in order.
inline void read_functions(import_context& cx, std::vector<op::recurrence>& directions) {
  const std::vector<std::string> names = cx.strings("activations");
  if (names.empty()) return;
  const size_t each = op::recurrence_detail::functions_of(directions.front().cell);
  if (names.size() != directions.size() * each) cx.bad(std::to_string(names.size()) + " activations");
  const std::vector<float> alphas = cx.floats("activation_alpha"), betas = cx.floats("activation_beta");
  size_t next_alpha = 0, next_beta = 0;
  for (size_t n = 0; n < names.size(); ++n) {
    const auto* const found = std::find_if(std::begin(activations), std::end(activations),
                                           [&](const activation& a) { return names[n] == a.name; });
    if (found == std::end(activations)) cx.bad("there is no activation '" + names[n] + "'");
    op::recurrence& to = directions[n / each];
    to.functions.emplace_back(found->ours);
    to.alphas.push_back(found->has_alpha && next_alpha < alphas.size() ? alphas[next_alpha++] : found->alpha);
    to.betas.push_back(found->has_beta && next_beta < betas.size() ? betas[next_beta++] : found->beta);
  }
}

/// The part of an operand that belongs to a direction, without that dimension.
inline value_id of_direction(import_context& cx, value_id v, i64 direction, i64 axis = 0) {
  return v ? cx.squeeze(cx.slice(v, axis, direction, direction + 1), {axis}) : v;
}

/// The recurrent weights say how many hidden units there are; the attribute and the other operands must say the same.
inline void check_sizes(import_context& cx, i64 directions, i64 gates, i64 hidden, bool batch_first, bool has_cell,
                        bool columns_last) {
  if (const i64 said = cx.i("hidden_size", hidden); said != hidden || said < 1)
    cx.bad("hidden_size is " + std::to_string(said) + ", but the recurrent weights are for " + std::to_string(hidden) +
           " units");
  const i64 rows = checked_mul(gates, hidden);
  const auto extent = [&](int input, int axis) {
    const ir::dim d = cx.dim(cx.in(input), axis);
    return d.is_static() ? d.extent() : i64{-1};
  };
  cx.require_shape(0, {-1, -1, -1});
  const i64 batch = extent(0, batch_first ? 0 : 1);
  const auto weights = [&](int input, i64 from) {
    cx.require_shape(
        input, columns_last ? std::vector<i64>{directions, from, rows} : std::vector<i64>{directions, rows, from});
  };
  weights(1, extent(0, 2));
  weights(2, hidden);
  if (cx.has(3)) cx.require_shape(3, {directions, checked_mul(2, rows)});
  if (cx.has(4)) cx.require_shape(4, {batch});
  for (const int state : {5, 6})
    if (cx.has(state) && (state == 5 || has_cell))
      cx.require_shape(state, batch_first ? std::vector<i64>{batch, directions, hidden}
                                          : std::vector<i64>{directions, batch, hidden});
  if (has_cell && cx.has(7)) cx.require_shape(7, {directions, checked_mul(3, hidden)});
}

/// All directions. Outputs: the state after each step, and the last states. `weights`: inputs 1 and 2 as floats, where
/// they are kept otherwise, as [directions, …, gates * hidden].
inline void run_recurrence(import_context& cx, op::recurrence cell,
                           value_id (*weights)(import_context&, int) = nullptr) {
  const std::string direction = cx.s("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    cx.bad("direction is '" + direction + "'");
  cell.clip = cx.f("clip", 0.f);
  cell.reverse = direction == "reverse";
  std::vector<op::recurrence> directions{cell};
  if (direction == "bidirectional") directions.push_back(cell), directions.back().reverse = true;
  read_functions(cx, directions);

  const ir::dim units = cx.dim(cx.in(2), weights ? 1 : 2);
  if (!units.is_static())
    cx.unknown("onnx.needs_constant", "the number of hidden units is not known", "give the weights a static shape");
  const i64 hidden = units.extent(), columns = op::recurrence_detail::gates_of(cell.cell) * hidden;
  const bool batch_first = cx.i("layout", 0) != 0, has_cell = cell.cell == op::recurrent_cell::lstm;
  check_sizes(cx, static_cast<i64>(directions.size()), op::recurrence_detail::gates_of(cell.cell), hidden, batch_first,
              has_cell, weights != nullptr);
  const i64 state_axis = batch_first ? 1 : 0;  // where first and last states have their directions
  const value_id x = batch_first ? cx.transpose(cx.in(0), {1, 0, 2}) : cx.in(0);
  const auto initial = [&](int i, i64 d) -> value_id {
    if (cx.has(i)) return of_direction(cx, cx.in(i), d, state_axis);
    return cx.expand(cx.like(x, 0), cx.concat({cx.slice(cx.shape_of(x), 0, 1, 2), cx.list({hidden})}, 0));
  };
  import_context::values ys, hs, cs;
  for (size_t n = 0; n < directions.size(); ++n) {
    const i64 d = static_cast<i64>(n);
    const auto matrix = [&](int i) {
      return weights ? of_direction(cx, weights(cx, i), d) : cx.transpose(of_direction(cx, cx.in(i), d), {1, 0});
    };
    const value_id w = matrix(1), recurrent = matrix(2);
    value_id products = cx.matmul(x, w), state_bias{};
    if (cx.has(3)) {
      const value_id b = of_direction(cx, cx.in(3), d);
      const value_id input_bias = cx.slice(b, 0, 0, columns);
      state_bias = cx.slice(b, 0, columns, 2 * columns);
      // Both are summands of the gates, except where a gate stands between.
      const bool apart = cell.cell == op::recurrent_cell::gru && cell.reset_last;
      products = cx.add(products, apart ? input_bias : cx.add(input_bias, state_bias));
      if (!apart) state_bias = {};
    }
    const auto made =
        cx.make_all(directions[n], {products, recurrent, initial(5, d), has_cell ? initial(6, d) : value_id{},
                                    state_bias, cx.has(4) ? cx.in(4) : value_id{},
                                    has_cell && cx.has(7) ? of_direction(cx, cx.in(7), d) : value_id{}});
    ys.push_back(cx.unsqueeze(made[0], {1}));
    hs.push_back(cx.unsqueeze(made[1], {state_axis}));
    if (has_cell) cs.push_back(cx.unsqueeze(made[2], {state_axis}));
  }
  if (cx.wants(0)) {
    const value_id y = cx.concat(ys, 1);  // [steps, directions, batch, hidden]
    cx.out(0, batch_first ? cx.transpose(y, {2, 0, 1, 3}) : y);
  }
  if (cx.wants(1)) cx.out(1, cx.concat(hs, state_axis));
  if (has_cell && cx.wants(2)) cx.out(2, cx.concat(cs, state_axis));
}

inline void rnn(import_context& cx, const node&) { run_recurrence(cx, {.cell = op::recurrent_cell::simple}); }

inline void gru(import_context& cx, const node&) {
  run_recurrence(cx, {.cell = op::recurrent_cell::gru, .reset_last = cx.i("linear_before_reset", 0) != 0});
}

inline void lstm(import_context& cx, const node&) {
  run_recurrence(cx, {.cell = op::recurrent_cell::lstm, .coupled = cx.i("input_forget", 0) != 0});
}

}  // namespace handlers

std::span<const registered_operator> families::recurrent() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"GRU",
       gru,
       "",
       1,
       {3, 6},
       2,
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i output_sequence:i",
       "f f f f i f"},
      {"GRU",
       gru,
       "",
       3,
       {3, 6},
       {0, 2},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i linear_before_reset:i "
       "output_sequence:i",
       "f f f f i f"},
      {"GRU",
       gru,
       "",
       7,
       {3, 6},
       {0, 2},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i linear_before_reset:i",
       "f f f f i f"},
      {"GRU",
       gru,
       "",
       14,
       {3, 6},
       {0, 2},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i layout:i "
       "linear_before_reset:i",
       "f f f f i f"},
      {"LSTM",
       lstm,
       "",
       1,
       {3, 8},
       {0, 3},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i "
       "output_sequence:i",
       "f f f f i f"},
      {"LSTM",
       lstm,
       "",
       7,
       {3, 8},
       {0, 3},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i",
       "f f f f i f"},
      {"LSTM",
       lstm,
       "",
       14,
       {3, 8},
       {0, 3},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i "
       "layout:i",
       "f f f f i f"},
      {"RNN",
       rnn,
       "",
       1,
       {3, 6},
       {0, 2},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i output_sequence:i",
       "f f f f i f"},
      {"RNN",
       rnn,
       "",
       7,
       {3, 6},
       {0, 2},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i",
       "f f f f i f"},
      {"RNN",
       rnn,
       "",
       14,
       {3, 6},
       {0, 2},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i layout:i",
       "f f f f i f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
