/// @file onnx_vector_machines_test: support vector machines of ai.onnx.ml. The classifiers' labels and numbers are
/// those of ONNX Runtime 1.30.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/strings.hpp>

#include "on_cpu.hpp"
#include "onnx_builder.hpp"

namespace tn = tenon;
using namespace onnx_builder;
using tn::tensor;

namespace {

using list = std::vector<std::string>;

std::vector<tensor> run(const std::string& op, const std::vector<tensor>& inputs, list attributes, size_t outputs = 1) {
  return run_node("ai.onnx.ml", 3, op, inputs, std::move(attributes), outputs);
}
bool is(const tensor& got, const std::vector<double>& want) {
  bool same = got.size() == static_cast<i64>(want.size());
  for (i64 k = 0; same && k < got.size(); ++k) same = std::fabs(got.at_f64(k) - want[static_cast<size_t>(k)]) <= 1e-5;
  if (!same)
    for (i64 k = 0; k < got.size(); ++k) MESSAGE(got.describe() << " [" << k << "] " << got.at_f64(k));
  return same;
}
std::string text(const char* name, const char* v) { return attribute(name, std::string(v)); }
tensor rows() { return tensor::from<float>({3, 2}, {1, 2, -1, 0, .5f, -1.5f}); }

/// Five support vectors of two features, and a kernel for them.
list machine(list more, const char* kernel = "RBF") {
  more.push_back(text("kernel_type", kernel));
  more.push_back(attribute_floats("kernel_params", {.5f, 1.f, 2.f}));
  more.push_back(
      attribute_floats("support_vectors", {0.f, -.25f, -1.125f, 0.f, -.375f, -.5f, -1.5f, -.5f, -.25f, -.625f}));
  return more;
}
list joined(list a, const list& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
list two_classes(list more) {
  return machine(joined(
      std::move(more),
      {attribute("vectors_per_class", {2, 3}), attribute("classlabels_ints", {10, 11}),
       attribute_floats("coefficients", {.625f, -1.75f, .25f, .75f, -1.875f}), attribute_floats("rho", {.375f})}));
}
list three_classes(list more, const char* kernel = "RBF") {
  return machine(
      joined(std::move(more),
             {attribute("vectors_per_class", {2, 1, 2}), attribute("classlabels_ints", {10, 11, 12}),
              attribute_floats("coefficients", {.375f, 1.25f, -1.f, 1.f, .25f, .5f, -1.125f, .125f, 1.5f, -1.125f}),
              attribute_floats("rho", {-2.f, -.25f, .25f})}),
      kernel);
}
list probabilities_of_three() {
  return {attribute_floats("prob_a", {-1.375f, -1.375f, -1.75f}), attribute_floats("prob_b", {2.375f, .875f, 0.f})};
}

}  // namespace

TEST_CASE("SVMRegressor sums kernels of support vectors") {
  const tensor x = tensor::from<float>({2, 2}, {1, 2, -1, 0});
  const auto svm = [&](const char* kernel) {
    return run("SVMRegressor", {x},
               {text("kernel_type", kernel), attribute_floats("kernel_params", {.5f, 1.f, 2.f}),
                attribute_floats("support_vectors", {1.f, 0.f}), attribute_floats("coefficients", {2.f}),
                attribute_floats("rho", {1.f}), attribute("n_supports", i64{1})})[0];
  };
  CHECK(is(svm("RBF"), {1.2706706, 1.2706706}));
  CHECK(is(svm("POLY"), {5.5, 1.5}));
  CHECK(is(svm("SIGMOID"), {2.8102965, 1.9242343}));
  CHECK(is(svm("LINEAR"), {3, -1}));
  CHECK(is(run("SVMRegressor", {x},
               {attribute_floats("coefficients", {1.f, 1.f}), attribute_floats("rho", {-1.f}),
                attribute("one_class", i64{1})})[0],
           {1, -1}));
}

TEST_CASE("SVMClassifier of two classes gives one score for both") {
  auto y = run("SVMClassifier", {rows()}, two_classes({}), 2);
  CHECK(is(y[0], {10, 11, 11}));
  CHECK(is(y[1], {-0.35872757, 0.35872757, 1.3925956, -1.3925956, 0.32439959, -0.32439959}));
  y = run("SVMClassifier", {rows()}, two_classes({text("post_transform", "LOGISTIC")}), 2);
  CHECK(is(y[1], {0.41126764, 0.58873236, 0.80100626, 0.19899374, 0.58039612, 0.41960388}));
  for (const char* softmax : {"SOFTMAX", "SOFTMAX_ZERO"}) {
    y = run("SVMClassifier", {rows()}, two_classes({text("post_transform", softmax)}), 2);
    CHECK(is(y[1], {0.64127243, 0.35872757, 2.3925958, -1.3925956, 1.3243996, -0.32439959}));
  }
  CHECK_THROWS_WITH_AS(run("SVMClassifier", {rows()}, two_classes({text("post_transform", "PROBIT")}), 2),
                       doctest::Contains("prob_a"), tn::error);
  const list probabilities{attribute_floats("prob_a", {-.875f}), attribute_floats("prob_b", {.25f})};
  y = run("SVMClassifier", {rows()}, two_classes(probabilities), 2);
  CHECK(is(y[0], {10, 11, 11}));
  CHECK(is(y[1], {0.51596570, 0.48403424, 0.18711621, 0.81288373, 0.36704817, 0.63295186}));
  y = run("SVMClassifier", {rows()}, two_classes(joined(probabilities, {text("post_transform", "LOGISTIC")})), 2);
  CHECK(is(y[1], {0.62620389, 0.61870003, 0.54664302, 0.69272363, 0.59074551, 0.65315849}));
}

TEST_CASE("SVMClassifier of three classes: each pair votes, and its score is an output") {
  auto y = run("SVMClassifier", {rows()}, three_classes({}), 2);
  CHECK(is(y[0], {11, 11, 10}));  // the last row has a vote for each class
  CHECK(is(y[1], {-1.9812847, -0.23621367, 0.23860188, -1.2651987, -0.13828102, 0.81041312, -2.1537304, 0.065255821,
                  -0.15427062}));
  y = run("SVMClassifier", {rows()}, three_classes({text("post_transform", "SOFTMAX")}), 2);
  CHECK(is(y[1], {0.062764421, 0.35940841, 0.57782722, 0.082949348, 0.25599241, 0.66105825, 0.056872897, 0.52311701,
                  0.42001009}));
}

TEST_CASE("SVMClassifier's probabilities of several classes are those of pairs, coupled") {
  const auto with = [](const char* kernel) {
    return run("SVMClassifier", {rows()}, three_classes(probabilities_of_three(), kernel), 2);
  };
  auto y = with("RBF");
  CHECK(is(y[0], {11, 11, 10}));
  CHECK(is(y[1], {0.046384849, 0.58660799, 0.36700740, 0.031071126, 0.78643644, 0.18249246, 0.084755443, 0.42632902,
                  0.48891556}));
  y = with("LINEAR");
  CHECK(is(y[0], {12, 11, 10}));
  CHECK(is(y[1], {0.011113910, 0.030103134, 0.95878291, 0.019696619, 0.95968729, 0.020616047, 0.17080738, 0.32524431,
                  0.50394857}));
  y = with("POLY");
  CHECK(is(y[0], {11, 10, 10}));
  CHECK(is(y[1], {0.051097114, 0.60522062, 0.34368250, 0.075447910, 0.90892410, 0.015627829, 0.15964952, 0.48337814,
                  0.35697231}));
  y = with("SIGMOID");
  CHECK(is(y[0], {12, 11, 11}));
  CHECK(is(y[1], {0.053160582, 0.33954921, 0.60729021, 0.036472324, 0.80119854, 0.16232917, 0.057673700, 0.69868094,
                  0.24364521}));
  const tensor none = tensor::from<float>({0, 2}, {});
  CHECK(run("SVMClassifier", {none}, three_classes(probabilities_of_three()), 2)[1].shape() == std::vector<i64>{0, 3});
}

TEST_CASE("SVMClassifier of four classes with names") {
  const auto y = run("SVMClassifier", {rows()},
                     machine({attribute("vectors_per_class", {1, 1, 2, 1}),
                              attribute_texts("classlabels_strings", {"c0", "c1", "c2", "c3"}),
                              attribute_floats("coefficients", {-.875f, -.5f, .75f, .5f, -1.25f, -1.125f, .75f, 1.625f,
                                                                0.f, -.625f, 1.125f, -.25f, .75f, 1.5f, .625f}),
                              attribute_floats("rho", {.125f, .75f, -.625f, -.125f, -.625f, -.25f}),
                              attribute_floats("prob_a", {-.25f, -.75f, -1.75f, -1.875f, -1.75f, -1.25f}),
                              attribute_floats("prob_b", {-.5f, -1.5f, 1.25f, -.25f, -1.25f, -.125f})}),
                     2);
  CHECK(tn::string_at(y[0], 0) == "c3");
  CHECK(tn::string_at(y[0], 1) == "c1");
  CHECK(tn::string_at(y[0], 2) == "c1");
  CHECK(is(y[1], {0.17627090, 0.27956077, 0.17631598, 0.36785233, 0.26202437, 0.33911908, 0.12143593, 0.27742055,
                  0.19378035, 0.31178001, 0.15477481, 0.33966500}));
}

TEST_CASE("SVMClassifier without support vectors has coefficients for each class") {
  const std::string three = attribute_floats("coefficients", {1.f, -.5f, .25f, .5f, -1.f, .75f});
  const list classes{three, attribute_floats("rho", {.5f, .25f, -1.f}), attribute("classlabels_ints", {10, 11, 12})};
  auto y = run("SVMClassifier", {rows()}, classes, 2);
  CHECK(is(y[0], {11, 12, 10}));
  CHECK(is(y[1], {0.5, 1.75, 1, -0.5, 0.25, 1.5, 1.75, -0.125, -1.125}));
  y = run("SVMClassifier", {rows()}, joined(classes, {text("post_transform", "SOFTMAX")}), 2);
  CHECK(is(y[1], {0.16289128, 0.56854641, 0.26856232, 0.095183194, 0.20150283, 0.70331401, 0.82660264, 0.12676363,
                  0.046633728}));
  // Two classes: the second one wherever a score is above 0, or 0.5 when no coefficient is negative.
  const list two{attribute_floats("rho", {.5f}), attribute("classlabels_ints", {10, 11})};
  const std::string mixed = attribute_floats("coefficients", {1.f, -.5f, .25f, .5f});
  y = run("SVMClassifier", {rows()}, joined(two, {mixed}), 2);
  CHECK(is(y[0], {11, 11, 11}));
  CHECK(is(y[1], {0.5, 1.75, -0.5, 0.25, 1.75, -0.125}));
  y = run("SVMClassifier", {rows()}, joined(two, {attribute_floats("coefficients", {1.f, .5f, .25f, .5f})}), 2);
  CHECK(is(y[0], {11, 11, 10}));
  y = run("SVMClassifier", {rows()},
          joined(two, {mixed, attribute_floats("prob_a", {-1.f}), attribute_floats("prob_b", {.5f})}), 2);
  CHECK(is(y[0], {11, 11, 10}));
}

TEST_CASE("SVMClassifier with numbers for other classes is refused") {
  const auto refused = [](list attributes, const char* why) {
    CHECK_THROWS_WITH_AS(run("SVMClassifier", {rows()}, std::move(attributes), 2), doctest::Contains(why), tn::error);
  };
  refused(three_classes({attribute_floats("prob_a", {1.f}), attribute_floats("prob_b", {1.f})}), "3 pairs of classes");
  list few = two_classes({});
  few[0] = attribute("vectors_per_class", {5});
  refused(few, "labels for 2");
  few[0] = attribute("vectors_per_class", {2, 2});
  refused(few, "support vectors do not fit");
  few[0] = attribute("vectors_per_class", {-1, 6});
  refused(few, "vectors_per_class is");
}
