/// @file classic: ai.onnx.ml: linear models and what prepares features, as formulas.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/importers/onnx/families/strings.ipp>

namespace tenon::importers::onnx {
namespace handlers {

inline constexpr std::string_view ml_domain = "ai.onnx.ml";

/// Integers become f32: the type that these operators compute in, unless the input is f64.
inline value_id real_input(import_context& cx, int i) {
  const value_id x = cx.in(i);
  return cx.cast(x, at_least_f32(cx.elem(x)));
}
inline value_id rows_of_features(import_context& cx, value_id x) {
  if (cx.rank(x) == 1) return cx.unsqueeze(x, {0});
  if (cx.rank(x) != 2) cx.bad("the input has neither one nor two dimensions");
  return x;
}
inline value_id number_list(import_context& cx, dtype t, const std::vector<double>& v) {
  tensor r(t, {static_cast<i64>(v.size())});
  for (size_t k = 0; k < v.size(); ++k) r.set_f64(static_cast<i64>(k), v[k]);
  return cx.constant(r);
}
inline std::vector<double> numbers_of(const tensor& t) {
  std::vector<double> v;
  for (i64 k = 0; k < t.size(); ++k) v.push_back(t.at_f64(k));
  return v;
}
/// Floats, or the tensor that takes their place in newer versions.
inline std::vector<double> real_attribute(import_context& cx, const std::string& name) {
  if (cx.has_attribute(name + "_as_tensor")) return numbers_of(to_tensor(cx.t(name + "_as_tensor")));
  const std::vector<float> v = cx.floats(name);
  return {v.begin(), v.end()};
}

// -- features ---------------------------------------------------------------------------------------------------------

inline void array_feature_extractor(import_context& cx, const node&) {
  const value_id x = cx.in(0), which = cx.reshape(cx.in(1), {-1});
  cx.out(cx.gather(cx.rank(x) == 1 ? cx.unsqueeze(x, {0}) : x, which, std::max(cx.rank(x) - 1, 1)));
}
inline void binarizer(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const value_id wide = is_float(cx.elem(x)) ? x : cx.cast(x, dtype::f64);
  cx.out(cx.cast(cx.greater(wide, cx.like(wide, cx.f("threshold", 0.f))), cx.elem(x)));
}
inline void scaler(import_context& cx, const node&) {
  const value_id x = real_input(cx, 0);
  const auto list = [&](const char* name) { return number_list(cx, cx.elem(x), real_attribute(cx, name)); };
  cx.out(cx.cast(cx.mul(cx.sub(x, list("offset")), list("scale")), dtype::f32));
}
inline void normalizer(import_context& cx, const node&) {
  const value_id x = real_input(cx, 0);
  const std::vector<i64> axes{cx.rank(x) - 1};
  const std::string norm = cx.s("norm", "MAX");
  value_id size;
  if (norm == "MAX") size = cx.reduce_max(x, axes);
  else if (norm == "L1") size = cx.reduce_sum(cx.make(op::abs{}, {x}), axes);
  else if (norm == "L2") size = cx.make(op::sqrt{}, {cx.reduce_sum(cx.square(x), axes)});
  else cx.bad("norm is '" + norm + "'");
  cx.out(cx.cast(cx.where(cx.equal(size, cx.like(size, 0)), x, cx.div(x, size)), dtype::f32));
}
/// Values to replace, NaN among them, give way to the one of their feature.
inline void imputer(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const bool real = is_float(cx.elem(x));
  std::vector<double> values = real_attribute(cx, "imputed_value_floats");
  if (!real) {
    const std::vector<i64> v = cx.integers("imputed_value_int64s");
    values.assign(v.begin(), v.end());
  }
  if (values.empty()) cx.bad("there are no imputed values");
  const double old = real ? cx.f("replaced_value_float", 0.f) : static_cast<double>(cx.i("replaced_value_int64", 0));
  const value_id gone = std::isnan(old) ? cx.make(op::is_nan{}, {x}) : cx.equal(x, cx.like(x, old));
  cx.out(cx.where(gone, number_list(cx, cx.elem(x), values), x));
}
/// Rows of so many columns: the others are left out, those that are missing are zeros.
inline value_id with_columns(import_context& cx, value_id rows, i64 width) {
  const ir::dim have = cx.dim(rows, 1);
  if (have == ir::dim(width)) return rows;
  const i64 missing = have.is_static() ? width - have.extent() : width;
  if (missing > 0) rows = cx.make(op::pad{}, {rows, cx.list({0, 0, 0, missing})});
  return have.is_static() && missing > 0 ? rows : cx.slice(rows, 1, 0, width);
}
inline void feature_vectorizer(import_context& cx, const node&) {
  const std::vector<i64> widths = cx.integers("inputdimensions");
  if (!widths.empty() && widths.size() != static_cast<size_t>(cx.input_count()))
    cx.bad("there are " + std::to_string(widths.size()) + " inputdimensions for " + std::to_string(cx.input_count()) +
           " inputs");
  import_context::values parts;
  for (int i = 0; i < cx.input_count(); ++i) {
    const value_id rows = cx.cast(rows_of_features(cx, cx.in(i)), dtype::f32);
    const i64 width = widths.empty() ? -1 : widths[static_cast<size_t>(i)];
    if (!widths.empty() && width < 0) cx.bad("an input has " + std::to_string(width) + " dimensions");
    parts.push_back(widths.empty() ? rows : with_columns(cx, rows, width));
  }
  cx.out(cx.concat(parts, 1));
}
/// One where the category is the element; without `zeros`, every element must be a category, which is not checked.
inline void one_hot_encoder(import_context& cx, const node&) {
  value_id x = cx.in(0);
  tensor categories;
  if (!list_attribute(cx, "cats", categories)) cx.bad("there are no categories");
  if (categories.type() != dtype::string) x = cx.cast(x, dtype::i64);
  const value_id same = cx.equal(cx.unsqueeze(x, {cx.rank(x)}), cx.constant(categories));
  cx.out(cx.cast(same, dtype::f32));
}
inline void category_mapper(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const std::vector<std::string> texts = cx.strings("cats_strings");
  const std::vector<i64> numbers = cx.integers("cats_int64s");
  if (texts.size() != numbers.size()) cx.bad("as many strings as integers are needed");
  const value_id text =
      cx.constant(string_tensor({static_cast<i64>(texts.size())}, std::span<const std::string>(texts)));
  const value_id number = cx.list(numbers);
  if (cx.elem(x) == dtype::string)
    return cx.out(cx.make(op::lookup{}, {x, text, number, cx.list({cx.i("default_int64", -1)})}));
  cx.out(
      cx.make(op::lookup{}, {x, number, text, cx.constant(string_tensor({1}, {cx.s("default_string", "_Unused")}))}));
}

// -- scores -----------------------------------------------------------------------------------------------------------

enum class score_transform : u8 { none, softmax, logistic, softmax_zero, probit };

inline score_transform named_transform(import_context& cx) {
  const std::string name = cx.s("post_transform", "NONE");
  static constexpr std::array<std::string_view, 5> names{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  for (size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return static_cast<score_transform>(k);
  cx.bad("post_transform is '" + name + "'");
}

inline value_id transformed(import_context& cx, value_id scores, score_transform how) {
  switch (how) {
    case score_transform::none: return scores;
    case score_transform::softmax: return cx.make(op::softmax{.axis = cx.rank(scores) - 1}, {scores});
    case score_transform::logistic: return cx.make(op::sigmoid{}, {scores});
    case score_transform::softmax_zero: {  // over the scores that are not about zero, as ONNX Runtime takes them
      const value_id nothing = cx.make(op::less_equal{}, {cx.make(op::abs{}, {scores}), cx.like(scores, 1e-7)});
      const std::vector<i64> last{cx.rank(scores) - 1};
      const value_id most = cx.reduce_max(scores, last), zero = cx.like(scores, 0);
      const value_id e = cx.where(nothing, zero, cx.make(op::exp{}, {cx.sub(scores, most)}));
      const value_id small = cx.mul(scores, cx.make(op::exp{}, {cx.mul(most, -1.)}));
      const value_id sum = cx.reduce_sum(e, last);
      return cx.div(cx.where(nothing, small, e), cx.where(cx.equal(sum, cx.like(sum, 0)), cx.like(sum, 1), sum));
    }
    case score_transform::probit: {
      // The inverse of erf after S. Winitzki, "A handy approximation for the error function and its inverse", 2008.
      const value_id x = cx.add(cx.mul(scores, 2.), -1.);
      const value_id l = cx.make(op::log{}, {cx.mul(cx.sub(cx.like(x, 1), x), cx.add(x, 1.))});
      const value_id half = cx.add(cx.mul(l, 0.5), 2 / (3.14159265358979 * 0.147));
      const value_id inner = cx.sub(cx.make(op::sqrt{}, {cx.sub(cx.square(half), cx.mul(l, 1 / 0.147))}), half);
      return cx.mul(cx.mul(cx.make(op::sqrt{}, {inner}), cx.make(op::sign{}, {x})), 1.4142135623730951);
    }
  }
  return scores;
}

/// The labels of classes, as what the model calls them.
inline tensor class_labels(import_context& cx) {
  tensor labels;
  if (!list_attribute(cx, "classlabels", labels)) {
    const std::vector<i64> v = cx.integers("classlabels_ints");
    if (v.empty()) cx.bad("there are no labels");
    labels = tensor::from<i64>({static_cast<i64>(v.size())}, std::span<const i64>(v));
  }
  return labels;
}
/// Label and scores of a model with a score for each class; `scores` is [rows, classes].
inline void classify(import_context& cx, value_id scores, const tensor& labels) {
  const value_id best = cx.make(op::arg_max{.axis = 1, .keep_dims = false, .select_last = false}, {scores});
  cx.out(0, cx.gather(cx.constant(labels), best, 0));
  cx.out(1, transformed(cx, scores, named_transform(cx)));
}
/// ONNX Runtime leaves one of both scores as it finds the memory.
[[noreturn]] inline void refuse_probit_of_two(import_context& cx, const char* way_out) {
  cx.unsupported("PROBIT of two classes' scores", way_out);
}

/// The same of a model with one score for two classes. The other class's is its negative or, of a probability, what is
/// missing to one. Only the logistic transform applies to such a pair, as ONNX Runtime has it.
inline void classify_two(import_context& cx, value_id score, const tensor& labels, double limit, bool to_one) {
  const value_id second = cx.greater(cx.squeeze(score, {1}), cx.like(score, limit));
  cx.out(0, cx.gather(cx.constant(labels), cx.cast(second, dtype::i64), 0));
  const bool logistic = named_transform(cx) == score_transform::logistic;
  if (named_transform(cx) == score_transform::probit) refuse_probit_of_two(cx, "give the node another post_transform");
  const value_id other = to_one && !logistic ? cx.sub(cx.like(score, 1), score) : cx.make(op::neg{}, {score});
  const value_id both = cx.concat({other, score}, 1);
  cx.out(1, logistic ? cx.make(op::sigmoid{}, {both}) : both);
}

/// x times the transposed coefficients, plus intercepts: [rows, targets].
inline value_id linear_scores(import_context& cx, i64 targets) {
  const value_id x = cx.cast(rows_of_features(cx, cx.in(0)), dtype::f32);
  const std::vector<double> c = real_attribute(cx, "coefficients"), b = real_attribute(cx, "intercepts");
  if (targets < 1 || c.empty() || c.size() % static_cast<size_t>(targets) != 0)
    cx.bad("the coefficients do not fit the targets");
  const value_id weights = cx.reshape(number_list(cx, dtype::f32, c), {targets, -1});
  const value_id y = cx.matmul(x, cx.transpose(weights, {1, 0}));
  return b.empty() ? y : cx.add(y, number_list(cx, dtype::f32, b));
}
inline void linear_regressor(import_context& cx, const node&) {
  cx.out(transformed(cx, linear_scores(cx, cx.i("targets", 1)), named_transform(cx)));
}
inline void linear_classifier(import_context& cx, const node&) {
  const tensor labels = class_labels(cx);
  i64 classes = static_cast<i64>(cx.floats("intercepts").size());
  if (classes == 0) {  // then as many as there are rows of coefficients
    const ir::dim features = cx.dim(rows_of_features(cx, cx.in(0)), 1);
    const i64 coefficients = static_cast<i64>(cx.floats("coefficients").size());
    if (!features.is_static() && labels.size() == 2)  // one row or two
      cx.unknown("onnx.needs_constant", "there are no intercepts, and the number of features is not known",
                 "give the shapes of the model's inputs in the import options");
    classes = features.is_static() && features.extent() > 0 ? coefficients / features.extent() : labels.size();
  }
  const value_id scores = linear_scores(cx, classes);
  if (classes == 1 && labels.size() == 2) return classify_two(cx, scores, labels, 0, true);
  if (classes != labels.size()) cx.bad("there are not as many labels as classes have scores");
  classify(cx, scores, labels);
}

}  // namespace handlers

std::span<const registered_operator> families::classic() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"ArrayFeatureExtractor", array_feature_extractor, ml_domain, 1, 2, 1, "", "fis i"},
      {"Binarizer", binarizer, ml_domain, 1, 1, 1, "threshold:f", "fi"},
      {"CategoryMapper", category_mapper, ml_domain, 1, 1, 1,
       "cats_int64s:is cats_strings:ss default_int64:i default_string:s", "is"},
      {"FeatureVectorizer", feature_vectorizer, ml_domain, 1, {1, arity::any}, 1, "inputdimensions:is", "fi"},
      {"Imputer", imputer, ml_domain, 1, 1, 1,
       "imputed_value_floats:fs imputed_value_int64s:is replaced_value_float:f replaced_value_int64:i", "fi"},
      {"LinearClassifier", linear_classifier, ml_domain, 1, 1, 2,
       "classlabels_ints:is classlabels_strings:ss coefficients:fs! intercepts:fs multi_class:i post_transform:s",
       "fi"},
      {"LinearRegressor", linear_regressor, ml_domain, 1, 1, 1,
       "coefficients:fs intercepts:fs post_transform:s targets:i", "fi"},
      {"Normalizer", normalizer, ml_domain, 1, 1, 1, "norm:s", "fi"},
      {"OneHotEncoder", one_hot_encoder, ml_domain, 1, 1, 1, "cats_int64s:is cats_strings:ss zeros:i", "fis"},
      {"Scaler", scaler, ml_domain, 1, 1, 1, "offset:fs scale:fs", "fi"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
