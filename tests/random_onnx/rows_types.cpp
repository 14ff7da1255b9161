// Element types that nothing is computed in, texts, trees, and other forms of quantized operators and of bodies.
#include "builder.hpp"

#include <algorithm>
#include <utility>

#include <tenon/runtime/strings.hpp>

namespace random_onnx {
namespace {

constexpr const char* ml = "ai.onnx.ml";

// -- narrow types -----------------------------------------------------------------------------------------------------

/// What ONNX calls a type, and since which version of the operator set it is cast to.
struct narrow {
  dtype type;
  i64 number, since;
};
narrow a_narrow(builder& b) {
  std::vector<narrow> all;
  for (const narrow& n : {narrow{dtype::f8e4m3fn, 17, 19},
                          {dtype::f8e4m3fnuz, 18, 19},
                          {dtype::f8e5m2, 19, 19},
                          {dtype::f8e5m2fnuz, 20, 19},
                          {dtype::u4, 21, 21},
                          {dtype::i4, 22, 21},
                          {dtype::f4e2m1, 23, 23},
                          {dtype::u2, 25, 25},
                          {dtype::i2, 26, 25}})
    if (n.since <= b.opset) all.push_back(n);
  return b.d.of(all);
}
i64 number_of(dtype t) {
  switch (t) {
    case dtype::f32: return 1;
    case dtype::f16: return 10;
    case dtype::bf16: return 16;
    case dtype::u8: return 2;
    default: return 3;
  }
}
/// There and back, moved between.
void through_narrow(builder& b) {
  const narrow n = a_narrow(b);
  std::string x;
  if (tenon::is_narrow_float(n.type)) {
    x = b.pick_of(b.d.of({dtype::f32, dtype::f32, dtype::f16}), 1, 4);
  } else {
    const bool sign = tenon::is_signed_int(n.type);
    const i64 bits = tenon::bits_of(n.type), low = sign ? -(i64{1} << (bits - 1)) : 0;
    x = b.given(b.integers(sign ? dtype::i8 : dtype::u8, b.extents(static_cast<int>(b.d.in(1, 4)), 200), low,
                           low + (i64{1} << bits) - 1),
                70);
  }
  attrs a{{"to", n.number}};
  if (n.number >= 17 && n.number <= 20 && b.d.chance(50)) a.push_back({"saturate", b.d.in(0, 1)});
  std::string y = b.hide(b.emit_as("Cast", {x}, a));
  const dims s = b.shape(x);
  switch (b.opset >= 23 ? b.d.in(0, 4) : 0) {
    case 1: y = b.hide(b.emit_as("Transpose", {y})); break;
    case 2: y = b.hide(b.emit_as("Reshape", {y, b.given(tensor::from<i64>({1}, {-1}), 0)})); break;
    case 3: y = b.hide(b.emit_as("Unsqueeze", {y, b.given(tensor::from<i64>({1}, {0}), 0)})); break;
    case 4: y = b.hide(b.emit_as("Identity", {y})); break;
    default: break;
  }
  b.emit_as("Cast", {y}, {{"to", number_of(b.at(x).type())}});
}
/// Of one scale, one for each slice, or one for each block of a slice.
struct scheme {
  dims shape;
  attrs a;
};
scheme a_scheme(builder& b, const dims& s) {
  if (b.opset < 13 || s.empty() || b.d.chance(25)) return {};
  const i64 axis = b.d.in(0, static_cast<i64>(s.size()) - 1), e = s[static_cast<size_t>(axis)],
            written = b.d.chance(40) ? axis - static_cast<i64>(s.size()) : axis;
  if (b.opset < 21 || b.d.chance(40)) return {{e}, {{"axis", written}}};
  const i64 block = b.d.in(1, std::max<i64>(1, e));
  dims r = s;
  r[static_cast<size_t>(axis)] = (e + block - 1) / block;
  return {r, {{"axis", written}, {"block_size", block}}};
}
void quantized(builder& b) {
  std::vector<dtype> types{dtype::u8, dtype::i8};
  if (b.opset >= 19) types.insert(types.end(), {dtype::f8e4m3fn, dtype::f8e5m2});
  if (b.opset >= 21) types.insert(types.end(), {dtype::u4, dtype::i4, dtype::i4, dtype::u16, dtype::i16});
  if (b.opset >= 23) types.push_back(dtype::f4e2m1);
  const dtype t = b.d.of(types), real = b.opset >= 19 && b.d.chance(20) ? dtype::f16 : dtype::f32;
  const dims s = b.extents(static_cast<int>(b.d.in(1, 4)), 300);
  for (const i64 e : s)
    if (e == 0) throw skip{};
  const scheme how = a_scheme(b, s);
  tensor by(real, how.shape), zero(t, how.shape);
  for (i64 k = 0; k < by.size(); ++k) by.set_f64(k, b.d.of({0.125, 0.25, 0.5, 1.0}));
  if (!tenon::is_float(t))
    for (i64 k = 0; k < zero.size(); ++k) zero.set_i64(k, b.d.in(tenon::is_signed_int(t) ? -3 : 0, 5));
  const std::string scale = b.given(by, 15), z = b.given(zero, 0);
  std::string q;
  if (b.d.chance(70)) {
    const std::string x = b.given(b.numbers(real, s), 80);
    attrs a = how.a;
    if (t == dtype::f8e4m3fn || t == dtype::f8e5m2) a.push_back({"saturate", b.d.in(0, 1)});
    q = b.hide(b.emit_as("QuantizeLinear", {x, scale, z}, a));
  } else {
    tensor w(t, s);
    const int bits = tenon::bits_of(t);
    for (i64 k = 0; k < w.size(); ++k)
      if (tenon::is_float(t)) w.set_f64(k, static_cast<double>(b.d.in(-4, 4)) / 2);
      else
        w.set_i64(k, tenon::is_signed_int(t) ? b.d.in(-(1 << (std::min(bits, 8) - 1)), 7)
                                             : b.d.in(0, (1 << std::min(bits, 8)) - 1));
    q = b.given(w, 0);
  }
  b.emit_as("DequantizeLinear", {q, scale, b.maybe(z, 80)}, how.a);
}

// -- quantized products -----------------------------------------------------------------------------------------------

std::string scales(builder& b, const dims& s) {
  tensor r(dtype::f32, s);
  for (i64 k = 0; k < r.size(); ++k) r.set_f64(k, b.d.of({0.125, 0.25, 0.5, 1.0}));
  return b.given(r, 10);
}
std::string bytes(builder& b, dtype t, const dims& s, int percent_input = 10) {
  return b.given(b.integers(t, s, tenon::is_unsigned_int(t) ? 0 : -9, 9), percent_input);
}
void qlinear_conv(builder& b) {
  const int rank = static_cast<int>(b.d.of({1, 2, 2, 2, 3}));
  const i64 group = b.d.of<i64>({1, 1, 2, 4}), each = b.d.in(1, 4), out = b.d.in(1, 4), m = group * out;
  dims s{b.d.in(1, 2), group * each}, k{m, each}, strides, dilations, pads, after, kernel;
  for (int i = 0; i < rank; ++i) {
    kernel.push_back(b.d.in(1, 4)), strides.push_back(b.d.in(1, 2)), dilations.push_back(b.d.chance(75) ? 1 : 2);
    pads.push_back(b.d.in(0, 2)), after.push_back(b.d.in(0, 2));
    s.push_back((kernel.back() - 1) * dilations.back() + b.d.in(1, 4)), k.push_back(kernel.back());
  }
  pads.insert(pads.end(), after.begin(), after.end());
  attrs a{{"strides", strides}, {"dilations", dilations}, {"group", group}};
  if (b.d.chance(60)) a.push_back({"pads", pads});
  if (b.d.chance(60)) a.push_back({"kernel_shape", kernel});
  const std::string x = bytes(b, b.type, s, 90);
  const bool sign = b.type == dtype::i8 || b.d.chance(50);
  const dtype t = sign ? dtype::i8 : dtype::u8;
  if (b.op == "ConvInteger") {
    const std::string w = bytes(b, t, k), zx = b.maybe(bytes(b, b.type, {}), 60);
    b.emit({x, w, zx, b.maybe(bytes(b, t, {}), 40)}, a);
    return;
  }
  const bool per = b.d.chance(50);
  const std::string sx = scales(b, {}), zx = bytes(b, b.type, {}), w = bytes(b, t, k),
                    sw = scales(b, per ? dims{m} : dims{}), zw = b.given(tensor(t, per ? dims{m} : dims{}), 0),
                    sy = scales(b, {}), zy = bytes(b, b.type, {});
  b.emit({x, sx, zx, w, sw, zw, sy, zy, b.maybe(b.given(b.integers(dtype::i32, {m}, -40, 40), 10), 50)}, a);
}
void quantized_matmul(builder& b) {
  const i64 m = b.d.in(1, 5), k = b.d.in(1, 9), n = b.d.in(1, 9);
  const dims batch = b.extents(static_cast<int>(b.d.in(0, 2)), 6);
  for (const i64 e : batch)
    if (e == 0) throw skip{};
  dims left = batch, right = b.d.chance(50) ? dims{} : batch;
  left.insert(left.end(), {m, k}), right.insert(right.end(), {k, n});
  const dtype t = b.type == dtype::i8 ? dtype::i8 : b.d.of({dtype::u8, dtype::i8});
  const std::string x = bytes(b, b.type, left, 80), w = bytes(b, t, right, 30);
  const bool per = b.d.chance(40) && right.size() == 2;
  if (b.op == "MatMulInteger") {
    const std::string zx = b.maybe(bytes(b, b.type, {}), 60);
    b.emit({x, w, zx, b.maybe(bytes(b, t, per ? dims{n} : dims{}), 60)});
    return;
  }
  const std::string sx = scales(b, {}), zx = bytes(b, b.type, {}), sw = scales(b, per ? dims{n} : dims{}),
                    zw = bytes(b, t, per ? dims{n} : dims{}), sy = scales(b, {});
  b.emit({x, sx, zx, w, sw, zw, sy, bytes(b, b.type, {})});
}

// -- texts ------------------------------------------------------------------------------------------------------------

const char* word(builder& b) { return b.d.of({"", "a", "b", "ab", "a b", "B", "  a", "é", "b,a", "12", "A"}); }
std::string words(builder& b, const dims& s, int percent_input = 75) {
  tensor t(dtype::string, s);
  for (i64 k = 0; k < t.size(); ++k) tenon::set_string(t, k, word(b));
  return b.given(std::move(t), percent_input);
}
/// Texts that are moved, and compared with others.
void texts(builder& b) {
  const dims s = b.extents(static_cast<int>(b.d.in(1, 3)), 60);
  const std::string x = words(b, s);
  std::string y = x;
  dims r = s;
  const i64 how = b.op == "StringConcat" ? 2 : b.d.in(0, 6);
  if (how == 2 && b.opset < 20) throw skip{};
  switch (how) {
    case 0: y = b.hide(b.emit_as("Transpose", {x})), std::reverse(r.begin(), r.end()); break;
    case 1: y = b.hide(b.emit_as("Concat", {x, words(b, s)}, {{"axis", i64{0}}})), r[0] *= 2; break;
    case 2: y = b.hide(b.emit_as("StringConcat", {x, words(b, {})})); break;
    case 3: y = b.hide(b.emit_as("Where", {b.given(b.integers(dtype::boolean, s, 0, 1), 70), x, words(b, {})})); break;
    case 4:
      if (s[0] == 0) throw skip{};
      r[0] = b.d.in(1, 4);
      y = b.hide(b.emit_as("Gather", {x, b.given(b.integers(dtype::i64, {r[0]}, 0, s[0] - 1), 70)}));
      break;
    case 5: {
      dims times;
      for (i64& e : r) times.push_back(b.d.in(1, 2)), e *= times.back();
      y = b.hide(b.emit_as("Tile", {x, b.list(times)}));
      break;
    }
    default: y = b.hide(b.emit_as("Identity", {x}));
  }
  b.emit_as("Equal", {y, b.d.chance(50) ? words(b, {}) : words(b, r)});
}
void matches(builder& b) {
  b.emit({words(b, b.extents(static_cast<int>(b.d.in(0, 3)), 60))},
         {{"pattern", std::string(b.d.of({"a", "a|b", "[ab]+", ".*", "\\d+", "(a b)?", "[^a]*"}))}});
}
void split(builder& b) {
  attrs a;
  if (b.d.chance(60)) a.push_back({"delimiter", std::string(b.d.of({" ", ",", "a", ""}))});
  if (b.d.chance(50)) a.push_back({"maxsplit", b.d.in(0, 2)});
  const names out = b.emit_as("StringSplit", {words(b, b.extents(static_cast<int>(b.d.in(0, 2)), 30))}, a, 2);
  b.hidden.insert(out[0]);
}
void tokens(builder& b) {
  attrs a{{"mark", b.d.in(0, 1)}, {"mincharnum", i64{1}}, {"pad_value", std::string("#")}};
  const bool characters = b.d.chance(20);
  if (characters) a.push_back({"tokenexp", std::string(".")});
  else if (b.d.chance(50)) a.push_back({"tokenexp", std::string(b.d.of({"a", "[ab]+", "a|ab", "\\w+", "a*"}))});
  else a.push_back({"separators", names{b.d.of({" ", "b", "[ ,]+"}), "a"}});
  if (!characters && b.d.chance(30)) a[1].value = i64{2};
  const std::string x = words(b, b.extents(static_cast<int>(b.d.in(1, 2)), 30));
  b.emit_as("MurmurHash3", {b.hide(b.emit_as("Tokenizer", {x}, a))});
}
void label_encoder(builder& b) {
  const bool numbers = b.d.chance(50);
  attrs a{{"keys_strings", names{"a", "b", "ab", ""}}};
  if (numbers)
    a.push_back({"values_floats", std::vector<float>{1.0f, 2.5f, -3.0f, 0.0f}}), a.push_back({"default_float", 7.0f});
  else a.push_back({"values_int64s", dims{1, 2, -3, 0}}), a.push_back({"default_int64", i64{9}});
  b.emit({words(b, b.extents(static_cast<int>(b.d.in(1, 3)), 60))}, a);
}
void one_hot(builder& b) {
  b.emit({words(b, b.extents(static_cast<int>(b.d.in(1, 2)), 30))},
         {{"cats_strings", names{"a", "b", "12"}}, {"zeros", i64{1}}});
}
void terms(builder& b) {
  const bool text = b.d.chance(50), batch = b.d.chance(50);
  const i64 n = b.d.in(1, 9);
  const dims s = batch ? dims{b.d.in(1, 3), n} : dims{n};
  const std::string x = text ? words(b, s) : b.given(b.integers(b.d.of({dtype::i64, dtype::i32}), s, 0, 3), 75);
  const i64 least = b.d.in(1, 2), most = b.d.in(least, 2);
  attrs a{{"mode", std::string(b.d.of({"TF", "IDF", "TFIDF"}))},
          {"min_gram_length", least},
          {"max_gram_length", most},
          {"max_skip_count", b.d.in(0, 3)},
          {"ngram_counts", dims{0, 3}},
          {"ngram_indexes", dims{0, 2, 1, 4, 3}}};
  if (text) a.push_back({"pool_strings", names{"a", "b", "12", "a", "b", "b", "a"}});
  else a.push_back({"pool_int64s", dims{0, 1, 2, 0, 1, 1, 0}});
  if (b.d.chance(50)) a.push_back({"weights", std::vector<float>{1.0f, 0.5f, 2.0f, 0.25f, 3.0f}});
  b.emit({x}, a);
}

// -- trees ------------------------------------------------------------------------------------------------------------

struct forest {
  dims feature, id, tree, yes, no, missing, leaf_id, leaf_tree, leaf_target;
  std::vector<float> value, leaf_weight;
  names mode;
};
/// A tree below this node; its number.
i64 grow(builder& b, forest& f, i64 tree, i64& next, i64 features, i64 targets, int depth, const std::string& mode) {
  const i64 at = next++;
  const size_t row = f.id.size();
  const bool leaf = depth == 0 || b.d.chance(25);
  f.id.push_back(at), f.tree.push_back(tree), f.feature.push_back(leaf ? 0 : b.d.in(0, features - 1)),
      f.value.push_back(leaf ? 0.0f : static_cast<float>(b.d.in(-6, 6)) / 4), f.mode.push_back(leaf ? "LEAF" : mode),
      f.yes.push_back(0), f.no.push_back(0), f.missing.push_back(leaf ? 0 : b.d.in(0, 1));
  if (leaf) {
    for (i64 t = 0; t < targets; ++t)  // all of them: ONNX Runtime forgets the base values of others
      f.leaf_tree.push_back(tree), f.leaf_id.push_back(at), f.leaf_target.push_back(t),
          f.leaf_weight.push_back(static_cast<float>(b.d.in(-8, 8)) / 8);
    return at;
  }
  const i64 yes = grow(b, f, tree, next, features, targets, depth - 1, mode);
  const i64 no = grow(b, f, tree, next, features, targets, depth - 1, mode);
  f.yes[row] = yes, f.no[row] = no;
  return at;
}
void trees(builder& b) {
  const bool odd = std::exchange(b.specials, b.d.chance(20));
  const i64 features = b.d.in(1, 4), targets = b.op == "TreeEnsembleClassifier" ? b.d.in(3, 4) : b.d.in(1, 3),
            count = b.d.in(1, 4);
  forest f;
  const std::string mode =
      b.d.of({"BRANCH_LEQ", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"});
  for (i64 t = 0; t < count; ++t) {
    i64 next = 0;
    grow(b, f, t, next, features, targets, static_cast<int>(b.d.in(0, 4)), mode);
  }
  attrs a{{"nodes_featureids", f.feature}, {"nodes_nodeids", f.id}, {"nodes_treeids", f.tree},
          {"nodes_values", f.value},       {"nodes_modes", f.mode}, {"nodes_truenodeids", f.yes},
          {"nodes_falsenodeids", f.no}};
  if (b.d.chance(50)) a.push_back({"nodes_missing_value_tracks_true", f.missing});
  std::vector<float> base;
  for (i64 t = 0; t < targets; ++t) base.push_back(b.d.of({0.0f, 0.5f, -1.0f}));
  if (b.d.chance(50)) a.push_back({"base_values", base});
  const std::string x =
      b.given(b.numbers(b.d.of({dtype::f32, dtype::f32, dtype::f64, dtype::i64}), {b.d.in(1, 6), features}), 90);
  b.specials = odd;
  if (b.op == "TreeEnsembleClassifier") {
    dims labels;
    for (i64 t = 0; t < targets; ++t) labels.push_back(10 - t);
    a.insert(a.end(),
             {{"class_ids", f.leaf_target},
              {"class_nodeids", f.leaf_id},
              {"class_treeids", f.leaf_tree},
              {"class_weights", f.leaf_weight},
              {"classlabels_int64s", labels},
              {"post_transform", std::string(b.d.of({"NONE", "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"}))}});
    b.emit({x}, a, 2);
    return;
  }
  a.insert(a.end(), {{"target_ids", f.leaf_target},
                     {"target_nodeids", f.leaf_id},
                     {"target_treeids", f.leaf_tree},
                     {"target_weights", f.leaf_weight},
                     {"n_targets", targets},
                     {"aggregate_function", std::string(b.d.of({"SUM", "AVERAGE", "MIN", "MAX"}))}});
  // Of one target ONNX Runtime gives the sum itself.
  if (targets > 1 && b.d.chance(30)) a.push_back({"post_transform", std::string(b.d.of({"LOGISTIC", "SOFTMAX"}))});
  b.emit({x}, a);
}
void linear_classifier(builder& b) {
  const i64 features = b.d.in(1, 4), classes = b.d.in(2, 4);
  std::vector<float> c, bias;
  dims labels;
  for (i64 k = 0; k < classes * features; ++k) c.push_back(b.d.of({0.5f, -1.0f, 2.0f, 0.25f}));
  for (i64 k = 0; k < classes; ++k) bias.push_back(b.d.of({0.0f, 1.0f, -0.5f})), labels.push_back(7 + k);
  attrs a{{"coefficients", c},
          {"classlabels_ints", labels},
          {"post_transform", std::string(b.d.of({"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"}))}};
  if (b.d.chance(70)) a.push_back({"intercepts", bias});
  b.emit({b.given(b.numbers(b.d.of({dtype::f32, dtype::f64, dtype::i64}), {b.d.in(1, 4), features}), 90)}, a, 2);
}
void vectorizer(builder& b) {
  const i64 n = b.d.in(1, 3), p = b.d.in(1, 3), q = b.d.in(1, 3);
  const std::string x = b.data(b.type, {n, p});
  b.top.inputs.back().fixed = true;  // the attribute says how wide it is
  const std::string y = b.data(b.type, {n, q});
  b.top.inputs.back().fixed = true;
  const auto width = [&](i64 own) { return std::max<i64>(own + b.d.of({0, 0, -1, 2}), 1); };
  const i64 first = width(p);
  b.emit({x, y}, {{"inputdimensions", dims{first, width(q)}}});
}

}  // namespace

std::vector<row> type_rows() {
  return {
      {"Cast Cast", 19, "f", through_narrow},
      {"DequantizeLinear DequantizeLinear", 10, "f", quantized},
      {"QLinearConv ConvInteger", 10, "Cc", qlinear_conv},
      {"QLinearMatMul MatMulInteger", 10, "Cc", quantized_matmul},
      {"Equal", 19, "f", texts},
      {"StringConcat", 20, "f", texts},
      {"RegexFullMatch", 20, "f", matches},
      {"StringSplit", 20, "f", split},
      {"Tokenizer", 7, "f", tokens, 1000, "com.microsoft"},
      {"LabelEncoder", 7, "f", label_encoder, 1000, ml},
      {"OneHotEncoder", 7, "f", one_hot, 1000, ml},
      {"TfIdfVectorizer", 9, "f", terms},
      {"TreeEnsembleRegressor TreeEnsembleClassifier", 7, "f", trees, 1000, ml},
      {"LinearClassifier", 7, "f", linear_classifier, 1000, ml},
      {"FeatureVectorizer", 7, "fdli", vectorizer, 1000, ml},
  };
}

}  // namespace random_onnx
