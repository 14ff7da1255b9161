/// @file microsoft_experts: com.microsoft's layers of experts, of which each row takes a few.
///
/// All experts are computed for all rows, in products that are batched over them; what a row has not chosen is left out
/// of its sum. So the number of rows may be open, and no weight is copied.
#pragma once

#include <cmath>
#include <limits>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/families/activation.ipp>
#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/microsoft_weights.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// One layer of each expert: weights [experts, to, from], and perhaps a bias [experts, to].
struct expert_layer {
  value_id weights, bias{};
};

/// A gate times a linear part, in pairs side by side: min(g, limit) sigmoid(alpha min(g, limit)) (l + beta).
inline value_id swiglu_of_pairs(import_context& cx, value_id x) {
  const ir::dim columns = cx.dim(x, -1);
  if (!columns.is_static() || columns.extent() % 2 != 0) cx.bad("swiglu takes pairs of columns, of a known number");
  const auto every_other = [&](i64 first) { return cx.slice(x, -1, first, columns.extent(), 2); };
  value_id gate = every_other(0), linear = every_other(1);
  if (const float limit = cx.f("swiglu_limit", std::numeric_limits<float>::infinity()); std::isfinite(limit)) {
    gate = cx.minimum(gate, double{limit});
    linear = cx.maximum(cx.minimum(linear, double{limit}), -double{limit});
  }
  const value_id open = cx.make(op::sigmoid{}, {cx.mul(gate, double{cx.f("activation_alpha", 1.f)})});
  return cx.mul(cx.mul(gate, open), cx.add(linear, double{cx.f("activation_beta", 0.f)}));
}

inline value_id expert_activation(import_context& cx, value_id x) {
  const std::string name = cx.s("activation_type", "relu");
  if (name == "relu") return cx.maximum(x, 0.);
  if (name == "gelu") return gelu_of(cx, x, "tanh");
  if (name == "silu") return cx.mul(x, cx.make(op::sigmoid{}, {x}));
  if (name == "identity") return x;
  if (name != "swiglu") cx.bad("activation_type is '" + name + "'");
  if (cx.i("swiglu_fusion", 0) != 1)
    cx.unsupported("swiglu whose halves are not interleaved (swiglu_fusion is not 1)",
                   "export the first layer's weights with gate and linear rows in turn");
  return swiglu_of_pairs(cx, x);
}

/// What each row multiplies each expert by, and which it has chosen: the `k` largest of router[rows, experts].
struct expert_choice {
  value_id share, chosen;  ///< [experts, rows, 1]
};
/// `among_chosen`: the shares are a softmax over what is chosen, not over all experts.
inline expert_choice choose_experts(import_context& cx, value_id router, bool among_chosen) {
  const i64 k = cx.i("k", 1);
  const ir::dim experts = cx.dim(router, -1);
  if (k < 1 || (experts.is_static() && k > experts.extent())) cx.bad("k is " + std::to_string(k));
  const import_context::values best = cx.make_all(op::top_k{.k = k, .axis = 1}, {router});
  const value_id shares =
      among_chosen ? cx.make(op::softmax{.axis = 1}, {best[0]})
                   : cx.make(op::gather_elements{.axis = 1}, {cx.make(op::softmax{.axis = 1}, {router}), best[1]});
  const value_id number = cx.unsqueeze(positions(cx, router, 1), {1, 2});  // [experts, 1, 1]
  const value_id is_it = cx.equal(cx.unsqueeze(best[1], {0}), number);     // [experts, rows, k]
  const value_id share = cx.where(is_it, cx.unsqueeze(shares, {0}), cx.like(shares, 0));
  const value_id times = cx.reduce_sum(cx.cast(is_it, dtype::i32), {2});
  return {cx.reduce_sum(share, {2}), cx.greater(times, cx.like(times, 0))};
}

inline void mixture_of_experts(import_context& cx, bool among_chosen, const expert_layer& first,
                               const expert_layer& second) {
  if (cx.i("use_sparse_mixer", 0) != 0) cx.unsupported("sparse mixers of experts");
  const value_id x = cx.in(0), router = cx.in(1);
  const int rank = cx.rank(x);
  if ((rank != 2 && rank != 3) || cx.rank(router) != 2)
    cx.bad("rows have 2 or 3 dimensions, and the router's numbers are [rows, experts]");
  const ir::dim routed = cx.dim(router, 1);
  for (const expert_layer& l : {first, second})
    if (const ir::dim experts = cx.dim(l.weights, 0); routed.is_static() && experts.is_static() && routed != experts)
      cx.bad("the router chooses among " + std::to_string(routed.extent()) + " experts, but there are weights of " +
             std::to_string(experts.extent()));
  const value_id rows =
      rank == 3 ? cx.make(op::reshape{}, {x, cx.concat({cx.list({-1}), cx.slice(cx.shape_of(x), 0, 2, 3)}, 0)}) : x;
  const expert_choice choice = choose_experts(cx, router, among_chosen);
  const auto layer = [&](value_id in, const expert_layer& l) {
    const value_id y = cx.matmul(in, cx.transpose(l.weights, {0, 2, 1}));
    return l.bias ? cx.add(y, cx.unsqueeze(l.bias, {1})) : y;
  };
  const value_id each = layer(expert_activation(cx, layer(cx.unsqueeze(rows, {0}), first)), second);
  const value_id part = cx.where(choice.chosen, cx.mul(each, choice.share), cx.like(each, 0));
  const value_id y = cx.reduce_sum(part, {0}, false);
  cx.out(rank == 3 ? cx.make(op::reshape{.shape = {}, .allow_zero = true}, {y, cx.shape_of(x)}) : y);
}

inline void moe(import_context& cx, const node&) {
  if (cx.has(6)) cx.unsupported("MoE with a third layer");
  const auto layer = [&](int i) {
    cx.require_shape(i, {-1, -1, -1});
    return expert_layer{cx.in(i), cx.in_or(i + 1, {})};
  };
  mixture_of_experts(cx, cx.i("normalize_routing_weights", 0) != 0, layer(2), layer(4));
}

/// Weights of few bits [experts, to, from * bits / 8], with a scale (and a zero point, packed as they are) for each
/// row, or for each block of a row.
inline expert_layer quantized_layer(import_context& cx, int weights, int zero, i64 bits, i64 block) {
  cx.require_shape(weights, {-1, -1, -1});
  const value_id x = numbers_in_bytes(cx, cx.in(weights), bits), scales = cx.in(weights + 1);
  const ir::dim from = cx.dim(x, 2), to = cx.dim(x, 1);
  if (!from.is_static() || !to.is_static()) cx.unsupported("experts' weights of a size that is not known");
  const bool whole = cx.rank(scales) == 2;
  if (!whole && (block < 1 || from.extent() % block != 0))
    cx.bad("block_size is " + std::to_string(block) + ", of rows of " + std::to_string(from.extent()));
  cx.require_shape(weights + 1, whole ? std::vector<i64>{-1, to.extent()}
                                      : std::vector<i64>{-1, to.extent(), from.extent() / block});
  const auto blocks = [&](value_id v) {  // what a row has of its own, or each block of it: [experts, to, blocks, 1]
    return cx.unsqueeze(v, whole ? std::vector<i64>{2, 3} : std::vector<i64>{3});
  };
  value_id middle = cx.scalar(dtype::f32, static_cast<double>(i64{1} << (bits - 1)));
  if (cx.has(zero)) {
    const value_id numbers = numbers_in_bytes(cx, cx.in(zero), bits);
    const value_id used = whole ? cx.slice(numbers, 1, 0, to.extent()) : cx.slice(numbers, 2, 0, from.extent() / block);
    middle = blocks(cx.cast(used, dtype::f32));
  }
  const value_id apart = cx.reshape(cx.cast(x, dtype::f32), {0, 0, -1, whole ? from.extent() : block});
  const value_id real = cx.mul(cx.sub(apart, middle), blocks(cx.cast(scales, dtype::f32)));
  return {cx.cast(cx.reshape(real, {0, 0, -1}), cx.elem(cx.in(0))), cx.in_or(weights + 2, {})};
}
/// Its shares are a softmax over what is chosen, as ONNX Runtime has it, whatever normalize_routing_weights says.
inline void q_moe(import_context& cx, const node&) {
  const i64 bits = cx.i("expert_weight_bits", 4), block = cx.i("block_size", 0);
  if (bits != 2 && bits != 4 && bits != 8) cx.bad("expert_weight_bits is " + std::to_string(bits));
  if (const std::string kind = cx.s("quant_type", "int"); kind != "int") cx.unsupported("QMoE of weights of " + kind);
  if (cx.i("weights_prepacked", 0) > 0) cx.unsupported("QMoE of weights in the order of one kernel");
  for (const int i : {8, 9, 10, 13})
    if (cx.has(i)) cx.unsupported("QMoE with a third layer");
  if (cx.has(14)) cx.unsupported("QMoE with other numbers for the sum than for the choice");
  mixture_of_experts(cx, true, quantized_layer(cx, 2, 11, bits, block), quantized_layer(cx, 5, 12, bits, block));
}

}  // namespace handlers

}  // namespace tenon::importers::onnx
