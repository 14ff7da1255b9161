// Losses, signals, boxes and grids, attention.
#include "builder.hpp"

#include <algorithm>

namespace random_onnx {
namespace {

void loss(builder& b) {
  const i64 n = b.some(), c = b.d.in(1, 5);
  dims inner;
  for (i64 k = b.d.in(0, 2); k > 0; --k) inner.push_back(b.some());
  dims scores{n, c}, classes{n};
  scores.insert(scores.end(), inner.begin(), inner.end()), classes.insert(classes.end(), inner.begin(), inner.end());
  attrs a{{"reduction", std::string(b.d.of({"none", "sum", "mean"}))}};
  if (b.d.chance(40)) a.push_back({"ignore_index", b.d.in(0, c - 1)});
  const std::string x = b.alike(scores, b.type),
                    t = b.given(b.integers(b.d.of({dtype::i64, dtype::i32}), classes, 0, c - 1), 70);
  const bool both = b.op == "SoftmaxCrossEntropyLoss" && b.d.chance(40);
  b.emit({x, t, b.maybe(b.weight(b.type, {c}), 50)}, a, both ? 2 : 1);
}
void dft(builder& b) {
  const i64 n = b.d.in(1, 9), inverse = b.d.in(0, 1), oneside = inverse ? 0 : b.d.in(0, 1);
  const i64 complex = oneside ? 1 : b.d.in(1, 2);
  const std::string x = b.alike({b.d.in(1, 3), n, complex}, b.type);
  attrs a;
  if (inverse) a.push_back({"inverse", i64{1}});
  if (oneside) a.push_back({"onesided", i64{1}});
  const std::string length = b.d.chance(30) ? b.scalar(dtype::i64, static_cast<double>(b.d.in(1, 9))) : "";
  if (b.opset < 20) {
    a.push_back({"axis", i64{1}});
    b.emit({x, length}, a);
  } else {
    b.emit({x, length, b.d.chance(50) ? b.scalar(dtype::i64, 1) : ""}, a);
  }
}
void stft(builder& b) {
  const i64 frame = b.d.in(2, 6), n = frame + b.d.in(0, 12);
  const std::string x = b.alike({b.d.in(1, 2), n, 1}, b.type),
                    step = b.scalar(dtype::i64, static_cast<double>(b.d.in(1, 4)));
  const std::string w = b.d.chance(60) ? b.weight(b.type, {frame}) : "";
  b.emit({x, step, w, w.empty() || b.d.chance(50) ? b.scalar(dtype::i64, static_cast<double>(frame)) : ""},
         b.d.chance(50) ? attrs{{"onesided", b.d.in(0, 1)}} : attrs{});
}
void taper(builder& b) {
  b.emit({b.scalar(b.type, static_cast<double>(b.d.in(1, 12)))},
         b.d.chance(50) ? attrs{{"periodic", b.d.in(0, 1)}} : attrs{});
}
/// Positions on quarters, away from where rounding decides.
void grid_sample(builder& b) {
  const std::string x = b.alike({b.d.in(1, 2), b.d.in(1, 3), b.d.in(2, 5), b.d.in(2, 5)}, b.type);
  tensor g(b.type, {b.shape(x)[0], b.some(), b.some(), 2});
  for (i64 k = 0; k < g.size(); ++k) g.set_f64(k, b.d.unit() * 2.5 - 1.25);
  const bool new_names = b.opset >= 20;
  const std::string mode =
      new_names ? b.d.of({"linear", "nearest", "cubic"}) : b.d.of({"bilinear", "nearest", "bicubic"});
  b.emit({x, b.given(g, 70)}, {{"mode", mode},
                               {"padding_mode", std::string(b.d.of({"zeros", "border", "reflection"}))},
                               {"align_corners", b.d.in(0, 1)}});
}
void affine_grid(builder& b) {
  const i64 n = b.d.in(1, 2);
  const bool volume = b.d.chance(40);
  const std::string theta = b.alike(volume ? dims{n, 3, 4} : dims{n, 2, 3}, b.type);
  b.emit({theta, b.list(volume ? dims{n, 1, b.some(), b.some(), b.some()} : dims{n, 2, b.some(), b.some()})},
         {{"align_corners", b.d.in(0, 1)}});
}
tensor boxes(builder& b, i64 n, i64 size, bool with_image) {
  tensor t(b.type, {n, with_image ? 5 : 4});
  for (i64 k = 0; k < n; ++k) {
    const double x = b.d.unit() * static_cast<double>(size) / 2, y = b.d.unit() * static_cast<double>(size) / 2;
    const i64 at = k * (with_image ? 5 : 4) + (with_image ? 1 : 0);
    t.set_f64(at, x), t.set_f64(at + 1, y), t.set_f64(at + 2, x + 0.5 + b.d.unit() * 2),
        t.set_f64(at + 3, y + 0.5 + b.d.unit() * 2);
  }
  return t;
}
void roi_align(builder& b) {
  const i64 images = b.d.in(1, 2), n = b.d.in(0, 3);
  const std::string x = b.alike({images, b.d.in(1, 3), b.d.in(3, 6), b.d.in(3, 6)}, b.type);
  const std::string r = b.given(boxes(b, n, 4, false), 70),
                    at = b.given(b.integers(dtype::i64, {n}, 0, images - 1), 70);
  attrs a{{"output_height", b.d.in(1, 3)},
          {"output_width", b.d.in(1, 3)},
          {"sampling_ratio", b.d.in(1, 2)},
          {"mode", std::string(b.d.of({"avg", "max"}))}};
  if (b.d.chance(40)) a.push_back({"spatial_scale", 0.5f});
  if (b.opset >= 16 && b.d.chance(50))
    a.push_back({"coordinate_transformation_mode", std::string(b.d.of({"half_pixel", "output_half_pixel"}))});
  b.emit({x, r, at}, a);
}
void max_roi_pool(builder& b) {
  const std::string x = b.alike({1, b.d.in(1, 3), b.d.in(3, 6), b.d.in(3, 6)}, b.type);
  const i64 n = b.d.in(1, 3);
  tensor t(b.type, {n, 5});
  for (i64 k = 0; k < n; ++k) {
    const double left = static_cast<double>(b.d.in(0, 2)), top = static_cast<double>(b.d.in(0, 2));
    t.set_f64(k * 5 + 1, left), t.set_f64(k * 5 + 2, top),
        t.set_f64(k * 5 + 3, left + static_cast<double>(b.d.in(0, 3))),
        t.set_f64(k * 5 + 4, top + static_cast<double>(b.d.in(0, 3)));
  }
  b.emit({x, b.given(t, 70)}, {{"pooled_shape", dims{b.d.in(1, 3), b.d.in(1, 3)}}});
}
void suppress(builder& b) {
  const i64 batch = b.d.in(1, 2), n = b.d.in(1, 6), classes = b.d.in(1, 2);
  tensor t(dtype::f32, {batch, n, 4});
  b.type = dtype::f32;
  const tensor flat = boxes(b, batch * n, 4, false);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, flat.at_f64(k));
  tensor scores(dtype::f32, {batch, classes, n});
  for (i64 k = 0; k < scores.size(); ++k) scores.set_f64(k, b.d.unit());
  const std::string x = b.given(t, 70), s = b.given(scores, 70), most = b.list({b.d.in(0, 4)});
  b.emit({x, s, most, b.given(tensor::from<float>({1}, {0.5f}), 20),
          b.d.chance(50) ? b.given(tensor::from<float>({1}, {0.25f}), 20) : ""},
         b.d.chance(40) ? attrs{{"center_point_box", b.d.in(0, 1)}} : attrs{});
}
void col2im(builder& b) {
  const i64 h = b.d.in(2, 5), w = b.d.in(2, 5), kh = b.d.in(1, 2), kw = b.d.in(1, 2), c = b.d.in(1, 2);
  const std::string x = b.alike({b.d.in(1, 2), c * kh * kw, (h - kh + 1) * (w - kw + 1)}, b.type);
  const std::string size = b.list({h, w});
  b.emit({x, size, b.list({kh, kw})});
}
void det(builder& b) {
  const i64 n = b.d.in(1, 4);
  b.emit({b.alike(b.d.chance(50) ? dims{n, n} : dims{b.d.in(1, 3), n, n}, b.type)});
}
void max_unpool(builder& b) {
  // Positions as MaxPool gives them.
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 2), h = 2 * b.d.in(1, 3), w = 2 * b.d.in(1, 3);
  const std::string x = b.alike({n, c, h, w}, b.type);
  const attrs a{{"kernel_shape", dims{2, 2}}, {"strides", dims{2, 2}}};
  const names pooled = b.emit_as("MaxPool", {x}, a, 2);
  b.emit({pooled[0], pooled[1]}, a);
}
void attention(builder& b) {
  const i64 n = b.d.in(1, 2), heads = b.d.of<i64>({1, 2, 4}), kv = heads == 4 && b.d.chance(40) ? 2 : heads,
            q = b.some(), k = b.some(), e = 2 * b.d.in(1, 3), v = b.some();
  const bool flat = b.d.chance(40);
  const std::string Q = b.alike(flat ? dims{n, q, heads * e} : dims{n, heads, q, e}, b.type),
                    K = b.alike(flat ? dims{n, k, kv * e} : dims{n, kv, k, e}, b.type);
  const std::string V = b.alike(flat ? dims{n, k, kv * v} : dims{n, kv, k, v}, b.type);
  std::string mask;
  if (b.d.chance(40)) mask = b.d.chance(50) ? b.data(b.type, {q, k}) : b.data(dtype::boolean, {q, k});
  attrs a;
  if (flat) a.push_back({"q_num_heads", heads}), a.push_back({"kv_num_heads", kv});
  if (b.d.chance(30)) a.push_back({"is_causal", i64{1}});
  if (b.d.chance(30)) a.push_back({"scale", 0.5f});
  if (b.d.chance(20)) a.push_back({"softcap", 2.0f});
  b.emit({Q, K, V, mask}, a);
}
void rotary(builder& b) {
  const i64 n = b.d.in(1, 2), heads = b.d.in(1, 3), s = b.some(), e = 2 * b.d.in(1, 4);
  const std::string x = b.alike({n, heads, s, e}, b.type), c = b.weight(b.type, {n, s, e / 2});
  b.emit({x, c, b.weight(b.type, {n, s, e / 2})}, b.d.chance(50) ? attrs{{"interleaved", b.d.in(0, 1)}} : attrs{});
}
void mel(builder& b) {
  const std::string bins = b.scalar(dtype::i64, static_cast<double>(b.d.in(1, 5))), length = b.scalar(dtype::i64, 16),
                    rate = b.scalar(dtype::i64, 8000);
  const std::string low = b.scalar(dtype::f32, 0);
  b.emit({bins, length, rate, low, b.scalar(dtype::f32, 4000)});
}
void deform(builder& b) {
  const i64 n = 1, c = b.d.in(1, 2), h = b.d.in(3, 5), w = b.d.in(3, 5), k = b.d.in(1, 2), m = b.d.in(1, 2);
  const std::string x = b.alike({n, c, h, w}, b.type), weights = b.weight(b.type, {m, c, k, k});
  tensor offset(b.type, {n, 2 * k * k, h - k + 1, w - k + 1});
  for (i64 i = 0; i < offset.size(); ++i) offset.set_f64(i, b.d.unit() * 2 - 1);
  const std::string o = b.given(offset, 70), bias = b.maybe(b.weight(b.type, {m}), 50);
  b.emit({x, weights, o, bias, b.maybe(b.data(b.type, {n, k * k, h - k + 1, w - k + 1}), 50)},
         {{"kernel_shape", dims{k, k}}});
}
void tensor_scatter(builder& b) {
  const i64 n = b.d.in(1, 2), most = b.d.in(3, 6), now = b.d.in(1, 2), e = b.some();
  const std::string past = b.alike({n, 2, most, e}, b.type), update = b.alike({n, 2, now, e}, b.type);
  b.emit({past, update, b.given(b.integers(dtype::i64, {n}, 0, most - now), 60)},
         b.d.chance(50) ? attrs{{"mode", std::string("linear")}} : attrs{});
}

}  // namespace

std::vector<row> other_rows() {
  return {
      {"NegativeLogLikelihoodLoss", 12, "fd", loss},
      {"SoftmaxCrossEntropyLoss", 12, "fd", loss},
      {"DFT", 17, "fd", dft},
      {"STFT", 17, "fd", stft},
      {"BlackmanWindow HannWindow HammingWindow", 17, "li", taper},
      {"MelWeightMatrix", 17, "f", mel},
      {"GridSample", 16, "fd", grid_sample},
      {"GridSample", 16, "f", grid_sample, 19, "com.microsoft"},
      {"AffineGrid", 20, "fd", affine_grid},
      {"RoiAlign", 10, "fd", roi_align},
      {"MaxRoiPool", 7, "f", max_roi_pool},
      {"NonMaxSuppression", 10, "f", suppress},
      {"Col2Im", 18, "fdhliC", col2im},
      {"Det", 11, "fd", det},
      {"MaxUnpool", 11, "f", max_unpool},
      {"DeformConv", 19, "fd", deform},
      {"Attention", 23, "fdh", attention},
      {"RotaryEmbedding", 23, "fh", rotary},
      {"TensorScatter", 24, "fh", tensor_scatter},
  };
}

}  // namespace random_onnx
