// Forms of operators that other rows leave out: attributes that are seldom set, and what the standard added later.
#include "builder.hpp"

#include <algorithm>

namespace random_onnx {
namespace {

/// Numbers of a few steps about zero, never odd: sums of many of them stay ordinary.
std::string plain(builder& b, const dims& s, int percent_input = 60) {
  tensor t(b.type, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, static_cast<double>(b.d.in(-8, 8)) / 8);
  return b.given(std::move(t), percent_input);
}

// -- windows ----------------------------------------------------------------------------------------------------------

struct window {
  dims kernel, strides, dilations, pads, spatial;
  attrs all(bool padded) const {
    attrs a{{"kernel_shape", kernel}, {"strides", strides}, {"dilations", dilations}};
    if (padded) a.push_back({"pads", pads});
    return a;
  }
};
/// SAME where windows are shorter than steps: whether the image is cut then is not agreed on.
std::string padding(builder& b, const dims& kernel, const dims& strides, const dims& dilations) {
  const std::string how = b.d.of({"SAME_UPPER", "SAME_LOWER", "VALID"});
  for (size_t k = 0; how != "VALID" && k < kernel.size(); ++k)
    if ((kernel[k] - 1) * dilations[k] + 1 < strides[k]) throw skip{};
  return how;
}
/// Windows that fit; large ones too.
window draw_window(builder& b, int rank, bool pool) {
  window w;
  dims after;
  for (int k = 0; k < rank; ++k) {
    w.kernel.push_back(b.d.of<i64>({1, 2, 3, 4, 5, 7})), w.strides.push_back(b.d.in(1, 4)),
        w.dilations.push_back(b.d.chance(60) ? 1 : b.d.in(2, 3));
    const i64 reach = (w.kernel.back() - 1) * w.dilations.back() + 1, most = pool ? w.kernel.back() - 1 : 4;
    w.pads.push_back(b.d.in(0, most)), after.push_back(b.d.in(0, most));
    w.spatial.push_back(std::max<i64>(1, reach - w.pads.back() - after.back()) + b.d.in(0, 9));
  }
  w.pads.insert(w.pads.end(), after.begin(), after.end());
  return w;
}
void conv(builder& b) {
  const int rank = static_cast<int>(b.d.of({1, 1, 2, 2, 2, 3}));
  const i64 group = b.d.of<i64>({1, 1, 2, 3, 4}), each = b.d.in(1, 4), out = b.d.of<i64>({1, 2, 3, 5, 8});
  window w = draw_window(b, rank, false);
  const std::string how = b.d.chance(70) ? "NOTSET" : padding(b, w.kernel, w.strides, w.dilations);
  if (how != "NOTSET")
    for (size_t k = 0; k < w.kernel.size(); ++k) w.spatial[k] += (w.kernel[k] - 1) * w.dilations[k];
  dims s{b.d.in(1, 3), group * each}, k{group * out, each};
  s.insert(s.end(), w.spatial.begin(), w.spatial.end()), k.insert(k.end(), w.kernel.begin(), w.kernel.end());
  attrs a = w.all(how == "NOTSET");
  if (how != "NOTSET") a.push_back({"auto_pad", how});
  a.push_back({"group", group});
  const std::string x = plain(b, s), weights = plain(b, k, 30);
  b.emit({x, weights, b.maybe(plain(b, {group * out}, 20), 50)}, a);
}
void conv_transpose(builder& b) {
  const int rank = static_cast<int>(b.d.in(1, 3));
  const i64 group = b.d.of<i64>({1, 1, 2, 3}), each = b.d.in(1, 3), out = b.d.in(1, 3);
  dims s{b.d.in(1, 2), group * each}, k{group * each, out}, kernel, strides, dilations, shape;
  for (int i = 0; i < rank; ++i) {
    kernel.push_back(b.d.in(1, 5)), strides.push_back(b.d.in(1, 3)), dilations.push_back(b.d.chance(70) ? 1 : 2);
    s.push_back(b.d.in(1, 6)), k.push_back(kernel.back());
    const i64 whole = (s.back() - 1) * strides.back() + (kernel.back() - 1) * dilations.back() + 1;
    shape.push_back(std::max<i64>(1, whole - b.d.in(0, std::min<i64>(whole - 1, 3))));
  }
  attrs a{{"kernel_shape", kernel}, {"strides", strides}, {"dilations", dilations}, {"group", group}};
  const bool sized = b.d.chance(50);
  const std::string how = b.d.chance(40) ? "NOTSET" : padding(b, kernel, strides, dilations);
  if (sized) a.push_back({"output_shape", shape});
  if (how != "NOTSET" && !(sized && how == "VALID")) a.push_back({"auto_pad", how});
  const std::string x = plain(b, s), weights = plain(b, k, 30);
  b.emit({x, weights, b.maybe(plain(b, {group * out}, 20), 50)}, a);
}
void pool(builder& b) {
  const int rank = static_cast<int>(b.d.of({1, 2, 2, 2, 3}));
  window w = draw_window(b, rank, true);
  const bool max = b.op == "MaxPool", average = b.op == "AveragePool";
  if (!((max && b.opset >= 10) || (average && b.opset >= 19) || (b.op == "LpPool" && b.opset >= 18)))
    w.dilations.assign(w.dilations.size(), 1);
  const bool dilated = std::any_of(w.dilations.begin(), w.dilations.end(), [](i64 d) { return d != 1; });
  const std::string how = b.d.chance(70) ? "NOTSET" : dilated ? "VALID" : padding(b, w.kernel, w.strides, w.dilations);
  if (how != "NOTSET")
    for (size_t k = 0; k < w.kernel.size(); ++k) w.spatial[k] += (w.kernel[k] - 1) * w.dilations[k];
  dims s{b.d.in(1, 2), b.d.in(1, 3)};
  s.insert(s.end(), w.spatial.begin(), w.spatial.end());
  attrs a = w.all(how == "NOTSET");
  if (!dilated) a.erase(a.begin() + 2);
  if (how != "NOTSET") a.push_back({"auto_pad", how});
  if (average && b.d.chance(40)) a.push_back({"count_include_pad", i64{1}});
  if (b.op == "LpPool") a.push_back({"p", b.d.in(1, 3)});
  if (how == "NOTSET" && (b.op == "LpPool" ? b.opset >= 18 : b.opset >= 10) && b.d.chance(40))
    a.push_back({"ceil_mode", i64{1}});
  const bool where = max && b.opset >= 8 && b.d.chance(40);
  if (where && b.d.chance(50)) a.push_back({"storage_order", i64{1}});
  b.emit({plain(b, s)}, a, where ? 2 : 1);
}
/// Of the shape that the result has anyhow: what another one does is not agreed on.
void max_unpool(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 2), h = 2 * b.d.in(1, 4), w = 2 * b.d.in(1, 4) + 1;
  const attrs a{{"kernel_shape", dims{2, 3}}, {"strides", dims{2, 2}}};
  const std::string x = plain(b, {n, c, h, w});
  const names pooled = b.emit_as("MaxPool", {x}, a, 2);
  b.emit({pooled[0], pooled[1], b.emit_as("Shape", {x})[0]}, a);  // a list would be too small for larger images
}
void deform(builder& b) {
  const i64 n = b.d.in(1, 2), group = b.d.in(1, 2), sets = b.d.in(1, 2), c = group * sets * b.d.in(1, 2),
            m = group * b.d.in(1, 2);
  dims kernel, strides, dilations, pads, after, in{n, c}, out;
  for (int k = 0; k < 2; ++k) {
    kernel.push_back(b.d.in(1, 3)), strides.push_back(b.d.in(1, 2)), dilations.push_back(b.d.in(1, 2));
    pads.push_back(b.d.in(0, 2)), after.push_back(b.d.in(0, 2));
    const i64 reach = (kernel.back() - 1) * dilations.back() + 1;
    in.push_back(reach + b.d.in(0, 3));
    out.push_back((in.back() + pads.back() + after.back() - reach) / strides.back() + 1);
  }
  pads.insert(pads.end(), after.begin(), after.end());
  const i64 taps = kernel[0] * kernel[1];
  const std::string x = plain(b, in), w = plain(b, {m, c / group, kernel[0], kernel[1]}, 20);
  tensor offset(b.type, {n, sets * 2 * taps, out[0], out[1]});
  for (i64 i = 0; i < offset.size(); ++i) offset.set_f64(i, b.d.unit() * 4 - 2);
  const std::string o = b.given(offset, 70), bias = b.maybe(plain(b, {m}), 50),
                    mask = b.maybe(plain(b, {n, sets * taps, out[0], out[1]}), 50);
  b.emit({x, w, o, bias, mask}, {{"kernel_shape", kernel},
                                 {"strides", strides},
                                 {"dilations", dilations},
                                 {"pads", pads},
                                 {"group", group},
                                 {"offset_group", sets}});
}
void col2im(builder& b) {
  const int rank = static_cast<int>(b.d.in(1, 3));
  dims image, block, strides, dilations, pads, after;
  i64 blocks = 1, taps = 1;
  for (int k = 0; k < rank; ++k) {
    block.push_back(b.d.in(1, 3)), strides.push_back(b.d.in(1, 3)), dilations.push_back(b.d.in(1, 2));
    pads.push_back(b.d.in(0, 2)), after.push_back(b.d.in(0, 2));
    const i64 reach = (block.back() - 1) * dilations.back() + 1;
    image.push_back(reach + b.d.in(0, 4));
    blocks *= (image.back() + pads.back() + after.back() - reach) / strides.back() + 1, taps *= block.back();
  }
  pads.insert(pads.end(), after.begin(), after.end());
  const std::string x = plain(b, {b.d.in(1, 2), b.d.in(1, 2) * taps, blocks}), size = b.list(image);
  b.emit({x, size, b.list(block)}, {{"strides", strides}, {"dilations", dilations}, {"pads", pads}});
}

// -- images -----------------------------------------------------------------------------------------------------------

/// Any axes, regions, and what is outside of them.
void resize(builder& b) {
  const int rank = static_cast<int>(b.d.in(1, 5));
  dims s;
  for (int k = 0; k < rank; ++k) s.push_back(b.d.in(1, rank > 3 ? 4 : 7));
  // ONNX Runtime resizes the last axes alone but for nearest.
  const std::string mode = b.d.of({"nearest", "linear", "cubic"});
  const int changed = static_cast<int>(mode == "nearest"  ? b.d.in(1, rank)
                                       : mode == "linear" ? b.d.in(1, std::min(rank, 3))
                                                          : b.d.in(1, std::min(rank, 2)));
  std::vector<float> scales, roi(static_cast<size_t>(2 * rank));
  dims sizes, axes;
  for (int k = 0; k < rank; ++k) {
    const bool change = k >= rank - changed;
    const i64 e = s[static_cast<size_t>(k)];
    scales.push_back(!change || e == 1 ? 1.0f : b.d.of({1.0f, 2.0f, 0.5f, 1.5f, 3.0f, 0.25f, 1.25f}));
    if (scales.back() * static_cast<float>(e) < 1) scales.back() = 1;
    sizes.push_back(change ? b.d.in(1, 9) : e);
    // ONNX Runtime takes an axis of the same size whole.
    const bool cut = change && sizes.back() != e;
    roi[static_cast<size_t>(k)] = cut ? b.d.of({0.0f, 0.25f, -0.25f}) : 0.0f;
    roi[static_cast<size_t>(k + rank)] = cut ? b.d.of({1.0f, 0.75f, 1.25f}) : 1.0f;
    if (change) axes.push_back(b.d.chance(30) ? k - rank : k);
  }
  attrs a{{"mode", mode}};
  std::vector<std::string> spaces{"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_crop_and_resize"};
  if (b.opset >= 19) spaces.emplace_back("half_pixel_symmetric");
  if (b.opset < 13) spaces.emplace_back("tf_half_pixel_for_nn");
  const std::string space = b.d.of(spaces);
  a.push_back({"coordinate_transformation_mode", space});
  if (mode == "nearest")
    a.push_back({"nearest_mode", std::string(b.d.of({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}))});
  if (mode == "cubic" && b.d.chance(50)) a.push_back({"cubic_coeff_a", -0.5f});
  if (mode == "cubic" && b.d.chance(40)) a.push_back({"exclude_outside", i64{1}});
  if (b.d.chance(40)) a.push_back({"extrapolation_value", 2.5f});
  if (b.opset >= 18 && mode != "nearest" && space != "tf_crop_and_resize" && b.d.chance(30))
    a.push_back({"antialias", i64{1}});
  // By scales, ONNX Runtime forgets that a part of the image is smaller.
  const bool some = b.opset >= 18 && b.d.chance(50), by_size = space == "tf_crop_and_resize" || b.d.chance(50);
  if (some) {
    a.push_back({"axes", axes});
    scales.erase(scales.begin(), scales.end() - changed), sizes.erase(sizes.begin(), sizes.end() - changed);
    roi.erase(roi.begin() + rank, roi.end() - changed), roi.erase(roi.begin(), roi.begin() + rank - changed);
  }
  if (b.opset >= 18 && by_size && b.d.chance(50))
    a.push_back({"keep_aspect_ratio_policy", std::string(b.d.of({"stretch", "not_larger", "not_smaller"}))});
  const std::string x = plain(b, s), region = space == "tf_crop_and_resize" || b.opset < 13 ? b.floats(roi) : "";
  if (by_size) b.emit({x, region, b.opset < 13 ? b.floats({}) : "", b.list(sizes)}, a);
  else b.emit({x, region, b.floats(scales)}, a);
}
void grid_sample(builder& b) {
  const std::string x = plain(b, {b.d.in(1, 2), b.d.in(1, 2), b.d.in(1, 4), b.d.in(1, 4), b.d.in(1, 4)});
  tensor g(b.type, {b.shape(x)[0], b.d.in(1, 3), b.d.in(1, 3), b.d.in(1, 3), 3});
  for (i64 k = 0; k < g.size(); ++k) g.set_f64(k, b.d.unit() * 2.5 - 1.25);
  b.emit({x, b.given(g, 70)}, {{"mode", std::string(b.d.of({"linear", "nearest"}))},
                               {"padding_mode", std::string(b.d.of({"zeros", "border", "reflection"}))},
                               {"align_corners", b.d.in(0, 1)}});
}
void batch_norm_training(builder& b) {
  dims s{b.d.in(1, 4), b.d.in(1, 4)};
  for (i64 k = b.d.in(0, 2); k > 0; --k) s.push_back(b.d.in(1, 4));
  tensor var(b.type, {s[1]});
  for (i64 k = 0; k < var.size(); ++k) var.set_f64(k, static_cast<double>(b.d.in(1, 8)) / 4);
  const std::string x = plain(b, s), scale = plain(b, {s[1]}), bias = plain(b, {s[1]}), mean = plain(b, {s[1]});
  b.emit({x, scale, bias, mean, b.given(var, 40)},
         {{"training_mode", i64{1}}, {"epsilon", 0.125f}, {"momentum", b.d.of({0.9f, 0.5f})}}, 3);
}

// -- products ---------------------------------------------------------------------------------------------------------

/// Letters at random over one to three operands, some of them summed, diagonals, and what stands before them.
void einsum(builder& b) {
  const std::string letters = "ijklmn";
  i64 of[6];
  for (i64& e : of) e = b.d.in(1, 4);
  const bool dots = b.d.chance(30);
  const dims batch = dots ? b.extents(static_cast<int>(b.d.in(0, 2)), 6) : dims{};
  for (const i64 e : batch)
    if (e == 0) throw skip{};
  std::string text, used, space = b.d.chance(20) ? " " : "";
  names in;
  for (i64 k = b.d.in(1, 3); k > 0; --k) {
    dims s;
    std::string term;
    if (dots && b.d.chance(70)) {
      term = "...";
      s = batch;
      for (i64& e : s)
        if (b.d.chance(25)) e = 1;
      if (!s.empty() && b.d.chance(25)) s.erase(s.begin());
    }
    for (i64 n = b.d.in(term.empty() ? 1 : 0, 3); n > 0; --n) {
      const size_t at = b.d.below(letters.size());
      term += letters[at], used += letters[at], s.push_back(of[at]);
    }
    if (dots && b.d.chance(20) && term.size() > 3) {  // the dots need not come first
      const size_t named = term.size() - (term[0] == '.' ? 3 : 0);
      if (term[0] == '.' && named > 0) {
        term = term.substr(3) + "...";
        std::rotate(s.begin(), s.end() - static_cast<std::ptrdiff_t>(named), s.end());
      }
    }
    text += (text.empty() ? "" : "," + space) + term;
    in.push_back(plain(b, s));
  }
  if (b.d.chance(75)) {
    std::string out = dots && text.find('.') != std::string::npos ? "..." : "";
    std::string once;
    for (const char c : used)
      if (once.find(c) == std::string::npos) once += c;
    for (size_t k = once.size(); k > 1; --k) std::swap(once[k - 1], once[b.d.below(k)]);
    text += space + "->" + space + out + once.substr(0, b.d.below(once.size() + 1));
  }
  b.emit(in, {{"equation", text}});
}
/// Either may have more axes, and either may be a vector.
void matmul(builder& b) {
  const i64 k = b.d.in(1, 5);
  const dims batch = b.extents(static_cast<int>(b.d.in(0, 3)), 30);
  const auto side = [&](bool first) {
    if (b.d.chance(12)) return dims{k};
    dims s = batch;
    for (i64& e : s)
      if (b.d.chance(30)) e = 1;
    if (!s.empty() && b.d.chance(40)) s.erase(s.begin(), s.begin() + b.d.in(1, static_cast<i64>(s.size())));
    const i64 other = b.d.in(1, 6);
    s.push_back(first ? other : k), s.push_back(first ? k : other);
    return s;
  };
  const std::string x = plain(b, side(true));
  b.emit({x, plain(b, side(false), 40)});
}
void recurrent(builder& b) {
  const int gates = b.op == "LSTM" ? 4 : b.op == "GRU" ? 3 : 1;
  const i64 time = b.some(), batch = b.d.in(1, 3), in = b.d.in(1, 4), hidden = b.d.in(1, 4), ways = b.d.in(1, 2);
  const bool first = b.opset >= 14 && b.d.chance(60);
  const auto ordered = [&](i64 w, i64 n, i64 h) { return first ? dims{n, w, h} : dims{w, n, h}; };
  const std::string x = plain(b, first ? dims{batch, time, in} : dims{time, batch, in}),
                    w = plain(b, {ways, gates * hidden, in}, 20), r = plain(b, {ways, gates * hidden, hidden}, 20);
  const std::string bias = b.maybe(plain(b, {ways, 2 * gates * hidden}, 20), 60),
                    lengths = b.d.chance(30) ? b.given(b.integers(dtype::i32, {batch}, 1, time), 70) : "";
  names inputs{x, w, r, bias, lengths, b.maybe(plain(b, ordered(ways, batch, hidden)), 50)};
  if (gates == 4) inputs.push_back(b.maybe(plain(b, ordered(ways, batch, hidden)), 50));
  attrs a{{"hidden_size", hidden},
          {"direction", std::string(ways == 2 ? "bidirectional" : b.d.of({"forward", "reverse"}))}};
  if (first) a.push_back({"layout", i64{1}});
  const size_t functions = static_cast<size_t>(ways * (gates == 4 ? 3 : gates == 3 ? 2 : 1));
  if (b.d.chance(50)) {
    names f;
    std::vector<float> alpha, beta;
    while (f.size() < functions) {
      f.push_back(b.d.of({"Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Elu", "ScaledTanh", "Affine",
                          "ThresholdedRelu", "Softplus"}));
      const std::string& g = f.back();
      if (g != "Sigmoid" && g != "Tanh" && g != "Softplus") alpha.push_back(b.d.of({0.25f, 0.5f, 1.0f}));
      if (g == "HardSigmoid" || g == "ScaledTanh" || g == "Affine") beta.push_back(b.d.of({0.25f, 0.5f, 1.0f}));
    }
    a.push_back({"activations", f});
    if (!alpha.empty()) a.push_back({"activation_alpha", alpha});
    if (!beta.empty()) a.push_back({"activation_beta", beta});
  }
  if (gates == 3 && b.d.chance(50)) a.push_back({"linear_before_reset", i64{1}});
  if (b.d.chance(20)) a.push_back({"clip", 0.75f});
  b.emit(inputs, a, gates == 4 ? static_cast<int>(b.d.in(1, 3)) : static_cast<int>(b.d.in(1, 2)));
}

// -- attention --------------------------------------------------------------------------------------------------------

/// With keys and values of before, and with the scores as a result.
void attention(builder& b) {
  const i64 n = b.d.in(1, 2), kv = b.d.in(1, 2), heads = kv * b.d.in(1, 2), q = b.d.in(1, 4), k = b.d.in(1, 5),
            e = 2 * b.d.in(1, 3), v = b.d.in(1, 4), past = b.d.chance(60) ? b.d.in(0, 3) : -1,
            all = k + std::max<i64>(past, 0);
  const bool flat = b.d.chance(40);
  const std::string Q = plain(b, flat ? dims{n, q, heads * e} : dims{n, heads, q, e}),
                    K = plain(b, flat ? dims{n, k, kv * e} : dims{n, kv, k, e}),
                    V = plain(b, flat ? dims{n, k, kv * v} : dims{n, kv, k, v});
  names in{Q, K, V, ""};
  if (b.d.chance(60)) {
    dims s = b.d.of<dims>({{q, all}, {1, q, all}, {n, 1, q, all}, {n, heads, q, all}, {1, heads, q, all}});
    in[3] = b.d.chance(50) ? plain(b, s) : b.given(b.integers(dtype::boolean, s, 0, 1), 70);
  }
  if (past >= 0) in.push_back(plain(b, {n, kv, past, e})), in.push_back(plain(b, {n, kv, past, v}));
  else if (b.opset >= 24 && b.d.chance(30))
    in.insert(in.end(), {"", "", b.given(b.integers(dtype::i64, {n}, 1, k), 60)});
  attrs a;
  if (flat) a.push_back({"q_num_heads", heads}), a.push_back({"kv_num_heads", kv});
  if (q == k && b.d.chance(60)) a.push_back({"is_causal", i64{1}});  // ONNX Runtime begins other triangles elsewhere
  if (b.d.chance(30)) a.push_back({"scale", 0.5f});
  if (b.d.chance(30)) a.push_back({"softcap", 2.0f});
  const bool scores = b.d.chance(30);
  if (scores) a.push_back({"qk_matmul_output_mode", b.d.in(0, 3)});
  b.emit(in, a, scores ? 4 : past >= 0 ? 3 : 1);
}
void rotary(builder& b) {
  const i64 n = b.d.in(1, 2), heads = b.d.in(1, 3), s = b.d.in(1, 5), e = 2 * b.d.in(1, 4), most = s + b.d.in(0, 3),
            part = b.d.chance(50) ? e : 2 * b.d.in(1, e / 2);
  const bool flat = b.d.chance(50), placed = b.d.chance(60);
  const dims table = placed ? dims{most, part / 2} : dims{n, s, part / 2};
  const std::string x = plain(b, flat ? dims{n, s, heads * e} : dims{n, heads, s, e}), c = plain(b, table, 20),
                    sine = plain(b, table, 20);
  attrs a{{"interleaved", b.d.in(0, 1)}};
  if (flat) a.push_back({"num_heads", heads});
  if (part != e) a.push_back({"rotary_embedding_dim", part});
  b.emit({x, c, sine, placed ? b.given(b.integers(dtype::i64, {n, s}, 0, most - 1), 60) : ""}, a);
}

// -- signals ----------------------------------------------------------------------------------------------------------

/// Along any axis, back from half of a spectrum too.
void dft(builder& b) {
  const int rank = static_cast<int>(b.d.in(2, 4));
  dims s;
  for (int k = 0; k < rank; ++k) s.push_back(b.d.in(1, 5));
  const bool inverse = b.d.chance(50), half = b.d.chance(40);
  s.push_back(half && !inverse ? 1 : inverse && half ? 2 : b.d.in(1, 2));
  const i64 at = b.d.in(0, rank - 1), axis = b.d.chance(50) ? at - rank - 1 : at;
  attrs a{{"inverse", i64{inverse}}, {"onesided", i64{half}}};
  const std::string x = plain(b, s),
                    length = b.d.chance(40) ? b.scalar(dtype::i64, static_cast<double>(b.d.in(1, 9))) : "";
  if (inverse && half && b.opset < 20) throw skip{};
  if (b.opset < 20) {
    a.push_back({"axis", axis});
    b.emit({x, length}, a);
  } else {
    b.emit({x, length, b.scalar(dtype::i64, static_cast<double>(axis))}, a);
  }
}
void stft(builder& b) {
  const i64 frame = b.d.in(1, 6), n = frame + b.d.in(0, 9), parts = b.d.in(1, 2);
  const std::string x = plain(b, {b.d.in(1, 2), n, parts}),
                    step = b.scalar(dtype::i64, static_cast<double>(b.d.in(1, 4)));
  const std::string w = b.d.chance(60) ? plain(b, {frame}) : "";
  b.emit({x, step, w, w.empty() || b.d.chance(50) ? b.scalar(dtype::i64, static_cast<double>(frame)) : ""},
         {{"onesided", parts == 2 ? i64{0} : b.d.in(0, 1)}});
}

// -- positions --------------------------------------------------------------------------------------------------------

/// Depth and positions may be floats, and positions out of the depth.
void one_hot(builder& b) {
  const dtype i = b.d.of({dtype::f32, dtype::i32, dtype::u8, dtype::f64}),
              n = b.d.of({dtype::f32, dtype::i32, dtype::f64});
  const dims s = b.extents(static_cast<int>(b.d.in(0, 3)), 60);
  const std::string at = b.given(b.integers(i, s, i == dtype::u8 ? 0 : -7, 7), 70);
  const std::string depth = b.scalar(n, static_cast<double>(b.d.in(1, 6)));
  b.emit({at, depth, b.weight(b.type, {2})},
         {{"axis", b.d.in(-static_cast<i64>(s.size()) - 1, static_cast<i64>(s.size()))}});
}
void cumulative(builder& b) {
  const std::string x = b.pick(1, 5);
  b.emit({x, b.list({b.axis_of(x)}, b.d.chance(50) ? dtype::i32 : dtype::i64)},
         {{"exclusive", b.d.in(0, 1)}, {"reverse", b.d.in(0, 1)}});
}
/// Of no axes at all, as a list that is there and empty.
void reduce(builder& b) {
  const std::string x = b.pick_of(b.type, 0, 6, true);
  b.emit({x, b.list({})}, {{"keepdims", b.d.in(0, 1)}, {"noop_with_empty_axes", b.d.in(0, 1)}});
}
void loss(builder& b) {
  const i64 n = b.some(), c = b.d.in(1, 5), ignored = b.d.of<i64>({-1, -100, c, 255});
  dims scores{n, c}, classes{n};
  for (i64 k = b.d.in(0, 3); k > 0; --k) scores.push_back(b.d.in(1, 3)), classes.push_back(scores.back());
  tensor t = b.integers(b.d.of({dtype::i64, dtype::i32}), classes, 0, c - 1);
  for (i64 k = 0; k < t.size(); ++k)
    if (b.d.chance(30)) t.set_i64(k, ignored);
  if (t.size() > 0) t.set_i64(0, 0);  // a mean of nothing is not a number
  const bool both = b.op == "SoftmaxCrossEntropyLoss" && b.d.chance(40);
  tensor weights(b.type, {c});
  for (i64 k = 0; k < c; ++k) weights.set_f64(k, static_cast<double>(b.d.in(1, 4)) / 2);
  b.emit({plain(b, scores), b.given(t, 70), b.maybe(b.given(weights, 40), 50)},
         {{"reduction", std::string(b.d.of({"none", "sum", "mean"}))}, {"ignore_index", ignored}}, both ? 2 : 1);
}
/// More boxes than are wanted, in several images and classes, in either form.
void suppress(builder& b) {
  const i64 images = b.d.in(1, 2), n = b.d.in(0, 20), classes = b.d.in(1, 3);
  tensor boxes(dtype::f32, {images, n, 4}), scores(dtype::f32, {images, classes, n});
  const bool middle = b.d.chance(40);
  for (i64 k = 0; k < images * n; ++k) {
    double p[4] = {b.d.unit() * 4, b.d.unit() * 4, b.d.unit() * 4, b.d.unit() * 4};
    if (middle) p[2] += 0.5, p[3] += 0.5;
    for (i64 j = 0; j < 4; ++j) boxes.set_f64(4 * k + j, p[j]);
  }
  for (i64 k = 0; k < scores.size(); ++k) scores.set_f64(k, b.d.unit());
  names in{b.given(boxes, 70), b.given(scores, 70)};
  in.push_back(
      b.d.chance(80) ? b.scalar(dtype::i64, static_cast<double>(b.d.of<i64>({0, 1, 3, 7, 1000, INT64_MAX / 2}))) : "");
  for (int k = 0; k < 2; ++k) in.push_back(b.d.chance(70) ? b.scalar(dtype::f32, b.d.of({0.0, 0.25, 0.5, 0.75})) : "");
  b.emit(in, middle ? attrs{{"center_point_box", i64{1}}} : attrs{});
}

}  // namespace

std::vector<row> form_rows() {
  return {
      {"Conv Conv", 11, "fd", conv},
      {"ConvTranspose", 11, "f", conv_transpose},
      {"MaxPool AveragePool LpPool", 11, "f", pool},
      {"MaxUnpool", 11, "f", max_unpool},
      {"DeformConv", 19, "f", deform},
      {"Col2Im", 18, "f", col2im},
      {"Resize Resize", 11, "f", resize},
      {"GridSample", 20, "f", grid_sample},
      {"BatchNormalization", 14, "f", batch_norm_training},
      {"Einsum", 12, "fd", einsum},
      {"MatMul", 9, "fd", matmul},
      {"LSTM GRU RNN", 7, "f", recurrent},
      {"Attention", 23, "f", attention},
      {"RotaryEmbedding", 23, "f", rotary},
      {"DFT", 17, "fd", dft},
      {"STFT", 17, "fd", stft},
      {"OneHot", 11, "fliC", one_hot},
      {"CumSum", 11, "fdli", cumulative},
      {"ReduceSum", 13, "fdli", reduce},
      {"ReduceMean ReduceMax ReduceProd ReduceL1 ReduceLogSumExp", 18, "fd", reduce},
      {"NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", 13, "fd", loss},
      {"NonMaxSuppression", 10, "f", suppress},
  };
}

}  // namespace random_onnx
