/// @file layers: layers of networks as functions of tensors and weights.
#pragma once

#include <vector>

#include <tenon/importers/graph/variable.hpp>

namespace tenon::nn {

variable matmul(operand a, operand b);
variable dense(operand x, operand weight);                ///< x [..., in], weight [in, out]
variable dense(operand x, operand weight, operand bias);  ///< bias [out]

struct window {
  std::vector<i64> kernel{}, strides{}, dilations{}, pads{};  ///< pads: all begins, then all ends
};
struct convolution {
  std::vector<i64> strides{}, dilations{}, pads{};
  i64 group = 1;
};
/// x [N, C, spatial…], weight [O, C / group, kernel…], bias [O].
variable conv(operand x, operand weight, const convolution& how = {});
variable conv(operand x, operand weight, operand bias, const convolution& how = {});
variable max_pool(operand x, const window& w);
variable average_pool(operand x, const window& w);
variable global_average_pool(operand x);  ///< [N, C, spatial…] to [N, C, 1…]
/// Per channel of [N, C, …]: scale · (x - mean) / √(variance + epsilon) + shift.
variable batch_norm(operand x, operand scale, operand shift, operand mean, operand variance, double epsilon = 1e-5);
/// Over the last dimension: scale · (x - mean) / √(variance + epsilon) + shift.
variable layer_norm(operand x, operand scale, operand shift, double epsilon = 1e-5);
variable rms_norm(operand x, operand scale, double epsilon = 1e-6);  ///< scale · x / √(mean(x²) + epsilon)
/// softmax(q · kᵀ / √d [+ mask]) · v over the last two dimensions: q [..., n, d], k [..., m, d], v [..., m, e]. A mask
/// is added: 0 where one may look, and a large negative number where not.
variable attention(operand q, operand k, operand v);
variable attention(operand q, operand k, operand v, operand mask);
/// x [..., n, heads · d] as [..., heads, n, d], and back. Error "graph.heads" for fewer dimensions.
variable split_heads(operand x, i64 heads);
variable merge_heads(operand x);

}  // namespace tenon::nn
