/// @file layers: layers of networks as functions of tensors and weights.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/importers/graph/variable.hpp>

namespace tenon::nn {

variable matmul(operand a, operand b);
variable dense(operand x, operand weight);                ///< x [..., in], weight [in, out]
variable dense(operand x, operand weight, operand bias);  ///< bias [out]

struct window {
  std::vector<i64> kernel{}, strides{}, dilations{}, pads{};  ///< pads: all begins, then all ends
  bool ceil_mode = false;                                     ///< a last window may overhang
};
struct convolution {
  std::vector<i64> strides{}, dilations{}, pads{};
  i64 group = 1;
};
/// x [N, C, spatial…], weight [O, C / group, kernel…], bias [O].
variable conv(operand x, operand weight, const convolution& how = {});
variable conv(operand x, operand weight, operand bias, const convolution& how = {});
/// The gradient of conv: x [N, C, spatial…], weight [C, O / group, kernel…], bias [O].
variable conv_transpose(operand x, operand weight, const convolution& how = {});
variable conv_transpose(operand x, operand weight, operand bias, const convolution& how = {});
variable max_pool(operand x, const window& w);
/// Also where each maximum is, as i64: its number among the elements of x.
std::pair<variable, variable> max_pool_with_indices(operand x, const window& w);
variable average_pool(operand x, const window& w);
variable lp_pool(operand x, const window& w, i64 p = 2);  ///< (sum of |x|^p)^(1/p)
variable global_average_pool(operand x);                  ///< [N, C, spatial…] to [N, C, 1…]
variable global_max_pool(operand x);
/// Per channel of [N, C, …]: scale · (x - mean) / √(variance + epsilon) + shift.
variable batch_norm(operand x, operand scale, operand shift, operand mean, operand variance, double epsilon = 1e-5);
/// Over the last dimension: scale · (x - mean) / √(variance + epsilon) + shift.
variable layer_norm(operand x, operand scale, operand shift, double epsilon = 1e-5);
/// Per image and group of channels of [N, C, …], then per channel: scale · (x - mean) / √(variance + epsilon) + shift.
/// Error "graph.groups" for channels that the groups do not divide.
variable group_norm(operand x, i64 groups, operand scale, operand shift, double epsilon = 1e-5);
/// Per image and channel.
variable instance_norm(operand x, operand scale, operand shift, double epsilon = 1e-5);
/// x / (bias + alpha / size · sum of the squares of `size` channels around it)^beta, of [N, C, …].
variable local_response_norm(operand x, i64 size, double alpha = 1e-4, double beta = 0.75, double bias = 1);
variable rms_norm(operand x, operand scale, double epsilon = 1e-6);  ///< scale · x / √(mean(x²) + epsilon)
/// softmax(q · kᵀ / √d [+ mask]) · v over the last two dimensions: q [..., n, d], k [..., m, d], v [..., m, e]. A mask
/// is added: 0 where one may look, and a large negative number where not.
variable attention(operand q, operand k, operand v);
variable attention(operand q, operand k, operand v, operand mask);
/// x [..., n, heads · d] as [..., heads, n, d], and back. Error "graph.heads" for fewer dimensions.
variable split_heads(operand x, i64 heads);
variable merge_heads(operand x);

/// How a recurrent layer runs, and what it begins with.
struct recurrent {
  /// The order of the gates in the columns of weights and biases. lstm: i, f, c (the cell's candidate), o; empty:
  /// "ifco", as PyTorch and Keras have it. gru: z (update), r (reset), h (candidate); empty: "zrh", as Keras has it;
  /// PyTorch: "rzh".
  std::string gates{};
  bool reverse = false;                     ///< from the last step to the first
  std::optional<variable> first{}, cell{};  ///< the states before the first step, [..., hidden]; left out: zeros
  /// gru: the state's product is made, and this added to it, before the reset gate: as PyTorch and Keras do it. [3 ·
  /// hidden]
  std::optional<variable> state_bias{};
  std::optional<variable> lengths{};  ///< integers [batch]: behind the end of a sequence results are 0
};
struct recurrent_result {
  variable all, last;  ///< the state after each step, [..., steps, hidden], and after the last one, [..., hidden]
};
struct lstm_result {
  variable all, last, cell;
};
/// x [steps, in] or [batch, steps, in], of any batch and number of steps; weight [in, gates · hidden], state_weight
/// [hidden, gates · hidden], bias [gates · hidden]. Weights that PyTorch saved are transposed first. Error
/// "graph.recurrent" for gates or dimensions that do not fit.
///
///     const auto [all, last, cell] = lstm(x, w, r, b);
///     concat({lstm(x, w, r, b).all, lstm(x, w2, r2, b2, {.reverse = true}).all}, -1)       // in both directions
recurrent_result rnn(operand x, operand weight, operand state_weight, operand bias, const recurrent& how = {});
recurrent_result gru(operand x, operand weight, operand state_weight, operand bias, const recurrent& how = {});
lstm_result lstm(operand x, operand weight, operand state_weight, operand bias, const recurrent& how = {});

}  // namespace tenon::nn
