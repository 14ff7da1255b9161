/// @file reduce: ONNX reductions, arg_max and arg_min, softmax, cumulative sums.
///
/// Axes are an attribute at first, and an input since operator set 13 (ReduceSum) or 18 (the others). Norms of integers
/// are computed in f64, sums of 16-bit floats in f32: their result fits the type when intermediate values do not.
#pragma once

#include <numeric>

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

struct reduction {
  value_id x;
  std::vector<i64> axes;
  bool keep_dims;
  value_id computed_axes = {};  ///< axes that are known only when the model runs
  bool is_noop() const { return axes.empty() && !computed_axes; }
};

inline reduction read_reduction(import_context& cx) {
  reduction r{cx.in(0), {}, cx.i("keepdims", 1) != 0};
  const i64 axes_input_since = cx.current().op_type == "ReduceSum" ? 13 : 18;
  if (cx.opset() < axes_input_since) r.axes = cx.integers("axes");
  else if (cx.has(1) && !cx.in_integers(1, r.axes)) r.computed_axes = cx.in(1);
  const bool noop = cx.i("noop_with_empty_axes", 0) != 0;
  if (r.computed_axes) {
    if (noop) cx.needs_constant(1);
    return r;
  }
  const int rank = cx.rank(r.x);
  if (r.axes.empty() && !noop) {
    r.axes.resize(static_cast<size_t>(rank));
    std::iota(r.axes.begin(), r.axes.end(), 0);
  }
  r.axes = cx.axes(std::move(r.axes), rank);
  return r;
}

/// A reduction over no axes is the operand.
template <class Op> value_id apply(import_context& cx, const reduction& r, value_id x) {
  if (r.is_noop()) return x;
  return cx.make(Op{.axes = r.axes, .keep_dims = r.keep_dims}, {x, r.computed_axes});
}

template <class Op> void reduce(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  cx.out(apply<Op>(cx, r, r.x));
}

/// Maximum and minimum also order bools: as u8.
template <class Op> void reduce_extreme(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  if (cx.elem(r.x) != dtype::boolean) return cx.out(apply<Op>(cx, r, r.x));
  cx.out(cx.cast(apply<Op>(cx, r, cx.cast(r.x, dtype::u8)), dtype::boolean));
}

inline void reduce_mean(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  if (!r.computed_axes) return cx.out(r.is_noop() ? r.x : cx.reduce_mean(r.x, r.axes, r.keep_dims));
  const value_id sum = apply<op::reduce_sum>(cx, r, r.x);
  const auto size = [&](value_id v) { return cx.cast(cx.make(op::count_of{}, {v}), cx.elem(sum)); };
  cx.out(cx.div(sum, cx.div(size(r.x), size(sum))));
}

/// A type in which squares, roots and logarithms of a type's elements can be computed.
inline dtype real_type(dtype t) {
  return t == dtype::f32 || t == dtype::f64 ? t : is_float(t) ? dtype::f32 : dtype::f64;
}

inline void reduce_l1(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  const value_id x = is_unsigned_int(cx.elem(r.x)) ? r.x : cx.make(op::abs{}, {r.x});
  cx.out(apply<op::reduce_sum>(cx, r, x));
}
inline void reduce_l2(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  const value_id x = cx.cast(r.x, real_type(cx.elem(r.x)));
  cx.out(cx.cast(cx.make(op::sqrt{}, {apply<op::reduce_sum>(cx, r, cx.square(x))}), cx.elem(r.x)));
}
inline void reduce_sum_square(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  cx.out(apply<op::reduce_sum>(cx, r, cx.square(r.x)));
}
inline void reduce_log_sum(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  const value_id x = cx.cast(r.x, real_type(cx.elem(r.x)));
  cx.out(cx.cast(cx.make(op::log{}, {apply<op::reduce_sum>(cx, r, x)}), cx.elem(r.x)));
}
/// log(sum(exp(x - m))) + m with m the maximum, or 0 where that is infinite.
inline void reduce_log_sum_exp(import_context& cx, const node&) {
  const reduction r = read_reduction(cx);
  const value_id x = cx.cast(r.x, real_type(cx.elem(r.x)));
  if (r.is_noop()) return cx.out(r.x);
  reduction kept = r;
  kept.keep_dims = true;
  const auto finite = [&](value_id m) { return cx.where(cx.make(op::is_inf{}, {m}), cx.like(m, 0), m); };
  const value_id m = finite(apply<op::reduce_max>(cx, kept, x));
  const value_id sum = apply<op::reduce_sum>(cx, r, cx.make(op::exp{}, {cx.sub(x, m)}));
  const value_id shift = r.keep_dims ? m : finite(apply<op::reduce_max>(cx, r, x));
  cx.out(cx.cast(cx.add(cx.make(op::log{}, {sum}), shift), cx.elem(r.x)));
}

template <class Op> void arg_extreme(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.make(Op{.axis = cx.axis(cx.i("axis", 0), cx.rank(x)),
                    .keep_dims = cx.i("keepdims", 1) != 0,
                    .select_last = cx.i("select_last_index", 0) != 0},
                 {x}));
}

/// Before operator set 13, softmax and its like ran over all dimensions from `axis` on, as one.
template <class F> void along_axis(import_context& cx, F&& f) {
  const value_id x = cx.in(0);
  const int rank = cx.rank(x);
  const bool old = cx.opset() < 13;
  const i64 axis = cx.axis(cx.i("axis", old ? (rank > 1 ? 1 : 0) : -1), rank);
  if (!old || axis == rank - 1) return cx.out(f(x, axis));
  const value_id flat = f(cx.flatten(x, axis), 1);
  std::vector<i64> plan;
  for (i64 d = 0; d < rank; ++d) {
    const ir::dim e = cx.dim(x, static_cast<int>(d));
    if (!e.is_static()) return cx.out(cx.make(op::reshape{.shape = {}, .allow_zero = true}, {flat, cx.shape_of(x)}));
    plan.push_back(e.extent());
  }
  cx.out(cx.make(op::reshape{.shape = plan, .allow_zero = true}, {flat}));
}

template <class Op> void softmax(import_context& cx, const node&) {
  along_axis(cx, [&](value_id x, i64 axis) { return cx.make(Op{.axis = axis}, {x}); });
}

/// One where the (first) maximum is, zero elsewhere.
inline void hardmax(import_context& cx, const node&) {
  along_axis(cx, [&](value_id x, i64 axis) {
    const value_id at = cx.make(op::arg_max{.axis = axis, .keep_dims = false, .select_last = false}, {x});
    const value_id depth = cx.squeeze(cx.slice(cx.shape_of(x), 0, axis, axis + 1), {0});
    tensor off_on(cx.elem(x), {2});
    off_on.set_f64(1, 1);
    return cx.make(op::one_hot{.axis = axis}, {at, depth, cx.constant(off_on)});
  });
}

template <class Op> void cumulative(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  Op cumulate{.axis = 0, .exclusive = cx.i("exclusive", 0) != 0, .reverse = cx.i("reverse", 0) != 0};
  const std::vector<i64> axis = cx.in_integers(1);
  if (axis.size() != 1) cx.bad("the axis must be one number");
  cumulate.axis = cx.axis(axis[0], cx.rank(x));
  cx.out(cx.make(cumulate, {x}));
}

}  // namespace handlers

std::span<const registered_operator> families::reduce() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"ArgMax", arg_extreme<op::arg_max>, "", 1, 1, 1, "axis:i keepdims:i", "fi"},
      {"ArgMax", arg_extreme<op::arg_max>, "", 12, 1, 1, "axis:i keepdims:i select_last_index:i", "fi"},
      {"ArgMin", arg_extreme<op::arg_min>, "", 1, 1, 1, "axis:i keepdims:i", "fi"},
      {"ArgMin", arg_extreme<op::arg_min>, "", 12, 1, 1, "axis:i keepdims:i select_last_index:i", "fi"},
      {"CumProd", cumulative<op::cumulative_prod>, "", 26, 2, 1, "exclusive:i reverse:i", "fi i"},
      {"CumSum", cumulative<op::cumulative_sum>, "", 11, 2, 1, "exclusive:i reverse:i", "fi i"},
      {"Hardmax", hardmax, "", 1, 1, 1, "axis:i", "f"},
      {"LogSoftmax", softmax<op::log_softmax>, "", 1, 1, 1, "axis:i", "f"},
      {"ReduceL1", reduce_l1, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceL1", reduce_l1, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceL2", reduce_l2, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceL2", reduce_l2, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceLogSum", reduce_log_sum, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceLogSum", reduce_log_sum, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceLogSumExp", reduce_log_sum_exp, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceLogSumExp", reduce_log_sum_exp, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceMax", reduce_extreme<op::reduce_max>, "", 1, 1, 1, "axes:is keepdims:i", "fib i"},
      {"ReduceMax", reduce_extreme<op::reduce_max>, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fib i"},
      {"ReduceMean", handlers::reduce_mean, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceMean", handlers::reduce_mean, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceMin", reduce_extreme<op::reduce_min>, "", 1, 1, 1, "axes:is keepdims:i", "fib i"},
      {"ReduceMin", reduce_extreme<op::reduce_min>, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fib i"},
      {"ReduceProd", handlers::reduce<op::reduce_prod>, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceProd", handlers::reduce<op::reduce_prod>, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceSum", handlers::reduce<op::reduce_sum>, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceSum", handlers::reduce<op::reduce_sum>, "", 13, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"ReduceSumSquare", reduce_sum_square, "", 1, 1, 1, "axes:is keepdims:i", "fi i"},
      {"ReduceSumSquare", reduce_sum_square, "", 18, {1, 2}, 1, "keepdims:i noop_with_empty_axes:i", "fi i"},
      {"Softmax", softmax<op::softmax>, "", 1, 1, 1, "axis:i", "f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
