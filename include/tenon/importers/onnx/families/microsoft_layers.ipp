/// @file microsoft_layers: com.microsoft's layers whose weights are kept in bytes or less, and normalization in groups;
/// and the table of these, of layers of experts (microsoft_experts) and of what moves elements (microsoft_tensors).
#pragma once

#include <limits>

#include <tenon/importers/onnx/families/indexing.ipp>
#include <tenon/importers/onnx/families/microsoft.ipp>
#include <tenon/importers/onnx/families/microsoft_attention.ipp>
#include <tenon/importers/onnx/families/microsoft_experts.ipp>
#include <tenon/importers/onnx/families/microsoft_states.ipp>
#include <tenon/importers/onnx/families/microsoft_tensors.ipp>
#include <tenon/importers/onnx/families/microsoft_weights.ipp>
#include <tenon/importers/onnx/families/recurrent.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// Rows of a table of few bits, with a scale and a zero point for each block along another axis, or the same. Only what
/// is taken is computed as floats.
inline void gather_block_quantized(import_context& cx, const node&) {
  const value_id table = cx.in(0), at = cx.in(1);
  const int rank = cx.rank(table);
  const i64 bits = cx.i("bits", 4), block = cx.i("block_size", 128);
  const i64 from = cx.axis(cx.i("gather_axis", 0), rank), by = cx.axis(cx.i("quantize_axis", 1), rank);
  const bool bytes = cx.elem(table) == dtype::u8, packed = bytes && bits == 4, along = from == by;
  if ((bits != 4 && bits != 8) || block < 1 || (packed && by + 1 != rank))
    cx.bad("bits, block_size or axes are not those of a table in blocks");
  if (!cx.dim(table, static_cast<int>(by)).is_static()) cx.unsupported("blocks of a size that is not known");
  const i64 size = checked_mul(cx.dim(table, static_cast<int>(by)).extent(), packed ? 2 : 1);
  const i64 blocks = checked_add(size, block - 1) / block;
  const auto taken = [&](value_id v) { return cx.gather(v, at, from); };
  // Which block each number that is taken belongs to, and where blocks stand side by side.
  value_id block_of;
  i64 axis = by;
  if (along) {
    const auto number = [&](i64 v) { return cx.like(at, static_cast<double>(v)); };
    block_of = cx.div(cx.where(cx.less(at, number(0)), cx.add(at, number(size)), at), number(block));
  } else {
    if (by > from) axis = by + cx.rank(at) - 1;
    cx.require_room(dtype::i64, {size});
    std::vector<i64> list(static_cast<size_t>(size));
    for (i64 k = 0; k < size; ++k) list[static_cast<size_t>(k)] = k / block;
    block_of = cx.list(list);
  }
  const auto rows = [&](value_id v) { return along ? v : taken(v); };
  const auto spread_out = [&](value_id v) { return cx.gather(v, block_of, axis); };
  const auto numbers = [&](value_id v) { return numbers_in_bytes(cx, v, packed ? 4 : 8); };

  const value_id x = along ? taken(numbers(table)) : numbers(taken(table));
  import_context::values operands{x, cx.cast(spread_out(rows(cx.in(2))), dtype::f32)};
  if (cx.has(3)) {
    const value_id zero = rows(cx.in(3));
    operands.push_back(spread_out(packed ? cx.slice(numbers(zero), axis, 0, blocks) : zero));
  } else if (bytes) {
    operands.push_back(cx.like(x, static_cast<double>(i64{1} << (bits - 1))));
  }
  cx.out(cx.cast(cx.make(op::dequantize{}, operands), cx.elem(cx.in(2))));
}

/// Tables, scale and shift are bytes; their scales begin with input 8, their zero points with input 13.
inline void q_embed_layer_normalization(import_context& cx, const node&) {
  embed_normalized(cx,
                   [&](int i, value_id v) {
                     return cx.make(op::dequantize{}, {v, cx.reshape(cx.in(i + 6), {}), cx.reshape(cx.in(i + 11), {})});
                   },
                   {});
}

/// The products are those of the weights' real values, more exact than with inputs in bytes.
inline void dynamic_quantize_lstm(import_context& cx, const node&) {
  const auto real = [](import_context& of,
                       int i) {  // [directions, from, gates * hidden], a scale per direction and perhaps per column
    const auto beside = [&](int k) {
      const value_id v = of.in(k);
      return of.unsqueeze(v, of.rank(v) == 2 ? std::vector<i64>{1} : std::vector<i64>{1, 2});
    };
    const int scale = 6 + 2 * i;
    return of.make(op::dequantize{}, {of.in(i), beside(scale), beside(scale + 1)});
  };
  run_recurrence(cx, {.cell = op::recurrent_cell::lstm, .coupled = cx.i("input_forget", 0) != 0}, real);
}

/// Mean and variance of groups of channels, which are last unless said otherwise; then an activation.
inline value_id normalized_groups(import_context& cx, value_id image) {
  const i64 groups = cx.i("groups");
  const auto normal = [&](value_id x) {
    const ir::dim channels = cx.dim(x, 1);
    if (groups < 1 || !cx.require_multiple(channels, groups))
      cx.bad("the channels do not divide into " + std::to_string(groups) + " groups");
    const dtype t = stash_type(cx.elem(x));
    const centered c = center(cx, cx.reshape(cx.cast(x, t), {0, groups, -1}), {2});
    const value_id flat = cx.mul(c.difference, inverse_root(cx, c.variance, cx.f("epsilon", 1e-5f)));
    const value_id y = cx.make(op::reshape{.shape = {}, .allow_zero = true}, {flat, cx.shape_of(x)});
    const auto parameter = [&](int i) { return per_channel(cx, cx.cast(cx.in(i), t), cx.rank(x), channels); };
    const value_id z = cx.add(cx.mul(y, parameter(1)), parameter(2));
    return cx.cast(cx.i("activation", 0) == 0 ? z : cx.mul(z, cx.make(op::sigmoid{}, {z})), cx.elem(x));
  };
  return cx.i("channels_last", 1) != 0 ? with_channels_last(cx, image, normal) : normal(image);
}
inline void group_norm(import_context& cx, const node&) { cx.out(normalized_groups(cx, cx.in(0))); }
inline void skip_group_norm(import_context& cx, const node&) {
  const bool last = cx.i("channels_last", 1) != 0;
  const auto beside = [&](int i) {  // an image, or a number for each channel of one or of each image
    const value_id v = cx.in(i);
    const int rank = cx.rank(v);
    if (rank == 4 || (last && rank == 1)) return v;
    if (rank == 1) return cx.unsqueeze(v, {1, 2});
    return cx.unsqueeze(v, last ? std::vector<i64>{1, 2} : std::vector<i64>{2, 3});
  };
  value_id sum = cx.add(cx.in(0), beside(3));
  if (cx.has(4)) sum = cx.add(sum, beside(4));
  cx.out(0, normalized_groups(cx, sum));
  cx.out(1, sum);
}

/// The greatest elements where a mask is not 0; it is that of an image, or of all of them.
inline void max_pool_with_mask(import_context& cx, const node&) {
  const value_id x = cx.in(0), lowest = cx.like(x, -double{std::numeric_limits<float>::max()});
  const value_id counts = cx.cast(cx.in(1), dtype::boolean);
  value_id seen = cx.where(counts, x, lowest);
  cx.require_same_shape(seen, x);
  const window_lists l = pool_window(cx, seen, -std::numeric_limits<double>::infinity());
  cx.out(
      cx.make_all(op::max_pool{.kernel = l.kernel, .strides = l.strides, .dilations = {}, .pads = l.pads}, {seen})[0]);
}

}  // namespace handlers

std::span<const registered_operator> families::microsoft_layers() {
  using namespace handlers;
  static constexpr std::string_view ms = "com.microsoft";
  static constexpr registered_operator table[] = {
      {"CausalConvWithState",
       causal_conv_with_state,
       ms,
       1,
       {2, 4},
       {1, 2},
       "activation:s channels_last:i dilation:i ndim:i state_window:i",
       "f"},
      {"CropAndResize", crop_and_resize, ms, 1, 4, 1, "extrapolation_value:f mode:s", "f f i"},
      {"DynamicQuantizeLSTM",
       dynamic_quantize_lstm,
       ms,
       1,
       12,
       {0, 3},
       "activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i",
       "f i i f i f f f f i f i"},
      {"GatherBlockQuantized",
       gather_block_quantized,
       ms,
       1,
       {3, 4},
       1,
       "bits:i block_size:i gather_axis:i quantize_axis:i",
       "i i f i"},
      {"GatedAdd", gated_add, ms, 1, 3, 1, "", "f"},
      {"GatedRMSNorm", gated_rms_norm, ms, 1, 3, 1, "epsilon:f", "f"},
      {"GatherND", handlers::gather_nd, ms, 1, 2, 1, "", "* i"},
      {"GroupNorm", group_norm, ms, 1, 3, 1, "activation:i! channels_last:i epsilon:f groups:i!", "f"},
      {"Inverse", inverse, ms, 1, 1, 1, "", "f"},
      {"IsAllFinite", is_all_finite, ms, 1, {1, arity::any}, 1, "isinf_only:i isnan_only:i", "f"},
      {"LinearAttention",
       linear_attention,
       ms,
       1,
       {3, 6},
       {1, 2},
       "chunk_size:i kv_num_heads:i! q_num_heads:i! scale:f state_window:i update_rule:s",
       "f"},
      {"LinearAttentionGate", linear_attention_gate, ms, 1, {3, 4}, {1, 2}, "", "f"},
      {"MRotaryEmbedding", m_rotary_embedding, ms, 1, 4, 1,
       "interleaved:i mrope_layout:i mrope_section:is! num_heads:i rotary_embedding_dim:i", "f i f"},
      {"MatMulInteger16", matmul_integer_16, ms, 1, 2, 1, "", "i"},
      {"MaxpoolWithMask", max_pool_with_mask, ms, 1, 2, 1,
       "auto_pad:s kernel_shape:is pads:is storage_order:i strides:is", "f i"},
      {"MoE",
       moe,
       ms,
       1,
       {5, 8},
       1,
       "activation_alpha:f activation_beta:f activation_type:s k:i normalize_routing_weights:i swiglu_fusion:i "
       "swiglu_limit:f use_sparse_mixer:i",
       "f"},
      {"MurmurHash3", murmur_hash, ms, 1, 1, 1, "positive:i seed:i", "fis"},
      {"NGramRepeatBlock", ngram_repeat_block, ms, 1, 2, 1, "ngram_size:i!", "i f"},
      {"Pad", microsoft_pad, ms, 1, {2, 3}, 1, "mode:s", "* i *"},
      {"QEmbedLayerNormalization", q_embed_layer_normalization, ms, 1, 18, 2, "epsilon:f",
       "i i i i i i i i f f f f f i"},
      {"QMoE",
       q_moe,
       ms,
       1,
       {6, 15},
       1,
       "activation_alpha:f activation_beta:f activation_type:s block_size:i expert_weight_bits:i k:i "
       "normalize_routing_weights:i quant_type:s swiglu_fusion:i swiglu_limit:f use_sparse_mixer:i "
       "weights_prepacked:i",
       "f f i f f i f f i f f i i i f"},
      {"SkipGroupNorm",
       skip_group_norm,
       ms,
       1,
       {4, 5},
       {1, 2},
       "activation:i! channels_last:i epsilon:f groups:i!",
       "f"},
      {"UnfoldTensor", unfold_tensor, ms, 1, 1, 1, "dim:i size:i! step:i", "*"},
      {"Unique", microsoft_unique, ms, 1, 1, 3, "", "f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
