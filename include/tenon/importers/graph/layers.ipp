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
  const variable& v = x.get();
  return v.graph().make(detail::conv_of(how), {v, weight.get()}, x.at());
}
variable conv(operand x, operand weight, operand bias, const convolution& how) {
  const variable& v = x.get();
  return v.graph().make(detail::conv_of(how), {v, weight.get(), bias.get()}, x.at());
}
variable max_pool(operand x, const window& w) {
  const variable& v = x.get();
  op::max_pool p;
  p.kernel = w.kernel, p.strides = w.strides, p.dilations = w.dilations, p.pads = w.pads;
  return v.graph().make_all(p, {v}, x.at()).front();
}
variable average_pool(operand x, const window& w) {
  op::average_pool p;
  p.kernel = w.kernel, p.strides = w.strides, p.dilations = w.dilations, p.pads = w.pads;
  return detail::unary(p, x);
}
variable global_average_pool(operand x) { return reduce_mean(x, detail::axes_of(x.get(), 2)); }

variable batch_norm(operand x, operand scale, operand shift, operand mean, operand variance, double epsilon) {
  const graph::called here(x);
  // x * a + b with a and b of the parameters alone: constants, which fold into a convolution before it.
  const variable a = scale / sqrt(variance + epsilon), b = shift - mean * a;
  return x * detail::per_channel(a, x.get()) + detail::per_channel(b, x.get());
}
variable layer_norm(operand x, operand scale, operand shift, double epsilon) {
  const graph::called here(x);
  const variable centered = x - reduce_mean(x, {-1});
  return centered / sqrt(reduce_mean(centered * centered, {-1}) + epsilon) * scale + shift;
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

}  // namespace tenon::nn
