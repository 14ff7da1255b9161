/// @file operators.ipp: definitions of importers/graph/operators.hpp.
#pragma once

#include <cmath>
#include <numeric>

#include <tenon/core/checked.hpp>
#include <tenon/importers/graph.hpp>
#include <tenon/ops/all.hpp>

namespace tenon::nn {

namespace detail {
template <class Op>
variable unary(const Op& op, const operand& x) {
  const variable& v = x.get();
  return v.graph().make(op, {v}, x.at());
}
template <class Op>
variable binary(const Op& op, const operand& a, const operand& b) {
  const variable& like = (a.is_number() ? b : a).get();
  graph& g = like.graph();
  return g.make(op, {g.as_value(a, like), g.as_value(b, like)}, a.at());
}
/// All axes of a value that has a rank.
inline std::vector<i64> axes_of(const variable& v, size_t from = 0) {
  std::vector<i64> axes(static_cast<size_t>(std::max<i64>(v.rank() - static_cast<i64>(from), 0)));
  std::iota(axes.begin(), axes.end(), static_cast<i64>(from));
  return axes;
}
/// The number of elements along axes, as a scalar of a float's type.
inline variable count(const variable& v, const std::vector<i64>& axes, dtype t) {
  graph& g = v.graph();
  i64 n = 1;
  bool known = true;
  for (const i64 a : axes) {
    const ir::dim d = v.type().shape[static_cast<size_t>(a < 0 ? a + v.rank() : a)];
    known = known && d.is_static();
    if (known) n = checked_mul(n, d.extent());
  }
  if (known) {
    tensor s(t, {});
    s.set_f64(0, static_cast<double>(n));
    return g.constant(std::move(s));
  }
  const variable list = g.constant(tensor::from<i64>({static_cast<i64>(axes.size())}, std::span<const i64>(axes)));
  const variable extents = gather(g.make(op::shape_of{}, {v}), list);
  return cast(g.make(op::reduce_prod{.axes = {0}, .keep_dims = false}, {extents}), t);
}
}  // namespace detail

#define TENON_NN_unary(name) \
  variable name(operand x) { return detail::unary(op::name{}, x); }
#define TENON_NN_binary(name) \
  variable name(operand a, operand b) { return detail::binary(op::name{}, a, b); }
#define TENON_NN_commutative(name) TENON_NN_binary(name)
#define TENON_NN_DEFINE(name, kind, ...) TENON_NN_##kind(name)
TENON_ELEMENTWISE_OPS(TENON_NN_DEFINE)
#undef TENON_NN_DEFINE
#undef TENON_NN_commutative
#undef TENON_NN_binary
#undef TENON_NN_unary

variable operator+(operand a, operand b) { return add(a, b); }
variable operator-(operand a, operand b) { return sub(a, b); }
variable operator*(operand a, operand b) { return mul(a, b); }
variable operator/(operand a, operand b) { return div(a, b); }
variable operator-(operand a) { return neg(a); }

variable where(operand condition, operand a, operand b) {
  const variable& like = (a.is_number() ? b : a).get();
  graph& g = like.graph();
  return g.make(op::where{}, {condition.get(), g.as_value(a, like), g.as_value(b, like)}, condition.at());
}
variable cast(operand x, dtype to) {
  const variable& v = x.get();
  return v.type().elem == to ? v : detail::unary(op::cast{.to = to}, x);
}

variable relu(operand x) { return maximum(x, operand(0, x.at())); }
variable leaky_relu(operand x, double slope) {
  const graph::called here(x);
  return maximum(x, 0) + minimum(x, 0) * slope;
}
variable gelu(operand x) {
  const graph::called here(x);
  return mul(x, 0.5) * (erf(mul(x, std::sqrt(0.5))) + 1);
}
variable silu(operand x) {
  const graph::called here(x);
  return mul(x, sigmoid(x));
}
variable clip(operand x, double low, double high) {
  const graph::called here(x);
  return minimum(maximum(x, low), high);
}
variable softmax(operand x, i64 axis) { return detail::unary(op::softmax{.axis = axis}, x); }
variable log_softmax(operand x, i64 axis) { return detail::unary(op::log_softmax{.axis = axis}, x); }

variable reshape(operand x, std::vector<i64> shape) { return detail::unary(op::reshape{.shape = std::move(shape)}, x); }
variable flatten(operand x) { return reshape(x, {0, -1}); }
variable transpose(operand x, std::vector<i64> permutation) {
  return detail::unary(op::transpose{.permutation = std::move(permutation)}, x);
}
variable concat(const std::vector<variable>& parts, i64 axis, std::source_location at) {
  if (parts.empty()) throw error("graph.concat", "nothing is joined", {}, "give at least one value");
  return parts.front().graph().make_all(op::concat{.axis = axis}, parts, at).front();
}
variable slice(operand x, i64 axis, i64 start, i64 end, i64 step) {
  return detail::unary(op::slice{.starts = {start}, .ends = {end}, .axes = {axis}, .steps = {step}}, x);
}
variable gather(operand x, operand indices, i64 axis) {
  const variable& v = x.get();
  return v.graph().make(op::gather{.axis = axis}, {v, indices.get()}, x.at());
}
variable embedding(operand table, operand indices) { return gather(table, indices, 0); }

variable reduce_sum(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_sum{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_max(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_max{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_min(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_min{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_mean(operand x, std::vector<i64> axes, bool keep_dims) {
  const variable& v = x.get();
  const graph::called here(x);
  if (axes.empty()) axes = detail::axes_of(v);
  for (const i64 a : axes)
    if (a < -v.rank() || a >= v.rank())
      throw error("graph.axis",
                  "axis " + std::to_string(a) + " of a tensor of " + std::to_string(v.rank()) + " dimensions",
                  v.graph().place(x.at()));
  // The sum of many 16-bit floats may not be one, though their mean is.
  const dtype t = v.type().elem, wide = compute_type(t);
  return cast(reduce_sum(cast(x, wide), axes, keep_dims) / detail::count(v, axes, wide), t);
}
variable arg_max(operand x, i64 axis, bool keep_dims) {
  return detail::unary(op::arg_max{.axis = axis, .keep_dims = keep_dims}, x);
}

}  // namespace tenon::nn
