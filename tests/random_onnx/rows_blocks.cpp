// What exporters write for one layer of a network: several nodes each, with sizes taken from Shape where a batch is
// free.
#include "builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace random_onnx {
namespace {

std::string numbers(builder& b, const dims& s, int percent_input = 60) {
  tensor t(dtype::f32, s);
  for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, static_cast<double>(b.d.in(-8, 8)) / 8);
  return b.given(std::move(t), percent_input);
}
std::string weights(builder& b, const dims& s) { return numbers(b, s, 0); }
std::string ints(builder& b, const dims& v) {
  return b.given(tensor::from<i64>({static_cast<i64>(v.size())}, std::span<const i64>(v)), 0);
}
std::string number(builder& b, float v) { return b.given(tensor::from<float>({}, {v}), 0); }
std::string whole(builder& b, i64 v) { return b.given(tensor::from<i64>({}, {v}), 0); }
std::string op(builder& b, const char* name, const names& in, const attrs& a = {}) { return b.emit_as(name, in, a)[0]; }

std::string reduced(builder& b, const char* name, const std::string& x, const dims& axes, i64 keep = 1) {
  const bool as_input = b.opset >= 18 || (b.opset >= 13 && std::string(name) == "ReduceSum");
  if (as_input) return op(b, name, {x, ints(b, axes)}, {{"keepdims", keep}});
  return op(b, name, {x}, {{"axes", axes}, {"keepdims", keep}});
}
std::string unsqueezed(builder& b, const std::string& x, i64 axis) {
  if (b.opset >= 13) return op(b, "Unsqueeze", {x, ints(b, {axis})});
  return op(b, "Unsqueeze", {x}, {{"axes", dims{axis}}});
}
/// A size of x as a list of one number, in one of the ways that exporters have.
std::string size_of(builder& b, const std::string& x, i64 axis) {
  if (b.opset >= 15 && b.d.chance(30)) return op(b, "Shape", {x}, {{"start", axis}, {"end", axis + 1}});
  const std::string s = op(b, "Shape", {x});
  if (b.d.chance(50)) return op(b, "Gather", {s, ints(b, {axis})});
  return unsqueezed(b, op(b, "Gather", {s, whole(b, axis)}, {{"axis", i64{0}}}), 0);
}
names split(builder& b, const std::string& x, i64 axis, const dims& sizes) {
  const int n = static_cast<int>(sizes.size());
  if (b.opset >= 13) return b.emit_as("Split", {x, ints(b, sizes)}, {{"axis", axis}}, n);
  return b.emit_as("Split", {x}, {{"axis", axis}, {"split", sizes}}, n);
}
std::string without_axis(builder& b, const std::string& x, i64 axis) {
  if (b.opset >= 13) return op(b, "Squeeze", {x, ints(b, {axis})});
  return op(b, "Squeeze", {x}, {{"axes", dims{axis}}});
}
std::string padded(builder& b, const std::string& x, const dims& pads) {
  if (b.opset >= 11) return op(b, "Pad", {x, ints(b, pads)});
  return op(b, "Pad", {x}, {{"pads", pads}});
}
/// A list of numbers for weights that may be left out.
std::string perhaps(builder& b, const dims& s, int percent) {
  return b.d.chance(percent) ? weights(b, s) : std::string();
}
std::string clipped(builder& b, const std::string& x, float low, float high) {
  if (b.opset < 11) return op(b, "Clip", {x}, {{"min", low}, {"max", high}});
  return op(b, "Clip", {x, number(b, low), number(b, high)});
}
std::string activation(builder& b, const std::string& x) {
  switch (b.d.in(0, 7)) {
    case 0: return op(b, "Relu", {x});
    case 1: return op(b, "Mul", {x, op(b, "Sigmoid", {x})});
    case 2:  // GELU by erf
      return op(b, "Mul",
                {op(b, "Mul",
                    {x, op(b, "Add", {op(b, "Erf", {op(b, "Div", {x, number(b, std::sqrt(2.0f))})}), number(b, 1)})}),
                 number(b, 0.5f)});
    case 3: {  // by tanh
      const std::string cube = op(b, "Pow", {x, number(b, 3)});
      const std::string t =
          op(b, "Tanh",
             {op(b, "Mul", {number(b, 0.7978846f), op(b, "Add", {x, op(b, "Mul", {number(b, 0.044715f), cube})})})});
      return op(b, "Mul", {op(b, "Mul", {number(b, 0.5f), x}), op(b, "Add", {number(b, 1), t})});
    }
    case 4: return op(b, "Div", {op(b, "Mul", {x, clipped(b, op(b, "Add", {x, number(b, 3)}), 0, 6)}), number(b, 6)});
    case 5: return clipped(b, x, 0, 6);
    case 6: return op(b, "Mul", {x, op(b, "Tanh", {op(b, "Softplus", {x})})});
    default: return op(b, "LeakyRelu", {x}, {{"alpha", 0.1f}});
  }
}
/// Over the last axis, as it is written without an operator for it.
std::string normalized(builder& b, const std::string& x, i64 h) {
  const bool root_mean_square = b.d.chance(40);
  const std::string mean = root_mean_square ? "" : reduced(b, "ReduceMean", x, {-1});
  const std::string d = root_mean_square ? x : op(b, "Sub", {x, mean});
  const std::string square = b.d.chance(60) ? op(b, "Pow", {d, number(b, 2)}) : op(b, "Mul", {d, d});
  const std::string root = op(b, "Sqrt", {op(b, "Add", {reduced(b, "ReduceMean", square, {-1}), number(b, 0.125f)})});
  const std::string y = b.d.chance(60) ? op(b, "Div", {d, root}) : op(b, "Mul", {d, op(b, "Reciprocal", {root})});
  const std::string scaled = op(b, "Mul", {y, weights(b, {h})});
  return root_mean_square ? scaled : op(b, "Add", {scaled, weights(b, {h})});
}

// -- transformers -----------------------------------------------------------------------------------------------------

/// [n, s, h] as [n, heads, s, e], or [n, heads, e, s].
std::string apart(builder& b, const std::string& x, i64 heads, i64 e, const dims& order) {
  std::string shape;
  if (b.d.chance(40)) shape = ints(b, {0, 0, heads, e});
  else if (b.d.chance(30)) shape = op(b, "Concat", {size_of(b, x, 0), ints(b, {-1, heads, e})}, {{"axis", i64{0}}});
  else {
    const std::string n = size_of(b, x, 0), s = size_of(b, x, 1);
    shape = op(b, "Concat", {n, s, ints(b, {heads}), ints(b, {e})}, {{"axis", i64{0}}});
  }
  return op(b, "Transpose", {op(b, "Reshape", {x, shape})}, {{"perm", order}});
}
/// Pairs of halves turned by angles: x cos + (-x2, x1) sin.
std::string turned(builder& b, const std::string& x, i64 e, const std::string& cos, const std::string& sin) {
  const std::string low = op(b, "Slice", {x, ints(b, {0}), ints(b, {e / 2}), ints(b, {3}), ints(b, {1})}),
                    high = op(b, "Slice", {x, ints(b, {e / 2}), ints(b, {INT64_MAX}), ints(b, {3}), ints(b, {1})});
  const std::string swapped = op(b, "Concat", {op(b, "Neg", {high}), low}, {{"axis", i64{-1}}});
  return op(b, "Add", {op(b, "Mul", {x, cos}), op(b, "Mul", {swapped, sin})});
}
void transformer(builder& b) {
  const i64 n = b.d.in(1, 3), s = b.d.in(1, 6), heads = b.d.of<i64>({1, 2, 4}), e = 2 * b.d.in(1, 4), h = heads * e,
            past = b.d.chance(30) ? b.d.in(1, 4) : 0;
  const std::string x = numbers(b, {n, s, h}, 100);
  const std::string in = b.d.chance(50) ? normalized(b, x, h) : x;
  const auto linear = [&](const std::string& v, i64 from, i64 to) {
    const std::string y = op(b, "MatMul", {v, weights(b, {from, to})});
    if (b.d.chance(40)) return y;
    const std::string shift = weights(b, {to});
    return b.d.chance(50) ? op(b, "Add", {y, shift}) : op(b, "Add", {shift, y});
  };
  const bool rotate = b.d.chance(30), cached = past > 0;
  std::string q, k, v;
  if (b.d.chance(30)) {  // one product for all three
    const std::string all = linear(in, h, 3 * h);
    const names parts = split(b, all, 2, {h, h, h});
    q = parts[0], k = parts[1], v = parts[2];
  } else {
    q = linear(in, h, h), k = linear(in, h, h), v = linear(in, h, h);
  }
  const dims front{0, 2, 1, 3};
  q = apart(b, q, heads, e, front), v = apart(b, v, heads, e, front);
  const bool direct = !rotate && !cached && b.d.chance(60);
  k = apart(b, k, heads, e, direct ? dims{0, 2, 3, 1} : front);
  if (rotate) {
    const std::string cos = weights(b, {s, e}), sin = weights(b, {s, e});
    q = turned(b, q, e, cos, sin), k = turned(b, k, e, cos, sin);
  }
  if (cached) {
    k = op(b, "Concat", {numbers(b, {n, heads, past, e}, 100), k}, {{"axis", i64{2}}});
    v = op(b, "Concat", {numbers(b, {n, heads, past, e}, 100), v}, {{"axis", i64{-2}}});
  }
  if (!direct) k = op(b, "Transpose", {k}, {{"perm", dims{0, 1, 3, 2}}});
  const float root = std::sqrt(static_cast<float>(e));
  if (b.d.chance(30)) q = op(b, "Mul", {q, number(b, 1 / root)});
  std::string scores = op(b, "MatMul", {q, k});
  if (b.d.chance(60)) scores = op(b, "Div", {scores, number(b, root)});
  const i64 mask = b.d.in(0, 4);
  if (mask == 1) {  // which keys count, as numbers
    const std::string m = b.given(b.integers(dtype::i64, {n, past + s}, 0, 1), 100);
    const std::string off =
        op(b, "Sub", {number(b, 1), op(b, "Cast", {unsqueezed(b, unsqueezed(b, m, 1), 2)}, {{"to", i64{1}}})});
    scores = op(b, "Add", {scores, op(b, "Mul", {off, number(b, -10000)})});
  } else if (mask == 2 && !cached) {  // triangle
    const std::string ones =
        op(b, "ConstantOfShape", {op(b, "Concat", {size_of(b, x, 1), size_of(b, x, 1)}, {{"axis", i64{0}}})},
           {{"value", tensor::from<float>({1}, {1.0f})}});
    const std::string m = b.opset >= 14 ? op(b, "Trilu", {ones}, {{"upper", i64{0}}}) : ones;
    scores =
        op(b, "Where", {op(b, "Equal", {op(b, "Cast", {m}, {{"to", i64{7}}}), whole(b, 0)}), number(b, -1e9f), scores});
  } else if (mask == 3 && b.opset >= 11) {  // rows and columns
    const std::string length = op(b, "Gather", {op(b, "Shape", {k}), whole(b, 3)}),
                      rows = op(b, "Gather", {op(b, "Shape", {q}), whole(b, 2)});
    const std::string columns = op(b, "Range", {whole(b, 0), length, whole(b, 1)});
    const std::string first = op(b, "Range", {op(b, "Sub", {length, rows}), length, whole(b, 1)});
    const std::string later = op(b, "Greater", {unsqueezed(b, columns, 0), unsqueezed(b, first, 1)});
    scores = op(b, "Where", {later, number(b, -std::numeric_limits<float>::infinity()), scores});
  }
  const std::string p = op(b, "Softmax", {scores}, {{"axis", i64{b.opset >= 13 && b.d.chance(50) ? -1 : 3}}});
  const std::string y = op(b, "Transpose", {op(b, "MatMul", {p, v})}, {{"perm", front}});
  std::string joined;
  if (b.d.chance(50)) joined = op(b, "Reshape", {y, ints(b, {0, 0, h})});
  else {
    const std::string first = size_of(b, y, 0), second = size_of(b, y, 1);
    joined = op(b, "Reshape", {y, op(b, "Concat", {first, second, ints(b, {h})}, {{"axis", i64{0}}})});
  }
  const std::string sum = op(b, "Add", {x, linear(joined, h, h)});
  if (b.d.chance(50)) return;
  const std::string inner = activation(b, linear(normalized(b, sum, h), h, 2 * h));
  op(b, "Add", {sum, linear(inner, 2 * h, h)});
}
/// Word and place embeddings; places up to a length that a run knows.
void embedding(builder& b) {
  const i64 words = b.d.in(3, 20), h = b.d.in(1, 17), s = b.d.in(1, 6), most = s + b.d.in(0, 4);
  const std::string ids = b.given(b.integers(b.d.of({dtype::i64, dtype::i32}), {b.d.in(1, 3), s}, 0, words - 1), 100);
  const std::string table = weights(b, {words, h}), x = op(b, "Gather", {table, ids});
  const std::string place = op(b, "Slice", {weights(b, {1, most, h}), ints(b, {0}), size_of(b, ids, 1), ints(b, {1})});
  const std::string y = normalized(b, op(b, "Add", {x, place}), h);
  if (b.d.chance(50)) op(b, "MatMul", {y, op(b, "Transpose", {table}, {{"perm", dims{1, 0}}})});  // tied
}

// -- images -----------------------------------------------------------------------------------------------------------

std::string conv(builder& b, const std::string& x, i64 from, i64 to, i64 k, i64 stride = 1, i64 group = 1,
                 bool bias = true) {
  attrs a{{"kernel_shape", dims{k, k}},
          {"pads", dims{k / 2, k / 2, k / 2, k / 2}},
          {"strides", dims{stride, stride}},
          {"group", group}};
  return op(b, "Conv", {x, weights(b, {to, from / group, k, k}), perhaps(b, {to}, bias ? 100 : 0)}, a);
}
std::string batch_norm(builder& b, const std::string& x, i64 c) {
  tensor v(dtype::f32, {c});
  for (i64 k = 0; k < c; ++k) v.set_f64(k, 0.5 + b.d.unit());
  const std::string by = weights(b, {c}), shift = weights(b, {c}), mean = weights(b, {c});
  return op(b, "BatchNormalization", {x, by, shift, mean, b.given(v, 0)}, {{"epsilon", 0.001f}});
}
void residual(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.of<i64>({1, 3, 4, 8, 16}), m = b.d.of<i64>({2, 4, 8, 16, 17}), h = b.d.in(3, 9),
            w = b.d.in(3, 9);
  const std::string x = numbers(b, {n, c, h, w}, 100);
  const i64 stride = b.d.in(1, 2);
  std::string y = conv(b, x, c, m, b.d.of<i64>({1, 3}), stride, 1, b.d.chance(50));
  if (b.d.chance(60)) y = batch_norm(b, y, m);
  y = activation(b, y);
  if (b.d.chance(50)) y = activation(b, conv(b, y, m, m, 3, 1, m));  // depthwise
  if (b.d.chance(40)) {                                              // squeeze and excite
    const i64 r = b.d.in(1, 4);
    const std::string g = b.d.chance(50) ? op(b, "GlobalAveragePool", {y}) : reduced(b, "ReduceMean", y, {2, 3});
    const std::string inner = op(b, "Relu", {conv(b, g, m, r, 1)});
    const std::string gate = b.d.chance(50) ? op(b, "Sigmoid", {conv(b, inner, r, m, 1)})
                                            : op(b, "HardSigmoid", {conv(b, inner, r, m, 1)}, {{"alpha", 1.0f / 6}});
    y = op(b, "Mul", {y, gate});
  }
  y = conv(b, y, m, m, 1);
  if (b.d.chance(50)) y = batch_norm(b, y, m);
  y = op(b, "Add", {y, conv(b, x, c, m, 1, stride)});
  if (b.d.chance(60)) y = op(b, "Relu", {y});
  if (b.d.chance(40)) {  // classifier
    const std::string flat = b.d.chance(50) ? op(b, "Flatten", {op(b, "GlobalAveragePool", {y})})
                                            : op(b, "Reshape", {op(b, "GlobalAveragePool", {y}), ints(b, {0, -1})});
    op(b, "Gemm", {flat, weights(b, {5, m}), weights(b, {5})}, {{"transB", i64{1}}});
  }
}
/// A coarse image made as large as a fine one, and both joined.
void pyramid(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 5), m = b.d.in(1, 5), h = b.d.in(2, 5), w = b.d.in(2, 5);
  const std::string fine = numbers(b, {n, c, 2 * h, 2 * w}, 100), x = conv(b, fine, c, m, 3, 2);
  const std::string mode = b.d.of({"nearest", "linear"});
  std::string up;
  attrs a{{"mode", mode}};
  if (mode == "nearest") a.push_back({"nearest_mode", std::string("floor")});
  a.push_back(
      {"coordinate_transformation_mode",
       std::string(mode == "nearest" ? "asymmetric" : b.d.of({"half_pixel", "pytorch_half_pixel", "align_corners"}))});
  switch (b.d.in(0, 2)) {
    case 0: up = op(b, "Resize", {x, "", b.given(tensor::from<float>({4}, {1, 1, 2, 2}), 0)}, a); break;
    case 1: {  // the sizes of the fine one
      const std::string s = op(b, "Slice", {op(b, "Shape", {fine}), ints(b, {2}), ints(b, {4}), ints(b, {0})});
      const std::string first = op(b, "Slice", {op(b, "Shape", {x}), ints(b, {0}), ints(b, {2}), ints(b, {0})});
      up = op(b, "Resize", {x, "", "", op(b, "Concat", {first, s}, {{"axis", i64{0}}})}, a);
      break;
    }
    default:
      up = op(b, "ConvTranspose", {x, weights(b, {m, m, 2, 2})},
              {{"strides", dims{2, 2}}, {"kernel_shape", dims{2, 2}}});
  }
  const std::string both = op(b, "Concat", {up, fine}, {{"axis", i64{1}}});
  activation(b, conv(b, both, m + c, b.d.in(1, 9), 3));
}
void shuffle(builder& b) {
  const i64 g = b.d.in(1, 3), c = g * b.d.in(1, 4), h = b.d.in(1, 5), w = b.d.in(1, 5);
  const std::string x = numbers(b, {b.d.in(1, 2), c, h, w}, 100);
  const std::string shape =
      op(b, "Concat", {size_of(b, x, 0), ints(b, {g, c / g}), size_of(b, x, 2), size_of(b, x, 3)}, {{"axis", i64{0}}});
  const std::string y = op(b, "Transpose", {op(b, "Reshape", {x, shape})}, {{"perm", dims{0, 2, 1, 3, 4}}});
  const std::string back =
      op(b, "Concat", {size_of(b, x, 0), ints(b, {-1}), size_of(b, x, 2), size_of(b, x, 3)}, {{"axis", i64{0}}});
  const std::string z = op(b, "Reshape", {y, back});
  const names halves = split(b, z, 1, {1, c - 1});
  op(b, "Add", {halves[0], op(b, "Relu", {halves[1]})});
}
/// Every other pixel of each kind as a channel; windows of a shifted image.
void windows(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 4), h = b.d.in(1, 3), w = b.d.in(1, 3);
  if (b.d.chance(50)) {
    const std::string x = numbers(b, {n, c, 2 * h, 2 * w}, 100);
    names parts;
    for (const i64 k : {0, 1, 2, 3}) {
      const std::string rows = op(b, "Slice", {x, ints(b, {k % 2}), ints(b, {INT64_MAX}), ints(b, {2}), ints(b, {2})});
      parts.push_back(op(b, "Slice", {rows, ints(b, {k / 2}), ints(b, {INT64_MAX}), ints(b, {3}), ints(b, {2})}));
    }
    activation(b, conv(b, op(b, "Concat", parts, {{"axis", i64{1}}}), 4 * c, b.d.in(1, 8), 3));
    return;
  }
  const std::string x = numbers(b, {n, 2 * h, 2 * w, c}, 100);
  const std::string low = op(b, "Slice", {x, ints(b, {1}), ints(b, {INT64_MAX}), ints(b, {1})}),
                    high = op(b, "Slice", {x, ints(b, {0}), ints(b, {1}), ints(b, {1})});
  const std::string rolled = op(b, "Concat", {low, high}, {{"axis", i64{1}}});
  const std::string cut =
      op(b, "Reshape", {rolled, op(b, "Concat", {size_of(b, x, 0), ints(b, {h, 2, w, 2, c})}, {{"axis", i64{0}}})});
  const std::string moved = op(b, "Transpose", {cut}, {{"perm", dims{0, 1, 3, 2, 4, 5}}});
  const std::string rows = op(b, "Reshape", {moved, ints(b, {-1, 4, c})});
  op(b, "Softmax", {op(b, "MatMul", {rows, op(b, "Transpose", {rows}, {{"perm", dims{0, 2, 1}}})})},
     {{"axis", i64{2}}});
}

// -- quantized chains -------------------------------------------------------------------------------------------------

std::string fake(builder& b, const std::string& x, dtype t, float scale) {
  const std::string s = number(b, scale), z = b.given(b.integers(t, {}, 0, 0), 0);
  return op(b, "DequantizeLinear", {op(b, "QuantizeLinear", {x, s, z}), s, z});
}
/// Weights as integers behind DequantizeLinear, one scale for each channel.
std::string kept(builder& b, const dims& s, i64 axis) {
  tensor by(dtype::f32, {s[static_cast<size_t>(axis)]}), at(dtype::i8, {s[static_cast<size_t>(axis)]});
  for (i64 k = 0; k < by.size(); ++k) by.set_f64(k, b.d.of({0.0625, 0.125, 0.03125}));
  const std::string w = b.given(b.integers(dtype::i8, s, -9, 9), 0);
  return op(b, "DequantizeLinear", {w, b.given(by, 0), b.given(at, 0)}, {{"axis", axis}});
}
void quantized_convs(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.of<i64>({1, 3, 4, 8}), m = b.d.of<i64>({1, 4, 8, 17}), h = b.d.in(3, 7),
            w = b.d.in(3, 7);
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  std::string x = fake(b, numbers(b, {n, c, h, w}, 100), t, 0.125f);
  const bool depthwise = b.d.chance(40);
  const i64 to = depthwise ? c : m;
  attrs a{{"kernel_shape", dims{3, 3}}, {"pads", dims{1, 1, 1, 1}}, {"group", depthwise ? c : i64{1}}};
  std::string y = op(b, "Conv", {x, kept(b, {to, depthwise ? 1 : c, 3, 3}, 0), perhaps(b, {to}, 60)}, a);
  const i64 how = b.d.in(0, 3);
  if (how == 1) y = op(b, "Relu", {y});
  if (how == 2) y = clipped(b, y, 0, 6);
  y = fake(b, y, t, 0.25f);
  if (b.d.chance(50) && to == c) y = fake(b, op(b, "Add", {y, x}), t, 0.25f);
  if (b.d.chance(40))
    y = fake(b, op(b, "MaxPool", {y}, {{"kernel_shape", dims{2, 2}}, {"strides", dims{2, 2}}}), t, 0.25f);
  if (b.d.chance(50)) {
    const std::string g = fake(b, op(b, "GlobalAveragePool", {y}), t, 0.125f);
    const std::string flat = op(b, "Flatten", {g});
    fake(b, op(b, "Gemm", {flat, kept(b, {5, to}, 0), weights(b, {5})}, {{"transB", i64{1}}}), t, 0.5f);
  }
}
void quantized_matmul(builder& b) {
  const i64 k = b.d.in(1, 20), n = b.d.in(1, 20);
  const std::string x =
      fake(b, numbers(b, {b.d.in(1, 2), b.d.in(1, 6), k}, 100), b.d.of({dtype::u8, dtype::i8}), 0.125f);
  std::string y = op(b, "MatMul", {x, kept(b, {k, n}, 1)});
  if (b.d.chance(60)) y = op(b, "Add", {y, weights(b, {n})});
  fake(b, b.d.chance(50) ? activation(b, y) : y, dtype::u8, 0.25f);
}
/// What dynamic quantization writes.
void dynamic_matmul(builder& b) {
  const i64 k = b.d.in(1, 20), n = b.d.in(1, 20);
  const dtype t = b.d.of({dtype::u8, dtype::i8});
  const bool each = b.d.chance(40);
  const std::string x = numbers(b, {b.d.in(1, 2), b.d.in(1, 6), k}, 100);
  const names q = b.emit_as("DynamicQuantizeLinear", {x}, {}, 3);
  tensor by(dtype::f32, each ? dims{n} : dims{}), at(t, each ? dims{n} : dims{});
  for (i64 i = 0; i < by.size(); ++i) by.set_f64(i, b.d.of({0.0625, 0.125}));
  const std::string w = b.given(b.integers(t, {k, n}, 0, 9), 0);
  const std::string sum = op(b, "MatMulInteger", {q[0], w, q[2], b.given(at, 0)});
  const std::string scale = op(b, "Mul", {q[1], b.given(by, 0)});
  const std::string y = op(b, "Mul", {op(b, "Cast", {sum}, {{"to", i64{1}}}), scale});
  if (b.d.chance(60)) op(b, "Add", {y, weights(b, {n})});
}

// -- counts that data decide ------------------------------------------------------------------------------------------

/// Boxes that are kept, and what belongs to them.
void detections(builder& b) {
  const i64 n = b.d.in(2, 9);
  tensor boxes(dtype::f32, {1, n, 4}), scores(dtype::f32, {1, 1, n});
  for (i64 k = 0; k < n; ++k) {
    const double y = static_cast<double>(b.d.in(0, 8)), x = static_cast<double>(b.d.in(0, 8));
    boxes.set_f64(4 * k, y), boxes.set_f64(4 * k + 1, x), boxes.set_f64(4 * k + 2, y + 4),
        boxes.set_f64(4 * k + 3, x + 4);
    scores.set_f64(k, static_cast<double>(k * 7 % 11) / 16);
  }
  const std::string at = b.given(boxes, 100), s = b.given(scores, 100);
  const std::string kept = op(b, "NonMaxSuppression",
                              {at, s, ints(b, {b.d.in(1, 5)}), b.given(tensor::from<float>({1}, {0.25f}), 0),
                               b.given(tensor::from<float>({1}, {0.125f}), 0)});
  const std::string column = op(b, "Slice", {kept, ints(b, {2}), ints(b, {3}), ints(b, {1})});
  const std::string which = op(b, "Reshape", {column, ints(b, {-1})});
  const std::string chosen = op(b, "Gather", {op(b, "Reshape", {at, ints(b, {-1, 4})}), which}, {{"axis", i64{0}}});
  const std::string middle = op(b, "Mul",
                                {op(b, "Add",
                                    {op(b, "Gather", {chosen, ints(b, {0, 1})}, {{"axis", i64{1}}}),
                                     op(b, "Gather", {chosen, ints(b, {2, 3})}, {{"axis", i64{1}}})}),
                                 number(b, 0.5f)});
  op(b, "Concat", {chosen, middle}, {{"axis", i64{1}}});
}
/// Elements above a number: their places, the rows they are in, and sums over them.
void selected(builder& b) {
  const i64 n = b.d.in(1, 9), c = b.d.in(1, 5);
  const std::string x = numbers(b, {n, c}, 100), rows = reduced(b, "ReduceSum", x, {1}, 0);
  const std::string yes = op(b, "Greater", {rows, number(b, 0.0f)});
  if (b.d.chance(40)) {
    const std::string some = op(b, "Compress", {x, yes}, {{"axis", i64{0}}});
    reduced(b, "ReduceSum", op(b, "MatMul", {some, weights(b, {c, 3})}), {0}, 1);
    return;
  }
  const std::string at = op(b, "NonZero", {yes}), list = op(b, "Transpose", {at}, {{"perm", dims{1, 0}}});
  const std::string some = op(b, "GatherND", {x, list});
  const std::string changed = activation(b, some);
  if (b.d.chance(60)) op(b, "ScatterND", {x, list, changed});
  else op(b, "Softmax", {changed}, {{"axis", i64{1}}});
}
/// The largest, as many as there are up to a number.
void largest(builder& b) {
  const i64 n = b.d.in(1, 9);
  const std::string x = numbers(b, {b.d.in(1, 2), n}, 100);
  const std::string most = op(b, "Reshape",
                              {op(b, "Min",
                                  {op(b, "Cast", {size_of(b, x, 1)}, {{"to", i64{1}}}),
                                   b.given(tensor::from<float>({1}, {static_cast<float>(b.d.in(1, 6))}), 0)}),
                               ints(b, {1})});
  const names top = b.emit_as("TopK", {x, op(b, "Cast", {most}, {{"to", i64{7}}})}, {{"axis", i64{1}}}, 2);
  op(b, "GatherElements", {op(b, "Neg", {x}), top[1]}, {{"axis", i64{1}}});
}

// -- sequences --------------------------------------------------------------------------------------------------------

/// As PyTorch exports it: the state is zeros of a run's batch, the direction's axis is removed behind.
void recurrent(builder& b) {
  const i64 time = b.d.in(1, 5), n = b.d.in(1, 3), in = b.d.in(1, 6), h = b.d.in(1, 9), ways = b.d.in(1, 2);
  const bool first = b.d.chance(50), gru = b.d.chance(40);
  std::string x = numbers(b, first ? dims{n, time, in} : dims{time, n, in}, 100);
  const std::string batch = size_of(b, x, first ? 0 : 1);
  if (first) x = op(b, "Transpose", {x}, {{"perm", dims{1, 0, 2}}});
  const i64 gates = gru ? 3 : 4;
  const std::string shape = op(b, "Concat", {ints(b, {ways}), batch, ints(b, {h})}, {{"axis", i64{0}}});
  const std::string zeros = op(b, "ConstantOfShape", {shape}, {{"value", tensor::from<float>({1}, {0.0f})}});
  const std::string lengths = b.d.chance(30) ? b.given(b.integers(dtype::i32, {n}, 1, time), 100) : "";
  names all{x,
            weights(b, {ways, gates * h, in}),
            weights(b, {ways, gates * h, h}),
            weights(b, {ways, 2 * gates * h}),
            lengths,
            zeros};
  if (!gru) all.push_back(zeros);
  attrs a{{"hidden_size", h}};
  if (ways == 2) a.push_back({"direction", std::string("bidirectional")});
  if (gru) a.push_back({"linear_before_reset", i64{1}});
  const names out = b.emit_as(gru ? "GRU" : "LSTM", all, a, gru ? 2 : 3);
  std::string y;
  if (ways == 2) {
    y = op(b, "Reshape", {op(b, "Transpose", {out[0]}, {{"perm", dims{0, 2, 1, 3}}}), ints(b, {0, 0, -1})});
  } else {
    y = without_axis(b, out[0], 1);
  }
  if (first) y = op(b, "Transpose", {y}, {{"perm", dims{1, 0, 2}}});
  const std::string z = op(b, "Add", {op(b, "MatMul", {y, weights(b, {ways * h, 3})}), weights(b, {3})});
  if (b.d.chance(50)) op(b, "LogSoftmax", {z}, {{"axis", i64{2}}});
}
/// A causal convolution over time with a gate.
void temporal(builder& b) {
  const i64 n = b.d.in(1, 2), c = b.d.in(1, 5), t = b.d.in(1, 9), m = b.d.in(1, 5), step = b.d.in(1, 2);
  const std::string x = numbers(b, {n, c, t}, 100);
  const std::string longer = padded(b, x, {0, 0, 2 * step, 0, 0, 0});
  const std::string y = op(b, "Conv", {longer, weights(b, {2 * m, c, 3}), weights(b, {2 * m})},
                           {{"dilations", dims{step}}, {"kernel_shape", dims{3}}});
  const names halves = split(b, y, 1, {m, m});
  const std::string gated = op(b, "Mul", {op(b, "Tanh", {halves[0]}), op(b, "Sigmoid", {halves[1]})});
  const std::string mean = reduced(b, "ReduceMean", gated, {2});
  op(b, "Sub", {gated, mean});
}

}  // namespace

std::vector<row> block_rows() {
  return {
      {"Softmax Softmax", 11, "f", transformer},
      {"Gather", 11, "f", embedding},
      {"Conv Conv", 9, "f", residual},
      {"Resize", 11, "f", pyramid},
      {"Reshape", 9, "f", shuffle},
      {"Slice", 11, "f", windows},
      {"QuantizeLinear QuantizeLinear", 13, "f", quantized_convs},
      {"QuantizeLinear", 13, "f", quantized_matmul},
      {"MatMulInteger", 11, "f", dynamic_matmul},
      {"NonMaxSuppression", 11, "f", detections},
      {"NonZero", 12, "f", selected},
      {"TopK", 11, "f", largest},
      {"LSTM GRU", 9, "f", recurrent},
      {"Conv", 9, "f", temporal},
  };
}

}  // namespace random_onnx
