/// @file microsoft_attention: com.microsoft's attentions, and the embeddings before them.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/normalization.ipp>
#include <tenon/importers/onnx/families/quantize.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// Positions are given for each element, or as the first one of the sequence.
inline void microsoft_rotary_embedding(import_context& cx, const node&) {
  const value_id x = cx.in(0), ids = cx.in(1);
  const bool flat = cx.rank(x) == 3;
  if (cx.i("is_packed_batching", 0) != 0) cx.unsupported("RotaryEmbedding of packed batches");
  if (cx.f("scale", 1.f) != 1) cx.unsupported("RotaryEmbedding with a scale");
  i64 heads = cx.i("num_heads", 0);
  if (flat && heads == 0) {
    if (!cx.dim(x, 2).is_static() || !cx.dim(cx.in(2), 1).is_static()) cx.unsupported("heads of a size not known");
    const i64 angles = cx.dim(cx.in(2), 1).extent();
    if (angles < 1) cx.bad("there are no angles to rotate by");
    heads = cx.dim(x, 2).extent() / checked_mul(2, angles);
  }
  const value_id apart = split_heads(cx, x, heads);
  value_id where = ids;
  if (cx.rank(ids) < 2) where = cx.add(positions(cx, apart, 2), cx.cast(cx.reshape(ids, {1}), dtype::i64));
  const auto angles = [&](int i, i64 half) {
    const value_id rows = cx.slice(cx.gather(cx.in(i + 1), where, 0), -1, 0, half);
    return cx.rank(ids) < 2 ? rows : cx.unsqueeze(rows, {1});
  };
  const value_id y = rotated_heads(cx, apart, cx.i("rotary_embedding_dim", 0), cx.i("interleaved", 0) != 0, angles);
  cx.out(flat ? join_heads(cx, y) : y);
}

/// softmax(q k' scale + mask + bias) v of operands with heads apart. The mask says which keys count: per batch and key
/// (1: yes), or their number per batch, or behind the last one and the first one of each batch. `past`: keys of earlier
/// steps, which `k` begins with; a query sees them all. Causal is meant as ONNX Runtime has it: each query one key more
/// than the one before it, the last one all. `aligned`: there are as many new keys as queries, so that this holds by
/// itself. Narrow floats are computed in f32, and rounded once.
inline value_id masked_attention(import_context& cx, value_id q, value_id k, value_id v, value_id mask, value_id bias,
                                 value_id past, bool aligned) {
  const dtype narrow = cx.elem(q), t = compute_type(narrow);
  q = cx.cast(q, t), k = cx.cast(k, t), v = cx.cast(v, t);
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
    const ir::dim batch = cx.dim(q, 0), given = rank == 1 ? cx.dim(mask, 0) : ir::dim::unknown();
    const auto before = [&](value_id numbers) {
      return cx.less(columns, cx.unsqueeze(cx.cast(numbers, dtype::i64), {1, 2, 3}));
    };
    if (rank == 1 && given == batch) {
      counts = before(mask);
    } else if (batch.is_static() && given == ir::dim(2 * batch.extent())) {
      const i64 n = batch.extent();
      const value_id skipped = before(cx.slice(mask, 0, n, 2 * n));
      counts = cx.make(op::logical_and{}, {before(cx.slice(mask, 0, 0, n)), cx.make(op::logical_not{}, {skipped})});
    } else if (rank == 2 || rank == 3) {
      counts = cx.cast(cx.unsqueeze(mask, rank == 2 ? std::vector<i64>{1, 2} : std::vector<i64>{1}), dtype::boolean);
    } else {
      cx.unsupported("an attention mask of this shape");
    }
    scores = cx.add(scores, cx.where(counts, zero, cx.scalar(t, cx.f("mask_filter_value", -10000.f))));
  }
  if (bias) scores = cx.add(scores, cx.cast(bias, t));
  if (cx.i("unidirectional", 0) != 0) {
    value_id rows = positions(cx, q, 2);
    const value_id number = rows;
    if (past) rows = cx.add(rows, cx.count(past, {2}, dtype::i64));
    value_id later = cx.less(cx.unsqueeze(rows, {1}), columns);
    if (!aligned) {
      const value_id last = cx.add(cx.count(q, {2}, dtype::i64), -1.);
      later = cx.make(op::logical_and{}, {later, cx.unsqueeze(cx.less(number, last), {1})});
    }
    scores = cx.where(later, cx.scalar(t, -std::numeric_limits<double>::infinity()), scores);
  }
  return join_heads(cx, cx.cast(cx.matmul(cx.make(op::softmax{.axis = 3}, {scores}), v), narrow));
}

/// `all` holds queries, keys and values side by side; `past` (or value_id{}) keys and values of earlier steps.
inline void packed_attention(import_context& cx, value_id all, value_id mask, value_id past_states, value_id bias) {
  const i64 heads = cx.i("num_heads");
  if (cx.i("past_present_share_buffer", 0) != 0)
    cx.unsupported(cx.current().op_type + " whose past and present share a buffer");
  std::vector<i64> sizes = cx.integers("qkv_hidden_sizes");
  if (sizes.empty()) {
    if (!cx.dim(all, 2).is_static()) cx.unsupported("Attention of a size that is not known");
    sizes.assign(3, cx.dim(all, 2).extent() / 3);
  }
  if (sizes.size() != 3 || std::any_of(sizes.begin(), sizes.end(), [](i64 n) { return n < 1; }))
    cx.bad("qkv_hidden_sizes is " + shape_text(sizes) + ", not three positive numbers");
  if (!cx.require_equal(cx.dim(all, 2), checked_add(checked_add(sizes[0], sizes[1]), sizes[2])))
    cx.bad("the weights are not for the sizes " + shape_text(sizes));
  const auto part = [&](i64 first, i64 size) { return split_heads(cx, cx.slice(all, 2, first, first + size), heads); };
  const value_id q = part(0, sizes[0]);
  value_id k = part(sizes[0], sizes[1]), v = part(sizes[0] + sizes[1], sizes[2]), past_keys{};
  if (past_states) {
    const auto past = [&](i64 which) { return cx.squeeze(cx.slice(past_states, 0, which, which + 1), {0}); };
    past_keys = past(0);
    k = cx.concat({past_keys, k}, 2);
    v = cx.concat({past(1), v}, 2);
  }
  if (cx.wants(1)) cx.out(1, cx.concat({cx.unsqueeze(k, {0}), cx.unsqueeze(v, {0})}, 0));
  cx.out(0, masked_attention(cx, q, k, v, mask, bias, past_keys, true));
}

/// One product gives queries, keys and values.
inline void microsoft_attention(import_context& cx, const node&) {
  if (cx.i("do_rotary", 0) != 0 || cx.has(6)) cx.unsupported("Attention with rotation or a shared past buffer");
  value_id all = cx.matmul(cx.in(0), cx.in(1));
  if (cx.has(2)) all = cx.add(all, cx.in(2));
  packed_attention(cx, all, cx.in_or(3, {}), cx.in_or(4, {}), cx.in_or(5, {}));
}
/// The same with a product of bytes.
inline void q_attention(import_context& cx, const node&) {
  if (cx.i("do_rotary", 0) != 0) cx.unsupported("QAttention with rotation");
  const value_id a = cx.in(0), b = cx.in(1);
  const value_id sum =
      cx.matmul(shifted(cx, a, matrix_zero_point(cx, 6, a, true)), shifted(cx, b, matrix_zero_point(cx, 7, b, false)));
  const value_id scale = cx.mul(matrix_scale(cx, 3, a, true), matrix_scale(cx, 4, b, false));
  packed_attention(cx, cx.add(cx.mul(cx.cast(sum, dtype::f32), scale), cx.in(2)), cx.in_or(5, {}), cx.in_or(8, {}), {});
}

/// Queries, keys and values apart, or packed: all three, or keys and values.
inline void multi_head_attention(import_context& cx, const node&) {
  const i64 heads = cx.i("num_heads");
  value_id q = cx.in(0), k = cx.in_or(1, {}), v = cx.in_or(2, {});
  // [batch, sequence, heads, parts, size]: what is packed leaves the inputs behind it out.
  const auto unpacked = [&](int i, i64 part, i64 parts) {
    cx.require_shape(i, {-1, -1, heads, parts, -1});
    return cx.reshape(cx.squeeze(cx.slice(cx.in(i), 3, part, part + 1), {3}), {0, 0, -1});
  };
  if (cx.rank(q) == 5 && !k && !v) {
    q = unpacked(0, 0, 3), k = unpacked(0, 1, 3), v = unpacked(0, 2, 3);
  } else if (k && !v && cx.rank(k) == 5) {
    k = unpacked(1, 0, 2), v = unpacked(1, 1, 2);
  }
  if (cx.rank(q) != 3 || !k || !v || cx.rank(k) == 5)
    cx.bad("queries, keys and values are neither apart nor packed as [batch, sequence, heads, 2 or 3, size]");
  if (cx.has(8)) cx.unsupported("MultiHeadAttention with a shared past buffer");
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
  const ir::dim keys = cx.dim(k, 2), queries = cx.dim(q, 1);
  const bool aligned = keys == queries && (keys.is_static() || keys.is_symbol());
  if (cx.has(6)) k = cx.concat({cx.in(6), k}, 2);
  if (cx.has(7)) v = cx.concat({cx.in(7), v}, 2);
  cx.out(1, k);
  cx.out(2, v);
  cx.out(0, masked_attention(cx, split_heads(cx, q, heads), k, v, cx.in_or(4, {}), cx.in_or(5, {}), cx.in_or(6, {}),
                             aligned));
}

/// One step of a decoder, whose keys and values join a buffer of all steps: in the place that input 7 says, behind
/// which nothing counts. Keys with heads apart are those of an encoder, and as they are.
inline void decoder_masked_attention(import_context& cx, const node&) {
  const i64 heads = cx.i("num_heads");
  if (cx.has(8) || cx.has(9)) cx.unsupported("DecoderMaskedMultiHeadAttention with beams");
  if (cx.i("output_qk", 0) != 0) cx.unsupported("DecoderMaskedMultiHeadAttention that gives its scores");
  if (!cx.has(1)) cx.unsupported("DecoderMaskedMultiHeadAttention with packed keys and values");
  const auto biased = [&](int i, i64 first, i64 size) {
    const value_id v = cx.in(i);
    return cx.has(10) && cx.rank(v) == 3 ? cx.add(v, cx.slice(cx.in(10), 0, first, checked_add(first, size))) : v;
  };
  const ir::dim size = cx.dim(cx.in(0), 2);
  if (!size.is_static()) cx.unsupported("heads of a size that is not known");
  const value_id q = split_heads(cx, biased(0, 0, size.extent()), heads);
  value_id k = split_heads(cx, biased(1, size.extent(), size.extent()), heads);
  value_id v = split_heads(cx, biased(2, checked_mul(2, size.extent()), INT32_MAX), heads), counts = cx.in_or(3, {});
  if (cx.has(5)) {
    if (cx.i("past_present_share_buffer", 0) == 0)
      cx.unsupported("DecoderMaskedMultiHeadAttention without a buffer for all steps");
    const value_id place = cx.reshape(cx.cast(cx.in(7), dtype::i64), {}), number = positions(cx, cx.in(5), 2);
    const value_id is_it = cx.unsqueeze(cx.equal(number, place), {1});
    cx.out(1, k = cx.where(is_it, k, cx.in(5)));
    cx.out(2, v = cx.where(is_it, v, cx.in(6)));
    // A mask or a bias says how many steps there are; else the others of the buffer are masked.
    const value_id steps = counts ? counts : cx.in_or(4, {});
    if (steps) {
      const value_id all = cx.slice(cx.shape_of(steps), 0, cx.rank(steps) - 1, cx.rank(steps));
      const auto used = [&](value_id x) {
        return cx.make(op::slice{.starts = {}, .ends = {}, .axes = {2}, .steps = {}}, {x, cx.list({0}), all});
      };
      k = used(k), v = used(v);
    } else {
      counts = cx.unsqueeze(cx.make(op::less_equal{}, {number, place}), {0});
    }
  }
  cx.out(0, masked_attention(cx, q, k, v, counts, cx.in_or(4, {}), {}, true));
}

/// Where the elements of a cache come from: the steps of `now` go behind the first `done` (i64[batch]) of `past`, in a
/// cache of `length` (a scalar) steps. All are [batch, heads, steps, size].
inline value_id with_new_steps(import_context& cx, value_id past, value_id now, value_id done, value_id length) {
  const value_id zero = cx.scalar(dtype::i64, 0), one = cx.scalar(dtype::i64, 1);
  const value_id at = cx.sub(cx.make(op::range{}, {zero, length, one}), cx.unsqueeze(done, {1}));  // [batch, length]
  const value_id had = cx.count(past, {2}, dtype::i64), new_steps = cx.count(now, {2}, dtype::i64);
  const value_id is_new =
      cx.make(op::logical_and{}, {cx.make(op::greater_equal{}, {at, zero}), cx.less(at, new_steps)});
  const value_id filled = cx.less(at, new_steps);  // zeros come behind
  const value_id place = cx.where(is_new, cx.add(at, had), cx.add(at, cx.unsqueeze(done, {1})));
  const value_id all = cx.concat({past, now}, 2);
  const value_id shape = cx.concat(
      {cx.slice(cx.shape_of(all), 0, 0, 2), cx.unsqueeze(length, {0}), cx.slice(cx.shape_of(all), 0, 3, 4)}, 0);
  const value_id moved = cx.make(op::gather_elements{.axis = 2},
                                 {all, cx.expand(cx.unsqueeze(cx.where(filled, place, zero), {1, 3}), shape)});
  return cx.where(cx.unsqueeze(filled, {1, 3}), moved, cx.like(moved, 0));
}

/// softmax over the last dimension and one more number per head (or zero) that takes part and is then left out.
inline value_id softmax_with_sink(import_context& cx, value_id scores, value_id sink) {
  const value_id head = sink ? cx.unsqueeze(cx.cast(sink, cx.elem(scores)), {0, 2, 3}) : cx.like(scores, 0);
  const value_id shape = cx.concat({cx.slice(cx.shape_of(scores), 0, 0, 3), cx.list({1})}, 0);
  const value_id all = cx.make(op::softmax{.axis = 3}, {cx.concat({scores, cx.expand(head, shape)}, 3)});
  return cx.slice(all, 3, 0, -1);
}

/// Causal attention of grouped heads with a cache. Batches may have different lengths: seqlens_k is that of each,
/// less 1.
inline void group_query_attention(import_context& cx, const node&) {
  const i64 heads = cx.i("num_heads"), kv_heads = cx.i("kv_num_heads");
  if (heads < 1 || kv_heads < 1 || heads > INT32_MAX || kv_heads > INT32_MAX || heads % kv_heads != 0)
    cx.bad("the numbers of heads do not fit");
  if (cx.i("qk_output", 0) != 0) cx.unsupported("GroupQueryAttention that gives its scores");
  if (cx.i("sliding_window_cache", 0) != 0) cx.unsupported("GroupQueryAttention with a cache of one window");
  for (const char* cache : {"k_quant_type", "v_quant_type"})
    if (cx.s(cache, "NONE") != "NONE") cx.unsupported("GroupQueryAttention with a quantized cache");
  value_id q = cx.in(0), k, v;
  if (cx.has(1)) {
    q = split_heads(cx, q, heads), k = split_heads(cx, cx.in(1), kv_heads), v = split_heads(cx, cx.in(2), kv_heads);
  } else {  // all three in one
    const value_id all = split_heads(cx, q, heads + 2 * kv_heads);
    q = cx.slice(all, 1, 0, heads), k = cx.slice(all, 1, heads, heads + kv_heads);
    v = cx.slice(all, 1, heads + kv_heads, heads + 2 * kv_heads);
  }
  const dtype narrow = cx.elem(q), t = compute_type(narrow);  // rounded once, as in masked_attention
  const value_id zero = cx.scalar(dtype::i64, 0);
  const value_id steps = cx.count(q, {2}, dtype::i64);
  const value_id lengths = cx.add(cx.reshape(cx.cast(cx.in(5), dtype::i64), {-1}), 1.);  // [batch]
  const value_id done = cx.maximum(cx.sub(lengths, steps), zero);
  const value_id place = cx.add(cx.unsqueeze(done, {1}), positions(cx, q, 2));  // of the queries: [batch, steps]
  if (cx.i("do_rotary", 0) != 0) {
    if (!cx.dim(cx.in(7), 1).is_static()) cx.unsupported("angles of a number that is not known");
    const i64 rotated = 2 * cx.dim(cx.in(7), 1).extent();
    const bool interleaved = cx.i("rotary_interleaved", 0) != 0;
    const value_id where = cx.has(9) ? cx.in(9) : place;
    const auto angles = [&](int i, i64) { return cx.unsqueeze(cx.gather(cx.in(i + 6), where, 0), {1}); };
    q = rotated_heads(cx, q, rotated, interleaved, angles);
    k = rotated_heads(cx, k, rotated, interleaved, angles);
  }
  if (cx.has(3)) {
    const value_id total = cx.reshape(cx.cast(cx.in(6), dtype::i64), {});
    const value_id length = cx.maximum(total, cx.count(cx.in(3), {2}, dtype::i64));
    k = with_new_steps(cx, cx.in(3), k, done, length);
    v = with_new_steps(cx, cx.in(4), v, done, length);
  }
  cx.out(1, k);
  cx.out(2, v);
  q = cx.cast(q, t), k = cx.cast(k, t), v = cx.cast(v, t);
  double scale = cx.f("scale", 0.f);
  if (scale == 0) {
    if (!cx.dim(q, 3).is_static()) cx.unsupported("heads of a size that is not known");
    scale = 1 / std::sqrt(static_cast<double>(cx.dim(q, 3).extent()));
  }
  value_id scores = cx.matmul(cx.mul(q, scale), cx.transpose(repeat_heads(cx, k, q), {0, 1, 3, 2}));
  if (const double cap = cx.f("softcap", 0.f); cap != 0)
    scores = cx.mul(cx.make(op::tanh{}, {cx.mul(scores, 1 / cap)}), cap);
  const value_id columns = positions(cx, k, 2), rows = cx.unsqueeze(place, {2});
  if (cx.has(10)) {
    value_id bias = cx.in(10);
    const ir::dim given = cx.dim(bias, 3), all = cx.dim(k, 2);
    if (given != all || given.is_unknown()) {  // of the steps so far; what the cache has behind them is hidden
      const value_id last = cx.sub(cx.count(bias, {3}, dtype::i64), cx.scalar(dtype::i64, 1));
      bias = cx.gather(bias, cx.minimum(columns, last), 3);
    }
    scores = cx.add(scores, cx.cast(bias, t));
  }
  value_id hidden = cx.less(rows, columns);  // [batch, steps, keys]
  if (const i64 window = cx.i("local_window_size", -1); window > 0) {
    const value_id far = cx.make(op::less_equal{}, {columns, cx.add(rows, -static_cast<double>(window))});
    hidden = cx.make(op::logical_or{}, {hidden, far});
  }
  scores = cx.where(cx.unsqueeze(hidden, {1}), cx.scalar(t, -std::numeric_limits<double>::infinity()), scores);
  const bool sink = cx.has(11) || cx.i("smooth_softmax", 0) > 0;
  const value_id weights =
      sink ? softmax_with_sink(cx, scores, cx.in_or(11, {})) : cx.make(op::softmax{.axis = 3}, {scores});
  cx.out(0, join_heads(cx, cx.cast(cx.matmul(weights, repeat_heads(cx, v, q)), narrow)));
}

/// The embeddings of words, places (0, 1, … unless given) and segments, summed and normalized; and how many elements of
/// each mask are one. `real` gives what is taken of an input as floats. Returns the sum.
template <class Real> value_id embed_normalized(import_context& cx, Real&& real, value_id places) {
  const value_id ids = cx.in(0);
  const auto rows = [&](int i, value_id at) { return real(i, cx.gather(cx.in(i), at, 0)); };
  value_id x = cx.add(rows(2, ids), rows(3, places ? places : positions(cx, ids, 1)));
  if (cx.has(1) && cx.has(4)) x = cx.add(x, rows(4, cx.in(1)));
  const centered c = center(cx, cx.cast(x, stash_type(cx.elem(x))), {2});
  const value_id normal = cx.mul(c.difference, inverse_root(cx, c.variance, cx.f("epsilon", 1e-12f)));
  cx.out(0, cx.add(cx.mul(cx.cast(normal, cx.elem(x)), real(5, cx.in(5))), real(6, cx.in(6))));
  if (!cx.wants(1)) return x;
  const value_id mask = cx.has(7) ? cx.cast(cx.equal(cx.in(7), cx.like(cx.in(7), 1)), dtype::i32)
                                  : cx.make(op::mul{}, {cx.cast(ids, dtype::i32), cx.scalar(dtype::i32, 0)});
  cx.out(1, cx.reduce_sum(mask, {1}, false));
  return x;
}
inline void embed_layer_normalization(import_context& cx, const node&) {
  cx.out(2, embed_normalized(cx, [](int, value_id v) { return v; }, cx.in_or(8, {})));
}

}  // namespace handlers

std::span<const registered_operator> families::microsoft_attention() {
  using namespace handlers;
  static constexpr std::string_view ms = "com.microsoft";
  static constexpr registered_operator table[] = {
      {"Attention",
       handlers::microsoft_attention,
       ms,
       1,
       {2, 7},
       {1, 2},
       "do_rotary:i mask_filter_value:f num_heads:i! past_present_share_buffer:i qkv_hidden_sizes:is "
       "rotary_embedding_dim:i scale:f unidirectional:i",
       "f f f i f f i"},
      {"DecoderMaskedMultiHeadAttention",
       decoder_masked_attention,
       ms,
       1,
       {1, 11},
       {1, 4},
       "mask_filter_value:f num_heads:i! output_qk:i past_present_share_buffer:i scale:f",
       "f f f i f f f i i i f"},
      {"EmbedLayerNormalization",
       embed_layer_normalization,
       ms,
       1,
       {7, 9},
       {1, 3},
       "epsilon:f mask_index_type:i",
       "i i f f f f f i"},
      {"GroupQueryAttention",
       group_query_attention,
       ms,
       1,
       {6, 12},
       {1, 3},
       "do_rotary:i k_quant_type:s kv_cache_bit_width:i kv_num_heads:i! local_window_size:i num_heads:i! "
       "qk_norm_epsilon:f qk_output:i rotary_interleaved:i scale:f sliding_window_cache:i smooth_softmax:i softcap:f "
       "v_quant_type:s",
       "f f f fi fi i i f f i f"},
      {"MultiHeadAttention",
       multi_head_attention,
       ms,
       1,
       {1, 9},
       {1, 3},
       "mask_filter_value:f num_heads:i! scale:f unidirectional:i",
       "f f f f i f f f i"},
      {"QAttention",
       q_attention,
       ms,
       1,
       {5, 9},
       {1, 2},
       "do_rotary:i mask_filter_value:f num_heads:i! past_present_share_buffer:i scale:f unidirectional:i",
       "i i f f f i i i f"},
      {"RotaryEmbedding", microsoft_rotary_embedding, ms, 1, 4, 1,
       "interleaved:i is_packed_batching:i num_heads:i rotary_embedding_dim:i scale:f", "f i f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
