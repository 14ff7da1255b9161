// Operators of com.microsoft: what ONNX Runtime's optimizer and quantizer write.
#include "builder.hpp"

#include <algorithm>

namespace random_onnx {
namespace {

/// Powers of two, as in rows_quantized.cpp.
std::string scale(builder& b, const dims& s = {}) {
  tensor t(dtype::f32, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, b.d.of({0.125, 0.25, 0.5, 1.0, 2.0}));
  return b.given(std::move(t), 15);
}
std::string zero(builder& b, dtype t, const dims& s = {}) {
  return b.given(b.integers(t, s, tenon::is_unsigned_int(t) ? 0 : -3, 5), 15);
}
/// Numbers of a few steps about zero: sums of products of them stay ordinary.
std::string plain(builder& b, const dims& s, int percent_input = 60) {
  tensor t(dtype::f32, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, static_cast<double>(b.d.in(-8, 8)) / 8);
  return b.given(std::move(t), percent_input);
}
std::string fixed(builder& b, const dims& s) { return plain(b, s, 0); }

// -- attention --------------------------------------------------------------------------------------------------------

void attention(builder& b) {
  const i64 n = b.d.in(1, 3), s = b.d.in(1, 6), heads = b.d.of<i64>({1, 2, 4}), e = b.d.in(1, 4), h = heads * e,
            in = b.d.in(1, 7), past = b.d.chance(30) ? b.d.in(1, 3) : 0;
  const std::string x = plain(b, {n, s, in}), w = fixed(b, {in, 3 * h}), bias = fixed(b, {3 * h});
  std::string mask, before;
  if (b.d.chance(50)) {
    const i64 kind = past ? 2 : b.d.in(1, 3);
    mask = b.given(kind == 1   ? b.integers(dtype::i32, {n}, 1, s)
                   : kind == 2 ? b.integers(dtype::i32, {n, past + s}, 0, 1)
                               : b.integers(dtype::i32, {n, s, past + s}, 0, 1),
                   70);
  }
  if (past) before = plain(b, {2, n, heads, past, e});
  attrs a{{"num_heads", heads}};
  if (b.d.chance(40)) a.push_back({"unidirectional", i64{1}});
  if (b.d.chance(20)) a.push_back({"scale", 0.5f});
  b.emit({x, w, bias, mask, before}, a, past ? 2 : 1);
}
void multi_head(builder& b) {
  const i64 n = b.d.in(1, 3), s = b.d.in(1, 6), heads = b.d.of<i64>({1, 2, 4}), e = b.d.in(1, 4),
            past = b.d.chance(30) ? b.d.in(1, 3) : 0, v = past ? e : b.d.in(1, 4), keys = past ? s : b.d.in(1, 6);
  const std::string Q = plain(b, {n, s, heads * e}), K = plain(b, {n, keys, heads * e}),
                    V = plain(b, {n, keys, heads * v});
  names in{Q, K, V, b.d.chance(40) ? plain(b, {heads * (2 * e + v)}) : ""};
  in.push_back(b.d.chance(30) ? b.given(b.integers(dtype::i32, {n, past + keys}, 0, 1), 70) : "");
  in.push_back(b.d.chance(30) ? plain(b, {b.d.chance(50) ? n : 1, b.d.chance(50) ? heads : 1, s, past + keys}) : "");
  if (past) in.push_back(plain(b, {n, heads, past, e})), in.push_back(plain(b, {n, heads, past, v}));
  attrs a{{"num_heads", heads}};
  if (b.d.chance(30)) a.push_back({"unidirectional", i64{1}});
  b.emit(in, a, past ? 3 : 1);
}
void grouped(builder& b) {
  const i64 n = b.d.in(1, 3), kv = b.d.in(1, 2), heads = kv * b.d.in(1, 3), e = 8 * b.d.in(1, 2),
            past = b.d.chance(50) ? b.d.in(1, 5) : 0, s = past ? 1 : b.d.in(1, 6), all = past + s;
  const bool packed = b.d.chance(30), rotate = b.d.chance(50);
  names in;
  if (packed) in = {plain(b, {n, s, (heads + 2 * kv) * e}), "", ""};
  else in = {plain(b, {n, s, heads * e}), plain(b, {n, s, kv * e}), plain(b, {n, s, kv * e})};
  in.push_back(plain(b, {n, kv, past, e})), in.push_back(plain(b, {n, kv, past, e}));
  in.push_back(b.given(b.integers(dtype::i32, {n}, all - 1, all - 1), 70));
  in.push_back(b.given(b.integers(dtype::i32, {}, all, all), 50));
  if (rotate) in.push_back(plain(b, {all + 3, e / 2})), in.push_back(plain(b, {all + 3, e / 2}));
  attrs a{{"num_heads", heads}, {"kv_num_heads", kv}};
  if (rotate) a.push_back({"do_rotary", i64{1}}), a.push_back({"rotary_interleaved", b.d.in(0, 1)});
  if (b.d.chance(30)) a.push_back({"local_window_size", b.d.in(1, 4)});
  if (b.d.chance(20)) a.push_back({"softcap", 2.0f});
  if (b.d.chance(20)) a.push_back({"scale", 0.5f});
  b.emit(in, a, 3);
}
void rotary(builder& b) {
  const i64 n = b.d.in(1, 3), s = b.d.in(1, 5), heads = b.d.in(1, 3), e = 2 * b.d.in(1, 4), most = s + 4;
  const bool flat = b.d.chance(50), each = b.d.chance(50);
  const std::string x = plain(b, flat ? dims{n, s, heads * e} : dims{n, heads, s, e});
  const std::string at =
      b.given(each ? b.integers(dtype::i64, {n, s}, 0, most - 1) : b.integers(dtype::i64, {1}, 0, 4), 70);
  const std::string cos = plain(b, {most, e / 2});
  b.emit({x, at, cos, plain(b, {most, e / 2})}, {{"interleaved", b.d.in(0, 1)}});
}
void q_attention(builder& b) {
  const i64 n = b.d.in(1, 2), s = b.d.in(1, 5), heads = b.d.in(1, 3), e = b.d.in(1, 4), h = heads * e,
            in = b.d.in(1, 9);
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const bool each = b.d.chance(30);
  const std::string x = b.data(dtype::u8, {n, s, in}), w = b.weight(t, {in, 3 * h}), bias = fixed(b, {3 * h}),
                    sx = scale(b), sw = scale(b, each ? dims{3 * h} : dims{});
  const std::string mask = b.d.chance(40) ? b.given(b.integers(dtype::i32, {n}, 1, s), 70) : "";
  const std::string zx = zero(b, dtype::u8);
  b.emit({x, w, bias, sx, sw, mask, zx, zero(b, t, each ? dims{3 * h} : dims{})},
         {{"num_heads", heads}, {"unidirectional", b.d.in(0, 1)}});
}
void embed(builder& b) {
  const i64 n = b.d.in(1, 3), s = b.d.in(1, 6), words = b.d.in(2, 9), h = b.d.in(1, 9);
  const bool segments = b.d.chance(70), mask = b.d.chance(50);
  const std::string ids = b.given(b.integers(dtype::i32, {n, s}, 0, words - 1), 80),
                    kinds = segments ? b.given(b.integers(dtype::i32, {n, s}, 0, 1), 80) : "",
                    word = fixed(b, {words, h}), place = fixed(b, {s + 2, h}), kind = segments ? fixed(b, {2, h}) : "",
                    by = fixed(b, {h}), shift = fixed(b, {h});
  const std::string counts = mask ? b.given(b.integers(dtype::i32, {n, s}, 0, 1), 80) : "";
  b.emit({ids, kinds, word, place, kind, by, shift, counts}, {{"epsilon", 0.125f}}, 2);
}

void q_embed(builder& b) {
  const i64 n = b.d.in(1, 3), s = b.d.in(1, 6), words = b.d.in(2, 9), h = b.d.in(1, 9);
  const bool mask = b.d.chance(50);
  const dtype t = dtype::u8;
  const auto table = [&](const dims& shape) { return b.given(b.integers(t, shape, 0, 20), 10); };
  const std::string ids = b.given(b.integers(dtype::i32, {n, s}, 0, words - 1), 80),
                    kinds = b.given(b.integers(dtype::i32, {n, s}, 0, 1), 80), word = table({words, h}),
                    place = table({s + 2, h}), kind = table({2, h}), by = table({h}), shift = table({h});
  names in{ids, kinds, word, place, kind, by, shift, ""};
  if (mask) in.back() = b.given(b.integers(dtype::i32, {n, s}, 0, 1), 80);
  for (int k = 0; k < 5; ++k) in.push_back(scale(b));
  for (int k = 0; k < 5; ++k) in.push_back(zero(b, t));
  b.emit(in, {{"epsilon", 0.125f}}, 2);
}

// -- products ---------------------------------------------------------------------------------------------------------

void fused_conv(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 4), m = b.d.in(1, 4), h = b.d.in(3, 7), w = b.d.in(3, 7);
  const std::string x = plain(b, {n, c, h, w}), k = plain(b, {m, c, 3, 3});
  const std::string how = b.d.of({"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"});
  attrs a{{"activation", how}, {"kernel_shape", dims{3, 3}}, {"pads", dims{1, 1, 1, 1}}};
  if (how == "LeakyRelu") a.push_back({"activation_params", std::vector<float>{0.25f}});
  if (how == "Clip") a.push_back({"activation_params", std::vector<float>{-0.5f, 0.75f}});
  if (how == "HardSigmoid") a.push_back({"activation_params", std::vector<float>{0.25f, 0.5f}});
  const std::string bias = b.d.chance(60) ? plain(b, {m}) : "";
  b.emit({x, k, bias, b.d.chance(40) ? plain(b, {n, m, h, w}) : ""}, a);
}
void fused_gemm(builder& b) {
  const i64 m = b.some(), k = b.some(), n = b.some(), ta = b.d.in(0, 1), tb = b.d.in(0, 1);
  const std::string x = plain(b, ta ? dims{k, m} : dims{m, k}), w = plain(b, tb ? dims{n, k} : dims{k, n});
  b.emit({x, w, b.d.chance(60) ? plain(b, {n}) : ""},
         {{"transA", ta}, {"transB", tb}, {"activation", std::string(b.d.of({"Relu", "Sigmoid", "Tanh"}))}});
}
/// Batches and transposed operands, of more than one batch dimension too.
void batched_matmul(builder& b) {
  const i64 n = b.d.in(1, 3), m = b.some(), k = b.some(), c = b.some(), ta = b.d.in(0, 1), tb = b.d.in(0, 1);
  const std::string x = plain(b, ta ? dims{n, k, m} : dims{n, m, k});
  b.emit({x, plain(b, tb ? dims{n, c, k} : dims{n, k, c})},
         {{"transA", ta}, {"transB", tb}, {"alpha", b.d.of({1.0f, 0.5f, -2.0f})}});
}
void dynamic_matmul(builder& b) {
  const i64 k = b.some(), n = b.extent() + 1;
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const bool each = b.d.chance(40);
  const std::string x = plain(b, b.d.chance(50) ? dims{b.some(), k} : dims{b.d.in(1, 2), b.some(), k});
  const std::string w = b.weight(t, {k, n}), by = scale(b, each ? dims{n} : dims{});
  const std::string z = b.d.chance(60) ? zero(b, t, each ? dims{n} : dims{}) : "";
  b.emit({x, w, by, z, b.d.chance(50) ? plain(b, {n}) : ""});
}
void integer_to_float(builder& b) {
  const i64 k = b.some(), n = b.extent() + 1;
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const bool each = b.d.chance(40);
  const std::string x = b.data(b.type, b.d.chance(50) ? dims{b.some(), k} : dims{b.d.in(1, 2), b.some(), k});
  const std::string w = b.weight(t, {k, n}), sx = scale(b), sw = scale(b, each ? dims{n} : dims{}),
                    zx = b.maybe(zero(b, b.type), 60), zw = b.maybe(zero(b, t, each ? dims{n} : dims{}), 60);
  b.emit({x, w, sx, sw, zx, zw, b.d.chance(50) ? plain(b, {n}) : ""});
}
void q_gemm(builder& b) {
  const i64 m = b.some(), k = b.some(), n = b.some(), ta = b.d.in(0, 1), tb = b.d.in(0, 1);
  const dtype t = b.type == dtype::i8 ? dtype::i8 : b.d.of({dtype::u8, dtype::i8});
  const std::string x = b.data(b.type, ta ? dims{k, m} : dims{m, k}), sx = scale(b), zx = zero(b, b.type),
                    w = b.weight(t, tb ? dims{n, k} : dims{k, n}), sw = scale(b), zw = zero(b, t);
  const std::string bias = b.d.chance(50) ? b.weight(dtype::i32, {n}) : "";
  names in{x, sx, zx, w, sw, zw, bias};
  if (b.d.chance(60)) in.push_back(scale(b)), in.push_back(zero(b, b.type));
  b.emit(in, {{"transA", ta}, {"transB", tb}, {"alpha", 1.0f}});
}
/// Weights in bytes; inputs and states are bytes in ONNX Runtime, too (ort_rules.js).
void dynamic_lstm(builder& b) {
  const i64 time = b.d.in(1, 4), n = b.d.in(1, 2), in = b.d.in(1, 5), h = b.d.in(1, 5), ways = b.d.in(1, 2);
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const auto bytes = [&](const dims& s) { return b.given(b.integers(t, s, t == dtype::u8 ? 0 : -10, 20), 0); };
  tensor by(dtype::f32, {ways}), zeros = b.integers(t, {ways}, 0, 9);
  for (i64 k = 0; k < ways; ++k) by.set_f64(k, 0.03125);
  const std::string x = plain(b, {time, n, in}), w = bytes({ways, in, 4 * h}), r = bytes({ways, h, 4 * h});
  const std::string bias = b.d.chance(60) ? plain(b, {ways, 8 * h}) : "";
  names inputs{x, w, r, bias, "", "", "", ""};
  for (int k = 0; k < 2; ++k) {
    inputs.push_back(b.given(by, 0));
    inputs.push_back(b.given(zeros, 0));
  }
  attrs a{{"hidden_size", h}};
  if (ways == 2) a.push_back({"direction", std::string("bidirectional")});
  b.emit(inputs, a, 3);
}
/// A table in blocks of 8 bits, or of 4 that share bytes.
void gather_block_quantized(builder& b) {
  const i64 bits = b.d.of<i64>({4, 4, 8}), block = b.d.of<i64>({16, 32}), rows = b.d.in(1, 7), per_byte = 8 / bits,
            blocks = b.d.in(1, 3), columns = block * blocks;
  const std::string table = b.given(b.integers(dtype::u8, {rows, columns / per_byte}, 0, 255), 10);
  const dtype index = b.d.of({dtype::i64, dtype::i32});
  const i64 from = b.d.chance(15) ? 1 : 0, last = from == 1 ? columns - 1 : rows - 1;
  const std::string at = b.given(b.integers(index, b.extents(static_cast<int>(b.d.in(0, 2)), 30), 0, last), 80),
                    by = scale(b, {rows, blocks});
  std::string zeros;
  if (b.d.chance(60)) {
    const i64 bytes = (blocks + per_byte - 1) / per_byte;
    zeros = b.given(b.integers(dtype::u8, {rows, bytes}, 0, 255), 10);
  }
  b.emit({table, at, by, zeros},
         {{"bits", bits}, {"block_size", block}, {"quantize_axis", i64{1}}, {"gather_axis", from}});
}

void matmul_bnb4(builder& b) {
  const i64 k = b.d.in(1, 40), n = b.d.in(1, 9), block = b.d.of<i64>({16, 32, 64}), bytes = (k * n + 1) / 2;
  const std::string x = plain(b, b.d.chance(50) ? dims{b.some(), k} : dims{b.d.in(1, 2), b.some(), k}),
                    w = b.given(b.integers(dtype::u8, b.d.chance(50) ? dims{bytes} : dims{bytes, 1}, 0, 255), 10);
  b.emit({x, w, scale(b, {(k * n + block - 1) / block})},
         {{"K", k}, {"N", n}, {"block_size", block}, {"quant_type", b.d.in(0, 1)}});
}
/// Of 4 bits, and without zero points in bytes: with others ONNX Runtime refuses g_idx, and overlooks these.
void grouped_matmul_nbits(builder& b) {
  const i64 block = b.d.of<i64>({16, 32}), blocks = b.d.in(1, 3), k = block * blocks, n = b.d.in(1, 9);
  const std::string x = plain(b, {b.some(), k}), w = b.given(b.integers(dtype::u8, {n, blocks, block / 2}, 0, 255), 10),
                    by = scale(b, {n, blocks}), zeros = b.d.chance(40) ? plain(b, {n, blocks}, 10) : "";
  b.emit({x, w, by, zeros, b.given(b.integers(dtype::i32, {k}, 0, blocks - 1), 10)},
         {{"K", k}, {"N", n}, {"bits", i64{4}}, {"block_size", block}});
}

// -- sums, distances, norms -------------------------------------------------------------------------------------------

void cdist(builder& b) {
  const i64 k = b.some(), n = b.some();
  const std::string x = plain(b, {n, k});
  b.emit({x, plain(b, {b.some(), k})}, {{"metric", std::string(b.d.of({"sqeuclidean", "euclidean"}))}});
}

// -- quantized --------------------------------------------------------------------------------------------------------

void concat(builder& b) {
  const i64 rank = b.d.in(1, 4), axis = b.d.in(0, rank - 1);
  dims s = b.extents(static_cast<int>(rank), 300);
  names in{scale(b), zero(b, b.type)};
  for (i64 k = b.d.in(1, 3); k > 0; --k) {
    s[static_cast<size_t>(axis)] = b.some();
    in.push_back(b.data(b.type, s));
    in.push_back(scale(b));
    in.push_back(zero(b, b.type));
  }
  b.emit(in, {{"axis", axis}});
}
void pool(builder& b) {
  const bool last = b.d.chance(40), global = b.op == "QLinearGlobalAveragePool";
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 5), h = b.d.in(2, 6), w = b.d.in(2, 6);
  const std::string x = b.data(b.type, last ? dims{n, h, w, c} : dims{n, c, h, w}), sx = scale(b), zx = zero(b, b.type),
                    sy = scale(b);
  attrs a{{"channels_last", i64{last}}};
  if (!global) {
    a.push_back({"kernel_shape", dims{2, 2}});
    if (b.d.chance(50)) a.push_back({"pads", dims{1, 1, 0, 0}}), a.push_back({"count_include_pad", b.d.in(0, 1)});
    if (b.d.chance(50)) a.push_back({"strides", dims{2, 1}});
  }
  b.emit({x, sx, zx, sy, zero(b, b.type)}, a);
}
void nhwc_max_pool(builder& b) {
  const std::string x = b.data(b.type, {b.d.in(1, 2), b.d.in(2, 6), b.d.in(2, 6), b.d.in(1, 20)});
  attrs a{{"kernel_shape", dims{2, 2}}};
  if (b.d.chance(50)) a.push_back({"pads", dims{1, 1, 0, 0}});
  if (b.d.chance(50)) a.push_back({"strides", dims{2, 1}});
  b.emit({x}, a);
}
void softmax(builder& b) {
  const std::string x = b.pick_of(b.type, 1, 4, true), sx = scale(b), zx = zero(b, b.type);
  const std::string sy = b.given(tensor::from<float>({}, {1.0f / 256}), 0), zy = zero(b, b.type);
  b.emit({x, sx, zx, sy, zy}, {{"axis", b.axis_of(x)}, {"opset", b.d.of<i64>({12, 13})}});
}
void where(builder& b) {
  const std::string x = b.pick(1, 4), y = b.partner(x, b.type), c = b.partner(x, dtype::boolean);
  const std::string sx = scale(b), zx = zero(b, b.type), sy = scale(b), zy = zero(b, b.type), s = scale(b);
  b.emit({c, x, sx, zx, y, sy, zy, s, zero(b, b.type)});
}

// -- experts, and what moves and samples elements ---------------------------------------------------------------------

void experts(builder& b) {
  const bool quantized = b.op == "QMoE", pairs = b.d.chance(30);
  const i64 n = b.d.in(1, 6), experts = b.d.in(1, 5), block = quantized && b.d.chance(50) ? 16 : 0,
            bits = quantized ? b.d.of<i64>({4, 8}) : 0, unit = block ? 16 : 8 / std::max<i64>(bits, 4) * 2,
            from = unit * b.d.in(1, 3), within = unit * b.d.in(1, 3), first = pairs ? 2 * within : within;
  tensor chance(dtype::f32, {n, experts});  // which of two equal ones is chosen is open
  for (i64 k = 0; k < chance.size(); ++k) chance.set_f64(k, static_cast<double>(b.d.in(-4, 4) * 8 + k % experts) / 8);
  const std::string x = plain(b, {n, from}), router = b.given(std::move(chance), 60);
  attrs a{{"k", b.d.in(1, experts)},
          {"activation_type", pairs ? "swiglu" : b.d.of({"relu", "gelu", "silu", "identity"})}};
  if (pairs) {
    a.push_back({"swiglu_fusion", i64{1}});
    a.push_back({"activation_alpha", 1.5f}), a.push_back({"activation_beta", 0.5f});
    if (b.d.chance(50)) a.push_back({"swiglu_limit", 1.0f});
  }
  if (b.d.chance(50)) a.push_back({"normalize_routing_weights", i64{1}});
  const auto bias = [&](i64 to) { return b.d.chance(60) ? fixed(b, {experts, to}) : ""; };
  if (!quantized) {
    const std::string w = fixed(b, {experts, first, from}), c = bias(first), v = fixed(b, {experts, from, within});
    b.emit({x, router, w, c, v, bias(from)}, a);
    return;
  }
  a.push_back({"expert_weight_bits", bits});
  if (block) a.push_back({"block_size", block});
  const auto packed = [&](dims s) {
    s.back() = (s.back() * bits + 7) / 8;
    return b.given(b.integers(dtype::u8, s, 0, 255), 0);
  };
  const auto per = [&](i64 to, i64 depth) { return block ? dims{experts, to, depth / block} : dims{experts, to}; };
  const bool zeros = b.d.chance(50);
  const std::string w = packed({experts, first, from}), ws = scale(b, per(first, from)), c = bias(first),
                    v = packed({experts, from, within}), vs = scale(b, per(from, within)), d = bias(from);
  names in{x, router, w, ws, c, v, vs, d};
  if (zeros) {
    in.resize(11);
    in.push_back(packed(per(first, from)));
    in.push_back(packed(per(from, within)));
  }
  b.emit(in, a);
}
/// With a step before: ONNX Runtime takes a length of 0 for none.
void decoder_step(builder& b) {
  const i64 n = b.d.in(1, 3), heads = b.d.of<i64>({1, 2, 4}), e = b.d.in(1, 4), h = heads * e, all = b.d.in(2, 6);
  const bool cross = b.d.chance(30);
  attrs a{{"num_heads", heads}};
  if (b.d.chance(20)) a.push_back({"scale", 0.5f});
  const std::string q = plain(b, {n, 1, h});
  if (cross) {
    const std::string k = plain(b, {n, heads, all, e});
    b.emit({q, k, plain(b, {n, heads, all, e})}, a);
    return;
  }
  a.push_back({"past_present_share_buffer", i64{1}});
  const i64 done = b.d.in(1, all - 1);
  const std::string k = plain(b, {n, 1, h}), v = plain(b, {n, 1, h}), ks = plain(b, {n, heads, all, e}),
                    vs = plain(b, {n, heads, all, e}), place = b.given(b.integers(dtype::i32, {1}, done, done), 70);
  b.emit({q, k, v, "", "", ks, vs, place, "", "", b.d.chance(50) ? fixed(b, {3 * h}) : ""}, a, 3);
}
void crop_and_resize(builder& b) {
  const i64 n = b.d.in(1, 2), regions = b.d.in(1, 3);
  const std::string x = plain(b, {n, b.d.in(1, 3), b.d.in(1, 6), b.d.in(1, 6)});
  tensor r(dtype::f32, {regions, 4});
  for (i64 k = 0; k < r.size(); ++k) r.set_f64(k, static_cast<double>(b.d.in(-2, 10)) / 8);
  const std::string rois = b.given(std::move(r), 70), image = b.given(b.integers(dtype::i32, {regions}, 0, n - 1), 70),
                    size = b.given(b.integers(dtype::i32, {2}, 1, 5), 0);
  attrs a;
  if (b.d.chance(50)) a.push_back({"extrapolation_value", 2.5f});
  b.emit({x, rois, image, size}, a);
}
/// Far from singular ones.
void inverse(builder& b) {
  const i64 n = b.d.in(1, 6);
  dims s = b.d.chance(50) ? dims{n, n} : dims{b.d.in(1, 3), n, n};
  tensor t(dtype::f32, s);
  for (i64 k = 0; k < t.size(); ++k)
    t.set_f64(k,
              static_cast<double>(b.d.in(-8, 8)) / 8 + (k % (n * n) % (n + 1) == 0 ? static_cast<double>(2 * n) : 0));
  b.emit({b.given(std::move(t), 80)});
}
void padded(builder& b) {
  const std::string x = b.pick(1, 3);
  const i64 rank = b.rank(x);
  const tensor pads = b.integers(dtype::i64, b.d.chance(50) ? dims{2 * rank} : dims{1, 2 * rank}, 0, 2);
  b.emit({x, b.given(pads, 30), b.d.chance(50) ? b.scalar(b.type, 1.5) : ""});
}
void unfolded(builder& b) {
  const std::string x = b.pick_of(b.type, 1, 4, true);
  const i64 axis = b.axis_of(x), extent = b.shape(x)[static_cast<size_t>(axis < 0 ? axis + b.rank(x) : axis)];
  b.emit({x}, {{"dim", axis}, {"size", b.d.in(1, extent)}, {"step", b.d.in(1, 3)}});
}
void unique_elements(builder& b) { b.emit({b.data(dtype::f32, {b.d.in(1, 9)})}, {}, 3); }

}  // namespace

std::vector<row> microsoft_rows() {
  constexpr const char* ms = "com.microsoft";
  return {
      {"Attention", 7, "f", attention, 1000, ms},
      {"MultiHeadAttention", 7, "f", multi_head, 1000, ms},
      {"GroupQueryAttention", 7, "f", grouped, 1000, ms},
      {"RotaryEmbedding", 7, "f", rotary, 1000, ms},
      {"QAttention", 7, "f", q_attention, 1000, ms},
      {"EmbedLayerNormalization", 7, "f", embed, 1000, ms},
      {"QEmbedLayerNormalization", 7, "f", q_embed, 1000, ms},
      {"DynamicQuantizeLSTM", 7, "f", dynamic_lstm, 1000, ms},
      {"GatherBlockQuantized", 7, "f", gather_block_quantized, 1000, ms},
      {"FusedConv", 7, "f", fused_conv, 1000, ms},
      {"FusedGemm", 7, "f", fused_gemm, 1000, ms},
      {"FusedMatMul TransposeMatMul", 7, "f", batched_matmul, 1000, ms},
      {"DynamicQuantizeMatMul", 7, "f", dynamic_matmul, 1000, ms},
      {"MatMulIntegerToFloat", 7, "Cc", integer_to_float, 1000, ms},
      {"QGemm", 7, "Cc", q_gemm, 1000, ms},
      {"MatMulBnb4", 7, "f", matmul_bnb4, 1000, ms},
      {"MatMulNBits", 7, "f", grouped_matmul_nbits, 1000, ms},
      {"CDist", 7, "f", cdist, 1000, ms},
      {"QLinearConcat", 7, "Cc", concat, 1000, ms},
      {"QLinearAveragePool QLinearGlobalAveragePool", 7, "Cc", pool, 1000, ms},
      {"NhwcMaxPool", 7, "Cc", nhwc_max_pool, 1000, ms},
      {"QLinearSoftmax", 7, "Cc", softmax, 1000, ms},
      {"QLinearWhere", 7, "Cc", where, 1000, ms},
      {"MoE QMoE", 7, "f", experts, 1000, ms},
      {"DecoderMaskedMultiHeadAttention", 7, "f", decoder_step, 1000, ms},
      {"CropAndResize", 7, "f", crop_and_resize, 1000, ms},
      {"Inverse", 7, "f", inverse, 1000, ms},
      {"Pad", 7, "fd", padded, 1000, ms},
      {"UnfoldTensor", 7, "fdil", unfolded, 1000, ms},
      {"Unique", 7, "f", unique_elements, 1000, ms},
  };
}

}  // namespace random_onnx
