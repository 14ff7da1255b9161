/// @file layers.ipp: definitions of importers/graph/layers.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/importers/graph/operators.ipp>

namespace tenon::nn {

variable matmul(operand a, operand b) {
  const variable& v = a.get();
  return v.graph().make(op::matmul{}, {v, b.get()}, a.at());
}
variable dense(operand x, operand weight) { return matmul(x, weight); }
variable dense(operand x, operand weight, operand bias) {
  const graph::called here(x);
  return matmul(x, weight) + bias;
}

namespace detail {
inline op::conv conv_of(const convolution& how) {
  op::conv c;
  c.strides = how.strides, c.dilations = how.dilations, c.pads = how.pads, c.group = how.group;
  return c;
}
/// A list of one number per channel, for dimension 1 of a value.
inline variable per_channel(const variable& list, const variable& x) {
  std::vector<i64> shape(static_cast<size_t>(std::max(x.rank() - 1, 1)), 1);
  shape[0] = -1;
  return reshape(list, shape);
}
}  // namespace detail

variable conv(operand x, operand weight, const convolution& how) {
  return detail::of(detail::conv_of(how), x, {weight});
}
variable conv(operand x, operand weight, operand bias, const convolution& how) {
  return detail::of(detail::conv_of(how), x, {weight, bias});
}
namespace detail {
inline op::conv_transpose transposed_of(const convolution& how) {
  op::conv_transpose c;
  c.strides = how.strides, c.dilations = how.dilations, c.pads = how.pads, c.group = how.group;
  return c;
}
}  // namespace detail
variable conv_transpose(operand x, operand weight, const convolution& how) {
  return detail::of(detail::transposed_of(how), x, {weight});
}
variable conv_transpose(operand x, operand weight, operand bias, const convolution& how) {
  return detail::of(detail::transposed_of(how), x, {weight, bias});
}
namespace detail {
inline std::vector<variable> maxima(const operand& x, const window& w, bool indices) {
  op::max_pool p;
  p.kernel = w.kernel, p.strides = w.strides, p.dilations = w.dilations, p.pads = w.pads, p.ceil_mode = w.ceil_mode;
  p.indices = indices;
  return x.get().graph().make_all(p, {x.get()}, x.at());
}
}  // namespace detail
variable max_pool(operand x, const window& w) { return detail::maxima(x, w, false).front(); }
std::pair<variable, variable> max_pool_with_indices(operand x, const window& w) {
  const auto r = detail::maxima(x, w, true);
  return {r[0], r[1]};
}
variable average_pool(operand x, const window& w) {
  op::average_pool p;
  p.kernel = w.kernel, p.strides = w.strides, p.dilations = w.dilations, p.pads = w.pads, p.ceil_mode = w.ceil_mode;
  return detail::unary(p, x);
}
variable lp_pool(operand x, const window& w, i64 p) {
  op::lp_pool pool;
  pool.kernel = w.kernel, pool.strides = w.strides, pool.dilations = w.dilations, pool.pads = w.pads;
  pool.ceil_mode = w.ceil_mode, pool.p = p;
  return detail::unary(pool, x);
}
variable global_average_pool(operand x) { return reduce_mean(x, detail::axes_of(x.get(), 2)); }
variable global_max_pool(operand x) { return reduce_max(x, detail::axes_of(x.get(), 2)); }

variable batch_norm(operand x, operand scale, operand shift, operand mean, operand variance, double epsilon) {
  const graph::called here(x);
  // x * a + b with a and b of the parameters alone: constants, which fold into a convolution before it.
  const variable a = scale / sqrt(variance + epsilon), b = shift - mean * a;
  return x * detail::per_channel(a, x.get()) + detail::per_channel(b, x.get());
}
namespace detail {
/// Over `axes`: (x - mean) / √(variance + epsilon).
inline variable standardized(const variable& x, const std::vector<i64>& axes, double epsilon) {
  const variable centered = x - reduce_mean(x, axes);
  return centered / sqrt(reduce_mean(centered * centered, axes) + epsilon);
}
}  // namespace detail
variable layer_norm(operand x, operand scale, operand shift, double epsilon) {
  const graph::called here(x);
  return detail::standardized(x.get(), {-1}, epsilon) * scale + shift;
}
variable group_norm(operand x, i64 groups, operand scale, operand shift, double epsilon) {
  const variable& v = x.get();
  const graph::called here(x);
  if (v.rank() < 2 || groups < 1 || !v.graph().divides(groups, v.type().shape[1], x.at()))
    throw error("graph.groups",
                std::to_string(groups) + " groups do not divide the channels of a tensor of " +
                    std::to_string(v.rank()) + " dimensions",
                v.graph().place(x.at()), "channels are dimension 1");
  const variable y = detail::standardized(reshape(x, {0, groups, -1}), {-1}, epsilon);
  return reshape(y, shape_of(x)) * detail::per_channel(scale.get(), v) + detail::per_channel(shift.get(), v);
}
variable instance_norm(operand x, operand scale, operand shift, double epsilon) {
  const variable& v = x.get();
  const graph::called here(x);
  return detail::standardized(v, detail::axes_of(v, 2), epsilon) * detail::per_channel(scale.get(), v) +
         detail::per_channel(shift.get(), v);
}
variable local_response_norm(operand x, i64 size, double alpha, double beta, double bias) {
  return detail::unary(op::lrn{.size = size, .alpha = alpha, .beta = beta, .bias = bias}, x);
}
variable rms_norm(operand x, operand scale, double epsilon) {
  const graph::called here(x);
  return x / sqrt(reduce_mean(x * x, {-1}) + epsilon) * scale;
}

namespace detail {
inline variable attend(const operand& q, const operand& k, const operand& v, const operand* mask) {
  const variable &a = q.get(), &b = k.get();
  const graph::called here(q);
  if (a.rank() < 2 || b.rank() < 2 || !a.type().shape.back().is_static())
    throw error("graph.attention", "the last dimension of queries and keys needs an extent that is a number",
                a.graph().place(q.at()));
  std::vector<i64> swap = axes_of(b);
  std::swap(swap[swap.size() - 1], swap[swap.size() - 2]);
  variable scores = matmul(q, transpose(k, swap)) / std::sqrt(static_cast<double>(a.type().shape.back().extent()));
  if (mask) scores = scores + *mask;
  return matmul(softmax(scores), v);
}
}  // namespace detail
variable attention(operand q, operand k, operand v) { return detail::attend(q, k, v, nullptr); }
variable attention(operand q, operand k, operand v, operand mask) { return detail::attend(q, k, v, &mask); }

namespace detail {
/// Exchanges the dimension `back` places from the end, 2 for the last but one, with the one before it.
inline variable exchanged(const variable& x, size_t back) {
  std::vector<i64> order = axes_of(x);
  std::swap(order[order.size() - back], order[order.size() - back - 1]);
  return transpose(x, order);
}
inline void require_rank(const operand& x, i64 least, const char* what) {
  if (x.get().rank() < least)
    throw error("graph.heads",
                std::string(what) + " takes at least " + std::to_string(least) + " dimensions, and this has " +
                    std::to_string(x.get().rank()),
                x.get().graph().place(x.at()));
}
}  // namespace detail
variable split_heads(operand x, i64 heads) {
  const graph::called here(x);
  detail::require_rank(x, 2, "split_heads");
  std::vector<i64> shape(static_cast<size_t>(x.get().rank()) + 1, 0);  // 0: as it is
  shape[shape.size() - 2] = heads, shape.back() = -1;
  return detail::exchanged(reshape(x, shape), 2);
}
variable merge_heads(operand x) {
  const graph::called here(x);
  detail::require_rank(x, 3, "merge_heads");
  std::vector<i64> shape(static_cast<size_t>(x.get().rank()) - 1, 0);
  shape.back() = -1;
  return reshape(detail::exchanged(x.get(), 2), shape);
}

// -- recurrent layers -------------------------------------------------------------------------------------------------

namespace detail {

/// Columns of gates in the order of `op::recurrence`.
class gate_columns {
 public:
  gate_columns(const operand& x, const std::string& given, std::string_view usual, std::string_view wanted)
      : order_(given.empty() ? usual : std::string_view(given)), wanted_(wanted) {
    std::string a(order_), b(wanted_);
    std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
    if (a != b)
      throw error("graph.recurrent", "the gates are '" + std::string(order_) + "'", x.get().graph().place(x.at()),
                  "each of '" + std::string(usual) + "' once");
  }
  variable operator()(const variable& v, i64 hidden) const {
    if (order_ == wanted_) return v;
    std::vector<variable> parts;
    for (const char gate : wanted_) {
      const i64 k = static_cast<i64>(order_.find(gate));
      parts.push_back(slice(v, -1, k * hidden, (k + 1) * hidden));
    }
    return concat(parts, -1);
  }

 private:
  std::string_view order_, wanted_;
};

inline std::vector<variable> recur(const operand& x, const operand& weight, const operand& state_weight,
                                   const operand& bias, const recurrent& how, op::recurrence cell,
                                   const gate_columns& gates) {
  const graph::called here(x);
  const variable &v = x.get(), &r = state_weight.get();
  graph& g = v.graph();
  const auto refuse = [&](const std::string& why, const char* hint) {
    throw error("graph.recurrent", why, g.place(x.at()), hint);
  };
  if (v.rank() != 2 && v.rank() != 3)
    refuse("a sequence of " + std::to_string(v.rank()) + " dimensions", "[steps, in] or [batch, steps, in]");
  const i64 n = op::recurrence_detail::gates_of(cell.cell);
  if (r.rank() != 2 || !r.type().shape[0].is_static() || !r.type().shape[1].is_static() ||
      r.type().shape[1].extent() != n * r.type().shape[0].extent())
    refuse("the state's weight is not [hidden, " + std::to_string(n) + " · hidden]",
           "transpose what is stored the other way round");
  const i64 hidden = r.type().shape[0].extent();
  const bool batched = v.rank() == 3;
  const variable sequence = batched ? transpose(v, {1, 0, 2}) : unsqueeze(v, {1});  // [steps, batch, in]
  const variable products = dense(sequence, gates(weight.get(), hidden), gates(bias.get(), hidden));
  const auto first = [&](const std::optional<variable>& state) {
    if (state) return batched ? *state : unsqueeze(*state, {0});
    const variable zeros = g.constant(tensor(v.type().elem, {1, hidden}));
    if (!batched) return zeros;
    return expand(zeros, concat({g.make(op::shape_of{.start = 0, .end = 1}, {v}), integers(g, {hidden})}, 0));
  };
  cell.reverse = how.reverse;
  std::vector<std::optional<variable>> operands{products, gates(r, hidden), first(how.first)};
  const bool lstm = cell.cell == op::recurrent_cell::lstm;
  if (lstm) operands.push_back(first(how.cell));
  else operands.emplace_back();
  if (how.state_bias) operands.push_back(gates(*how.state_bias, hidden));
  else operands.emplace_back();
  operands.push_back(how.lengths);
  while (!operands.back()) operands.pop_back();
  std::vector<variable> made = g.make_with_gaps(cell, operands);
  made[0] = batched ? transpose(made[0], {1, 0, 2}) : squeeze(made[0], {1});
  for (size_t k = 1; k < made.size() && !batched; ++k) made[k] = squeeze(made[k], {0});
  return made;
}

}  // namespace detail

recurrent_result rnn(operand x, operand weight, operand state_weight, operand bias, const recurrent& how) {
  const detail::gate_columns gates(x, how.gates, "h", "h");
  const auto r = detail::recur(x, weight, state_weight, bias, how, {.cell = op::recurrent_cell::simple}, gates);
  return {r[0], r[1]};
}
recurrent_result gru(operand x, operand weight, operand state_weight, operand bias, const recurrent& how) {
  const detail::gate_columns gates(x, how.gates, "zrh", "zrh");
  const op::recurrence cell{.cell = op::recurrent_cell::gru, .reset_last = how.state_bias.has_value()};
  const auto r = detail::recur(x, weight, state_weight, bias, how, cell, gates);
  return {r[0], r[1]};
}
lstm_result lstm(operand x, operand weight, operand state_weight, operand bias, const recurrent& how) {
  const detail::gate_columns gates(x, how.gates, "ifco", "iofc");
  const auto r = detail::recur(x, weight, state_weight, bias, how, {.cell = op::recurrent_cell::lstm}, gates);
  return {r[0], r[1], r[2]};
}

}  // namespace tenon::nn
