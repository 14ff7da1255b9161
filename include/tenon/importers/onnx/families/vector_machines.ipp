/// @file vector_machines: ai.onnx.ml: support vector machines, as formulas.
#pragma once

#include <algorithm>
#include <numeric>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/families/classic.ipp>
#include <tenon/importers/onnx/families/control.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// The kernel of each row with each of `count` support vectors: [rows, count].
inline value_id kernel_of_vectors(import_context& cx, value_id x, i64 count) {
  const std::string kernel = cx.s("kernel_type", "LINEAR");
  const std::vector<double> given = real_attribute(cx, "kernel_params");  // gamma, coef0, degree
  const std::vector<double> vectors = real_attribute(cx, "support_vectors");
  if (!given.empty() && given.size() != 3) cx.bad("kernel_params has not three numbers");
  if (vectors.empty() || vectors.size() % static_cast<size_t>(count) != 0)
    cx.bad("the support vectors do not fit their number");
  const auto parameter = [&](size_t k) { return given.empty() ? 0. : given[k]; };
  const value_id all = cx.reshape(number_list(cx, dtype::f32, vectors), {count, -1});
  if (kernel == "RBF") {
    const value_id d = cx.sub(cx.unsqueeze(x, {1}), cx.unsqueeze(all, {0}));
    return cx.make(op::exp{}, {cx.mul(cx.reduce_sum(cx.square(d), {2}, false), -parameter(0))});
  }
  value_id k = cx.matmul(x, cx.transpose(all, {1, 0}));
  if (kernel == "LINEAR") return k;
  if (kernel != "POLY" && kernel != "SIGMOID") cx.bad("kernel_type is '" + kernel + "'");
  k = cx.add(cx.mul(k, parameter(0)), parameter(1));
  return kernel == "POLY" ? cx.make(op::pow{}, {k, cx.like(k, parameter(2))}) : cx.make(op::tanh{}, {k});
}

/// Sums over support vectors of a kernel of each with the row; without vectors, of the row with the coefficients.
inline void svm_regressor(import_context& cx, const node&) {
  const value_id x = cx.cast(rows_of_features(cx, cx.in(0)), dtype::f32);
  const i64 supports = cx.i("n_supports", 0);
  const std::vector<double> coefficients = real_attribute(cx, "coefficients"), rho = real_attribute(cx, "rho");
  if (coefficients.empty() || rho.empty() || supports < 0) cx.bad("coefficients or rho do not fit");
  if (supports > 0 && coefficients.size() != static_cast<size_t>(supports))
    cx.bad("the support vectors do not fit their number");
  const value_id k = supports == 0 ? x : kernel_of_vectors(cx, x, supports);
  value_id y = cx.add(cx.matmul(k, cx.reshape(number_list(cx, dtype::f32, coefficients), {-1, 1})), rho[0]);
  if (cx.i("one_class", 0) != 0) y = cx.where(cx.greater(y, cx.like(y, 0)), cx.like(y, 1), cx.like(y, -1));
  cx.out(transformed(cx, y, named_transform(cx)));
}

/// The classifiers of a machine of several classes: one for each pair of them, in the order 01, 02, …, 12, ….
struct class_pairs {
  std::vector<std::pair<i64, i64>> all;
  explicit class_pairs(i64 classes) {
    for (i64 i = 0; i < classes; ++i)
      for (i64 j = i + 1; j < classes; ++j) all.push_back({i, j});
  }
  i64 size() const { return static_cast<i64>(all.size()); }
};

/// What each pair's classifier says: [rows, pairs]. The coefficients of class i against j (more than i) are row j - 1,
/// and those of j against i are row i; columns are support vectors, class by class.
inline value_id scores_of_pairs(import_context& cx, value_id kernel, const class_pairs& pairs,
                                const std::vector<i64>& vectors_of, i64 vectors, const std::vector<double>& rho) {
  const std::vector<double> c = real_attribute(cx, "coefficients");
  std::vector<i64> first(vectors_of.size(), 0);
  std::partial_sum(vectors_of.begin(), vectors_of.end() - 1, first.begin() + 1);
  if (static_cast<i64>(c.size()) != checked_mul(static_cast<i64>(vectors_of.size()) - 1, vectors))
    cx.bad("the coefficients do not fit classes and support vectors");
  tensor weights = cx.blank(dtype::f32, {vectors, pairs.size()});
  for (i64 p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs.all[static_cast<size_t>(p)];
    for (const auto& [from, row] : {std::pair{i, j - 1}, std::pair{j, i}}) {
      const i64 begin = first[static_cast<size_t>(from)], end = begin + vectors_of[static_cast<size_t>(from)];
      for (i64 v = begin; v < end; ++v)
        weights.set_f64(v * pairs.size() + p, c[static_cast<size_t>(row * vectors + v)]);
    }
  }
  return cx.add(cx.matmul(kernel, cx.constant(weights)), number_list(cx, dtype::f32, rho));
}

/// Which class wins most pairs, the first one of several: i64[rows].
inline value_id most_votes(import_context& cx, value_id scores, const class_pairs& pairs, i64 classes) {
  tensor difference = cx.blank(dtype::f32, {pairs.size(), classes});  // what the first class gains, the second loses
  tensor seconds = cx.blank(dtype::f32, {classes});
  for (i64 p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs.all[static_cast<size_t>(p)];
    difference.set_f64(p * classes + i, 1);
    difference.set_f64(p * classes + j, -1);
    seconds.set_f64(j, seconds.at_f64(j) + 1);
  }
  const value_id first_wins = cx.cast(cx.greater(scores, cx.like(scores, 0)), dtype::f32);
  const value_id votes = cx.add(cx.matmul(first_wins, cx.constant(difference)), cx.constant(seconds));
  return cx.make(op::arg_max{.axis = 1, .keep_dims = false, .select_last = false}, {votes});
}

/// Probabilities of classes from those of pairs: what each classifier gives as probability (Platt's sigmoid of its
/// score) is coupled as LIBSVM does: T.-F. Wu, C.-J. Lin, R. C. Weng, "Probability Estimates for Multi-class
/// Classification by Pairwise Coupling", 2004, second approach. Its iteration ends row by row: the results are those
/// that it stops at, not the ones that it tends to, so that they are ONNX Runtime's.
inline value_id coupled_probabilities(import_context& cx, value_id scores, const class_pairs& pairs, i64 classes,
                                      const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double least = 1e-7;
  const value_id platt = cx.add(cx.mul(scores, number_list(cx, dtype::f32, a)), number_list(cx, dtype::f32, b));
  const value_id first =
      cx.minimum(cx.maximum(cx.make(op::sigmoid{}, {cx.make(op::neg{}, {platt})}), least), 1 - least);  // [rows, pairs]
  const value_id of_pairs =
      cx.concat({first, cx.sub(cx.like(first, 1), first), cx.mul(cx.slice(first, 1, 0, 1), 0.)}, 1);
  cx.require_room(dtype::i64, {classes, classes});
  std::vector<i64> place(static_cast<size_t>(classes * classes), 2 * pairs.size());  // the diagonal: zeros
  for (i64 p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs.all[static_cast<size_t>(p)];
    place[static_cast<size_t>(i * classes + j)] = p;
    place[static_cast<size_t>(j * classes + i)] = pairs.size() + p;
  }
  const value_id r = cx.reshape(cx.gather(of_pairs, cx.list(place), 1), {0, classes, classes});
  tensor unit = cx.blank(dtype::f32, {classes, classes});
  for (i64 k = 0; k < classes; ++k) unit.set_f64(k * classes + k, 1);
  const value_id squares = cx.reduce_sum(cx.square(r), {1}, false);  // [rows, classes]
  const value_id q =
      cx.sub(cx.mul(cx.constant(unit), cx.unsqueeze(squares, {1})), cx.mul(r, cx.transpose(r, {0, 2, 1})));
  const value_id rows = cx.concat({cx.slice(cx.shape_of(scores), 0, 0, 1), cx.list({classes})}, 0);
  const value_id even = cx.expand(cx.like(scores, 1. / static_cast<double>(classes)), rows);

  const auto step = [&](value_id, value_id, const import_context::values& carried) -> import_context::values {
    const value_id p = carried[0];
    value_id qp = cx.reduce_sum(cx.mul(q, cx.unsqueeze(p, {1})), {2}, false);  // [rows, classes]
    value_id pqp = cx.reduce_sum(cx.mul(p, qp), {1});                          // [rows, 1]
    const value_id off = cx.reduce_max(cx.make(op::abs{}, {cx.sub(qp, pqp)}), {1});
    const value_id done = cx.less(off, cx.like(off, 0.005 / static_cast<double>(classes)));
    value_id next = p;
    for (i64 t = 0; t < classes; ++t) {
      const value_id row = cx.squeeze(cx.slice(q, 1, t, t + 1), {1});
      const value_id own = cx.slice(row, 1, t, t + 1), at = cx.slice(qp, 1, t, t + 1);
      const value_id diff = cx.div(cx.sub(pqp, at), own), whole = cx.add(diff, 1.);
      tensor here(dtype::f32, {classes});
      here.set_f64(t, 1);
      next = cx.div(cx.add(next, cx.mul(diff, cx.constant(here))), whole);
      const value_id more = cx.mul(diff, cx.add(cx.mul(diff, own), cx.mul(at, 2.)));
      pqp = cx.div(cx.div(cx.add(pqp, more), whole), whole);
      qp = cx.div(cx.add(qp, cx.mul(diff, row)), whole);
    }
    const value_id some_left = cx.make(
        op::logical_not{},
        {cx.equal(cx.reduce_sum(cx.cast(done, dtype::i64), {0, 1}, false), cx.count(done, {0, 1}, dtype::i64))});
    return {some_left, cx.where(done, p, next)};
  };
  constexpr double most_steps = 100;
  return write_repeat(cx, cx.scalar(dtype::i64, most_steps), cx.scalar(dtype::boolean, 1), {even}, 0, step)[0];
}

/// The score of the only pair, for both classes.
inline value_id scores_of_two(import_context& cx, value_id score, score_transform how) {
  switch (how) {
    case score_transform::none: return cx.concat({cx.make(op::neg{}, {score}), score}, 1);
    case score_transform::logistic: return cx.make(op::sigmoid{}, {cx.concat({cx.make(op::neg{}, {score}), score}, 1)});
    case score_transform::softmax:
    case score_transform::softmax_zero: return cx.concat({cx.sub(cx.like(score, 1), score), score}, 1);
    case score_transform::probit: break;
  }
  refuse_probit_of_two(cx, "give the node prob_a and prob_b, or another post_transform");
}

/// Without support vectors: a row of coefficients for each class.
inline void linear_vector_machine(import_context& cx, value_id x, const tensor& labels,
                                  const std::vector<double>& rho) {
  const std::vector<double> c = real_attribute(cx, "coefficients");
  const i64 classes = labels.size();
  if (c.empty() || static_cast<i64>(c.size()) % classes != 0) cx.bad("the coefficients do not fit the classes");
  const value_id weights = cx.reshape(number_list(cx, dtype::f32, c), {classes, -1});
  const value_id scores = cx.add(cx.matmul(x, cx.transpose(weights, {1, 0})), rho[0]);
  value_id best = cx.make(op::arg_max{.axis = 1, .keep_dims = false, .select_last = false}, {scores});
  if (classes == 2 && !cx.has_attribute("prob_a")) {  // the second one above a limit, whichever is greater
    const bool positive = std::all_of(c.begin(), c.end(), [](double v) { return v >= 0; });
    const value_id most = cx.reduce_max(scores, {1}, false), limit = cx.like(most, positive ? .5 : 0.);
    const value_id above = positive ? cx.make(op::greater_equal{}, {most, limit}) : cx.greater(most, limit);
    best = cx.where(above, cx.scalar(dtype::i64, 1), best);
  }
  cx.out(0, cx.gather(cx.constant(labels), best, 0));
  const score_transform how = named_transform(cx);
  cx.out(1, classes > 1 || how == score_transform::probit ? transformed(cx, scores, how) : scores);
}

/// The label that wins most pairs of classes, and the pairs' scores or, with prob_a and prob_b, the classes'
/// probabilities (https://onnx.ai/onnx/operators/onnx_aionnxml_SVMClassifier.html; what that page leaves open is as in
/// ONNX Runtime).
inline void svm_classifier(import_context& cx, const node&) {
  const value_id x = cx.cast(rows_of_features(cx, cx.in(0)), dtype::f32);
  const tensor labels = class_labels(cx);
  const std::vector<i64> vectors_of = cx.integers("vectors_per_class");
  const std::vector<double> rho = real_attribute(cx, "rho"), a = real_attribute(cx, "prob_a"),
                            b = real_attribute(cx, "prob_b");
  const i64 classes = labels.size();
  i64 vectors = 0;
  for (const i64 n : vectors_of) {
    if (n < 0) cx.bad("vectors_per_class is " + shape_text(vectors_of));
    vectors = checked_add(vectors, n);
  }
  if (rho.empty() || a.size() != b.size()) cx.bad("rho, prob_a or prob_b do not fit");
  if (vectors == 0) return linear_vector_machine(cx, x, labels, rho);
  if (classes < 2 || static_cast<i64>(vectors_of.size()) != classes)
    cx.bad("vectors_per_class is for " + std::to_string(vectors_of.size()) + " classes, and there are labels for " +
           std::to_string(classes));
  const i64 expected = checked_mul(classes, classes - 1) / 2;
  if (static_cast<i64>(rho.size()) != expected || (!a.empty() && a.size() != rho.size()))
    cx.bad("rho, prob_a and prob_b must have a number for each of " + std::to_string(expected) + " pairs of classes");
  const class_pairs pairs(classes);
  const value_id scores = scores_of_pairs(cx, kernel_of_vectors(cx, x, vectors), pairs, vectors_of, vectors, rho);
  cx.out(0, cx.gather(cx.constant(labels), most_votes(cx, scores, pairs, classes), 0));
  if (!cx.wants(1)) return;
  const score_transform how = named_transform(cx);
  if (!a.empty()) cx.out(1, transformed(cx, coupled_probabilities(cx, scores, pairs, classes, a, b), how));
  else cx.out(1, classes == 2 ? scores_of_two(cx, scores, how) : transformed(cx, scores, how));
}

}  // namespace handlers

std::span<const registered_operator> families::vector_machines() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"SVMClassifier", svm_classifier, ml_domain, 1, 1, 2,
       "classlabels_ints:is classlabels_strings:ss coefficients:fs kernel_params:fs kernel_type:s post_transform:s "
       "prob_a:fs prob_b:fs rho:fs support_vectors:fs vectors_per_class:is",
       "fi"},
      {"SVMRegressor", svm_regressor, ml_domain, 1, 1, 1,
       "coefficients:fs kernel_params:fs kernel_type:s n_supports:i one_class:i post_transform:s rho:fs "
       "support_vectors:fs",
       "fi"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
