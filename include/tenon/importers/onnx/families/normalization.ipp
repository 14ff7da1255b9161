/// @file normalization: ONNX normalizations, as means, variances and formulas.
///
/// Batch normalization is x * a + b with a and b per channel: constants when its parameters are, so that it folds into
/// a convolution before it.
#pragma once

#include <numeric>

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline value_id inverse_root(import_context& cx, value_id variance, double epsilon) {
  return cx.make(op::reciprocal{}, {cx.make(op::sqrt{}, {cx.add(variance, epsilon)})});
}

inline ir::dim channels_of(import_context& cx, value_id x) {
  return cx.rank(x) > 1 ? cx.dim(x, 1) : ir::dim::unknown();
}

/// A list of one number per channel, as dimension 1 of an operand of a rank.
inline value_id per_channel(import_context& cx, value_id list, int rank, ir::dim channels) {
  if (cx.rank(list) != 1) cx.bad("one number per channel is needed, in one dimension");
  if (const ir::dim n = cx.dim(list, 0); n.is_static() && channels.is_static() && n != channels)
    cx.bad("there are " + std::to_string(n.extent()) + " parameters for " + std::to_string(channels.extent()) +
           " channels");
  std::vector<i64> trailing;
  for (i64 d = 2; d < rank; ++d) trailing.push_back(d - 1);
  return trailing.empty() ? list : cx.unsqueeze(list, trailing);
}

inline std::vector<i64> axes_from(import_context& cx, value_id x, i64 first) {
  std::vector<i64> axes(static_cast<size_t>(std::max<i64>(cx.rank(x) - first, 0)));
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

struct centered {
  value_id difference, mean, variance;
};
inline centered center(import_context& cx, value_id x, const std::vector<i64>& axes) {
  const value_id mean = cx.reduce_mean(x, axes), difference = cx.sub(x, mean);
  return {difference, mean, cx.reduce_mean(cx.square(difference), axes)};
}

inline void batch_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const int rank = cx.rank(x);
  const double epsilon = cx.f("epsilon", 1e-5f), momentum = cx.f("momentum", 0.9f);
  // Before operator set 9 there could be parameters for each element, not for each channel.
  const bool per_element = cx.opset() < 9 && cx.i("spatial", 1) == 0;
  // Before operator set 14 who asked for statistics was training.
  const bool training =
      cx.opset() >= 14 ? cx.i("training_mode", 0) != 0 : cx.wants(1) && (cx.opset() >= 7 || cx.i("is_test", 0) == 0);
  value_id mean = cx.in(3), variance = cx.in(4);
  const dtype t = cx.elem(mean);
  if (training) {
    std::vector<i64> axes = per_element ? std::vector<i64>{} : axes_from(cx, x, 2);
    axes.insert(axes.begin(), 0);
    const value_id wide = cx.cast(x, t);
    const centered c = center(cx, wide, axes);
    const auto list = [&](value_id v) { return per_element ? cx.squeeze(v, {0}) : cx.reshape(v, {-1}); };
    const value_id now_mean = list(c.mean), now_variance = list(c.variance);
    const auto blend = [&](value_id old, value_id now) {
      return cx.add(cx.mul(old, momentum), cx.mul(now, 1 - momentum));
    };
    cx.out(1, blend(mean, now_mean));
    cx.out(2, blend(variance, now_variance));
    cx.out(3, now_mean);
    cx.out(4, now_variance);
    mean = now_mean;
    variance = now_variance;
  }
  // Parameters may be of a wider type than the input: they are combined in theirs, and in f32 at least.
  const dtype precise = compute_type(t);
  const value_id a = cx.mul(cx.cast(cx.in(1), precise), inverse_root(cx, cx.cast(variance, precise), epsilon));
  const value_id b = cx.sub(cx.cast(cx.in(2), precise), cx.mul(cx.cast(mean, precise), a));
  // Rounded once, as the other normalizations.
  const dtype given = compute_type(cx.elem(x)), wide = size_of(precise) > size_of(given) ? precise : given;
  const auto spread = [&](value_id v) { return per_element ? v : per_channel(cx, v, rank, channels_of(cx, x)); };
  const value_id y = cx.add(cx.mul(cx.cast(x, wide), spread(cx.cast(a, wide))), spread(cx.cast(b, wide)));
  cx.out(0, cx.cast(y, cx.elem(x)));
}

/// The type to compute in: at least f32.
inline dtype stash_type(dtype t) { return compute_type(t); }

inline void instance_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const int rank = cx.rank(x);
  const value_id wide = cx.cast(x, stash_type(cx.elem(x)));
  const centered c = center(cx, wide, axes_from(cx, x, 2));
  const value_id normal = cx.mul(c.difference, inverse_root(cx, c.variance, cx.f("epsilon", 1e-5f)));
  const auto parameter = [&](int i) {
    return per_channel(cx, cx.cast(cx.in(i), cx.elem(wide)), rank, channels_of(cx, x));
  };
  cx.out(cx.cast(cx.add(cx.mul(normal, parameter(1)), parameter(2)), cx.elem(x)));
}

inline void layer_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const std::vector<i64> axes = axes_from(cx, x, cx.axis(cx.i("axis", -1), cx.rank(x)));
  const dtype wide = stash_type(cx.elem(x));
  const centered c = center(cx, cx.cast(x, wide), axes);
  const value_id inverse = inverse_root(cx, c.variance, cx.f("epsilon", 1e-5f));
  // Rounded once, as ONNX Runtime does it and the kernels of those who train; the standard's function rounds thrice.
  value_id y = cx.mul(cx.mul(c.difference, inverse), cx.cast(cx.in(1), wide));
  if (cx.has(2)) y = cx.add(y, cx.cast(cx.in(2), wide));
  cx.require_same_shape(y, x);
  cx.out(0, cx.cast(y, cx.elem(x)));
  cx.out(1, c.mean);
  cx.out(2, inverse);
}

inline void rms_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0), wide = cx.cast(x, stash_type(cx.elem(x)));
  const std::vector<i64> axes = axes_from(cx, x, cx.axis(cx.i("axis", -1), cx.rank(x)));
  const value_id inverse = inverse_root(cx, cx.reduce_mean(cx.square(wide), axes), cx.f("epsilon", 1e-5f));
  const value_id scale = cx.in(1), y = cx.mul(cx.mul(wide, inverse), cx.cast(scale, cx.elem(wide)));
  cx.require_same_shape(y, x);
  cx.out(cx.cast(y, cx.elem(scale)));
}

/// Scale and bias are per group in operator set 18, and per channel since 21.
inline void group_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const int rank = cx.rank(x);
  const i64 groups = cx.i("num_groups");
  const ir::dim channels = cx.dim(x, 1);
  if (groups < 1 || !cx.require_multiple(channels, groups))
    cx.bad("the channels do not divide into " + std::to_string(groups) + " groups");
  const value_id grouped = cx.reshape(cx.cast(x, stash_type(cx.elem(x))), {0, groups, -1});
  const centered c = center(cx, grouped, {2});
  value_id y = cx.mul(c.difference, inverse_root(cx, c.variance, cx.f("epsilon", 1e-5f)));
  const auto parameter = [&](int i, int r) {
    return per_channel(cx, cx.cast(cx.in(i), cx.elem(y)), r, cx.opset() >= 21 ? channels : ir::dim(groups));
  };
  if (cx.opset() < 21) y = cx.add(cx.mul(y, parameter(1, 3)), parameter(2, 3));
  y = cx.make(op::reshape{.shape = {}, .allow_zero = true}, {y, cx.shape_of(x)});
  if (cx.opset() >= 21) y = cx.add(cx.mul(y, parameter(1, rank)), parameter(2, rank));
  cx.out(cx.cast(y, cx.elem(x)));
}

inline void mean_variance_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0), wide = cx.cast(x, stash_type(cx.elem(x)));
  const centered c = center(cx, wide, cx.axes(cx.integers("axes", {0, 2, 3}), cx.rank(x)));
  cx.out(cx.cast(cx.div(c.difference, cx.add(cx.make(op::sqrt{}, {c.variance}), 1e-9)), cx.elem(x)));
}

/// Zeros where the norm is zero.
inline void lp_normalization(import_context& cx, const node&) {
  const value_id given = cx.in(0), x = cx.cast(given, stash_type(cx.elem(given)));
  const std::vector<i64> axes{cx.axis(cx.i("axis", -1), cx.rank(x))};
  const i64 p = cx.i("p", 2);
  if (p != 1 && p != 2) cx.bad("p is " + std::to_string(p) + ", not 1 or 2");
  value_id norm = cx.reduce_sum(p == 1 ? cx.make(op::abs{}, {x}) : cx.square(x), axes);
  if (p == 2) norm = cx.make(op::sqrt{}, {norm});
  const value_id zero = cx.like(x, 0);
  cx.out(cx.cast(cx.where(cx.equal(norm, zero), zero, cx.div(x, norm)), cx.elem(given)));
}

inline void lrn(import_context& cx, const node&) {
  cx.out(cx.make(
      op::lrn{
          .size = cx.i("size"), .alpha = cx.f("alpha", 1e-4f), .beta = cx.f("beta", 0.75f), .bias = cx.f("bias", 1.f)},
      {cx.in(0)}));
}

}  // namespace handlers

std::span<const registered_operator> families::normalization() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"BatchNormalization",
       batch_normalization,
       "",
       1,
       5,
       {1, 5},
       "consumed_inputs:is! epsilon:f is_test:i momentum:f spatial:i",
       "f"},
      {"BatchNormalization", batch_normalization, "", 6, 5, {1, 5}, "epsilon:f is_test:i momentum:f spatial:i", "f"},
      {"BatchNormalization", batch_normalization, "", 7, 5, {1, 5}, "epsilon:f momentum:f spatial:i", "f"},
      {"BatchNormalization", batch_normalization, "", 9, 5, {1, 5}, "epsilon:f momentum:f", "f"},
      {"BatchNormalization", batch_normalization, "", 14, 5, {1, 3}, "epsilon:f momentum:f training_mode:i", "f"},
      {"GroupNormalization", group_normalization, "", 18, 3, 1, "epsilon:f num_groups:i!", "f"},
      {"GroupNormalization", group_normalization, "", 21, 3, 1, "epsilon:f num_groups:i! stash_type:i", "f"},
      {"InstanceNormalization", instance_normalization, "", 1, 3, 1, "consumed_inputs:is epsilon:f", "f"},
      {"InstanceNormalization", instance_normalization, "", 6, 3, 1, "epsilon:f", "f"},
      {"LRN", handlers::lrn, "", 1, 1, 1, "alpha:f beta:f bias:f size:i!", "f"},
      {"LayerNormalization", layer_normalization, "", 1, {2, 3}, {1, 3}, "axis:i epsilon:f stash_type:i", "f"},
      {"LpNormalization", lp_normalization, "", 1, 1, 1, "axis:i p:i", "f"},
      {"MeanVarianceNormalization", mean_variance_normalization, "", 1, 1, 1, "across_channels:i normalize_variance:i",
       "f"},
      {"MeanVarianceNormalization", mean_variance_normalization, "", 9, 1, 1, "axes:is", "f"},
      {"RMSNormalization", rms_normalization, "", 23, 2, 1, "axis:i epsilon:f stash_type:i", "f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
