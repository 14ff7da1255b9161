/// @file microsoft_states: com.microsoft's operators of hybrid models (Qwen3.5, Mamba), whose layers keep a state in
/// place of keys and values: what stands around CausalConvWithState and LinearAttention (families/attention.ipp).
#pragma once

#include <algorithm>

#include <tenon/importers/onnx/families/activation.ipp>
#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/normalization.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// decay = scale * softplus(a + bias) and beta = sigmoid(b), in f32 where elements are narrower.
inline void linear_attention_gate(import_context& cx, const node&) {
  const dtype t = cx.elem(cx.in(0));
  const auto wide = [&](int i) { return cx.cast(cx.in(i), compute_type(t)); };
  cx.out(0, cx.cast(cx.mul(softplus_of(cx, cx.add(wide(0), wide(1))), wide(2)), t));
  if (!cx.wants(1)) return;
  cx.out(1, cx.cast(cx.make(op::sigmoid{}, {wide(3)}), t));
}

/// x / sqrt(mean(x^2) + epsilon) * scale * silu(gate), over groups of as many numbers as there are scales.
inline void gated_rms_norm(import_context& cx, const node&) {
  const value_id x = cx.in(0), scale = cx.in(1);
  const int rank = cx.rank(x);
  const ir::dim size = cx.dim(scale, 0), all = cx.dim(x, rank - 1);
  if (!size.is_static() || !all.is_static()) cx.unsupported("GatedRMSNorm of a size that is not known");
  if (size.extent() < 1 || all.extent() % size.extent() != 0)
    cx.bad("the last dimension, " + std::to_string(all.extent()) + ", is no multiple of the " +
           std::to_string(size.extent()) + " scales");
  std::vector<i64> groups(static_cast<size_t>(rank) - 1, 0), flat = groups;
  groups.push_back(all.extent() / size.extent());
  groups.push_back(size.extent());
  flat.push_back(all.extent());
  const dtype t = compute_type(cx.elem(x));
  const value_id wide = cx.reshape(cx.cast(x, t), groups), gate = cx.cast(cx.in(2), t);
  const value_id inverse = inverse_root(cx, cx.reduce_mean(cx.square(wide), {rank}), double{cx.f("epsilon", 1e-5f)});
  const value_id y = cx.reshape(cx.mul(cx.mul(wide, inverse), cx.cast(scale, t)), flat);
  cx.out(cx.cast(cx.mul(y, cx.mul(gate, cx.make(op::sigmoid{}, {gate}))), cx.elem(x)));
}

inline void gated_add(import_context& cx, const node&) { cx.out(cx.add(cx.in(0), cx.mul(cx.in(1), cx.in(2)))); }

/// A token has three positions (time, height, width), and each column of the angles goes by one of them: in three
/// sections, or in turn as far as the sections of height and width go.
inline void m_rotary_embedding(import_context& cx, const node&) {
  const value_id ids = cx.in(1);
  const bool flat = cx.rank(cx.in(0)) == 3;
  const std::vector<i64> section = cx.integers("mrope_section");
  const i64 layout = cx.i("mrope_layout", 0);
  const auto out_of_range = [](i64 s) { return s < 0 || s > INT32_MAX; };
  if (section.size() != 3 || std::any_of(section.begin(), section.end(), out_of_range) || layout < 0 || layout > 1)
    cx.bad("mrope_section has not three sizes, or mrope_layout is neither 0 nor 1");
  cx.require_shape(1, {3, -1, -1});
  const value_id x = split_heads(cx, cx.in(0), cx.i("num_heads", 0));
  const auto position_of = [&](i64 column) {
    if (layout == 0) return column < section[0] ? 0 : column < section[0] + section[1] ? 1 : 2;
    const i64 turn = column % 3;
    return turn != 0 && column / 3 < section[static_cast<size_t>(turn)] ? static_cast<int>(turn) : 0;
  };
  const auto angles = [&](int i, i64 half) {  // [batch, 1, sequence, half]
    if (section[0] + section[1] + section[2] != half)
      cx.bad("the sections are of " + std::to_string(section[0] + section[1] + section[2]) + " columns, not of " +
             std::to_string(half));
    value_id mixed{};
    for (int k = 0; k < 3; ++k) {
      const value_id at = cx.squeeze(cx.slice(ids, 0, k, k + 1), {0});
      const value_id rows = cx.slice(cx.gather(cx.in(i + 1), at, 0), -1, 0, half);
      tensor here = cx.blank(dtype::boolean, {half});
      for (i64 c = 0; c < half; ++c) here.set_i64(c, position_of(c) == k);
      mixed = mixed ? cx.where(cx.constant(here), rows, mixed) : rows;
    }
    return cx.unsqueeze(mixed, {1});
  };
  const value_id y = rotated_heads(cx, x, cx.i("rotary_embedding_dim", 0), cx.i("interleaved", 0) != 0, angles);
  cx.out(flat ? join_heads(cx, y) : y);
}

}  // namespace handlers
}  // namespace tenon::importers::onnx
