/// @file attention: ONNX Attention (operator set 23 on), LinearAttention, RotaryEmbedding, CausalConvWithState.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/families/control.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// 0, 1, … along an axis of a value: i64 of rank 1.
inline value_id positions(import_context& cx, value_id v, i64 axis) {
  return cx.make(op::range{}, {cx.scalar(dtype::i64, 0), cx.count(v, {axis}, dtype::i64), cx.scalar(dtype::i64, 1)});
}

/// [batch, sequence, heads * size] as [batch, heads, sequence, size].
inline value_id split_heads(import_context& cx, value_id v, i64 heads) {
  if (cx.rank(v) == 4) return v;
  if (cx.rank(v) != 3 || heads < 1) cx.bad("an operand has neither 4 dimensions, nor 3 and a number of heads");
  return cx.transpose(cx.reshape(v, {0, 0, heads, -1}), {0, 2, 1, 3});
}
inline value_id join_heads(import_context& cx, value_id v) {
  return cx.reshape(cx.transpose(v, {0, 2, 1, 3}), {0, 0, -1});
}

/// Keys and values of few heads, each repeated for the query heads that share it.
inline value_id repeat_heads(import_context& cx, value_id v, value_id query) {
  const ir::dim mine = cx.dim(v, 1), wanted = cx.dim(query, 1);
  if (mine == wanted) return v;
  if (!mine.is_static() || !wanted.is_static())
    cx.unsupported("numbers of heads that are not known", "give the shapes of the model's inputs");
  if (mine.extent() == 0 || wanted.extent() % mine.extent() != 0)
    cx.bad("the number of query heads is no multiple of the number of key heads");
  const i64 times = wanted.extent() / mine.extent();
  const value_id wide = cx.expand(cx.unsqueeze(v, {2}), cx.list({1, 1, times, 1, 1}));
  // Dimensions of `wide`: batch, heads, times, sequence, size.
  return cx.reshape_like(wide, {-1, wanted.extent(), -4, -5});
}

/// A mask of fewer keys than there are hides the others, be it a mask of one key (the standard's reference,
/// onnx/reference/ops/op_attention.py). Of sizes that only a run knows, the difference is computed then; a mask of more
/// keys stays an error.
inline value_id as_wide_as_keys(import_context& cx, value_id mask, value_id k) {
  const ir::dim have = cx.dim(mask, -1), want = cx.dim(k, 2);
  const i64 axis = cx.rank(mask) - 1;
  const value_id hidden = cx.like(mask, -std::numeric_limits<double>::infinity());
  if (have.is_static() && want.is_static()) {
    if (have.extent() >= want.extent()) return mask;
    op::pad p;
    p.axes = {axis}, p.before = {0}, p.after = {want.extent() - have.extent()};
    return cx.make(p, {mask, value_id{}, hidden});
  }
  if (have == want && !have.is_unknown()) return mask;
  // A block beside it, which refuses to be of a negative width, where padding would crop.
  const value_id missing = cx.sub(cx.count(k, {2}, dtype::i64), cx.count(mask, {axis}, dtype::i64));
  const value_id others = cx.slice(cx.shape_of(mask), 0, 0, axis);
  const value_id block = cx.expand(hidden, cx.concat({others, cx.unsqueeze(missing, {0})}, 0));
  return cx.concat({mask, block}, axis);
}

/// What is added to the scores: the mask, minus infinity above the diagonal, and where keys are padding.
inline value_id attention_bias(import_context& cx, value_id q, value_id k, value_id past, dtype t) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto minus_infinity_where = [&](value_id c) { return cx.where(c, cx.scalar(t, -infinity), cx.scalar(t, 0)); };
  value_id bias{};
  const auto join = [&](value_id more) { bias = bias ? cx.add(bias, more) : more; };
  if (cx.has(3)) {
    value_id mask = cx.in(3);
    if (cx.elem(mask) == dtype::boolean) mask = cx.where(mask, cx.scalar(t, 0), cx.scalar(t, -infinity));
    mask = cx.cast(mask, t);
    mask = as_wide_as_keys(cx, mask, k);
    join(mask);
  }
  const value_id columns = cx.unsqueeze(positions(cx, k, 2), {0});
  const value_id padded = cx.has(6) ? cx.unsqueeze(cx.in(6), {1, 2, 3}) : value_id{};
  if (cx.i("is_causal", 0) != 0) {
    value_id rows = cx.unsqueeze(positions(cx, q, 2), {1});
    if (past) rows = cx.add(rows, cx.count(past, {2}, dtype::i64));
    if (padded) rows = cx.add(rows, cx.sub(padded, cx.count(q, {2}, dtype::i64)));
    join(minus_infinity_where(cx.less(rows, columns)));
  }
  if (padded) join(minus_infinity_where(cx.make(op::greater_equal{}, {columns, padded})));
  return bias;
}

/// softmax(q k' * scale + bias) v. The scores are given at four stages, by qk_matmul_output_mode: as they are, after
/// the soft cap, with the bias, after softmax. Rows without any key to attend to give zeros.
inline void attention(import_context& cx, const node&) {
  const bool flat = cx.rank(cx.in(0)) == 3;
  const value_id q = split_heads(cx, cx.in(0), cx.i("q_num_heads", 0));
  value_id k = split_heads(cx, cx.in(1), cx.i("kv_num_heads", 0)),
           v = split_heads(cx, cx.in(2), cx.i("kv_num_heads", 0));
  const value_id past = cx.has(4) ? cx.in(4) : value_id{};
  if (past) k = cx.concat({past, k}, 2);
  if (cx.has(5)) v = cx.concat({cx.in(5), v}, 2);
  cx.out(1, k);
  cx.out(2, v);
  const dtype t = cx.elem(q);
  double scale = cx.f("scale", 0.f);
  if (scale == 0) {
    const ir::dim size = cx.dim(q, 3);
    if (!size.is_static()) cx.unsupported("heads of a size that is not known");
    scale = 1 / std::sqrt(static_cast<double>(size.extent()));
  }
  const double root = std::sqrt(scale);
  const value_id bias = attention_bias(cx, q, k, past, t);
  const value_id keys = cx.transpose(repeat_heads(cx, k, q), {0, 1, 3, 2});
  value_id scores = cx.matmul(cx.mul(q, root), cx.mul(keys, root));
  const i64 stage = cx.i("qk_matmul_output_mode", 0);
  if (stage == 0) cx.out(3, scores);
  if (const double cap = cx.f("softcap", 0.f); cap != 0)
    scores = cx.mul(cx.make(op::tanh{}, {cx.mul(scores, 1 / cap)}), cap);
  if (stage == 1) cx.out(3, scores);
  if (bias) scores = cx.add(scores, bias);
  if (stage == 2) cx.out(3, scores);
  const dtype precision = cx.element_type("softmax_precision", t);
  value_id weights = cx.cast(cx.make(op::softmax{.axis = 3}, {cx.cast(scores, precision)}), t);
  if (bias) {
    const value_id highest = cx.reduce_max(bias, {cx.rank(bias) - 1});
    const value_id masked = cx.equal(highest, cx.like(bias, -std::numeric_limits<double>::infinity()));
    weights = cx.where(masked, cx.like(weights, 0), weights);
  }
  if (stage == 3) cx.out(3, weights);
  const value_id y = cx.matmul(weights, repeat_heads(cx, v, q));
  cx.out(0, flat ? join_heads(cx, y) : y);
}

/// ai.onnx.preview: attention whose scores and probabilities graphs of the model may change, both in
/// `softmax_precision`.
inline void flex_attention(import_context& cx, const node&) {
  const value_id q = cx.in(0), k = cx.in(1), v = cx.in(2);
  if (cx.rank(q) != 4 || cx.rank(k) != 4 || cx.rank(v) != 4) cx.bad("Q, K and V must have four dimensions");
  const dtype t = cx.elem(q), precision = cx.element_type("softmax_precision", compute_type(t));
  double scale = cx.f("scale", 0.f);
  if (!cx.has_attribute("scale")) {
    const ir::dim size = cx.dim(q, 3);
    if (!size.is_static()) cx.unsupported("heads of a size that is not known");
    scale = 1 / std::sqrt(static_cast<double>(size.extent()));
  }
  const auto modified = [&](value_id x, std::string_view graph) {
    if (!cx.has_attribute(graph)) return x;
    const import_context::values results = cx.inline_graph(cx.g(graph), {x});
    if (results.size() != 1) cx.bad("'" + std::string(graph) + "' must have one output");
    return results[0];
  };
  const value_id keys = cx.transpose(repeat_heads(cx, k, q), {0, 1, 3, 2});
  const value_id scores = cx.mul(cx.matmul(cx.cast(q, precision), cx.cast(keys, precision)), scale);
  const value_id probabilities = cx.make(op::softmax{.axis = 3}, {modified(scores, "score_mod")});
  const value_id weights = cx.cast(modified(probabilities, "prob_mod"), t);
  cx.out(cx.matmul(weights, repeat_heads(cx, v, q)));
}

/// Rotates pairs of the first `rotated` numbers of each head (0: of all), by angles per position.
/// x is [batch, heads, sequence, size]; `angles(i, half)` gives the cosines (1) or sines (2). Rounded once.
template <class Angles>
value_id rotated_heads(import_context& cx, value_id x, i64 rotated, bool interleaved, const Angles& angles) {
  const ir::dim size = cx.dim(x, 3);
  if (!size.is_static()) cx.unsupported("heads of a size that is not known");
  if (rotated == 0) rotated = size.extent();
  if (rotated < 2 || rotated % 2 != 0 || rotated > size.extent())
    cx.bad("the rotated part must be an even number of the head's elements");
  const i64 half = rotated / 2;
  const dtype narrow = cx.elem(x), t = compute_type(narrow);
  const value_id cosine = cx.cast(angles(1, half), t), sine = cx.cast(angles(2, half), t), wide = cx.cast(x, t);
  const value_id first = interleaved ? cx.slice(wide, 3, 0, rotated, 2) : cx.slice(wide, 3, 0, half);
  const value_id second = interleaved ? cx.slice(wide, 3, 1, rotated, 2) : cx.slice(wide, 3, half, rotated);
  const value_id real = cx.cast(cx.sub(cx.mul(cosine, first), cx.mul(sine, second)), narrow);
  const value_id imaginary = cx.cast(cx.add(cx.mul(sine, first), cx.mul(cosine, second)), narrow);
  value_id y = cx.concat({real, imaginary}, 3);
  if (interleaved) {
    const value_id pairs = cx.concat({cx.unsqueeze(real, {4}), cx.unsqueeze(imaginary, {4})}, 4);
    y = cx.reshape_like(pairs, {-1, -2, -3, rotated});
  }
  if (rotated < size.extent()) y = cx.concat({y, cx.slice(x, 3, rotated, size.extent())}, 3);
  return y;
}
inline void rotary_embedding(import_context& cx, const node&) {
  const bool flat = cx.rank(cx.in(0)) == 3;
  const value_id x = split_heads(cx, cx.in(0), cx.i("num_heads", 0));
  const auto angles = [&](int i, i64 half) {  // [batch, 1, sequence, half]
    const value_id all = cx.has(3) ? cx.gather(cx.in(i), cx.in(3), 0) : cx.in(i);
    return cx.unsqueeze(cx.slice(all, -1, 0, half), {1});
  };
  const value_id y = rotated_heads(cx, x, cx.i("rotary_embedding_dim", 0), cx.i("interleaved", 0) != 0, angles);
  cx.out(flat ? join_heads(cx, y) : y);
}

/// A depthwise convolution over the past state and the input; the new state is the end of both. com.microsoft's may
/// have gaps between taps, and its channels last, in any number of dimensions.
inline void causal_conv_with_state(import_context& cx, const node&) {
  const value_id given = cx.in(0), w = cx.in(1);
  const bool last = cx.i("channels_last", 0) != 0;
  const i64 apart = cx.i("dilation", 1);
  if (cx.i("ndim", 1) != 1 || cx.i("state_window", 0) != 0)
    cx.unsupported("CausalConvWithState along more than one dimension, or with more than one state");
  const ir::dim channels = cx.dim(w, 0), taps = cx.dim(w, 2);
  if (!channels.is_static() || !taps.is_static()) cx.unsupported("a kernel or a number of channels that is not known");
  if (taps.extent() < 1 || apart < 1) cx.bad("the kernel has no taps, or no steps between them");
  const i64 kept = checked_mul(taps.extent() - 1, apart);
  const auto channels_first = [&](value_id v) {
    return last ? cx.transpose(cx.reshape(v, {0, 0, channels.extent()}), {0, 2, 1}) : v;
  };
  const auto back = [&](value_id v) {
    if (!last) return v;
    v = cx.transpose(v, {0, 2, 1});
    std::vector<i64> shape{0, 0};
    for (int d = 2; d < cx.rank(given); ++d) {
      if (!cx.dim(given, d).is_static()) cx.unsupported("a number of channels that is not known");
      shape.push_back(cx.dim(given, d).extent());
    }
    return cx.reshape(v, shape);
  };
  const value_id x = channels_first(given);
  value_id all;
  if (cx.has(3)) {
    all = cx.concat({channels_first(cx.in(3)), x}, 2);
  } else {
    op::pad p;
    p.before = {kept};
    p.after = {0};
    p.axes = {2};
    all = kept > 0 ? cx.make(p, {x}) : x;
  }
  value_id y = cx.make(op::conv{.strides = {}, .dilations = {apart}, .pads = {}, .group = channels.extent()},
                       {all, w, cx.in_or(2, {})});
  const std::string activation = cx.s("activation", "none");
  if (activation == "silu" || activation == "swish") y = cx.mul(y, cx.make(op::sigmoid{}, {y}));
  else if (activation != "none") cx.bad("activation is '" + activation + "'");
  cx.out(0, back(y));
  if (cx.wants(1)) cx.out(1, back(kept > 0 ? cx.slice(all, 2, -kept, INT64_MAX) : cx.slice(all, 2, 0, 0)));
}

/// A state S of keys × values per head of keys, updated step by step over a sequence (g: decay, b: beta):
/// S = exp(g) S + b k (v - (exp(g) S)' k)', where the rules leave parts of it out; the output is scale S' q.
inline void linear_attention(import_context& cx, const node&) {
  const i64 q_heads = cx.i("q_num_heads"), heads = cx.i("kv_num_heads");
  const value_id query = cx.in(0);
  const dtype t = cx.elem(query), wide = compute_type(t);
  if (heads < 1 || q_heads < 1 || (q_heads % heads != 0 && heads % q_heads != 0))
    cx.bad("of the numbers of query heads and of key heads none is a multiple of the other");
  if (cx.i("state_window", 0) != 0) cx.unsupported("LinearAttention with more than one state");
  const std::string rule = cx.s("update_rule", "gated_delta");
  const bool gated = rule == "gated" || rule == "gated_delta", delta = rule == "delta" || rule == "gated_delta";
  if (!gated && !delta && rule != "linear") cx.bad("update_rule is '" + rule + "'");
  if ((gated && !cx.has(4)) || (delta && !cx.has(5))) cx.bad("rule '" + rule + "' needs decay or beta");
  const ir::dim keys = cx.dim(cx.in(1), 2), numbers = cx.dim(cx.in(2), 2);
  if (!keys.is_static() || !numbers.is_static()) cx.unsupported("heads of a size that is not known");
  const i64 d_k = keys.extent() / heads, d_v = numbers.extent() / heads;
  if (d_k < 1 || d_v < 1 || keys.extent() % heads != 0 || numbers.extent() % heads != 0)
    cx.bad("keys and values do not divide into " + std::to_string(heads) + " heads");
  double scale = cx.f("scale", 0.f);
  if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(d_k));
  // All operands as [batch, steps, heads, …]; of the queries those that share a head's state lie together, and one that
  // has several heads' states is repeated.
  const auto heads_of = [&](int i, i64 of, i64 rows) {
    return cx.reshape(cx.cast(cx.in(i), wide), {0, 0, of, rows, -1});
  };
  const bool shared = q_heads >= heads;
  value_id q = cx.mul(shared ? heads_of(0, heads, q_heads / heads) : heads_of(0, q_heads, 1), scale);
  if (q_heads < heads) q = cx.reshape(cx.expand(q, cx.list({1, 1, 1, heads / q_heads, 1})), {0, 0, heads, 1, d_k});
  const value_id k = heads_of(1, heads, 1), v = heads_of(2, heads, 1);
  value_id decay{}, beta{};
  if (gated) {  // one number per key, or one per head: rows of the state
    const ir::dim per = cx.dim(cx.in(4), 2);
    decay = cx.make(op::exp{}, {heads_of(4, heads, per == ir::dim(heads) && d_k != 1 ? 1 : d_k)});
  }
  if (delta) beta = heads_of(5, cx.dim(cx.in(5), 2) == ir::dim(1) ? 1 : heads, 1);
  value_id state{};
  if (cx.has(3)) {
    state = cx.cast(cx.in(3), wide);
  } else {
    const value_id shape = cx.concat({cx.slice(cx.shape_of(query), 0, 0, 1), cx.list({heads, d_k, d_v})}, 0);
    state = cx.expand(cx.scalar(wide, 0), shape);
  }
  // The state after a step, and its output [batch, heads, rows, d_v]; `now` gives an operand's part of the step.
  const auto step = [&](value_id before, const auto& now) {
    const value_id key = now(k);  // [batch, heads, 1, d_k]
    if (gated) before = cx.mul(before, now(decay));
    value_id update = now(v);
    if (delta) update = cx.mul(cx.sub(update, cx.matmul(key, before)), now(beta));
    const value_id after = cx.add(before, cx.mul(cx.transpose(key, {0, 1, 3, 2}), update));
    return std::pair(after, cx.matmul(now(q), after));
  };
  constexpr i64 most_steps = 16;  // written one after the other; more are a loop
  const ir::dim steps = cx.dim(query, 1);
  value_id y;
  if (steps.is_static() && steps.extent() > 0 && steps.extent() <= most_steps) {
    import_context::values parts;
    for (i64 at = 0; at < steps.extent(); ++at) {
      const auto [after, part] = step(state, [&](value_id x) { return cx.squeeze(cx.slice(x, 1, at, at + 1), {1}); });
      state = after;
      parts.push_back(cx.unsqueeze(part, {1}));
    }
    y = parts.size() == 1 ? parts[0] : cx.concat(parts, 1);
  } else {
    const import_context::values all =
        write_repeat(cx, cx.count(query, {1}, dtype::i64), {}, {state}, 1,
                     [&](value_id at, value_id goes_on, const import_context::values& carried) {
                       const auto [after, part] = step(carried[0], [&](value_id x) { return cx.gather(x, at, 1); });
                       return import_context::values{goes_on, after, part};
                     });
    state = all[0];
    y = cx.transpose(all[1], {1, 0, 2, 3, 4});
  }
  cx.out(0, cx.cast(cx.reshape(y, {0, 0, checked_mul(std::max(q_heads, heads), d_v)}), t));
  cx.out(1, cx.cast(state, cx.has(3) ? cx.elem(cx.in(3)) : t));
}

}  // namespace handlers

std::span<const registered_operator> families::attention() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Attention",
       handlers::attention,
       "",
       23,
       {3, 6},
       {1, 4},
       "is_causal:i kv_num_heads:i q_num_heads:i qk_matmul_output_mode:i scale:f softcap:f softmax_precision:i",
       "f f f * f f i"},
      {"Attention",
       handlers::attention,
       "",
       24,
       {3, 7},
       {1, 4},
       "is_causal:i kv_num_heads:i q_num_heads:i qk_matmul_output_mode:i scale:f softcap:f softmax_precision:i",
       "f f f * f f i"},
      {"CausalConvWithState", causal_conv_with_state, "", 27, {2, 4}, {1, 2}, "activation:s", "f"},
      {"LinearAttention",
       linear_attention,
       "",
       27,
       {3, 6},
       {1, 2},
       "chunk_size:i kv_num_heads:i! q_num_heads:i! scale:f update_rule:s",
       "*"},
      {"RotaryEmbedding",
       rotary_embedding,
       "",
       23,
       {3, 4},
       1,
       "interleaved:i num_heads:i rotary_embedding_dim:i",
       "f f f i"},
      {"FlexAttention", flex_attention, "ai.onnx.preview", 1, 3, 1,
       "prob_mod:g scale:f score_mod:g softmax_precision:i", "*"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
