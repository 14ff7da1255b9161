/// @file recurrence: recurrent cells over a sequence: RNN, GRU and LSTM of one direction, for any length and batch.
///
/// The products of the inputs are made before, for all steps at once: `matmul(x, w) + b`. A step adds the state's.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// What a step does, and its gates in the order of their columns: simple (h); gru (update z, reset r, hidden h);
/// lstm (input i, output o, forget f, cell c).
enum class recurrent_cell : u8 { simple, gru, lstm };
inline constexpr std::array<std::string_view, 3> recurrent_cell_names{"simple", "gru", "lstm"};
constexpr const auto& enumerator_names(recurrent_cell) { return recurrent_cell_names; }

/// `%y, %h[, %c] = recurrence(%products, %weight, %h0, %c0?, %bias?, %lengths?, %peepholes?)`: with g gates of `hidden`
/// units, products are [steps, batch, g * hidden], the state's weight [hidden, g * hidden] or panels of it
/// (pack_panels), h0 and c0 [batch, hidden], the bias of the state's products [g * hidden], lengths integers [batch],
/// peepholes (for i, o, f) [3 * hidden]. y holds the state after each step, [steps, batch, hidden]; h and c are the
/// last ones. Behind the end of a sequence y is 0, and the state stays. Of no steps the last state is the first one.
/// Source: the ONNX pages.
struct recurrence {
  static constexpr fixed_string name = "recurrence";
  static constexpr op_traits traits{.min_operands = 3, .max_operands = 7, .results = -1};
  recurrent_cell cell = recurrent_cell::simple;
  bool reverse = false;     ///< from the last step to the first
  bool reset_last = false;  ///< gru: the reset gate is applied to the state's product, not to the state
  bool coupled = false;     ///< lstm: the forget gate is 1 - the input gate
  double clip = 0;          ///< sums of gates are kept in [-clip, clip] when it is above 0
  /// Of the gates, then of what they let through: one for simple cells, two for gru, three for lstm. Empty: tanh;
  /// sigmoid and tanh; sigmoid, tanh and tanh. See `recurrent_functions`.
  std::vector<std::string> functions = {};
  std::vector<double> alphas = {}, betas = {};  ///< one for each function that is named; empty: all 0
  TENON_ATTRIBUTES(cell, reverse, reset_last, coupled, clip, functions, alphas, betas)
};

/// affine: alpha * x + beta; leaky_relu: alpha * x below 0; thresholded_relu: 0 up to alpha; scaled_tanh:
/// alpha * tanh(beta * x); hard_sigmoid: alpha * x + beta within [0, 1]; elu: alpha * (exp(x) - 1) below 0.
inline constexpr std::array<std::string_view, 11> recurrent_functions{
    "sigmoid",     "tanh",         "relu", "affine",   "leaky_relu", "thresholded_relu",
    "scaled_tanh", "hard_sigmoid", "elu",  "softsign", "softplus"};

void infer(const recurrence&, ir::infer_context&);

void evaluate(const recurrence&, eval_context&);

void lower(const recurrence&, lower_context&);

bool use_panels(recurrence&, weight_panels&);  ///< such that its gates are whole panels

namespace recurrence_detail {

enum operand { products, weight, first_h, first_c, bias, lengths, peepholes };

constexpr i64 gates_of(recurrent_cell c) { return c == recurrent_cell::simple ? 1 : c == recurrent_cell::gru ? 3 : 4; }
constexpr size_t functions_of(recurrent_cell c) {
  return c == recurrent_cell::simple ? 1 : c == recurrent_cell::gru ? 2 : 3;
}

struct function {
  std::string_view name;
  double alpha = 0, beta = 0;
};
/// The i-th function of a cell.
inline function function_of(const recurrence& op, size_t i) {
  if (op.functions.empty()) return {i == 0 && op.cell != recurrent_cell::simple ? "sigmoid" : "tanh"};
  return {op.functions[i], op.alphas.empty() ? 0 : op.alphas[i], op.betas.empty() ? 0 : op.betas[i]};
}

}  // namespace recurrence_detail

}  // namespace tenon::op
