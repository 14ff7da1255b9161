// Products, convolutions, pools, reductions and what normalizes.
#include "builder.hpp"

#include <algorithm>
#include <utility>

namespace random_onnx {
namespace {

constexpr const char* floats = "fdh 22:b";
constexpr const char* floats13 = "fdh 13:b";

void matmul(builder& b) {
  const std::string x = b.pick(1, 7);
  const dims s = b.shape(x);
  dims r;
  if (s.size() > 2 && b.d.chance(50))
    for (size_t k = 0; k + 2 < s.size(); ++k) r.push_back(b.d.chance(30) ? 1 : s[k]);
  r.push_back(s.back());
  if (r.size() > 1 || b.d.chance(80)) r.push_back(b.extent());
  b.emit({x, b.d.chance(60) ? b.weight(b.type, r) : b.alike(r, b.type)});
}
void gemm(builder& b) {
  const std::string x = b.pick(2, 2);
  const i64 ta = b.d.in(0, 1), tb = b.d.in(0, 1), m = b.shape(x)[ta ? 1 : 0], k = b.shape(x)[ta ? 0 : 1],
            n = b.extent();
  const std::string y = b.weight(b.type, tb ? dims{n, k} : dims{k, n});
  const dims bias = b.d.of<dims>({{m, n}, {n}, {1, n}, {m, 1}, {1}, {}});
  const std::string c = b.opset < 11 || b.d.chance(70) ? b.weight(b.type, bias) : "";
  attrs a;
  if (b.d.chance(80)) a.push_back({"transA", ta}), a.push_back({"transB", tb});
  else if (ta || tb) throw skip{};
  if (b.d.chance(40)) a.push_back({"alpha", b.d.of({0.5f, 2.0f, 0.0f})});
  if (b.d.chance(40)) a.push_back({"beta", b.d.of({0.5f, 2.0f, 0.0f})});
  b.emit({x, y, c}, a);
}
void einsum(builder& b) {
  struct form {
    const char* text;
    const char* a;
    const char* b;
  };
  const form f = b.d.of<form>({{"ij,jk->ik", "ij", "jk"},
                               {"bij,bjk->bik", "bij", "bjk"},
                               {"ij->ji", "ij", ""},
                               {"ij->", "ij", ""},
                               {"ii->i", "ii", ""},
                               {"ij,ij->i", "ij", "ij"},
                               {"i,j->ij", "i", "j"},
                               {"bij,jk->bik", "bij", "jk"},
                               {"abij,cdij->abcd", "abij", "cdij"},
                               {"ij,kj", "ij", "kj"},
                               {"...ij,...jk->...ik", "xij", "xjk"},
                               {"ijk->kj", "ijk", ""},
                               {"b i j , b k j -> b i k", "bij", "bkj"}});
  i64 of[128];
  for (i64& e : of) e = b.d.in(1, 5);
  const auto shape = [&](const char* letters) {
    dims s;
    for (; *letters; ++letters) s.push_back(of[static_cast<int>(*letters)]);
    return s;
  };
  names in{b.data(b.type, shape(f.a))};
  if (*f.b) in.push_back(b.weight(b.type, shape(f.b)));
  b.emit(in, {{"equation", std::string(f.text)}});
}
/// Windows over spatial axes: what convolutions and pools share. `input`: N, C, spatial extents.
struct window {
  attrs a;
  dims kernel;
};
window draw_window(builder& b, const dims& input, bool pool, bool dilates) {
  window w;
  dims strides, before, after, dilations;
  const bool any_auto = b.d.chance(20);
  for (size_t k = 2; k < input.size(); ++k) {
    const i64 e = input[k], dilation = dilates && b.d.chance(25) ? 2 : 1;
    i64 most = 3;
    i64 p = b.d.in(0, 1), q = b.d.in(0, 1);
    const i64 size = b.d.in(1, most);
    if (pool) p = std::min(p, size - 1), q = std::min(q, size - 1);
    const i64 reach = (size - 1) * dilation + 1;
    if (e + (any_auto ? 0 : p + q) < reach) throw skip{};
    w.kernel.push_back(size), before.push_back(p), after.push_back(q), dilations.push_back(dilation),
        strides.push_back(b.d.in(1, 3));
  }
  if (b.d.chance(60)) w.a.push_back({"strides", strides});
  if (std::any_of(dilations.begin(), dilations.end(), [](i64 v) { return v != 1; }))
    w.a.push_back({"dilations", dilations});
  if (any_auto) {
    const bool dilated = std::any_of(dilations.begin(), dilations.end(), [](i64 v) { return v != 1; });
    w.a.push_back({"auto_pad", std::string(dilated ? "VALID" : b.d.of({"SAME_UPPER", "SAME_LOWER", "VALID"}))});
  } else if (b.d.chance(70)) {
    before.insert(before.end(), after.begin(), after.end());
    w.a.push_back({"pads", before});
  } else {
    for (size_t k = 0; k < w.kernel.size(); ++k)
      if (input[k + 2] < (w.kernel[k] - 1) * dilations[k] + 1) throw skip{};
  }
  return w;
}
std::string image(builder& b) { return b.pick_of(b.type, 3, 5, true); }
void conv(builder& b) {
  const std::string x = image(b);
  const dims s = b.shape(x);
  window w = draw_window(b, s, false, true);
  const i64 group = s[1] > 1 && b.d.chance(40) ? (b.d.chance(50) || s[1] % 2 ? s[1] : 2) : 1,
            m = group * b.d.in(1, group > 2 ? 2 : 4);
  dims k{m, s[1] / group};
  k.insert(k.end(), w.kernel.begin(), w.kernel.end());
  if (group != 1) w.a.push_back({"group", group});
  if (b.d.chance(70)) w.a.push_back({"kernel_shape", w.kernel});
  const std::string weights = b.weight(b.type, k);
  b.emit({x, weights, b.d.chance(50) ? b.weight(b.type, {m}) : ""}, w.a);
}
void conv_transpose(builder& b) {
  const std::string x = image(b);
  const dims s = b.shape(x);
  const i64 group = s[1] > 1 && b.d.chance(30) ? s[1] : 1, m = b.d.in(1, 3);
  dims kernel, strides, pads, after, dilations, more;
  for (size_t k = 2; k < s.size(); ++k) {
    kernel.push_back(b.d.in(1, 3)), strides.push_back(b.d.in(1, 3)), dilations.push_back(b.d.chance(20) ? 2 : 1);
    const i64 whole = (s[k] - 1) * strides.back() + (kernel.back() - 1) * dilations.back() + 1;
    pads.push_back(whole > 2 ? b.d.in(0, 1) : 0), after.push_back(whole > 3 ? b.d.in(0, 1) : 0);
    more.push_back(b.d.chance(30) ? b.d.in(0, std::max(strides.back(), dilations.back()) - 1) : 0);
  }
  pads.insert(pads.end(), after.begin(), after.end());
  attrs a{{"strides", strides}};
  if (b.d.chance(60)) a.push_back({"pads", pads});
  if (b.d.chance(40)) a.push_back({"dilations", dilations});
  else dilations.assign(dilations.size(), 1);
  for (size_t k = 0; k < more.size(); ++k) more[k] = std::min(more[k], std::max(strides[k], dilations[k]) - 1);
  if (b.d.chance(40)) a.push_back({"output_padding", more});
  if (group != 1) a.push_back({"group", group});
  if (b.d.chance(60)) a.push_back({"kernel_shape", kernel});
  dims k{s[1], m};
  k.insert(k.end(), kernel.begin(), kernel.end());
  const std::string weights = b.weight(b.type, k);
  b.emit({x, weights, b.d.chance(50) ? b.weight(b.type, {m * group}) : ""}, a);
}
void pool(builder& b) {
  const std::string x = image(b);
  const bool max = b.op == "MaxPool", average = b.op == "AveragePool";
  window w = draw_window(b, b.shape(x), true, (max && b.opset >= 10) || (average && b.opset >= 19));
  w.a.push_back({"kernel_shape", w.kernel});
  if (average && b.d.chance(40)) w.a.push_back({"count_include_pad", i64{1}});
  if (b.op == "LpPool" && b.d.chance(50)) w.a.push_back({"p", b.d.in(1, 3)});
  if ((max || average) && b.opset >= 10 && b.d.chance(25)) w.a.push_back({"ceil_mode", i64{1}});
  const bool where = max && b.opset >= 8 && b.d.chance(30);
  b.emit({x}, w.a, where ? 2 : 1);
}
void global_pool(builder& b) {
  b.emit({image(b)}, b.op == "GlobalLpPool" && b.d.chance(50) ? attrs{{"p", b.d.in(1, 3)}} : attrs{});
}
tensor positive(builder& b, const dims& s) {
  tensor t(b.type, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, static_cast<double>(b.d.in(1, 8)) / 4);
  return t;
}
void batch_norm(builder& b) {
  const std::string x = b.pick_of(b.type, 2, 5, true);
  const i64 c = b.shape(x)[1];
  const std::string scale = b.weight(b.type, {c}), shift = b.weight(b.type, {c}), mean = b.weight(b.type, {c}),
                    var = b.given(positive(b, {c}), 25);
  b.emit({x, scale, shift, mean, var}, b.d.chance(50) ? attrs{{"epsilon", 0.125f}} : attrs{});
}
void instance_norm(builder& b) {
  const std::string x = b.pick_of(b.type, 3, 5, true);
  const i64 c = b.shape(x)[1];
  const std::string s = b.weight(b.type, {c});
  b.emit({x, s, b.weight(b.type, {c})}, {{"epsilon", 0.125f}});
}
void group_norm(builder& b) {
  const i64 groups = b.d.in(1, 3), c = groups * b.d.in(1, 3);
  const std::string x = b.alike({b.d.in(1, 2), c, b.some(), b.some()}, b.type);
  const i64 n = b.opset >= 21 ? c : groups;
  const std::string s = b.weight(b.type, {n});
  b.emit({x, s, b.weight(b.type, {n})}, {{"num_groups", groups}, {"epsilon", 0.125f}});
}
void layer_norm(builder& b) {
  const std::string x = b.pick_of(b.type, 1, 4, true);
  const i64 axis = b.axis_of(x), at = axis < 0 ? axis + b.rank(x) : axis;
  const dims s(b.shape(x).begin() + at, b.shape(x).end());
  const std::string scale = b.weight(b.type, s),
                    shift = b.op == "LayerNormalization" ? b.maybe(b.weight(b.type, s), 60) : "";
  attrs a{{"axis", axis}};
  if (b.d.chance(80)) a.push_back({"epsilon", 0.125f});
  b.emit({x, scale, shift}, a, b.op == "LayerNormalization" && b.d.chance(20) ? 3 : 1);
}
void lp_norm(builder& b) {
  const std::string x = b.pick_of(b.type, 1, 4, true);
  b.emit({x}, {{"axis", b.axis_of(x)}, {"p", b.d.in(1, 2)}});
}
void mvn(builder& b) {
  const std::string x = b.pick_of(b.type, 4, 4, true);
  b.emit({x}, b.d.chance(50) ? attrs{{"axes", b.d.of<dims>({{0, 2, 3}, {2, 3}, {1}, {0, 1, 2, 3}})}} : attrs{});
}
void lrn(builder& b) { b.emit({image(b)}, {{"size", b.d.in(1, 5)}, {"alpha", 0.5f}, {"beta", 0.75f}, {"bias", 1.0f}}); }
void reduce(builder& b) {
  const std::string x = b.pick(0, 7);
  const int rank = b.rank(x);
  dims axes;
  for (int k = 0; k < rank; ++k)
    if (b.d.chance(50)) axes.push_back(b.opset >= 11 && b.d.chance(40) ? k - rank : k);
  // Of no elements, a mean and an extremum are nothing.
  if (b.at(x).size() == 0 && (b.op == "ReduceMean" || b.op == "ReduceMax" || b.op == "ReduceMin")) throw skip{};
  attrs a;
  if (b.d.chance(70)) a.push_back({"keepdims", b.d.in(0, 1)});
  const bool operand = b.opset >= (b.op == "ReduceSum" ? 13 : 18);
  if (operand && b.d.chance(25)) a.push_back({"noop_with_empty_axes", b.d.in(0, 1)});
  if (axes.empty()) b.emit({x}, a);
  else if (operand) b.emit({x, b.list(axes)}, a);
  else a.push_back({"axes", axes}), b.emit({x}, a);
}
void arg(builder& b) {
  const std::string x = b.pick_of(b.type, 1, 4, true);
  attrs a{{"axis", b.opset >= 11 ? b.axis_of(x) : b.d.in(0, b.rank(x) - 1)}};
  if (b.d.chance(60)) a.push_back({"keepdims", b.d.in(0, 1)});
  if (b.opset >= 12 && b.d.chance(40)) a.push_back({"select_last_index", i64{1}});
  b.emit({x}, a);
}
void softmax(builder& b) {
  const std::string x = b.pick(1, 7);
  // Before 13 the default is 1, which vectors do not have.
  b.emit({x}, b.d.chance(80) || b.rank(x) == 1
                  ? attrs{{"axis", b.opset >= 11 ? b.axis_of(x) : b.d.in(0, b.rank(x) - 1)}}
                  : attrs{});
}
void recurrent(builder& b) {
  // Gates of 1 but for an ulp times what is huge: such sums are all rounding.
  const bool odd = std::exchange(b.specials, false);
  const int gates = b.op == "LSTM" ? 4 : b.op == "GRU" ? 3 : 1;
  const i64 time = b.some(), batch = b.d.in(1, 3), in = b.some(), hidden = b.d.in(1, 5);
  const std::string direction = b.d.of({"forward", "reverse", "bidirectional"});
  const i64 ways = direction == "bidirectional" ? 2 : 1;
  const std::string x = b.data(b.type, {time, batch, in});
  const std::string w = b.weight(b.type, {ways, gates * hidden, in}),
                    r = b.weight(b.type, {ways, gates * hidden, hidden});
  const std::string bias = b.d.chance(60) ? b.weight(b.type, {ways, 2 * gates * hidden}) : "";
  const std::string lengths = b.d.chance(30) ? b.given(b.integers(dtype::i32, {batch}, 1, time), 70) : "";
  const std::string h0 = b.d.chance(50) ? b.data(b.type, {ways, batch, hidden}) : "";
  names inputs{x, w, r, bias, lengths, h0};
  if (b.op == "LSTM") {
    inputs.push_back(b.d.chance(50) ? b.data(b.type, {ways, batch, hidden}) : "");
    inputs.push_back(b.d.chance(30) ? b.weight(b.type, {ways, 3 * hidden}) : "");
  }
  attrs a{{"hidden_size", hidden}};
  if (ways == 2 || b.d.chance(60)) a.push_back({"direction", direction});
  else if (direction == "reverse") a.push_back({"direction", direction});
  if (b.op == "GRU" && b.d.chance(50)) a.push_back({"linear_before_reset", i64{1}});
  if (b.op == "LSTM" && b.d.chance(15)) a.push_back({"input_forget", i64{1}});
  if (b.d.chance(15)) a.push_back({"clip", 1.5f});
  if (b.d.chance(25)) {
    names f;
    for (i64 k = 0; k < ways * (gates == 4 ? 3 : gates == 3 ? 2 : 1); ++k)
      f.push_back(b.d.of({"Sigmoid", "Tanh", "Relu", "Softsign", "HardSigmoid"}));
    a.push_back({"activations", f});
  }
  b.specials = odd;
  b.emit(inputs, a, gates == 4 ? static_cast<int>(b.d.in(1, 3)) : static_cast<int>(b.d.in(1, 2)));
}

}  // namespace

std::vector<row> product_rows() {
  constexpr const char* ms = "com.microsoft";
  constexpr const char* sums = "fdhliLI 13:b";
  return {
      {"MatMul MatMul MatMul", 7, "fdh 9:liLI 13:b", matmul},
      {"Gemm Gemm", 7, "fdh 9:liLI 13:b", gemm},
      {"Einsum", 12, "fdhliIL", einsum},
      {"Conv Conv Conv", 1, floats, conv},
      {"ConvTranspose", 1, floats, conv_transpose},
      {"MaxPool", 1, "fdh 12:cC 22:b", pool},
      {"AveragePool LpPool", 7, floats, pool},
      {"GlobalAveragePool GlobalMaxPool GlobalLpPool", 2, floats, global_pool},
      {"BatchNormalization", 9, "fdh 14:b", batch_norm},
      {"InstanceNormalization", 6, floats, instance_norm},
      {"GroupNormalization", 18, "fdhb", group_norm},
      {"LayerNormalization", 17, "fdhb", layer_norm},
      {"SimplifiedLayerNormalization", 7, "f", layer_norm},
      {"LayerNormalization SimplifiedLayerNormalization", 7, "f", layer_norm, 1000, ms},
      {"RMSNormalization", 23, "fdhb", layer_norm},
      {"LpNormalization", 1, floats, lp_norm},
      {"MeanVarianceNormalization", 9, floats13, mvn},
      {"LRN", 1, floats13, lrn},
      {"ReduceSum ReduceSum ReduceMean ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceProd ReduceSumSquare", 1,
       sums, reduce},
      {"ReduceMax ReduceMin", 1, "fdhliLI 12:cC 13:b 20:o", reduce},
      {"ArgMax ArgMin", 1, "fdhlisLISCc 13:b", arg},
      {"Softmax LogSoftmax Hardmax", 1, floats13, softmax},
      {"LSTM GRU RNN", 7, "fdh", recurrent},
  };
}

}  // namespace random_onnx
