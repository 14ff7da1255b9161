// Operators that few models have: of trainers, of optimizers for one kind of device, of recurrences of attention, of
// texts, and what draws numbers or reads pictures.
#include "builder.hpp"

#include <tenon/runtime/strings.hpp>

namespace random_onnx {
namespace {

/// Numbers of a few steps about zero: sums of products of them stay ordinary.
std::string plain(builder& b, const dims& s, int percent_input = 60) {
  tensor t(b.type, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, static_cast<double>(b.d.in(-8, 8)) / 8);
  return b.given(std::move(t), percent_input);
}
std::string positive(builder& b, const dims& s) {
  tensor t(b.type, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, static_cast<double>(b.d.in(1, 16)) / 8);
  return b.given(std::move(t), 60);
}
// -- what optimizers write for one kind of device ---------------------------------------------------------------------

void bias_add(builder& b) {
  const i64 n = b.d.in(1, 2), s = b.some(), c = b.some();
  const std::string x = plain(b, {n, s, c}), bias = plain(b, {c});
  b.emit({x, bias, plain(b, {n, s, c})});
}
void bias_split_gelu(builder& b) {
  const i64 c = 2 * b.some();
  const std::string x = plain(b, {b.d.in(1, 2), b.some(), c});
  b.emit({x, plain(b, {c})});
}
void gemm_fast_gelu(builder& b) {
  const i64 k = b.some(), n = b.some();
  const std::string x = plain(b, b.d.chance(50) ? dims{b.some(), k} : dims{b.d.in(1, 2), b.some(), k});
  b.emit({x, plain(b, {k, n}), b.maybe(plain(b, {n}), 60)});
}
void group_norm(builder& b) {
  const i64 groups = b.d.in(1, 3), n = b.d.in(1, 2), c = groups * b.d.in(1, 4), h = b.some(), w = b.some();
  const bool last = b.d.chance(70);
  const dims s = last ? dims{n, h, w, c} : dims{n, c, h, w};
  const std::string x = plain(b, s), by = plain(b, {c}), shift = plain(b, {c});
  const attrs a{{"groups", groups}, {"epsilon", 0.125f}, {"activation", b.d.in(0, 1)}, {"channels_last", i64{last}}};
  if (b.op == "GroupNorm") return void(b.emit({x, by, shift}, a));
  const std::string skip = plain(b, b.d.chance(50) ? s : dims{n, c});
  b.emit({x, by, shift, skip, b.maybe(plain(b, {c}), 50)}, a, 2);
}
/// The kernel of the fused one has its channels where the default domain has them.
void nhwc_conv(builder& b) {
  const bool fused = b.op == "NhwcFusedConv";
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 4), m = b.d.in(1, 4), h = b.d.in(3, 7), w = b.d.in(3, 7);
  const std::string x = plain(b, {n, h, w, c}), k = plain(b, fused ? dims{m, c, 3, 3} : dims{m, 3, 3, c}),
                    bias = b.maybe(plain(b, {m}), 60);
  attrs a{{"kernel_shape", dims{3, 3}}, {"pads", dims{1, 1, 1, 1}}};
  if (!fused) return void(b.emit({x, k, bias}, a));
  if (b.d.chance(60)) a.push_back({"activation", std::string(b.d.of({"Relu", "Sigmoid", "Tanh"}))});
  b.emit({x, k, bias, b.maybe(plain(b, {n, h, w, m}), 40)}, a);
}
void qlinear_reduce_mean(builder& b) {
  const std::string x = b.pick_of(b.type, 1, 4, true);
  const auto scale = [&] { return b.given(tensor::from<float>({}, {b.d.of({0.25f, 0.5f, 1.0f})}), 15); };
  const auto zero = [&] { return b.given(b.integers(b.type, {}, 0, 5), 15); };
  const std::string sx = scale(), zx = zero(), sy = scale();
  const attrs a{{"keepdims", b.d.in(0, 1)}, {"axes", dims{b.axis_of(x)}}};
  b.emit({x, sx, zx, sy, zero()}, a);
}
void matmul_integer_16(builder& b) {
  const i64 k = b.some();
  const std::string x = b.given(b.integers(dtype::i16, {b.some(), k}, -300, 300), 70);
  b.emit({x, b.given(b.integers(dtype::i16, {k, b.some()}, -300, 300), 50)});
}
void is_all_finite(builder& b) {
  names in;
  for (i64 n = b.d.in(1, 3); n > 0; --n) in.push_back(b.pick(0, 3));
  attrs a;
  if (b.d.chance(50)) a.push_back({b.d.of({"isinf_only", "isnan_only"}), i64{1}});
  b.emit(in, a);
}
void murmur_hash(builder& b) {
  attrs a;
  if (b.d.chance(50)) a.push_back({"positive", i64{0}});
  if (b.d.chance(50)) a.push_back({"seed", b.d.in(0, 1000)});
  b.emit({b.pick(0, 3)}, a);
}
void conv_transpose_with_dynamic_pads(builder& b) {
  const i64 c = b.d.in(1, 3), m = b.d.in(1, 3), s = b.d.in(1, 2);
  const std::string x = plain(b, {b.d.in(1, 2), c, b.d.in(3, 6), b.d.in(3, 6)}), w = plain(b, {c, m, 3, 3});
  const std::string pads = b.list({b.d.in(0, 1), b.d.in(0, 1), b.d.in(0, 1), b.d.in(0, 1)});
  b.emit({x, w, pads, b.maybe(plain(b, {m}), 50)}, {{"strides", dims{s, s}}});
}
void ngram_repeat_block(builder& b) {
  const i64 n = b.d.in(1, 3), words = b.d.in(2, 5);
  const std::string tokens = b.given(b.integers(dtype::i64, {n, b.d.in(1, 9)}, 0, words - 1), 80);
  b.emit({tokens, plain(b, {n, words})}, {{"ngram_size", b.d.in(1, 3)}});
}
void expand_dims(builder& b) {
  const std::string x = b.pick(0, 3);
  b.emit({x, b.scalar(dtype::i32, static_cast<double>(b.d.in(-1 - b.rank(x), b.rank(x))))});
}
void dynamic_slice(builder& b) {
  const std::string x = b.pick(1, 3);
  const i64 e = b.shape(x)[0], start = b.d.in(0, e);
  b.emit({x, b.list({start}), b.list({b.d.in(start, e)}), b.list({0})});
}

// -- steps of training ------------------------------------------------------------------------------------------------

void training_step(builder& b) {
  const bool adam = b.op == "Adam";
  const i64 count = b.d.in(1, 2), states = adam ? 2 : 1;
  std::vector<dims> shapes;
  for (i64 k = 0; k < count; ++k) shapes.push_back(b.extents(static_cast<int>(b.d.in(1, 3)), 60));
  names in{b.scalar(b.type, 0.125), b.scalar(dtype::i64, static_cast<double>(b.d.in(0, 3)))};
  for (i64 kind = 0; kind < 2 + states; ++kind)
    for (const dims& s : shapes) in.push_back(kind < 2 ? plain(b, s) : positive(b, s));
  attrs a{{"norm_coefficient", b.d.of({0.0f, 0.25f})}};
  if (b.op == "Adagrad") a.insert(a.end(), {{"decay_factor", b.d.of({0.0f, 0.5f})}, {"epsilon", 0.125f}});
  if (adam) a.insert(a.end(), {{"alpha", 0.75f}, {"beta", 0.5f}, {"epsilon", 0.125f}});
  if (b.op == "Momentum")
    a.insert(a.end(), {{"alpha", 0.75f}, {"beta", 0.5f}, {"mode", std::string(b.d.of({"standard", "nesterov"}))}});
  b.emit(in, a, static_cast<int>(count * (1 + states)));
}

// -- attention --------------------------------------------------------------------------------------------------------

void causal_conv(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 4), taps = b.d.in(1, 4);
  const std::string x = plain(b, {n, c, b.some()}), w = plain(b, {c, 1, taps}), bias = b.maybe(plain(b, {c}), 50),
                    past = b.maybe(plain(b, {n, c, taps - 1}), 50);
  b.emit({x, w, bias, past}, {{"activation", std::string(b.d.of({"none", "silu", "swish"}))}}, 2);
}
void linear_attention(builder& b) {
  const i64 n = b.d.in(1, 2), steps = b.d.in(1, 4), heads = b.d.in(1, 2), q = heads * b.d.in(1, 2), dk = b.d.in(1, 4),
            dv = b.d.in(1, 4);
  const std::string rule = b.d.of({"linear", "gated", "delta", "gated_delta"});
  const bool gated = rule.rfind("gated", 0) == 0, delta = rule == "delta" || rule == "gated_delta";
  const std::string Q = plain(b, {n, steps, q * dk}), K = plain(b, {n, steps, heads * dk}),
                    V = plain(b, {n, steps, heads * dv}), past = b.maybe(plain(b, {n, heads, dk, dv}), 40),
                    decay = gated ? plain(b, {n, steps, b.d.chance(50) ? heads : heads * dk}) : "",
                    beta = delta ? plain(b, {n, steps, b.d.chance(50) ? heads : 1}) : "";
  attrs a{{"q_num_heads", q}, {"kv_num_heads", heads}, {"update_rule", rule}};
  if (b.d.chance(30)) a.push_back({"scale", 0.5f});
  b.emit({Q, K, V, past, decay, beta}, a, 2);
}
/// com.microsoft's convolution has gaps between taps, and channels that are last.
void spread_causal_conv(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 4), taps = b.d.in(1, 4), apart = b.d.in(1, 2), t = b.some();
  const i64 kept = (taps - 1) * apart;
  const bool last = b.d.chance(50);
  const std::string x = plain(b, last ? dims{n, t, c} : dims{n, c, t}), w = plain(b, {c, 1, taps}),
                    bias = b.maybe(plain(b, {c}), 50),
                    past = b.maybe(plain(b, last ? dims{n, kept, c} : dims{n, c, kept}), 50);
  b.emit({x, w, bias, past},
         {{"activation", std::string(b.d.of({"none", "silu"}))}, {"channels_last", i64{last}}, {"dilation", apart}}, 2);
}
void linear_attention_gate(builder& b) {
  const dims shape{b.d.in(1, 2), b.d.in(1, 4), b.d.in(1, 4)};
  const std::string a = plain(b, shape), bias = plain(b, {shape[2]}), scale = plain(b, {shape[2]});
  if (b.d.chance(50)) b.emit({a, bias, scale, plain(b, shape)}, {}, 2);
  else b.emit({a, bias, scale});
}
void gated_rms_norm(builder& b) {
  const i64 size = b.d.in(1, 4);
  const dims shape{b.d.in(1, 2), b.d.in(1, 3), size * b.d.in(1, 3)};
  b.emit({plain(b, shape), plain(b, {size}), plain(b, shape)}, {{"epsilon", 0.001f}});
}
void gated_add(builder& b) {
  const dims shape{b.d.in(1, 3), b.d.in(1, 3), b.d.in(1, 5)};
  b.emit({plain(b, shape), plain(b, shape), plain(b, {shape[0], shape[1], 1})});
}
void m_rotary_embedding(builder& b) {
  const i64 n = b.d.in(1, 2), heads = b.d.in(1, 2), t = b.d.in(1, 3), half = b.d.in(3, 5), beside = b.d.in(0, 1) * 2;
  const i64 first = b.d.in(0, 2), second = b.d.in(0, half - 2 > 1 ? 1 : half - 2), size = 2 * half + beside;
  const std::string x = b.d.chance(50) ? plain(b, {n, t, heads * size}) : plain(b, {n, heads, t, size});
  const std::string ids = b.given(b.integers(dtype::i64, {3, n, t}, 0, 6), 80);
  b.emit({x, ids, plain(b, {7, half}), plain(b, {7, half})},
         {{"mrope_section", dims{half - first - second, first, second}},
          {"mrope_layout", b.d.in(0, 1)},
          {"interleaved", b.d.in(0, 1)},
          {"num_heads", heads},
          {"rotary_embedding_dim", beside == 0 ? i64{0} : 2 * half}});
}
/// A mask of ones: ONNX Runtime leaves a window's row at its first zero, and takes masks of several images elsewhere.
void max_pool_with_mask(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 2), w = b.d.in(3, 6);
  const std::string x = plain(b, {n, c, w}), mask = b.given(b.integers(dtype::i32, {n, c, w}, 1, 1), 80);
  b.emit({x, mask}, {{"kernel_shape", dims{b.d.in(1, 3)}}, {"strides", dims{b.d.in(1, 2)}}});
}
void flex_attention(builder& b) {
  const i64 n = b.d.in(1, 2), kv = b.d.in(1, 2), heads = kv * b.d.in(1, 2), q = b.some(), k = b.some(), e = b.some();
  const std::string Q = plain(b, {n, heads, q, e}), K = plain(b, {n, kv, k, e}), V = plain(b, {n, kv, k, b.some()});
  b.emit({Q, K, V}, b.d.chance(40) ? attrs{{"scale", 0.5f}} : attrs{});
}
void swiglu(builder& b) {
  const std::string x = b.pick(1, 3);
  b.emit({x, b.alike(b.shape(x), b.type)});
}

// -- texts, trees and pictures ----------------------------------------------------------------------------------------

std::string words(builder& b, const dims& s) {
  tensor t(dtype::string, s);
  for (i64 k = 0; k < t.size(); ++k) tenon::set_string(t, k, b.d.of({"", "a", "B", "the", "The", "12", "a b"}));
  return b.given(std::move(t), 75);
}
void normalizer(builder& b) {
  const i64 n = b.d.in(1, 6);
  attrs a{{"case_change_action", std::string(b.d.of({"NONE", "LOWER", "UPPER"}))}, {"is_case_sensitive", b.d.in(0, 1)}};
  if (b.d.chance(70)) a.push_back({"stopwords", names{"the", "12"}});
  const std::string y = b.hide({b.emit({words(b, b.d.chance(50) ? dims{n} : dims{1, n})}, a)});
  b.emit_as("Equal", {y, words(b, {})});
}
void category_mapper(builder& b) {
  const attrs a{{"cats_strings", names{"a", "B", "the"}}, {"cats_int64s", dims{1, 2, 7}}, {"default_int64", i64{-1}}};
  b.emit({words(b, b.extents(static_cast<int>(b.d.in(1, 2)), 30))}, a);
}
/// One branch, both of whose children are leaves, for each tree.
void tree_ensemble(builder& b) {
  const i64 features = b.d.in(1, 4), trees = b.d.in(1, 4), targets = b.d.in(1, 3);
  dims feature, yes, no, leaf(static_cast<size_t>(trees), 1), missing, target, roots;
  tensor modes(dtype::u8, {trees}), splits(b.type, {trees}), weights(b.type, {2 * trees});
  for (i64 t = 0; t < trees; ++t) {
    feature.push_back(b.d.in(0, features - 1)), yes.push_back(2 * t), no.push_back(2 * t + 1), roots.push_back(t);
    missing.push_back(b.d.in(0, 1)), modes.set_i64(t, b.d.in(0, 5));
    splits.set_f64(t, static_cast<double>(b.d.in(-6, 6)) / 4);
  }
  for (i64 k = 0; k < 2 * trees; ++k)
    target.push_back(b.d.in(0, targets - 1)), weights.set_f64(k, static_cast<double>(b.d.in(-8, 8)) / 8);
  attrs a{{"nodes_featureids", feature}, {"nodes_truenodeids", yes}, {"nodes_falsenodeids", no},
          {"nodes_trueleafs", leaf},     {"nodes_falseleafs", leaf}, {"nodes_modes", modes},
          {"nodes_splits", splits},      {"leaf_targetids", target}, {"leaf_weights", weights},
          {"tree_roots", roots},         {"n_targets", targets},     {"aggregate_function", b.d.in(0, 3)}};
  if (b.d.chance(50)) a.push_back({"nodes_missing_value_tracks_true", missing});
  b.emit({plain(b, {b.d.in(1, 6), features}, 90)}, a);
}
void picture(builder& b) {
  const i64 h = b.d.in(1, 4), w = b.d.in(1, 4);
  std::string file = "P6\n" + std::to_string(w) + " " + std::to_string(h) + "\n255\n";
  for (i64 k = 0; k < 3 * h * w; ++k) file += static_cast<char>(b.d.in(0, 255));
  tensor bytes(dtype::u8, {static_cast<i64>(file.size())});
  for (i64 k = 0; k < bytes.size(); ++k) bytes.set_i64(k, static_cast<unsigned char>(file[static_cast<size_t>(k)]));
  b.emit({b.given(std::move(bytes), 0)}, {{"pixel_format", std::string(b.d.of({"RGB", "BGR", "Grayscale"}))}});
}

// -- what draws numbers: only how many is known
// ------------------------------------------------------------------------

void drawn(builder& b) {
  const bool like = b.op.size() > 4 && b.op.substr(b.op.size() - 4) == "Like";
  const attrs seed{{"seed", 0.5f}};
  std::string y;
  if (b.op == "Bernoulli") {
    tensor t(b.type, b.extents(2, 30));
    for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, b.d.unit());
    y = b.emit({b.given(std::move(t), 70)}, seed);
  } else if (b.op == "Multinomial") {
    y = b.emit({plain(b, {b.some(), b.some()})}, {{"sample_size", b.some()}, {"seed", 0.5f}});
  } else if (like) {
    y = b.emit({b.data(b.type, b.extents(2, 30))}, seed);
  } else {
    y = b.emit({}, {{"shape", dims{b.some(), b.some()}}, {"seed", 0.5f}});
  }
  b.emit_as("Shape", {b.hide({y})});
}
void empty_sequence(builder& b) {
  const std::string x = b.pick(1, 3), s = b.hide({b.emit({}, {{"dtype", i64{b.type == dtype::f64 ? 11 : 1}}})}),
                    t = b.hide(b.emit_as("SequenceInsert", {s, x}));
  b.emit_as("SequenceAt", {t, b.scalar(dtype::i64, 0)});
}

}  // namespace

std::vector<row> seldom_rows() {
  constexpr const char* ms = "com.microsoft";
  constexpr const char* ml = "ai.onnx.ml";
  return {
      {"BiasAdd", 7, "f", bias_add, 1000, ms},
      {"BiasSplitGelu", 7, "f", bias_split_gelu, 1000, ms},
      {"GemmFastGelu", 7, "f", gemm_fast_gelu, 1000, ms},
      {"GroupNorm SkipGroupNorm", 7, "f", group_norm, 1000, ms},
      {"NhwcConv NhwcFusedConv", 7, "f", nhwc_conv, 1000, ms},
      {"QLinearReduceMean", 7, "Cc", qlinear_reduce_mean, 1000, ms},
      {"MatMulInteger16", 7, "f", matmul_integer_16, 1000, ms},
      {"IsAllFinite", 7, "fd", is_all_finite, 1000, ms},
      {"MurmurHash3", 7, "fdil", murmur_hash, 1000, ms},
      {"ConvTransposeWithDynamicPads", 7, "f", conv_transpose_with_dynamic_pads, 1000, ms},
      {"CausalConvWithState", 7, "f", spread_causal_conv, 1000, ms},
      {"LinearAttention", 7, "f", linear_attention, 1000, ms},
      {"LinearAttentionGate", 7, "f", linear_attention_gate, 1000, ms},
      {"GatedRMSNorm", 7, "f", gated_rms_norm, 1000, ms},
      {"GatedAdd", 7, "f", gated_add, 1000, ms},
      {"MRotaryEmbedding", 7, "f", m_rotary_embedding, 1000, ms},
      {"MaxpoolWithMask", 7, "f", max_pool_with_mask, 1000, ms},
      {"NGramRepeatBlock", 7, "f", ngram_repeat_block, 1000, ms},
      {"ExpandDims", 7, "fdil", expand_dims, 1000, ms},
      {"DynamicSlice", 7, "fdil", dynamic_slice, 9},
      {"Adagrad Adam Momentum", 12, "fd", training_step, 1000, "ai.onnx.preview.training"},
      {"CausalConvWithState", 27, "f", causal_conv},
      {"LinearAttention", 27, "f", linear_attention},
      {"FlexAttention", 26, "f", flex_attention, 1000, "ai.onnx.preview"},
      {"SwiGLU", 28, "fd", swiglu},
      {"StringNormalizer", 19, "f", normalizer},
      {"CategoryMapper", 7, "f", category_mapper, 1000, ml},
      {"TreeEnsemble", 21, "fd", tree_ensemble, 1000, ml},
      {"ImageDecoder", 20, "f", picture},
      {"Bernoulli", 15, "fd", drawn},
      {"Multinomial RandomNormal RandomUniform RandomNormalLike RandomUniformLike", 7, "f", drawn},
      {"SequenceEmpty", 11, "fd", empty_sequence},
  };
}

}  // namespace random_onnx
