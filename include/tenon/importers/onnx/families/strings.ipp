/// @file strings: ONNX operators on strings, and on text as numbers.
#pragma once

#include <algorithm>
#include <unordered_map>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// How often each n-gram of the pool, a row of n numbers, occurs in each row of x[rows, length] when its items are
/// `distance` apart: i64[rows, n-grams].
inline value_id count_grams(import_context& cx, value_id x, const std::vector<i64>& pool, i64 n, i64 distance) {
  const i64 length = cx.dim(x, 1).extent(), starts = length - (n - 1) * distance;
  const i64 grams = static_cast<i64>(pool.size()) / n;
  value_id all{};
  for (i64 k = 0; k < n; ++k) {
    tensor items(dtype::i64, {grams});
    for (i64 g = 0; g < grams; ++g) items.set_i64(g, pool[static_cast<size_t>(g * n + k)]);
    const value_id same =
        cx.equal(cx.unsqueeze(cx.slice(x, 1, k * distance, k * distance + starts), {2}), cx.constant(items));
    all = all ? cx.make(op::logical_and{}, {all, same}) : same;
  }
  return cx.reduce_sum(cx.cast(all, dtype::i64), {1}, false);
}

/// Frequencies of n-grams, their items up to max_skip_count apart more than next to each other; single items have no
/// gaps. Modes: TF as they are, IDF one or zero, TFIDF as they are, both times weights.
inline void tf_idf_vectorizer(import_context& cx, const node&) {
  value_id x = cx.in(0);
  std::vector<i64> pool = cx.integers("pool_int64s");
  if (cx.find("pool_strings")) {  // strings become the number of their first place in the pool
    const std::vector<std::string> texts = cx.strings("pool_strings");
    std::vector<i64> numbers;
    pool.clear();
    std::unordered_map<std::string_view, i64> places;
    for (const std::string& s : texts) {
      pool.push_back(places.try_emplace(s, static_cast<i64>(pool.size())).first->second);
      numbers.push_back(pool.back());
    }
    const i64 n = static_cast<i64>(texts.size());
    x = cx.make(op::lookup{}, {x, cx.constant(string_tensor({n}, std::span<const std::string>(texts))),
                               cx.list(numbers), cx.scalar(dtype::i64, -1)});
  }
  const bool single = cx.rank(x) == 1;
  if (single) x = cx.unsqueeze(x, {0});
  if (cx.rank(x) != 2) cx.bad("the input has neither one nor two dimensions");
  if (!cx.type_of(x).is_static())
    cx.unknown("onnx.needs_constant", "TfIdfVectorizer of a shape that is not known",
               "give the shapes of the model's inputs in the import options");
  x = cx.cast(x, dtype::i64);
  const i64 shortest = cx.i("min_gram_length"), longest = cx.i("max_gram_length"), skips = cx.i("max_skip_count");
  const std::vector<i64> starts = cx.integers("ngram_counts"), columns = cx.integers("ngram_indexes");
  if (shortest < 1 || longest < shortest || skips < 0 || columns.empty() ||
      *std::min_element(columns.begin(), columns.end()) < 0)
    cx.bad("lengths, skips or indexes of n-grams are out of range");
  import_context::values parts;
  i64 grams = 0;
  for (i64 n = 1; n <= static_cast<i64>(starts.size()); ++n) {
    const size_t at = static_cast<size_t>(n - 1);
    const i64 end = at + 1 < starts.size() ? starts[at + 1] : static_cast<i64>(pool.size());
    if (starts[at] < 0 || end < starts[at] || end > static_cast<i64>(pool.size()) || (end - starts[at]) % n != 0)
      cx.bad("ngram_counts does not divide the pool");
    if (end == starts[at]) continue;
    const std::vector<i64> mine(pool.begin() + starts[at], pool.begin() + end);
    const i64 count = (end - starts[at]) / n;
    value_id sum{};
    for (i64 skip = 0; n >= shortest && n <= longest && skip <= (n == 1 ? 0 : skips); ++skip) {
      if ((n - 1) * (skip + 1) >= cx.dim(x, 1).extent()) break;
      const value_id found = count_grams(cx, x, mine, n, skip + 1);
      sum = sum ? cx.add(sum, found) : found;
    }
    if (!sum) sum = cx.make(op::constant_of_shape{.shape = {cx.dim(x, 0).extent(), count}}, {cx.scalar(dtype::i64, 0)});
    parts.push_back(sum);
    grams += count;
  }
  if (grams != static_cast<i64>(columns.size())) cx.bad("ngram_indexes has not one number per n-gram");
  // Columns that no n-gram has read a column of zeros behind all n-grams.
  parts.push_back(cx.make(op::constant_of_shape{.shape = {cx.dim(x, 0).extent(), 1}}, {cx.scalar(dtype::i64, 0)}));
  const i64 width = checked_add(*std::max_element(columns.begin(), columns.end()), 1);
  tensor from = cx.blank(dtype::i64, {width}), weights = cx.blank(dtype::f32, {width});
  for (i64 c = 0; c < width; ++c) from.set_i64(c, grams), weights.set_f64(c, 1);
  const std::vector<float> given = cx.floats("weights");
  if (!given.empty() && given.size() != columns.size()) cx.bad("weights has not one number per n-gram");
  for (i64 g = 0; g < grams; ++g) {
    const i64 c = columns[static_cast<size_t>(g)];
    if (from.at_i64(c) != grams) cx.unsupported("TfIdfVectorizer with n-grams that share a column");
    from.set_i64(c, g);
    if (!given.empty()) weights.set_f64(c, given[static_cast<size_t>(g)]);
  }
  value_id y = cx.gather(cx.concat(parts, 1), cx.constant(from), 1);
  const std::string mode = cx.s("mode");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") cx.bad("mode is '" + mode + "'");
  if (mode == "IDF") y = cx.minimum(y, 1.);
  y = cx.cast(y, dtype::f32);
  if (mode != "TF") y = cx.mul(y, cx.constant(weights));
  cx.out(single ? cx.squeeze(y, {0}) : y);
}

inline void string_concat(import_context& cx, const node&) {
  cx.out(cx.make(op::string_concat{}, {cx.in(0), cx.in(1)}));
}

inline void string_split(import_context& cx, const node&) {
  const auto r =
      cx.make_all(op::string_split{.delimiter = cx.s("delimiter", ""), .most = cx.i("maxsplit", -1)}, {cx.in(0)});
  cx.out(0, r[0]);
  cx.out(1, r[1]);
}

inline void string_normalizer(import_context& cx, const node&) {
  const std::string action = cx.s("case_change_action", "NONE");
  op::string_normalize op{.to = op::letter_case::none,
                          .case_sensitive = cx.i("is_case_sensitive", 0) != 0,
                          .stop_words = cx.strings("stopwords")};
  if (action == "LOWER") op.to = op::letter_case::lower;
  else if (action == "UPPER") op.to = op::letter_case::upper;
  else if (action != "NONE") cx.bad("case_change_action is '" + action + "'");
  cx.out(cx.make(op, {cx.in(0)}));
}

inline void regex_full_match(import_context& cx, const node&) {
  cx.out(cx.make(op::regex_full_match{.pattern = cx.s("pattern", "")}, {cx.in(0)}));
}

/// Of ONNX Runtime, as sklearn-onnx writes it in front of TfIdfVectorizer: tokens are matches of an expression, what is
/// between separators (expressions, too), or characters.
inline void tokenizer(import_context& cx, const node&) {
  op::string_tokenize op{.pattern = cx.s("tokenexp", ""),
                         .separators = cx.strings("separators"),
                         .pad = cx.s("pad_value"),
                         .least = cx.i("mincharnum"),
                         .mark = cx.i("mark") != 0};
  if (!op.separators.empty()) op.pattern.clear();
  const bool characters = op.separators == std::vector<std::string>{""} || op.pattern == ".";
  if (characters) op.separators.clear(), op.pattern = "(?s).";
  if (characters && op.least > 1) cx.bad("no character has mincharnum = " + std::to_string(op.least) + " characters");
  if (cx.type_of(cx.in(0)).ranked && cx.rank(cx.in(0)) != 1 && cx.rank(cx.in(0)) != 2)
    cx.bad("the input has neither one nor two dimensions");
  cx.out(cx.make(op, {cx.in(0)}));
}

/// A list that is an attribute in one of several forms; its name ends with the form.
inline bool list_attribute(import_context& cx, const std::string& name, tensor& to) {
  const auto size = [](const auto& v) { return std::vector<i64>{static_cast<i64>(v.size())}; };
  if (cx.has_attribute(name + "_tensor")) {
    to = to_tensor(cx.t(name + "_tensor"));
    to = to.reshaped({to.size()});
  } else if (cx.has_attribute(name + "_strings")) {
    const std::vector<std::string> v = cx.strings(name + "_strings");
    to = string_tensor(size(v), std::span<const std::string>(v));
  } else if (cx.has_attribute(name + "_int64s")) {
    const std::vector<i64> v = cx.integers(name + "_int64s");
    to = tensor::from<i64>(size(v), std::span<const i64>(v));
  } else if (cx.has_attribute(name + "_floats")) {
    const std::vector<float> v = cx.floats(name + "_floats");
    to = tensor::from<float>(size(v), std::span<const float>(v));
  } else {
    return false;
  }
  return true;
}

/// Version 1: strings to their place in a list, or places to strings; since version 2 any keys to any values.
inline void label_encoder(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  tensor keys, values, otherwise;
  if (tensor classes; list_attribute(cx, "classes", classes)) {
    tensor places(dtype::i64, classes.shape());
    for (i64 i = 0; i < places.size(); ++i) places.set_i64(i, i);
    const bool from_text = cx.elem(x) == dtype::string;
    keys = from_text ? classes : places, values = from_text ? places : classes;
  } else if (!list_attribute(cx, "keys", keys) || !list_attribute(cx, "values", values)) {
    cx.bad("keys or values are missing");
  }
  if (cx.has_attribute("default_tensor")) otherwise = to_tensor(cx.t("default_tensor"));
  else if (values.type() == dtype::string) otherwise = string_tensor({1}, {cx.s("default_string", "_Unused")});
  else if (is_float(values.type())) otherwise = tensor::scalar(cx.f("default_float", -0.0f)).cast(values.type());
  else otherwise = tensor::scalar(cx.i("default_int64", -1)).cast(values.type());
  cx.out(cx.make(op::lookup{}, {x, cx.constant(keys), cx.constant(values), cx.constant(otherwise)}));
}

}  // namespace handlers

std::span<const registered_operator> families::text() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"LabelEncoder", label_encoder, "ai.onnx.ml", 1, 1, 1, "classes_strings:ss default_int64:i default_string:s",
       "fis"},
      {"LabelEncoder", label_encoder, "ai.onnx.ml", 2, 1, 1,
       "default_float:f default_int64:i default_string:s keys_floats:fs keys_int64s:is keys_strings:ss "
       "values_floats:fs values_int64s:is values_strings:ss",
       "fis"},
      {"LabelEncoder", label_encoder, "ai.onnx.ml", 4, 1, 1,
       "default_float:f default_int64:i default_string:s default_tensor:t keys_floats:fs keys_int64s:is "
       "keys_strings:ss keys_tensor:t values_floats:fs values_int64s:is values_strings:ss values_tensor:t",
       "fis"},
      {"RegexFullMatch", regex_full_match, "", 20, 1, 1, "pattern:s", "s"},
      {"StringConcat", string_concat, "", 20, 2, 1, "", "s"},
      {"StringNormalizer", string_normalizer, "", 10, 1, 1,
       "case_change_action:s is_case_sensitive:i locale:s stopwords:ss", "s"},
      {"StringSplit", string_split, "", 20, 1, {1, 2}, "delimiter:s maxsplit:i", "s"},
      {"Tokenizer", tokenizer, "com.microsoft", 1, 1, 1, "mark:i! mincharnum:i! pad_value:s! separators:ss tokenexp:s",
       "s"},
      {"TfIdfVectorizer", tf_idf_vectorizer, "", 9, 1, 1,
       "max_gram_length:i! max_skip_count:i! min_gram_length:i! mode:s! ngram_counts:is! ngram_indexes:is! "
       "pool_int64s:is pool_strings:ss weights:fs",
       "is"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
