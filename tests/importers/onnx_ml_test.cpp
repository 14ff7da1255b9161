/// @file onnx_ml_test: operators of the domain ai.onnx.ml, on values computed by hand.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/strings.hpp>

#include "on_cpu.hpp"
#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::tensor;

namespace {

std::vector<tensor> run(const std::string& op, const std::vector<tensor>& inputs, std::vector<std::string> attributes,
                        size_t outputs = 1, i64 version = 3) {
  return run_node("ai.onnx.ml", version, op, inputs, std::move(attributes), outputs);
}

bool is(const tensor& got, const std::vector<double>& want) {
  bool same = got.size() == static_cast<i64>(want.size());
  for (i64 k = 0; same && k < got.size(); ++k) same = std::fabs(got.at_f64(k) - want[static_cast<size_t>(k)]) <= 1e-5;
  if (!same)
    for (i64 k = 0; k < got.size(); ++k) MESSAGE(got.describe() << " [" << k << "] " << got.at_f64(k));
  return same;
}

tensor f(std::vector<i64> shape, const std::vector<float>& v) { return tensor::from<float>(shape, v); }
tensor longs(std::vector<i64> shape, const std::vector<i64>& v) { return tensor::from<i64>(shape, v); }
std::string text(const char* name, const char* v) { return attribute(name, std::string(v)); }
using strings = std::vector<std::string>;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Tree 0: x0 <= 1 ? (x1 < 2 ? leaf 3 : leaf 4) : leaf 2. Tree 1: x1 >= 5 ? leaf 1 : leaf 2.
std::vector<std::string> two_trees(std::vector<std::string> more, const char* first_mode = "BRANCH_LEQ") {
  std::vector<std::string> a{attribute("nodes_treeids", {0, 0, 0, 0, 0, 1, 1, 1}),
                             attribute("nodes_nodeids", {0, 1, 2, 3, 4, 0, 1, 2}),
                             attribute("nodes_featureids", {0, 1, 0, 0, 0, 1, 0, 0}),
                             attribute_floats("nodes_values", {1.f, 2.f, 0.f, 0.f, 0.f, 5.f, 0.f, 0.f}),
                             attribute_texts("nodes_modes", strings{first_mode, "BRANCH_LT", "LEAF", "LEAF", "LEAF",
                                                                    "BRANCH_GTE", "LEAF", "LEAF"}),
                             attribute("nodes_truenodeids", {1, 3, 0, 0, 0, 1, 0, 0}),
                             attribute("nodes_falsenodeids", {2, 4, 0, 0, 0, 2, 0, 0})};
  a.insert(a.end(), more.begin(), more.end());
  return a;
}
const tensor rows = f({4, 2}, {0, 0, 1, 3, 2, 7, 1.5f, 1});  // leaves 3 2, 4 2, 2 1, 2 2

}  // namespace

TEST_CASE("features are picked, compared, scaled and joined") {
  CHECK(is(run("ArrayFeatureExtractor", {f({2, 3}, {1, 2, 3, 4, 5, 6}), longs({1, 2}, {2, 0})}, {})[0], {3, 1, 6, 4}));
  CHECK(run("ArrayFeatureExtractor", {f({3}, {1, 2, 3}), longs({1}, {2})}, {})[0].shape() == std::vector<i64>{1, 1});
  CHECK(is(run("Binarizer", {f({3}, {0, 1, 1.5f})}, {attribute("threshold", 1.f)})[0], {0, 0, 1}));
  CHECK(is(run("Scaler", {longs({1, 2}, {3, 5})},
               {attribute_floats("offset", {1.f, 2.f}), attribute_floats("scale", {2.f, .5f})})[0],
           {4, 1.5}));
  CHECK(is(run("Normalizer", {f({1, 2}, {3, -4})}, {text("norm", "L2")})[0], {.6, -.8}));
  CHECK(is(run("Normalizer", {f({1, 2}, {3, -4})}, {text("norm", "L1")})[0], {3. / 7, -4. / 7}));
  CHECK(is(run("Normalizer", {f({2, 2}, {3, -6, 0, 0})}, {})[0], {1, -2, 0, 0}));
  CHECK(is(
      run("Imputer", {f({2, 2}, {not_a_number, 1, 2, not_a_number})},
          {attribute_floats("imputed_value_floats", {7.f, 8.f}), attribute("replaced_value_float", not_a_number)})[0],
      {7, 1, 2, 8}));
  CHECK(is(run("Imputer", {longs({1, 2}, {5, 1})},
               {attribute("imputed_value_int64s", {9}), attribute("replaced_value_int64", i64{5})})[0],
           {9, 1}));
  CHECK(is(run("FeatureVectorizer", {f({1, 2}, {1, 2}), longs({1, 1}, {3})}, {attribute("inputdimensions", {2, 1})})[0],
           {1, 2, 3}));
  // Inputs are cut, and zeros stand for columns that they do not have.
  const std::vector<tensor> pair{f({2, 3}, {1, 2, 3, 4, 5, 6}), f({2, 1}, {7, 8})};
  CHECK(is(run("FeatureVectorizer", pair, {attribute("inputdimensions", {2, 3})})[0], {1, 2, 7, 0, 0, 4, 5, 8, 0, 0}));
  for (const char* said : {"there are 1 inputdimensions for 2 inputs", "an input has -1 dimensions"}) {
    const std::string widths =
        said[0] == 't' ? attribute("inputdimensions", {2}) : attribute("inputdimensions", {2, -1});
    CHECK_THROWS_WITH_AS(run("FeatureVectorizer", pair, {widths}), doctest::Contains(said), tn::error);
  }
  CHECK(is(run("OneHotEncoder", {longs({2}, {5, 6})}, {attribute("cats_int64s", {4, 5})})[0], {0, 1, 0, 0}));
  const auto names = run("CategoryMapper", {longs({2}, {5, 6})},
                         {attribute("cats_int64s", {4, 5}), attribute_texts("cats_strings", strings{"a", "b"})})[0];
  CHECK((tn::string_at(names, 0) == "b" && tn::string_at(names, 1) == "_Unused"));
}

TEST_CASE("linear models and their scores") {
  const tensor x = f({2, 2}, {1, 2, -1, 0});
  const std::string weights = attribute_floats("coefficients", {1.f, 1.f}),
                    bias = attribute_floats("intercepts", {-1.f});
  CHECK(is(run("LinearRegressor", {x}, {weights, bias})[0], {2, -2}));
  CHECK(is(run("LinearRegressor", {x}, {weights, bias, text("post_transform", "LOGISTIC")})[0],
           {sigmoid(2), sigmoid(-2)}));
  CHECK(is(run("LinearRegressor", {f({1, 1}, {.975f})},
               {attribute_floats("coefficients", {1.f}), text("post_transform", "PROBIT")})[0],
           {1.95905}));
  auto y = run("LinearClassifier", {x}, {weights, bias, attribute("classlabels_ints", {7, 8})}, 2);
  CHECK(is(y[0], {8, 7}));
  CHECK(is(y[1], {-1, 2, 3, -2}));
  y = run("LinearClassifier", {x},
          {attribute_floats("coefficients", {1.f, 0.f, 0.f, 1.f}), attribute_floats("intercepts", {0.f, 0.f}),
           attribute("classlabels_ints", {7, 8}), text("post_transform", "SOFTMAX_ZERO")},
          2);
  CHECK(is(y[0], {8, 8}));
  CHECK(is(y[1], {1 / (1 + std::exp(1.)), 1 / (1 + std::exp(-1.)), 1, 0}));
  // Without intercepts there are as many classes as rows of coefficients.
  y = run("LinearClassifier", {x},
          {attribute_floats("coefficients", {1.f, 0.f, 0.f, 1.f}), attribute("classlabels_ints", {7, 8})}, 2);
  CHECK(is(y[1], {1, 2, -1, 0}));
  y = run("LinearClassifier", {x}, {weights, attribute("classlabels_ints", {7, 8})}, 2);
  CHECK(is(y[1], {-2, 3, 2, -1}));
  model open{.inputs = {value("x", {1, -1})}, .outputs = {open_value("z")}, .domains = {{"ai.onnx.ml", 3}}};
  open.nodes = {
      node("LinearClassifier", {"x"}, {"y", "z"}, {weights, attribute("classlabels_ints", {7, 8})}, {}, "ai.onnx.ml")};
  CHECK_THROWS_WITH_AS(onnx::import_model(decoded(open), {}), doctest::Contains("the number of features is not known"),
                       tn::error);
  CHECK_THROWS_WITH_AS(run("LinearClassifier", {x},
                           {weights, bias, attribute("classlabels_ints", {7, 8}), text("post_transform", "PROBIT")}, 2),
                       doctest::Contains("PROBIT of two classes' scores"), tn::error);
  // As ONNX Runtime has it, a score within 1e-7 of zero stays about zero.
  const std::vector<std::string> alone{attribute_floats("coefficients", {1.f, 0.f, 0.f, 1.f}),
                                       attribute_floats("intercepts", {0.f, 0.f}), attribute("targets", i64{2}),
                                       text("post_transform", "SOFTMAX_ZERO")};
  y = run("LinearRegressor", {f({2, 2}, {1, 5e-8f, 2e-7f, 2})}, alone);
  CHECK(is(y[0], {1, 0, 1 / (1 + std::exp(2.)), 1 / (1 + std::exp(-2.))}));
}

TEST_CASE("trees: all rows walk all trees") {
  const std::vector<std::string> weights{
      attribute("target_treeids", {0, 0, 0, 1, 1}), attribute("target_nodeids", {2, 3, 4, 1, 2}),
      attribute("target_ids", {0, 0, 0, 0, 0}), attribute_floats("target_weights", {1.f, 2.f, 4.f, 10.f, 20.f}),
      attribute("n_targets", i64{1})};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), weights.begin(), weights.end());
    return two_trees(more);
  };
  CHECK(is(run("TreeEnsembleRegressor", {rows}, with({}))[0], {22, 24, 11, 21}));
  CHECK(is(run("TreeEnsembleRegressor", {rows.cast(tn::dtype::f64)}, with({}))[0], {22, 24, 11, 21}));
  CHECK(is(run("TreeEnsembleRegressor", {rows},
               with({text("aggregate_function", "AVERAGE"), attribute_floats("base_values", {.5f})}))[0],
           {11.5, 12.5, 6, 11}));
  CHECK(is(run("TreeEnsembleRegressor", {rows}, with({text("aggregate_function", "MIN")}))[0], {2, 4, 1, 1}));
  CHECK(is(run("TreeEnsembleRegressor", {rows}, with({text("aggregate_function", "MAX")}))[0], {20, 20, 10, 20}));
  // Nothing compares with NaN: the second branch, unless the node says otherwise.
  const tensor missing = f({1, 2}, {not_a_number, not_a_number});
  CHECK(is(run("TreeEnsembleRegressor", {missing}, with({}))[0], {21}));
  CHECK(is(run("TreeEnsembleRegressor", {missing},
               with({attribute("nodes_missing_value_tracks_true", {1, 0, 0, 0, 0, 1, 0, 0})}))[0],
           {14}));
  // A node that is its own child.
  auto circle = with({});
  circle[5] = attribute("nodes_truenodeids", {0, 3, 0, 0, 0, 1, 0, 0});
  CHECK_THROWS_AS(run("TreeEnsembleRegressor", {rows}, circle), tn::error);
}

TEST_CASE("trees: classes, and two classes with one score") {
  const auto classes = [](std::initializer_list<i64> ids, std::initializer_list<float> weights,
                          std::vector<std::string> more) {
    for (auto& a : {attribute("class_treeids", {0, 0, 0, 1, 1}), attribute("class_nodeids", {2, 3, 4, 1, 2}),
                    attribute("class_ids", ids), attribute_floats("class_weights", weights)})
      more.push_back(a);
    return two_trees(more);
  };
  auto y = run("TreeEnsembleClassifier", {rows},
               classes({0, 1, 2, 0, 1}, {1.f, 2.f, 4.f, 8.f, 3.f}, {attribute("classlabels_int64s", {5, 6, 7})}), 2);
  CHECK(is(y[0], {6, 7, 5, 6}));
  CHECK(is(y[1], {0, 5, 0, 0, 3, 4, 9, 0, 0, 1, 3, 0}));
  y = run("TreeEnsembleClassifier", {rows},
          classes({1, 1, 1, 1, 1}, {.1f, .2f, .4f, .8f, .2f}, {attribute("classlabels_int64s", {0, 1})}), 2);
  CHECK(is(y[0], {0, 1, 1, 0}));
  CHECK(is(y[1], {.6, .4, .4, .6, .1, .9, .7, .3}));
  y = run("TreeEnsembleClassifier", {rows},
          classes({1, 1, 1, 1, 1}, {1.f, -2.f, 0.f, 1.f, -1.f},
                  {attribute_texts("classlabels_strings", strings{"no", "yes"}), text("post_transform", "LOGISTIC")}),
          2);
  CHECK(tn::string_at(y[0], 2) == "yes");
  CHECK(tn::string_at(y[0], 0) == "no");
  CHECK(is(y[1], {sigmoid(3), sigmoid(-3), sigmoid(1), sigmoid(-1), sigmoid(-2), sigmoid(2), .5, .5}));
}

TEST_CASE("trees of version 5 have sets of members") {
  const std::vector<std::string> tree{attribute("n_targets", i64{2}),
                                      attribute("nodes_featureids", {0, 0}),
                                      attribute_tensor("nodes_modes", tensor::from<tn::u8>({2}, {0, 6})),
                                      attribute_tensor("nodes_splits", f({2}, {10, 0})),
                                      attribute("nodes_truenodeids", {1, 0}),
                                      attribute("nodes_trueleafs", {0, 1}),
                                      attribute("nodes_falsenodeids", {2, 1}),
                                      attribute("nodes_falseleafs", {1, 1}),
                                      attribute("leaf_targetids", {0, 1, 1}),
                                      attribute_tensor("leaf_weights", f({3}, {1, 10, 100})),
                                      attribute("tree_roots", {0}),
                                      attribute_tensor("membership_values", f({3}, {2, 4, not_a_number}))};
  CHECK(is(run("TreeEnsemble", {f({4, 1}, {2, 3, 4, 11})}, tree, 1, 5)[0], {1, 0, 0, 10, 1, 0, 0, 100}));
}
