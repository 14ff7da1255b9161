/// @file microsoft: operators of the domain com.microsoft that exporters and ONNX Runtime's optimizer write.
///
/// Their fused forms are taken apart again: what fits together is for the passes to say.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/importers/onnx/families/activation.ipp>
#include <tenon/importers/onnx/families/conv_pool.ipp>
#include <tenon/importers/onnx/families/image.ipp>
#include <tenon/importers/onnx/families/matmul.ipp>
#include <tenon/importers/onnx/families/movement.ipp>
#include <tenon/importers/onnx/families/normalization.ipp>
#include <tenon/importers/onnx/families/quantize.ipp>
#include <tenon/importers/onnx/families/shape.ipp>

namespace tenon::importers::onnx {
namespace handlers {

// -- activations and convolutions -------------------------------------------------------------------------------------

inline void fast_gelu(import_context& cx, const node&) {
  cx.out(gelu_of(cx, cx.has(1) ? cx.add(cx.in(0), cx.in(1)) : cx.in(0), "tanh"));
}
inline void bias_gelu(import_context& cx, const node&) { cx.out(gelu_of(cx, cx.add(cx.in(0), cx.in(1)), "none")); }
inline void quick_gelu(import_context& cx, const node&) {
  cx.out(rounded_once(
      cx, cx.in(0), [&](value_id x) { return cx.mul(x, cx.make(op::sigmoid{}, {cx.mul(x, cx.f("alpha", 1.702f))})); }));
}

inline value_id fused_activation(import_context& cx, value_id x) {
  const std::string name = cx.s("activation", "");
  std::vector<float> given = cx.floats("activation_params");
  for (const char* one : {"activation_alpha", "activation_beta"})
    if (cx.has_attribute(one)) given.push_back(cx.f(one));
  const auto parameter = [&](size_t k, double otherwise) { return k < given.size() ? double{given[k]} : otherwise; };
  if (name.empty()) return x;
  if (name == "Relu") return cx.maximum(x, 0.);
  if (name == "Sigmoid") return cx.make(op::sigmoid{}, {x});
  if (name == "Tanh") return cx.make(op::tanh{}, {x});
  if (name == "LeakyRelu")
    return cx.where(cx.less(x, cx.like(x, 0)), cx.mul(x, parameter(0, static_cast<double>(0.01f))), x);
  if (name == "Clip" && given.size() == 2) return cx.minimum(cx.maximum(x, double{given[0]}), double{given[1]});
  if (name == "HardSigmoid")
    return clamp_to_unit(cx, cx.add(cx.mul(x, parameter(0, static_cast<double>(0.2f))), parameter(1, 0.5)));
  cx.unsupported("the activation '" + name + "'");
}

/// Convolution, plus a fourth operand, then an activation.
inline void fused_conv(import_context& cx, const node&) {
  value_id y = convolution(cx, cx.in(0), cx.in(1));
  if (cx.has(3)) y = cx.add(y, cx.in(3));
  cx.out(fused_activation(cx, y));
}

// -- normalization ----------------------------------------------------------------------------------------------------

/// Without means: x / sqrt(mean(x^2) + epsilon) * scale, rounded once.
inline void scaled_by_root_mean_square(import_context& cx, value_id x, value_id scale, i64 axis) {
  const value_id wide = cx.cast(x, stash_type(cx.elem(x)));
  const value_id inverse =
      inverse_root(cx, cx.reduce_mean(cx.square(wide), axes_from(cx, x, axis)), cx.f("epsilon", 1e-5f));
  cx.out(0, cx.cast(cx.mul(cx.mul(wide, inverse), cx.cast(scale, cx.elem(wide))), cx.elem(scale)));
  if (cx.current().op_type == "SimplifiedLayerNormalization") return cx.out(1, inverse);
  cx.out(2, inverse);
}
inline void simplified_layer_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  scaled_by_root_mean_square(cx, x, cx.in(1), cx.axis(cx.i("axis", -1), cx.rank(x)));
}

/// The sum of input, skip and bias is an output of its own; what is returned is not yet rounded to its type.
inline value_id skip_sum(import_context& cx, int bias) {
  const dtype t = cx.elem(cx.in(0));
  const auto wide = [&](int i) { return cx.cast(cx.in(i), compute_type(t)); };
  value_id sum = cx.add(wide(0), wide(1));
  if (cx.has(bias)) sum = cx.add(sum, wide(bias));
  cx.out(3, cx.cast(sum, t));
  return sum;
}
inline void skip_simplified_layer_normalization(import_context& cx, const node&) {
  const value_id x = skip_sum(cx, 3);
  scaled_by_root_mean_square(cx, x, cx.in(2), cx.rank(x) - 1);
}
inline void skip_layer_normalization(import_context& cx, const node&) {
  const value_id x = skip_sum(cx, 4);
  const centered c = center(cx, x, {cx.rank(x) - 1});
  const value_id inverse = inverse_root(cx, c.variance, cx.f("epsilon", 1e-12f));
  const auto wide = [&](int i) { return cx.cast(cx.in(i), cx.elem(x)); };
  value_id y = cx.mul(cx.mul(c.difference, inverse), wide(2));
  if (cx.has(3)) y = cx.add(y, wide(3));
  cx.out(0, cx.cast(y, cx.elem(cx.in(0))));
  cx.out(1, c.mean);
  cx.out(2, inverse);
}

// -- products ---------------------------------------------------------------------------------------------------------

/// Batch transposition brings the first dimension before the last one; the plain one then exchanges the last two.
inline value_id fused_operand(import_context& cx, int i, bool batch, bool plain) {
  value_id x = cx.in(i);
  const i64 rank = cx.rank(x);
  if (rank < 2) return x;
  std::vector<i64> order;
  for (i64 d = 0; d < rank; ++d) order.push_back(d);
  if (batch) std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
  if (plain) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return batch || plain ? cx.transpose(x, order) : x;
}
inline void fused_matmul(import_context& cx, const node&) {
  const value_id y = cx.matmul(fused_operand(cx, 0, cx.i("transBatchA", 0) != 0, cx.i("transA", 0) != 0),
                               fused_operand(cx, 1, cx.i("transBatchB", 0) != 0, cx.i("transB", 0) != 0));
  const float alpha = cx.f("alpha", 1.f);
  cx.out(alpha == 1.f ? y : cx.mul(y, alpha));
}

inline value_id channels_first(import_context& cx, value_id x) {
  const int rank = cx.rank(x);
  if (rank < 3) cx.bad("an image or a kernel has at least 3 dimensions");
  std::vector<i64> order{0, rank - 1};
  for (i64 d = 1; d + 1 < rank; ++d) order.push_back(d);
  return cx.transpose(x, order);
}
/// Channels last: the operator of the default domain, between transpositions of its image.
template <class F> value_id with_channels_last(import_context& cx, value_id x, F&& f) {
  std::vector<i64> back{0};
  const value_id y = f(channels_first(cx, x));
  for (i64 d = 2; d < cx.rank(x); ++d) back.push_back(d);
  back.push_back(1);
  return cx.transpose(y, back);
}

// -- quantized --------------------------------------------------------------------------------------------------------

/// An operand with its scale and zero point behind it, as f32.
inline value_id dequantized(import_context& cx, int i) {
  const value_id x = shifted(cx, cx.in(i), cx.in_or(i + 2, {}));
  return cx.mul(cx.cast(x, dtype::f32), cx.cast(cx.reshape(cx.in(i + 1), {}), dtype::f32));
}
inline value_id requantized(import_context& cx, value_id y, int scale, dtype otherwise) {
  const value_id zero = cx.has(scale + 1) ? cx.reshape(cx.in(scale + 1), {}) : value_id{};
  return saturated(cx, cx.div(y, cx.reshape(cx.in(scale), {})), zero, zero ? cx.elem(zero) : otherwise);
}
/// round(units + zero point), where `units` is in units of the result's scale. ONNX Runtime rounds so in sums, products
/// and windows: with an odd zero point, halves go to the other side than in QuantizeLinear.
inline value_id rounded_last(import_context& cx, value_id units, int zero_point, dtype otherwise) {
  if (!cx.has(zero_point)) return saturated(cx, units, {}, otherwise);
  const value_id zero = cx.reshape(cx.in(zero_point), {});
  return saturated(cx, cx.add(units, cx.cast(zero, dtype::f32)), {}, cx.elem(zero));
}

/// The scales are divided first, as ONNX Runtime does, so that a ratio of 1/2 is exact and halves are halves.
inline void qlinear_add(import_context& cx, const node&) {
  const auto scale = [&](int i) { return cx.reshape(cx.in(i), {}); };
  const auto term = [&](int i) {
    const value_id x = cx.cast(shifted(cx, cx.in(i), cx.in_or(i + 2, {})), dtype::f32);
    return cx.mul(x, cx.div(scale(i + 1), scale(6)));
  };
  cx.out(rounded_last(cx, cx.add(term(0), term(3)), 7, cx.elem(cx.in(0))));
}
inline void qlinear_mul(import_context& cx, const node&) {
  const auto scale = [&](int i) { return cx.reshape(cx.in(i), {}); };
  const auto factor = [&](int i) { return shifted(cx, cx.in(i), cx.in_or(i + 2, {})); };
  const value_id product = cx.cast(cx.mul(factor(0), factor(3)), dtype::f32);
  const value_id ratio = cx.div(cx.mul(scale(1), scale(4)), scale(6));
  cx.out(rounded_last(cx, cx.mul(product, ratio), 7, cx.elem(cx.in(0))));
}
inline void qlinear_sigmoid(import_context& cx, const node&) {
  cx.out(requantized(cx, cx.make(op::sigmoid{}, {dequantized(cx, 0)}), 3, cx.elem(cx.in(0))));
}
inline void qlinear_leaky_relu(import_context& cx, const node&) {
  const value_id x = dequantized(cx, 0);
  const value_id y = cx.where(cx.less(x, cx.like(x, 0)), cx.mul(x, cx.f("alpha", 0.01f)), x);
  cx.out(requantized(cx, y, 3, cx.elem(cx.in(0))));
}
inline void qlinear_global_average_pool(import_context& cx, const node&) {
  const value_id x = dequantized(cx, 0);
  std::vector<i64> axes = spatial_axes(cx, x);
  if (cx.i("channels_last", 0) != 0)
    for (i64& a : axes) --a;
  cx.out(requantized(cx, cx.reduce_mean(x, axes), 3, cx.elem(cx.in(0))));
}
/// The result's scale and zero point come first, then three inputs for each part.
inline void qlinear_concat(import_context& cx, const node&) {
  import_context::values parts;
  for (int i = 2; i + 1 < cx.input_count(); i += 3) parts.push_back(dequantized(cx, i));
  if (parts.empty()) cx.bad("there is nothing to join");
  cx.out(requantized(cx, cx.concat(parts, cx.axis(cx.i("axis"), cx.rank(parts[0]))), 0, cx.elem(cx.in(2))));
}

inline void qlinear_average_pool(import_context& cx, const node&) {
  const value_id x = dequantized(cx, 0);
  const bool last = cx.i("channels_last", 0) != 0;
  const auto pool = [&](value_id image) { return averaged(cx, image); };
  const value_id y = last ? with_channels_last(cx, x, pool) : pool(x);
  cx.out(rounded_last(cx, cx.div(y, cx.reshape(cx.in(3), {})), 4, cx.elem(cx.in(0))));
}
inline void qlinear_softmax(import_context& cx, const node&) {
  const value_id x = dequantized(cx, 0);
  const i64 axis = cx.axis(cx.i("axis", -1), cx.rank(x));
  if (cx.i("opset") >= 13)
    return cx.out(requantized(cx, cx.make(op::softmax{.axis = axis}, {x}), 3, cx.elem(cx.in(0))));
  const value_id rows =
      cx.make(op::softmax{.axis = 1}, {cx.flatten(x, axis)});  // all dimensions from `axis` on are one
  cx.out(requantized(cx, cx.make(op::reshape{}, {rows, cx.shape_of(x)}), 3, cx.elem(cx.in(0))));
}
inline void qlinear_reduce_mean(import_context& cx, const node&) {
  const value_id x = dequantized(cx, 0);
  std::vector<i64> axes = cx.integers("axes");
  for (i64& a : axes) a = cx.axis(a, cx.rank(x));
  for (i64 d = 0; axes.empty() && d < cx.rank(x); ++d) axes.push_back(d);
  cx.out(requantized(cx, cx.reduce_mean(x, axes, cx.i("keepdims", 1) != 0), 3, cx.elem(cx.in(0))));
}
inline void qlinear_where(import_context& cx, const node&) {
  const auto real = [&](int i) {  // the zero point comes after the scale, all three in a row
    const value_id x = shifted(cx, cx.in(i), cx.reshape(cx.in(i + 2), {}));
    return cx.mul(cx.cast(x, dtype::f32), cx.reshape(cx.in(i + 1), {}));
  };
  cx.out(requantized(cx, cx.where(cx.in(0), real(1), real(4)), 7, cx.elem(cx.in(1))));
}
/// alpha · a · b + c, where c is i32 in units of alpha · scale of a · scale of b. Without the result's scale it is f32.
inline void q_gemm(import_context& cx, const node&) {
  const auto operand = [&](int i, bool swap) {
    const value_id x = shifted(cx, cx.in(i), matrix_zero_point(cx, i + 2, cx.in(i), false));
    return swap ? cx.transpose(x, {1, 0}) : x;
  };
  const bool swapped = cx.i("transB", 0) != 0;
  if (swapped && cx.rank(cx.in(5)) == 1 && cx.dim(cx.in(5), 0) != ir::dim(1))
    cx.unsupported("QGemm with transB and a zero point for each column");
  value_id sum = cx.matmul(operand(0, cx.i("transA", 0) != 0), operand(3, swapped));
  if (cx.has(6)) sum = cx.add(sum, cx.in(6));
  const value_id scale = cx.mul(matrix_scale(cx, 1, sum, false), matrix_scale(cx, 4, sum, false));
  const value_id y = cx.mul(cx.mul(cx.cast(sum, dtype::f32), scale), double{cx.f("alpha", 1.f)});
  cx.out(cx.has(7) ? requantized(cx, y, 7, cx.elem(cx.in(0))) : y);
}

/// An integer product as f32: scales, zero points and bias are the inputs with these numbers.
inline value_id scaled_product(import_context& cx, value_id a, value_id a_scale, value_id a_zero, int b_scale,
                               int b_zero, int bias) {
  const value_id b = cx.in(1),
                 sum = cx.matmul(shifted(cx, a, a_zero), shifted(cx, b, matrix_zero_point(cx, b_zero, b, false)));
  const value_id y = cx.mul(cx.cast(sum, dtype::f32), cx.mul(a_scale, matrix_scale(cx, b_scale, b, false)));
  return cx.has(bias) ? cx.add(y, cx.in(bias)) : y;
}
inline void dynamic_quantize_matmul(import_context& cx, const node&) {
  const import_context::values a = dynamically_quantized(cx, cx.in(0));
  cx.out(scaled_product(cx, a[0], a[1], a[2], 2, 3, 4));
}
inline void matmul_integer_to_float(import_context& cx, const node&) {
  const value_id a = cx.in(0);
  cx.out(scaled_product(cx, a, matrix_scale(cx, 2, a, true), matrix_zero_point(cx, 4, a, true), 3, 5, 6));
}

// -- more products and sums -------------------------------------------------------------------------------------------

inline void gemm_fast_gelu(import_context& cx, const node&) {
  const value_id y = cx.matmul(cx.in(0), cx.in(1));
  cx.out(gelu_of(cx, cx.has(2) ? cx.add(y, cx.in(2)) : y, "tanh"));
}
inline void fused_gemm(import_context& cx, const node&) { cx.out(fused_activation(cx, gemm_of(cx))); }
inline void bias_add(import_context& cx, const node&) { cx.out(cx.add(cx.add(cx.in(0), cx.in(1)), cx.in(2))); }
/// One half times the gate that the other half is.
inline void bias_split_gelu(import_context& cx, const node&) {
  const value_id x = cx.add(cx.in(0), cx.in(1));
  const ir::dim size = cx.dim(x, -1);
  if (!size.is_static()) cx.unsupported("halves of a size that is not known");
  const i64 half = size.extent() / 2, axis = cx.rank(x) - 1;
  cx.out(cx.mul(cx.slice(x, axis, 0, half), gelu_of(cx, cx.slice(x, axis, half, 2 * half), "none")));
}
/// Distances between the rows of two matrices.
inline void cdist(import_context& cx, const node&) {
  const value_id difference = cx.sub(cx.unsqueeze(cx.in(0), {1}), cx.unsqueeze(cx.in(1), {0}));
  const value_id squares = cx.reduce_sum(cx.square(difference), {2}, false);
  const std::string metric = cx.s("metric", "sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean") cx.bad("metric is '" + metric + "'");
  cx.out(metric == "euclidean" ? cx.make(op::sqrt{}, {squares}) : squares);
}
inline void nhwc_max_pool(import_context& cx, const node&) {
  cx.out(with_channels_last(cx, cx.in(0), [&](value_id x) {
    const window_lists l = pool_window(cx, x);
    return cx.make_all(op::max_pool{.kernel = l.kernel,
                                    .strides = l.strides,
                                    .dilations = l.dilations,
                                    .pads = l.pads,
                                    .ceil_mode = cx.i("ceil_mode", 0) != 0},
                       {x})[0];
  }));
}
/// Its kernels have their channels last, too; those of NhwcFusedConv have them where Conv's have.
inline void nhwc_conv(import_context& cx, const node&) {
  cx.out(
      with_channels_last(cx, cx.in(0), [&](value_id x) { return convolution(cx, x, channels_first(cx, cx.in(1))); }));
}
inline void nhwc_fused_conv(import_context& cx, const node&) {
  value_id y = with_channels_last(cx, cx.in(0), [&](value_id x) { return convolution(cx, x, cx.in(1)); });
  if (cx.has(3)) y = cx.add(y, cx.in(3));
  cx.out(fused_activation(cx, y));
}
/// Pads are the third input's.
inline void conv_transpose_with_dynamic_pads(import_context& cx, const node&) {
  const value_id bias = cx.in_or(3, {});
  cx.out(cx.has(2) ? transposed(cx, bias, cx.in_integers(2)) : transposed(cx, bias));
}

inline void microsoft_qlinear_conv(import_context& cx, const node&) {
  if (cx.i("channels_last", 0) == 0) return cx.out(qlinear_conv_of(cx, cx.in(0)));
  cx.out(with_channels_last(cx, cx.in(0), [&](value_id x) { return qlinear_conv_of(cx, x); }));
}

inline void expand_dims(import_context& cx, const node&) {
  const std::vector<i64> axis = cx.in_integers(1);
  cx.out(cx.unsqueeze(cx.in(0), axis));
}

}  // namespace handlers

std::span<const registered_operator> families::microsoft() {
  using namespace handlers;
  static constexpr std::string_view ms = "com.microsoft";
  static constexpr registered_operator table[] = {
      {"BiasAdd", bias_add, ms, 1, 3, 1, "", "f"},
      {"BiasGelu", bias_gelu, ms, 1, 2, 1, "", "f"},
      {"BiasSplitGelu", bias_split_gelu, ms, 1, 2, 1, "", "f"},
      {"CDist", cdist, ms, 1, 2, 1, "metric:s", "f"},
      {"ConvTransposeWithDynamicPads",
       conv_transpose_with_dynamic_pads,
       ms,
       1,
       {2, 4},
       1,
       "auto_pad:s dilations:is group:i kernel_shape:is output_padding:is strides:is",
       "f f i f"},
      {"DequantizeLinear", dequantize_linear, ms, 1, {2, 3}, 1, "axis:i", "fi f fi"},
      {"DynamicQuantizeMatMul", dynamic_quantize_matmul, ms, 1, {3, 5}, 1, "", "f i f i f"},
      {"ExpandDims", expand_dims, ms, 1, 2, 1, "", "* i"},
      {"FastGelu", fast_gelu, ms, 1, {1, 2}, 1, "", "f"},
      {"FusedConv",
       fused_conv,
       ms,
       1,
       {2, 4},
       1,
       "activation:s activation_params:fs auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is",
       "f"},
      {"FusedGemm",
       fused_gemm,
       ms,
       1,
       {2, 3},
       1,
       "activation:s activation_alpha:f activation_beta:f activation_gamma:f alpha:f beta:f transA:i "
       "transB:i",
       "fi"},
      {"FusedMatMul", fused_matmul, ms, 1, 2, 1, "alpha:f transA:i transB:i transBatchA:i transBatchB:i", "f"},
      {"GemmFastGelu", gemm_fast_gelu, ms, 1, {2, 3}, 1, "", "f"},
      {"GridSample", grid_sample, ms, 1, 2, 1, "align_corners:i mode:s padding_mode:s", "* f"},
      {"LayerNormalization", layer_normalization, ms, 1, {2, 3}, {1, 3}, "axis:i epsilon:f stash_type:i", "f"},
      {"MatMulIntegerToFloat", matmul_integer_to_float, ms, 1, {4, 7}, 1, "", "i i f f i i f"},
      {"NhwcConv",
       nhwc_conv,
       ms,
       1,
       {2, 3},
       1,
       "auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is",
       "f"},
      {"NhwcFusedConv",
       nhwc_fused_conv,
       ms,
       1,
       {2, 4},
       1,
       "activation:s activation_params:fs auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is",
       "f"},
      {"NhwcMaxPool", nhwc_max_pool, ms, 1, 1, 1,
       "auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is strides:is", "fi"},
      {"QGemm", q_gemm, ms, 1, {6, 9}, 1, "alpha:f transA:i transB:i", "i f i i f i i f i"},
      {"QLinearAdd", qlinear_add, ms, 1, {7, 8}, 1, "", "i f i i f i f i"},
      {"QLinearAveragePool",
       qlinear_average_pool,
       ms,
       1,
       {4, 5},
       1,
       "auto_pad:s ceil_mode:i channels_last:i count_include_pad:i kernel_shape:is! pads:is strides:is",
       "i f i f i"},
      {"QLinearConcat", qlinear_concat, ms, 1, {3, arity::any}, 1, "axis:i!", "f i *"},
      {"QLinearConv",
       microsoft_qlinear_conv,
       ms,
       1,
       {8, 9},
       1,
       "auto_pad:s channels_last:i dilations:is group:i kernel_shape:is pads:is strides:is",
       "i f i i f i f i"},
      {"QLinearGlobalAveragePool", qlinear_global_average_pool, ms, 1, {4, 5}, 1, "channels_last:i", "i f i f i"},
      {"QLinearLeakyRelu", qlinear_leaky_relu, ms, 1, {4, 5}, 1, "alpha:f", "i f i f i"},
      {"QLinearMul", qlinear_mul, ms, 1, {7, 8}, 1, "", "i f i i f i f i"},
      {"QLinearReduceMean", qlinear_reduce_mean, ms, 1, {4, 5}, 1, "axes:is! keepdims:i!", "i f i f i"},
      {"QLinearSigmoid", qlinear_sigmoid, ms, 1, {4, 5}, 1, "", "i f i f i"},
      {"QLinearSoftmax", qlinear_softmax, ms, 1, {4, 5}, 1, "axis:i opset:i!", "i f i f i"},
      {"QLinearWhere", qlinear_where, ms, 1, 9, 1, "", "b i f i i f i f i"},
      {"QuantizeLinear", quantize_linear, ms, 1, {2, 3}, 1, "axis:i", "f f fi"},
      {"QuickGelu", quick_gelu, ms, 1, 1, 1, "alpha:f", "f"},
      {"Range", handlers::range, ms, 1, 3, 1, "", "fi"},
      // ONNX Runtime has this one in the default domain, too.
      {"SimplifiedLayerNormalization",
       simplified_layer_normalization,
       "",
       1,
       2,
       {1, 2},
       "axis:i epsilon:f stash_type:i",
       "f"},
      {"SimplifiedLayerNormalization",
       simplified_layer_normalization,
       ms,
       1,
       2,
       {1, 2},
       "axis:i epsilon:f stash_type:i",
       "f"},
      {"SkipLayerNormalization", skip_layer_normalization, ms, 1, {3, 5}, {1, 4}, "epsilon:f", "f"},
      {"SkipSimplifiedLayerNormalization",
       skip_simplified_layer_normalization,
       ms,
       1,
       {3, 4},
       {1, 4},
       "epsilon:f",
       "f"},
      {"TransposeMatMul", fused_matmul, ms, 1, 2, 1, "alpha:f transA:i transB:i", "f"},
      {"Trilu", handlers::trilu, ms, 1, {1, 2}, 1, "upper:i", "* i"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
