/// @file operators.ipp: definitions of importers/graph/operators.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include <tenon/core/checked.hpp>
#include <tenon/importers/graph.hpp>
#include <tenon/importers/graph/graph.ipp>
#include <tenon/ops/all.hpp>

namespace tenon::nn {

namespace detail {
template <class Op>
variable unary(const Op& op, const operand& x) {
  const variable& v = x.get();
  return v.graph().make(op, {v}, x.at());
}
/// An op whose other operands are tensors.
template <class Op>
variable of(const Op& op, const operand& x, std::initializer_list<operand> others) {
  std::vector<variable> all{x.get()};
  for (const operand& o : others) all.push_back(o.get());
  return x.get().graph().make_all(op, all, x.at()).front();
}
template <class Op>
variable binary(const Op& op, const operand& a, const operand& b) {
  const variable& like = (a.is_number() ? b : a).get();
  graph& g = like.graph();
  return g.make(op, {g.as_value(a, like), g.as_value(b, like)}, a.at());
}
inline std::string extent_text(const variable& v, ir::dim d) { return ir::expression_of(v.graph().body(), d).text(); }
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

namespace detail {
/// scale · x from 0 on, scale · alpha · (exp(x · by) - 1) below.
inline variable below_zero(const operand& x, double alpha, double by, double scale) {
  const graph::called here(x);
  const variable below = expm1(minimum(x, 0) * by) * alpha, y = maximum(x, 0) + below;
  return scale == 1 ? y : y * scale;
}
}  // namespace detail
variable bit_cast(operand x, dtype to) { return detail::unary(op::bit_cast{.to = to}, x); }
variable is_inf(operand x) { return detail::unary(op::is_inf{}, x); }
variable dequantize(operand x, operand scale) { return detail::of(op::dequantize{}, x, {scale}); }
variable dequantize(operand x, operand scale, operand zero) { return detail::of(op::dequantize{}, x, {scale, zero}); }

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
variable gelu_tanh(operand x) {
  const graph::called here(x);
  const variable inner = mul(x, x) * x * 0.044715 + x;
  return mul(x, 0.5) * (tanh(inner * std::sqrt(2 / 3.14159265358979323846)) + 1);
}
variable elu(operand x, double alpha) { return detail::below_zero(x, alpha, 1, 1); }
variable celu(operand x, double alpha) { return detail::below_zero(x, alpha, 1 / alpha, 1); }
variable selu(operand x) { return detail::below_zero(x, 1.67326319217681884765625, 1, 1.05070102214813232421875); }
variable prelu(operand x, operand slope) {
  const graph::called here(x);
  return maximum(x, 0) + minimum(x, 0) * slope;
}
variable softplus(operand x) {
  const graph::called here(x);
  return maximum(x, 0) + log1p(exp(-abs(x)));  // exp(x) alone may be infinite
}
variable softsign(operand x) {
  const graph::called here(x);
  return div(x, abs(x) + 1);
}
variable mish(operand x) {
  const graph::called here(x);
  return mul(x, tanh(softplus(x)));
}
variable hard_sigmoid(operand x, double alpha, double beta) {
  const graph::called here(x);
  return clip(mul(x, alpha) + beta, 0, 1);
}
variable hard_swish(operand x) {
  const graph::called here(x);
  return mul(x, hard_sigmoid(x));
}
variable clip(operand x, double low, double high) {
  const graph::called here(x);
  return minimum(maximum(x, low), high);
}
variable softmax(operand x, i64 axis) { return detail::unary(op::softmax{.axis = axis}, x); }
variable log_softmax(operand x, i64 axis) { return detail::unary(op::log_softmax{.axis = axis}, x); }

namespace detail {
inline i64 axis_of(const operand& x, i64 axis, i64 rank) {
  if (axis < -rank || axis >= rank)
    throw error("graph.axis",
                "axis " + std::to_string(axis) + " of a tensor of " + std::to_string(rank) + " dimensions",
                x.get().graph().place(x.at()));
  return axis < 0 ? axis + rank : axis;
}
inline variable integers(graph& g, const std::vector<i64>& list) {
  return g.constant(tensor::from<i64>({static_cast<i64>(list.size())}, std::span<const i64>(list)));
}
/// `plan` has an entry for each dimension of the result: a number, or -1 - k for the extent of the operand's k-th.
inline variable reshape_like(const operand& x, const std::vector<i64>& plan) {
  const variable& v = x.get();
  std::vector<i64> shape;
  int open = 0;
  for (size_t i = 0; i < plan.size(); ++i) {
    const ir::dim d = plan[i] < 0 ? v.type().shape[static_cast<size_t>(-1 - plan[i])] : ir::dim(plan[i]);
    const bool own = plan[i] == -1 - static_cast<i64>(i);
    shape.push_back(d.is_static() ? d.extent() : own ? 0 : -1);
    open += !d.is_static() && !own;
  }
  const bool empty = std::any_of(plan.begin(), plan.end(), [&](i64 p) {
    const ir::dim d = p < 0 ? v.type().shape[static_cast<size_t>(-1 - p)] : ir::dim(p);
    return d.is_static() && d.extent() == 0;
  });
  if (open <= 1 && !empty) return reshape(x, shape);
  const graph::called here(x);
  const variable all = shape_of(x);
  std::vector<variable> parts;
  for (const i64 p : plan) parts.push_back(p < 0 ? slice(all, 0, -1 - p, -p) : integers(v.graph(), {p}));
  return v.graph().make(op::reshape{.shape = {}, .allow_zero = true}, {v, concat(parts, 0)});
}
}  // namespace detail

variable reshape(operand x, std::vector<i64> shape) { return detail::unary(op::reshape{.shape = std::move(shape)}, x); }
variable reshape(operand x, const variable& shape) { return detail::of(op::reshape{}, x, {operand(shape, x.at())}); }
variable flatten(operand x) { return reshape(x, {0, -1}); }
variable squeeze(operand x, std::vector<i64> axes) {
  const i64 rank = x.get().rank();
  std::vector<char> gone(static_cast<size_t>(rank));
  for (const i64 a : axes) {
    const ir::dim d = x.get().type().shape[static_cast<size_t>(detail::axis_of(x, a, rank))];
    if (!x.get().graph().same(d, 1, x.at()))
      throw error("graph.axis",
                  "dimension " + std::to_string(a) + " has " + detail::extent_text(x.get(), d) + " elements",
                  x.get().graph().place(x.at()), "only dimensions of 1 can be left out");
    gone[static_cast<size_t>(detail::axis_of(x, a, rank))] = 1;
  }
  std::vector<i64> plan;
  for (i64 d = 0; d < rank; ++d)
    if (!gone[static_cast<size_t>(d)]) plan.push_back(-1 - d);
  return detail::reshape_like(x, plan);
}
variable unsqueeze(operand x, std::vector<i64> axes) {
  const i64 rank = x.get().rank() + static_cast<i64>(axes.size());
  std::vector<i64> plan(static_cast<size_t>(rank), 0);
  for (const i64 a : axes)
    if (i64& at = plan[static_cast<size_t>(detail::axis_of(x, a, rank))]; at++ == 1)
      throw error("graph.axis", "dimension " + std::to_string(a) + " is added twice", x.get().graph().place(x.at()));
  i64 next = 0;
  for (i64& p : plan)
    if (p == 0) p = -1 - next++;
  return detail::reshape_like(x, plan);
}
variable transpose(operand x, std::vector<i64> permutation) {
  return detail::unary(op::transpose{.permutation = std::move(permutation)}, x);
}
variable expand(operand x, std::vector<i64> shape) { return detail::unary(op::expand{.shape = std::move(shape)}, x); }
variable expand(operand x, const variable& shape) { return detail::of(op::expand{}, x, {operand(shape, x.at())}); }
variable tile(operand x, std::vector<i64> repeats) { return detail::unary(op::tile{.repeats = std::move(repeats)}, x); }
variable pad(operand x, std::vector<i64> before, std::vector<i64> after, double value) {
  return detail::unary(op::pad{.before = std::move(before), .after = std::move(after), .value = value}, x);
}
variable pad(operand x, std::vector<i64> before, std::vector<i64> after, op::pad_mode mode) {
  return detail::unary(op::pad{.mode = mode, .before = std::move(before), .after = std::move(after)}, x);
}
variable concat(const std::vector<variable>& parts, i64 axis, std::source_location at) {
  if (parts.empty()) throw error("graph.concat", "nothing is joined", detail::line_of(at), "give at least one tensor");
  return parts.front().graph().make_all(op::concat{.axis = axis}, parts, at).front();
}
variable stack(const std::vector<variable>& parts, i64 axis, std::source_location at) {
  if (parts.empty()) throw error("graph.concat", "nothing is joined", detail::line_of(at), "give at least one tensor");
  const graph::called here(parts.front().graph(), at);
  std::vector<variable> longer;
  for (const variable& v : parts) longer.push_back(unsqueeze(operand(v, at), {axis}));
  return concat(longer, axis, at);
}
std::vector<variable> split(operand x, const std::vector<i64>& sizes, i64 axis) {
  const variable& v = x.get();
  const i64 along = detail::axis_of(x, axis, v.rank());
  i64 all = 0;
  for (const i64 n : sizes) all = checked_add(all, n);
  if (const ir::dim d = v.type().shape[static_cast<size_t>(along)]; !v.graph().same(d, all, x.at()))
    throw error("graph.split",
                "parts of " + std::to_string(all) + " elements, of " + detail::extent_text(v, d) + " along axis " +
                    std::to_string(axis),
                v.graph().place(x.at()), "the sizes add up to the extent");
  std::vector<variable> parts;
  i64 start = 0;
  for (const i64 n : sizes) parts.push_back(slice(x, along, start, start + n)), start += n;
  return parts;
}
variable slice(operand x, i64 axis, i64 start, i64 end, i64 step) {
  return detail::unary(op::slice{.starts = {start}, .ends = {end}, .axes = {axis}, .steps = {step}}, x);
}
variable shape_of(operand x) { return detail::unary(op::shape_of{}, x); }
variable extent_of(operand x, i64 axis) {
  const graph::called here(x);
  const i64 at = detail::axis_of(x, axis, x.get().rank());
  return reshape(detail::unary(op::shape_of{.start = at, .end = at + 1}, x), {});
}
variable range(operand start, operand limit, operand step) {
  const variable& like = (!start.is_number() ? start : !limit.is_number() ? limit : step).get();
  graph& g = like.graph();
  return g.make(op::range{}, {g.as_value(start, like), g.as_value(limit, like), g.as_value(step, like)}, start.at());
}
variable triu(operand x, i64 k) { return detail::unary(op::trilu{.upper = true, .k = k}, x); }
variable tril(operand x, i64 k) { return detail::unary(op::trilu{.upper = false, .k = k}, x); }
variable eye_like(operand x, i64 k) { return detail::unary(op::eye_like{.k = k}, x); }
variable reverse_sequence(operand x, operand lengths, i64 batch_axis, i64 time_axis) {
  return detail::of(op::reverse_sequence{.batch_axis = batch_axis, .time_axis = time_axis}, x, {lengths});
}

variable gather(operand x, operand indices, i64 axis) { return detail::of(op::gather{.axis = axis}, x, {indices}); }
variable embedding(operand table, operand indices) { return gather(table, indices, 0); }
variable gather_elements(operand x, operand indices, i64 axis) {
  return detail::of(op::gather_elements{.axis = axis}, x, {indices});
}
variable gather_nd(operand x, operand indices, i64 batch_dims) {
  return detail::of(op::gather_nd{.batch_dims = batch_dims}, x, {indices});
}
variable scatter_elements(operand x, operand indices, operand updates, i64 axis, op::scatter_reduction how) {
  return detail::of(op::scatter_elements{.axis = axis, .reduction = how}, x, {indices, updates});
}
variable scatter_nd(operand x, operand indices, operand updates, op::scatter_reduction how) {
  return detail::of(op::scatter_nd{.reduction = how}, x, {indices, updates});
}
variable one_hot(operand indices, i64 depth, i64 axis, dtype type) {
  const variable& v = indices.get();
  const graph::called here(indices);
  tensor values(type, {2});
  values.set_f64(0, 0), values.set_f64(1, 1);
  graph& g = v.graph();
  return g.make(op::one_hot{.axis = axis}, {v, g.constant(tensor::scalar(depth)), g.constant(std::move(values))});
}
std::pair<variable, variable> top_k(operand x, i64 k, i64 axis, bool largest) {
  const variable& v = x.get();
  const auto r = v.graph().make_all(op::top_k{.k = k, .axis = axis, .largest = largest}, {v}, x.at());
  return {r[0], r[1]};
}
variable determinant(operand x) { return detail::unary(op::determinant{}, x); }
variable inverse(operand x) { return detail::unary(op::inverse{}, x); }
variable non_zero(operand x) { return detail::unary(op::non_zero{}, x); }
variable compress(operand x, operand condition, i64 axis) {
  return detail::of(op::compress{.axis = axis}, x, {condition});
}
std::array<variable, 4> unique(operand x, bool sorted) {
  const variable& v = x.get();
  const auto r = v.graph().make_all(op::unique{.sorted = sorted}, {v}, x.at());
  return {r[0], r[1], r[2], r[3]};
}
variable non_max_suppression(operand boxes, operand scores, i64 most, double iou_threshold, double score_threshold) {
  graph& g = boxes.get().graph();
  const graph::called here(boxes);
  const auto number = [&](double n) { return g.constant(tensor::scalar(static_cast<float>(n))); };
  return detail::of(op::non_max_suppression{}, boxes,
                    {scores, g.constant(tensor::scalar(most)), number(iou_threshold), number(score_threshold)});
}

variable resize(operand x, const op::resize& how) { return detail::unary(how, x); }
variable grid_sample(operand x, operand grid, const op::grid_sample& how) { return detail::of(how, x, {grid}); }
variable roi_align(operand x, operand rois, operand batch_indices, const op::roi_align& how) {
  return detail::of(how, x, {rois, batch_indices});
}
variable col2im(operand x, const op::col2im& how) { return detail::unary(how, x); }
variable max_unpool(operand x, operand indices, const op::max_unpool& how) { return detail::of(how, x, {indices}); }
variable affine_grid(operand theta, std::vector<i64> size, bool align_corners) {
  return detail::unary(op::affine_grid{.size = std::move(size), .align_corners = align_corners}, theta);
}

variable reduce_sum(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_sum{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_prod(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_prod{.axes = std::move(axes), .keep_dims = keep_dims}, x);
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
  for (const i64 a : axes) (void)detail::axis_of(x, a, v.rank());
  // The sum of many 16-bit floats may not be one, though their mean is.
  const dtype t = v.type().elem, wide = compute_type(t);
  return cast(reduce_sum(cast(x, wide), axes, keep_dims) / detail::count(v, axes, wide), t);
}
variable arg_max(operand x, i64 axis, bool keep_dims) {
  return detail::unary(op::arg_max{.axis = axis, .keep_dims = keep_dims}, x);
}
variable arg_min(operand x, i64 axis, bool keep_dims) {
  return detail::unary(op::arg_min{.axis = axis, .keep_dims = keep_dims}, x);
}
variable cumulative_sum(operand x, i64 axis, bool exclusive, bool reverse) {
  return detail::unary(op::cumulative_sum{.axis = axis, .exclusive = exclusive, .reverse = reverse}, x);
}
variable cumulative_prod(operand x, i64 axis, bool exclusive, bool reverse) {
  return detail::unary(op::cumulative_prod{.axis = axis, .exclusive = exclusive, .reverse = reverse}, x);
}

}  // namespace tenon::nn
