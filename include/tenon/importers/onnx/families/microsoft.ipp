/// @file microsoft: operators of the domain com.microsoft that exporters and ONNX Runtime's optimizer write.
///
/// Their fused forms are taken apart again: what fits together is for the passes to say.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/importers/onnx/families/activation.ipp>
#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/conv_pool.ipp>
#include <tenon/importers/onnx/families/normalization.ipp>
#include <tenon/importers/onnx/families/quantize.ipp>

namespace tenon::importers::onnx {
namespace handlers {

// -- activations and convolutions -------------------------------------------------------------------------------------

inline void fast_gelu(import_context& cx, const node&) {
  cx.out(gelu_of(cx, cx.has(1) ? cx.add(cx.in(0), cx.in(1)) : cx.in(0), "tanh"));
}
inline void bias_gelu(import_context& cx, const node&) { cx.out(gelu_of(cx, cx.add(cx.in(0), cx.in(1)), "none")); }
inline void quick_gelu(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.mul(x, cx.make(op::sigmoid{}, {cx.mul(x, cx.f("alpha", 1.702f))})));
}

inline value_id fused_activation(import_context& cx, value_id x) {
  const std::string name = cx.s("activation", "");
  const std::vector<float> given = cx.floats("activation_params");
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
  cx.unsupported("FusedConv with the activation '" + name + "'");
}

/// Convolution, plus a fourth operand, then an activation.
inline void fused_conv(import_context& cx, const node&) {
  value_id y = convolution(cx);
  if (cx.has(3)) y = cx.add(y, cx.in(3));
  cx.out(fused_activation(cx, y));
}

// -- normalization ----------------------------------------------------------------------------------------------------

/// Without means: x / sqrt(mean(x^2) + epsilon) * scale.
inline void scaled_by_root_mean_square(import_context& cx, value_id x, value_id scale, i64 axis) {
  const value_id wide = cx.cast(x, stash_type(cx.elem(x)));
  const value_id inverse =
      inverse_root(cx, cx.reduce_mean(cx.square(wide), axes_from(cx, x, axis)), cx.f("epsilon", 1e-5f));
  cx.out(0, cx.mul(cx.cast(cx.mul(wide, inverse), cx.elem(scale)), scale));
  if (cx.current().op_type == "SimplifiedLayerNormalization") return cx.out(1, inverse);
  cx.out(2, inverse);
}
inline void simplified_layer_normalization(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  scaled_by_root_mean_square(cx, x, cx.in(1), cx.axis(cx.i("axis", -1), cx.rank(x)));
}

/// The sum of input, skip and bias is an output of its own.
inline value_id skip_sum(import_context& cx, int bias) {
  value_id sum = cx.add(cx.in(0), cx.in(1));
  if (cx.has(bias)) sum = cx.add(sum, cx.in(bias));
  cx.out(3, sum);
  return sum;
}
inline void skip_simplified_layer_normalization(import_context& cx, const node&) {
  const value_id x = skip_sum(cx, 3);
  scaled_by_root_mean_square(cx, x, cx.in(2), cx.rank(x) - 1);
}
inline void skip_layer_normalization(import_context& cx, const node&) {
  const value_id x = skip_sum(cx, 4);
  const centered c = center(cx, cx.cast(x, stash_type(cx.elem(x))), {cx.rank(x) - 1});
  const value_id inverse = inverse_root(cx, c.variance, cx.f("epsilon", 1e-12f));
  value_id y = cx.mul(cx.cast(cx.mul(c.difference, inverse), cx.elem(x)), cx.in(2));
  if (cx.has(3)) y = cx.add(y, cx.in(3));
  cx.out(0, y);
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

/// Numbers of a few bits that share bytes, the lowest bits first, each in a byte of its own: the last dimension grows.
inline value_id unpacked_bits(import_context& cx, value_id bytes, i64 bits) {
  if (bits == 8) return bytes;
  const int rank = cx.rank(bytes);
  import_context::values parts;
  for (i64 first = 0; first < 8; first += bits) {
    const value_id low =
        first == 0 ? bytes : cx.make(op::shift_right{}, {bytes, cx.scalar(dtype::u8, static_cast<double>(first))});
    const double mask = static_cast<double>((1 << bits) - 1);
    parts.push_back(cx.unsqueeze(cx.make(op::bit_and{}, {low, cx.scalar(dtype::u8, mask)}), {rank}));
  }
  std::vector<i64> shape = cx.type_of(bytes).extents();
  shape.back() *= 8 / bits;
  return cx.reshape(cx.concat(parts, rank), shape);
}

/// A times B', where B[n, blocks, bytes] holds numbers of `bits` bits with a scale and a zero point per block.
inline void matmul_n_bits(import_context& cx, const node&) {
  const i64 k = cx.i("K"), n = cx.i("N"), bits = cx.i("bits", 4), block = cx.i("block_size");
  const value_id a = cx.in(0), b = cx.in(1);
  if ((bits != 2 && bits != 4 && bits != 8) || block < 16 || k < 1 || n < 1) cx.bad("bits or sizes are out of range");
  if (cx.has(4)) cx.unsupported("MatMulNBits with g_idx");
  const i64 blocks = (k + block - 1) / block;
  if (!cx.type_of(b).is_static() || cx.type_of(b).count() != n * blocks * block * bits / 8)
    cx.bad("the packed matrix is not of " + std::to_string(n) + " rows of " + std::to_string(blocks) + " blocks");
  const dtype t = cx.elem(a);
  value_id w = cx.cast(unpacked_bits(cx, cx.reshape(b, {n, blocks, block * bits / 8}), bits), t);
  if (!cx.has(3)) {
    w = cx.add(w, -static_cast<double>(1 << (bits - 1)));
  } else {
    value_id zero = cx.in(3);
    if (cx.elem(zero) == dtype::u8)
      zero = cx.slice(unpacked_bits(cx, cx.reshape(zero, {n, (blocks * bits + 7) / 8}), bits), 1, 0, blocks);
    w = cx.sub(w, cx.cast(cx.reshape(zero, {n, blocks, 1}), t));
  }
  w = cx.reshape(cx.mul(w, cx.cast(cx.reshape(cx.in(2), {n, blocks, 1}), t)), {n, blocks * block});
  const value_id y = cx.matmul(a, cx.transpose(cx.slice(w, 1, 0, k), {1, 0}));
  cx.out(cx.has(5) ? cx.add(y, cx.in(5)) : y);
}

// -- attention --------------------------------------------------------------------------------------------------------

/// Positions are given for each element, or as the first one of the sequence.
inline void microsoft_rotary_embedding(import_context& cx, const node&) {
  const value_id x = cx.in(0), ids = cx.in(1);
  const bool flat = cx.rank(x) == 3;
  if (cx.i("is_packed_batching", 0) != 0) cx.unsupported("RotaryEmbedding of packed batches");
  i64 heads = cx.i("num_heads", 0);
  if (flat && heads == 0) {
    if (!cx.dim(x, 2).is_static() || !cx.dim(cx.in(2), 1).is_static()) cx.unsupported("heads of a size not known");
    heads = cx.dim(x, 2).extent() / (2 * cx.dim(cx.in(2), 1).extent());
  }
  const value_id apart = split_heads(cx, x, heads);
  value_id where = ids;
  if (cx.rank(ids) < 2) where = cx.add(positions(cx, apart, 2), cx.cast(cx.reshape(ids, {1}), dtype::i64));
  const value_id y = rotated_heads(cx, apart, [&](int i, i64 half) {
    const value_id rows = cx.slice(cx.gather(cx.in(i + 1), where, 0), -1, 0, half);
    return cx.rank(ids) < 2 ? rows : cx.unsqueeze(rows, {1});
  });
  cx.out(flat ? join_heads(cx, y) : y);
}

/// softmax(q k' scale + mask + bias) v of operands with heads apart. The mask says which keys count: per batch and key
/// (1: yes), or their number per batch.
inline value_id masked_attention(import_context& cx, value_id q, value_id k, value_id v, value_id mask, value_id bias) {
  const dtype t = cx.elem(q);
  double scale = cx.f("scale", 0.f);
  if (scale == 0) {
    if (!cx.dim(q, 3).is_static()) cx.unsupported("heads of a size that is not known");
    scale = 1 / std::sqrt(static_cast<double>(cx.dim(q, 3).extent()));
  }
  value_id scores = cx.matmul(cx.mul(q, scale), cx.transpose(k, {0, 1, 3, 2}));
  const value_id columns = positions(cx, k, 2), zero = cx.scalar(t, 0);
  if (mask) {
    value_id counts{};
    const int rank = cx.rank(mask);
    if (rank == 1 && cx.dim(mask, 0) == cx.dim(q, 0))
      counts = cx.less(columns, cx.unsqueeze(cx.cast(mask, dtype::i64), {1, 2, 3}));
    else if (rank == 2 || rank == 3)
      counts = cx.cast(cx.unsqueeze(mask, rank == 2 ? std::vector<i64>{1, 2} : std::vector<i64>{1}), dtype::boolean);
    else
      cx.unsupported("an attention mask of this shape");
    scores = cx.add(scores, cx.where(counts, zero, cx.scalar(t, cx.f("mask_filter_value", -10000.f))));
  }
  if (bias) scores = cx.add(scores, bias);
  if (cx.i("unidirectional", 0) != 0) {
    value_id rows = positions(cx, q, 2);
    rows = cx.add(rows, cx.sub(cx.count(k, {2}, dtype::i64), cx.count(q, {2}, dtype::i64)));
    const value_id later = cx.less(cx.unsqueeze(rows, {1}), columns);
    scores = cx.where(later, cx.scalar(t, -std::numeric_limits<double>::infinity()), scores);
  }
  return join_heads(cx, cx.matmul(cx.make(op::softmax{.axis = 3}, {scores}), v));
}

/// One product gives queries, keys and values.
inline void microsoft_attention(import_context& cx, const node&) {
  const i64 heads = cx.i("num_heads");
  if (cx.i("do_rotary", 0) != 0 || cx.has(6)) cx.unsupported("Attention with rotation or a shared past buffer");
  value_id all = cx.matmul(cx.in(0), cx.in(1));
  if (cx.has(2)) all = cx.add(all, cx.in(2));
  std::vector<i64> sizes = cx.integers("qkv_hidden_sizes");
  if (sizes.empty()) {
    if (!cx.dim(all, 2).is_static()) cx.unsupported("Attention of a size that is not known");
    sizes.assign(3, cx.dim(all, 2).extent() / 3);
  }
  if (sizes.size() != 3) cx.bad("qkv_hidden_sizes has not three numbers");
  const auto part = [&](i64 first, i64 size) { return split_heads(cx, cx.slice(all, 2, first, first + size), heads); };
  const value_id q = part(0, sizes[0]);
  value_id k = part(sizes[0], sizes[1]), v = part(sizes[0] + sizes[1], sizes[2]);
  if (cx.has(4)) {
    const auto past = [&](i64 which) { return cx.squeeze(cx.slice(cx.in(4), 0, which, which + 1), {0}); };
    k = cx.concat({past(0), k}, 2);
    v = cx.concat({past(1), v}, 2);
  }
  if (cx.wants(1)) cx.out(1, cx.concat({cx.unsqueeze(k, {0}), cx.unsqueeze(v, {0})}, 0));
  cx.out(0, masked_attention(cx, q, k, v, cx.in_or(3, {}), cx.in_or(5, {})));
}

inline void multi_head_attention(import_context& cx, const node&) {
  const i64 heads = cx.i("num_heads");
  value_id q = cx.in(0);
  if (!cx.has(1) || !cx.has(2) || cx.rank(q) != 3 || cx.rank(cx.in(1)) == 5)
    cx.unsupported("MultiHeadAttention of packed operands");
  if (cx.has(8)) cx.unsupported("MultiHeadAttention with a shared past buffer");
  value_id k = cx.in(1), v = cx.in(2);
  if (cx.has(3)) {
    const value_id bias = cx.in(3);
    const ir::dim a = cx.dim(q, 2), all = cx.dim(bias, 0);
    if (!a.is_static() || !all.is_static()) cx.unsupported("MultiHeadAttention of a size that is not known");
    q = cx.add(q, cx.slice(bias, 0, 0, a.extent()));
    if (cx.rank(k) == 3) k = cx.add(k, cx.slice(bias, 0, a.extent(), 2 * a.extent()));
    if (cx.rank(v) == 3) v = cx.add(v, cx.slice(bias, 0, 2 * a.extent(), all.extent()));
  }
  k = split_heads(cx, k, heads);
  v = split_heads(cx, v, heads);
  if (cx.has(6)) k = cx.concat({cx.in(6), k}, 2);
  if (cx.has(7)) v = cx.concat({cx.in(7), v}, 2);
  cx.out(1, k);
  cx.out(2, v);
  cx.out(0, masked_attention(cx, split_heads(cx, q, heads), k, v, cx.in_or(4, {}), cx.in_or(5, {})));
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

inline void qlinear_add(import_context& cx, const node&) {
  cx.out(requantized(cx, cx.add(dequantized(cx, 0), dequantized(cx, 3)), 6, cx.elem(cx.in(0))));
}
inline void qlinear_mul(import_context& cx, const node&) {
  cx.out(requantized(cx, cx.mul(dequantized(cx, 0), dequantized(cx, 3)), 6, cx.elem(cx.in(0))));
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
  value_id x = dequantized(cx, 0);
  const bool last = cx.i("channels_last", 0) != 0;
  const int rank = cx.rank(x);
  std::vector<i64> first{0, rank - 1}, back{0};
  for (i64 d = 1; d + 1 < rank; ++d) first.push_back(d), back.push_back(d + 1);
  back.push_back(1);
  const value_id y = averaged(cx, last ? cx.transpose(x, first) : x);
  cx.out(requantized(cx, last ? cx.transpose(y, back) : y, 3, cx.elem(cx.in(0))));
}
inline void qlinear_softmax(import_context& cx, const node&) {
  const value_id x = dequantized(cx, 0);
  const i64 axis = cx.axis(cx.i("axis", -1), cx.rank(x));
  if (cx.i("opset") >= 13) return cx.out(requantized(cx, cx.make(op::softmax{.axis = axis}, {x}), 3, cx.elem(cx.in(0))));
  const value_id rows = cx.make(op::softmax{.axis = 1}, {cx.flatten(x, axis)});  // all dimensions from `axis` on are one
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
    const value_id x = shifted(cx, cx.in(i), matrix_zero_point(cx, i + 2, false));
    return swap ? cx.transpose(x, {1, 0}) : x;
  };
  const bool swapped = cx.i("transB", 0) != 0;
  if (swapped && cx.rank(cx.in(5)) == 1 && cx.dim(cx.in(5), 0) != ir::dim(1))
    cx.unsupported("QGemm with transB and a zero point for each column");
  value_id sum = cx.matmul(operand(0, cx.i("transA", 0) != 0), operand(3, swapped));
  if (cx.has(6)) sum = cx.add(sum, cx.in(6));
  const value_id scale = cx.mul(matrix_scale(cx, 1, false), matrix_scale(cx, 4, false));
  const value_id y = cx.mul(cx.mul(cx.cast(sum, dtype::f32), scale), double{cx.f("alpha", 1.f)});
  cx.out(cx.has(7) ? requantized(cx, y, 7, cx.elem(cx.in(0))) : y);
}

/// An integer product as f32: scales, zero points and bias are the inputs with these numbers.
inline value_id scaled_product(import_context& cx, value_id a, value_id a_scale, value_id a_zero, int b_scale,
                               int b_zero, int bias) {
  const value_id sum = cx.matmul(shifted(cx, a, a_zero), shifted(cx, cx.in(1), matrix_zero_point(cx, b_zero, false)));
  const value_id y = cx.mul(cx.cast(sum, dtype::f32), cx.mul(a_scale, matrix_scale(cx, b_scale, false)));
  return cx.has(bias) ? cx.add(y, cx.in(bias)) : y;
}
inline void dynamic_quantize_matmul(import_context& cx, const node&) {
  const import_context::values a = dynamically_quantized(cx, cx.in(0));
  cx.out(scaled_product(cx, a[0], a[1], a[2], 2, 3, 4));
}
inline void matmul_integer_to_float(import_context& cx, const node&) {
  cx.out(scaled_product(cx, cx.in(0), matrix_scale(cx, 2, true), matrix_zero_point(cx, 4, true), 3, 5, 6));
}

}  // namespace handlers

TENON_INLINE std::span<const registered_operator> families::microsoft() {
  using namespace handlers;
  static constexpr std::string_view ms = "com.microsoft";
  static constexpr registered_operator table[] = {
      {"Attention", microsoft_attention, ms},
      {"BiasGelu", bias_gelu, ms},
      {"DequantizeLinear", dequantize_linear, ms},
      {"DynamicQuantizeMatMul", dynamic_quantize_matmul, ms},
      {"FastGelu", fast_gelu, ms},
      {"FusedConv", fused_conv, ms},
      {"FusedMatMul", fused_matmul, ms},
      {"LayerNormalization", layer_normalization, ms},
      {"MatMulIntegerToFloat", matmul_integer_to_float, ms},
      {"MatMulNBits", matmul_n_bits, ms},
      {"MultiHeadAttention", multi_head_attention, ms},
      {"QGemm", q_gemm, ms},
      {"QLinearAdd", qlinear_add, ms},
      {"QLinearAveragePool", qlinear_average_pool, ms},
      {"QLinearConcat", qlinear_concat, ms},
      {"QLinearGlobalAveragePool", qlinear_global_average_pool, ms},
      {"QLinearLeakyRelu", qlinear_leaky_relu, ms},
      {"QLinearMul", qlinear_mul, ms},
      {"QLinearReduceMean", qlinear_reduce_mean, ms},
      {"QLinearSigmoid", qlinear_sigmoid, ms},
      {"QLinearSoftmax", qlinear_softmax, ms},
      {"QLinearWhere", qlinear_where, ms},
      {"QuantizeLinear", quantize_linear, ms},
      {"QuickGelu", quick_gelu, ms},
      {"RotaryEmbedding", microsoft_rotary_embedding, ms},
      // ONNX Runtime has this one in the default domain, too.
      {"SimplifiedLayerNormalization", simplified_layer_normalization},
      {"SimplifiedLayerNormalization", simplified_layer_normalization, ms},
      {"SkipLayerNormalization", skip_layer_normalization, ms},
      {"SkipSimplifiedLayerNormalization", skip_simplified_layer_normalization, ms},
      {"TransposeMatMul", fused_matmul, ms},
  };
  return table;
}

}  // namespace tenon::importers::onnx
