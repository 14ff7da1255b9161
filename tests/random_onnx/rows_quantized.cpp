// Quantized operators, and those of other domains.
#include "builder.hpp"

#include <algorithm>
#include <utility>

namespace random_onnx {
namespace {

/// Scales are powers of two, so that what is rounded does not lie a rounding error beside a half.
tensor scales(builder& b, dtype t, const dims& s) {
  tensor r(t, s);
  for (i64 k = 0; k < r.size(); ++k) r.set_f64(k, b.d.of({0.125, 0.25, 0.5, 1.0, 2.0}));
  return r;
}
tensor zeros(builder& b, dtype t, const dims& s) { return b.integers(t, s, tenon::is_unsigned_int(t) ? 0 : -3, 5); }
std::string scale(builder& b, dtype t, const dims& s = {}) { return b.given(scales(b, t, s), 15); }
std::string zero(builder& b, dtype t, const dims& s = {}) { return b.given(zeros(b, t, s), 15); }

void quantize(builder& b) {
  const std::string x = b.pick_of(b.opset >= 19 && b.d.chance(20) ? dtype::f16 : dtype::f32, 0, 4);
  const bool by_axis = b.opset >= 13 && b.rank(x) > 0 && b.d.chance(40);
  const i64 axis = by_axis ? b.axis_of(x) : 0;
  const dims s = by_axis ? dims{b.shape(x)[static_cast<size_t>((axis + b.rank(x)) % b.rank(x))]} : dims{};
  const dtype t = b.d.of(types_in("Cc 21:sS", b.opset)), of = b.at(x).type();
  const std::string one = scale(b, of, s);
  b.emit({x, one, t != dtype::u8 || b.d.chance(80) ? zero(b, t, s) : ""}, by_axis ? attrs{{"axis", axis}} : attrs{});
}
void dequantize(builder& b) {
  const std::string x = b.pick(0, 4);
  const bool by_axis = b.opset >= 13 && b.rank(x) > 0 && b.d.chance(40);
  const i64 axis = by_axis ? b.axis_of(x) : 0;
  const dims s = by_axis ? dims{b.shape(x)[static_cast<size_t>((axis + b.rank(x)) % b.rank(x))]} : dims{};
  const std::string one = scale(b, dtype::f32, s);
  b.emit({x, one, b.type == dtype::i32 ? "" : b.maybe(zero(b, b.type, s), 70)},
         by_axis ? attrs{{"axis", axis}} : attrs{});
}
void dynamic(builder& b) { b.emit({b.pick_of(dtype::f32, 1, 4, true)}, {}, 3); }
/// Fake quantization, as trained models have it.
void both(builder& b) {
  const std::string x = b.pick_of(dtype::f32, 1, 4), s = scale(b, dtype::f32), z = zero(b, b.type);
  const std::string q = b.emit_as("QuantizeLinear", {x, s, z})[0];
  b.emit_as("DequantizeLinear", {q, s, z});
}
void matmul_integer(builder& b) {
  const std::string x = b.pick(2, 3);
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const std::string w = b.weight(t, {b.shape(x).back(), b.extent()});
  const std::string za = b.maybe(zero(b, b.type), 60), zb = b.maybe(zero(b, t), 50);
  b.emit({x, w, za, zb});
}
void conv_integer(builder& b) {
  const std::string x = b.pick_of(b.type, 4, 4, true);
  const dims s = b.shape(x);
  const i64 k = std::min<i64>({s[2], s[3], b.d.in(1, 3)});
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const std::string w = b.weight(t, {b.d.in(1, 4), s[1], k, k}), za = b.maybe(zero(b, b.type), 60),
                    zb = b.maybe(zero(b, t), 40);
  b.emit({x, w, za, zb}, b.d.chance(50) ? attrs{{"pads", dims{1, 1, 1, 1}}} : attrs{});
}
void qlinear_matmul(builder& b) {
  const std::string x = b.pick(2, 3);
  const dtype t = b.type;
  const i64 n = b.extent();
  const std::string sa = scale(b, dtype::f32), za = zero(b, t), w = b.weight(t, {b.shape(x).back(), n});
  const std::string sb = scale(b, dtype::f32), zb = zero(b, t), sy = scale(b, dtype::f32), zy = zero(b, t);
  b.emit({x, sa, za, w, sb, zb, sy, zy});
}
void qlinear_conv(builder& b) {
  const std::string x = b.pick_of(b.type, 4, 4, true);
  const dims s = b.shape(x);
  const dtype t = b.type == dtype::i8 ? dtype::i8 : b.d.of({dtype::u8, dtype::i8});
  const i64 k = std::min<i64>({s[2], s[3], b.d.in(1, 3)}), m = b.d.in(1, 4);
  const bool each = b.d.chance(40);
  const std::string sx = scale(b, dtype::f32), zx = zero(b, b.type), w = b.weight(t, {m, s[1], k, k});
  const std::string sw = scale(b, dtype::f32, each ? dims{m} : dims{}),
                    zw = b.given(tensor(t, each ? dims{m} : dims{}), 0);
  const std::string sy = scale(b, dtype::f32), zy = zero(b, b.type);
  const std::string bias = b.d.chance(50) ? b.weight(dtype::i32, {m}) : "";
  b.emit({x, sx, zx, w, sw, zw, sy, zy, bias}, b.d.chance(50) ? attrs{{"pads", dims{1, 1, 1, 1}}} : attrs{});
}

// -- com.microsoft and ai.onnx.ml
void unary(builder& b) { b.emit({b.pick(1, 4)}); }
void bias_gelu(builder& b) {
  const std::string x = b.pick(2, 4);
  b.emit({x, b.weight(b.type, {b.shape(x).back()})});
}
void fused_matmul(builder& b) {
  const std::string x = b.pick(2, 2);
  const i64 ta = b.d.in(0, 1), tb = b.d.in(0, 1), k = b.shape(x)[ta ? 0 : 1], n = b.extent();
  b.emit({x, b.weight(b.type, tb ? dims{n, k} : dims{k, n})},
         {{"transA", ta}, {"transB", tb}, {"alpha", b.d.of({1.0f, 0.5f})}});
}
/// Sums of many products: finite, as ONNX Runtime may leave what is infinite to the order of its additions.
void matmul_nbits(builder& b) {
  const bool odd = std::exchange(b.specials, false);
  const i64 bits = b.d.of({2, 4, 4, 4, 8}), block = b.d.of({16, 16, 32, 64, 128});
  const i64 k = b.d.chance(50) ? block * b.d.in(1, 3) : b.d.in(1, 2 * block + 5),
            n = b.d.chance(30) ? b.d.in(17, 50) : b.d.in(1, 17);
  const i64 blocks = (k + block - 1) / block;
  dims s{k};
  for (i64 d = b.d.in(1, 2); d > 0; --d) s.insert(s.begin(), b.d.in(1, 4));
  const std::string x = b.data(b.type, s),
                    w = b.given(b.integers(dtype::u8, {n, blocks, block * bits / 8}, 0, 255), 10);
  const std::string by = b.given(scales(b, b.type, {n, blocks}), 10);
  std::string zero;
  if (b.d.chance(60)) zero = b.given(b.integers(dtype::u8, {n, (blocks * bits + 7) / 8}, 0, 255), 10);
  names inputs{x, w, by, zero};
  if (b.d.chance(30)) inputs.insert(inputs.end(), {"", b.weight(b.type, {n})});
  const i64 level = b.d.of({0, 0, 4});
  b.specials = odd;
  b.emit(inputs, {{"K", k}, {"N", n}, {"bits", bits}, {"block_size", block}, {"accuracy_level", level}});
}
void skip_norm(builder& b) {
  const std::string x = b.pick_of(b.type, 3, 3, true);
  const i64 n = b.shape(x).back();
  const std::string y = b.alike(b.shape(x), b.type), scale = b.weight(b.type, {n});
  if (b.op == "SkipLayerNormalization")
    b.emit({x, y, scale, b.maybe(b.weight(b.type, {n}), 70), b.maybe(b.weight(b.type, {n}), 40)},
           {{"epsilon", 0.125f}});
  else b.emit({x, y, scale, b.maybe(b.weight(b.type, {n}), 40)}, {{"epsilon", 0.125f}});
}
void qlinear_binary(builder& b) {
  const std::string x = b.pick(1, 4), y = b.partner(x, b.type);
  const std::string sa = scale(b, dtype::f32), za = zero(b, b.type), sb = scale(b, dtype::f32), zb = zero(b, b.type),
                    sy = scale(b, dtype::f32);
  b.emit({x, sa, za, y, sb, zb, sy, zero(b, b.type)});
}
void qlinear_unary(builder& b) {
  const std::string x = b.pick(1, 4), sx = scale(b, dtype::f32), zx = zero(b, b.type), sy = scale(b, dtype::f32);
  b.emit({x, sx, zx, sy, zero(b, b.type)}, b.op == "QLinearLeakyRelu" ? attrs{{"alpha", 0.25f}} : attrs{});
}
void binarizer(builder& b) { b.emit({b.pick(1, 3)}, {{"threshold", b.d.of({0.0f, 0.5f, 1.0f})}}); }
void scaler(builder& b) {
  const std::string x = b.pick_of(b.type, 2, 2, true);
  std::vector<float> offset, by;
  for (i64 k = 0; k < b.shape(x)[1]; ++k)
    offset.push_back(b.d.of({0.0f, 0.5f, -1.0f})), by.push_back(b.d.of({1.0f, 2.0f, 0.5f}));
  b.emit({x}, {{"offset", offset}, {"scale", by}});
}
void normalizer(builder& b) {
  b.emit({b.pick_of(b.type, 2, 2, true)}, {{"norm", std::string(b.d.of({"MAX", "L1", "L2"}))}});
}
void array_features(builder& b) {
  const std::string x = b.pick_of(b.type, 2, 2, true);
  b.emit({x, b.given(b.integers(dtype::i64, {b.d.in(1, 4)}, 0, b.shape(x)[1] - 1), 50)});
}
void imputer(builder& b) {
  b.emit({b.pick_of(dtype::f32, 2, 2, true)},
         {{"imputed_value_floats", std::vector<float>{0.5f}}, {"replaced_value_float", 1.0f}});
}
void regressor(builder& b) {
  const std::string x = b.pick_of(dtype::f32, 2, 2, true);
  const i64 targets = b.d.in(1, 3);
  std::vector<float> c, bias;
  for (i64 k = 0; k < targets * b.shape(x)[1]; ++k) c.push_back(b.d.of({0.5f, -1.0f, 2.0f, 0.25f}));
  for (i64 k = 0; k < targets; ++k) bias.push_back(b.d.of({0.0f, 1.0f}));
  b.emit({x}, {{"coefficients", c}, {"intercepts", bias}, {"targets", targets}});
}
void svm(builder& b) {
  const std::string x = b.pick_of(dtype::f32, 2, 2, true);
  const i64 features = b.shape(x)[1], supports = b.d.in(0, 4);
  const std::string kernel = b.d.of({"LINEAR", "POLY", "RBF", "SIGMOID"});
  const auto numbers = [&](i64 n) {
    std::vector<float> v;
    for (i64 k = 0; k < n; ++k) v.push_back(b.d.of({0.5f, -1.0f, 2.0f, 0.25f}));
    return v;
  };
  attrs a{{"kernel_type", supports == 0 ? std::string("LINEAR") : kernel},
          {"kernel_params", std::vector<float>{0.25f, 0.5f, 2.0f}},
          {"coefficients", numbers(supports == 0 ? features : supports)},
          {"rho", std::vector<float>{0.5f}},
          {"n_supports", supports}};
  if (supports > 0) a.push_back({"support_vectors", numbers(supports * features)});
  b.emit({x}, a);
}
/// Kernels of each class's support vectors; ONNX Runtime leaves PROBIT of two classes without probabilities unwritten.
void svm_classifier(builder& b) {
  const std::string x = b.pick_of(dtype::f32, 2, 2, true);
  const i64 features = b.shape(x)[1], classes = b.d.in(2, 5), pairs = classes * (classes - 1) / 2;
  const bool odd = std::exchange(b.specials, false), linear = b.d.chance(25), probabilities = b.d.chance(60);
  const auto numbers = [&](i64 n) {
    std::vector<float> v;
    for (i64 k = 0; k < n; ++k) v.push_back(b.d.of({0.5f, -1.0f, 2.0f, 0.25f, -0.125f}));
    return v;
  };
  dims labels, vectors;
  i64 all = 0;
  for (i64 k = 0; k < classes; ++k) {
    labels.push_back(10 + k), vectors.push_back(b.d.in(1, 3));
    all += vectors.back();
  }
  attrs a{{"kernel_type", linear ? std::string("LINEAR") : std::string(b.d.of({"LINEAR", "POLY", "RBF", "SIGMOID"}))},
          {"kernel_params", std::vector<float>{0.25f, 0.5f, 2.0f}},
          {"coefficients", numbers(linear ? classes * features : (classes - 1) * all)},
          {"rho", numbers(pairs)},
          {"classlabels_ints", labels},
          {"post_transform", std::string(b.d.of({"NONE", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"}))}};
  if (!linear) a.push_back({"support_vectors", numbers(all * features)}), a.push_back({"vectors_per_class", vectors});
  if (probabilities) {
    std::vector<float> slopes;
    for (i64 k = 0; k < pairs; ++k) slopes.push_back(b.d.of({-0.25f, -1.0f, -2.0f}));
    a.push_back({"prob_a", slopes}), a.push_back({"prob_b", numbers(pairs)});
  }
  b.specials = odd;
  b.emit({x}, a, 2);
}
void one_hot(builder& b) {
  b.emit({b.pick_of(b.d.of({dtype::i64, dtype::f32}), 1, 2)},
         {{"cats_int64s", dims{-1, 0, 1, 2, 5}}, {"zeros", i64{1}}});
}
void labels(builder& b) {
  const std::string x = b.pick_of(dtype::i64, 1, 2);
  b.emit({x}, {{"keys_int64s", dims{-1, 0, 1, 2}},
               {"values_floats", std::vector<float>{1.0f, 2.5f, -3.0f, 0.0f}},
               {"default_float", 7.0f}});
}

}  // namespace

std::vector<row> quantized_rows() {
  constexpr const char* ms = "com.microsoft";
  constexpr const char* ml = "ai.onnx.ml";
  return {
      {"QuantizeLinear", 10, "f", quantize},
      {"DequantizeLinear", 10, "Cci 21:sS", dequantize},
      {"DynamicQuantizeLinear", 11, "f", dynamic},
      {"QuantizeLinear", 10, "Cc", both},
      {"MatMulInteger", 10, "Cc", matmul_integer},
      {"ConvInteger", 10, "C", conv_integer},
      {"QLinearMatMul", 10, "Cc", qlinear_matmul},
      {"QLinearConv", 10, "Cc", qlinear_conv},
      {"QuantizeLinear", 10, "f", quantize, 1000, ms},
      {"DequantizeLinear", 10, "Cci", dequantize, 1000, ms},
      {"QLinearConv", 10, "Cc", qlinear_conv, 1000, ms},
      {"Gelu QuickGelu FastGelu", 7, "f", unary, 1000, ms},
      {"BiasGelu", 7, "f", bias_gelu, 1000, ms},
      {"MatMulNBits", 7, "f", matmul_nbits, 1000, ms},
      {"FusedMatMul", 7, "f", fused_matmul, 1000, ms},
      {"SkipLayerNormalization SkipSimplifiedLayerNormalization", 7, "f", skip_norm, 1000, ms},
      {"QLinearAdd QLinearMul", 7, "Cc", qlinear_binary, 1000, ms},
      {"QLinearSigmoid QLinearLeakyRelu", 7, "Cc", qlinear_unary, 1000, ms},
      {"Binarizer", 7, "f", binarizer, 1000, ml},
      {"Scaler", 7, "fli", scaler, 1000, ml},
      {"Normalizer", 7, "fli", normalizer, 1000, ml},
      {"ArrayFeatureExtractor", 7, "fdli", array_features, 1000, ml},
      {"Imputer", 7, "f", imputer, 1000, ml},
      {"LinearRegressor", 7, "f", regressor, 1000, ml},
      {"SVMRegressor", 7, "f", svm, 1000, ml},
      {"SVMClassifier", 7, "f", svm_classifier, 1000, ml},
      {"OneHotEncoder", 7, "f", one_hot, 1000, ml},
      {"LabelEncoder", 7, "l", labels, 1000, ml},
  };
}

}  // namespace random_onnx
