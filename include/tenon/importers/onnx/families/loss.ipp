/// @file loss: ONNX losses: NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss.
#pragma once

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// -log_probabilities[n, target, ...] * weight[target], nothing for ignored targets; then reduced.
inline value_id likelihood_loss(import_context& cx, value_id log_probabilities, value_id target, value_id weight) {
  const dtype t = cx.elem(log_probabilities);
  value_id ignored{};
  if (cx.has_attribute("ignore_index")) {
    ignored = cx.equal(target, cx.like(target, static_cast<double>(cx.i("ignore_index"))));
    target = cx.where(ignored, cx.like(target, 0), target);
  }
  const value_id picked =
      cx.make(op::gather_elements{.axis = 1}, {log_probabilities, cx.unsqueeze(cx.cast(target, dtype::i64), {1})});
  value_id loss = cx.make(op::neg{}, {cx.squeeze(picked, {1})});
  value_id weights = weight ? cx.gather(weight, target, 0) : value_id{};
  if (ignored) {
    const value_id zero = cx.scalar(t, 0);
    weights = cx.where(ignored, zero, weights ? weights : cx.scalar(t, 1));
    loss = cx.where(ignored, zero, loss);
  }
  if (weights) loss = cx.mul(loss, weights);
  const std::string reduction = cx.s("reduction", "mean");
  if (reduction == "none") return loss;
  std::vector<i64> axes;
  for (int d = 0; d < cx.rank(loss); ++d) axes.push_back(d);
  const value_id sum = cx.reduce_sum(loss, axes, false);
  if (reduction == "sum") return sum;
  if (reduction != "mean") cx.bad("reduction is '" + reduction + "'");
  return cx.div(sum, weights ? cx.reduce_sum(weights, axes, false) : cx.count(loss, axes, t));
}

inline void negative_log_likelihood_loss(import_context& cx, const node&) {
  cx.out(likelihood_loss(cx, cx.in(0), cx.in(1), cx.in_or(2, {})));
}

inline void softmax_cross_entropy_loss(import_context& cx, const node&) {
  const value_id log_probabilities = cx.make(op::log_softmax{.axis = 1}, {cx.in(0)});
  cx.out(0, likelihood_loss(cx, log_probabilities, cx.in(1), cx.in_or(2, {})));
  cx.out(1, log_probabilities);
}

}  // namespace handlers

std::span<const registered_operator> families::loss() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"NegativeLogLikelihoodLoss",
       negative_log_likelihood_loss,
       "",
       12,
       {2, 3},
       1,
       "ignore_index:i reduction:s",
       "f i f"},
      {"SoftmaxCrossEntropyLoss",
       softmax_cross_entropy_loss,
       "",
       12,
       {2, 3},
       {1, 2},
       "ignore_index:i reduction:s",
       "f i f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
