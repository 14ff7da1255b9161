/// @file training: ai.onnx.preview.training: one step of the optimizers Adagrad, Adam and Momentum.
///
/// Inputs are the learning rate, the number of steps done, then n tensors, n gradients and n or 2n tensors of state;
/// outputs are the new tensors and states.
#pragma once

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// How many tensors one node optimizes, when each takes `each` inputs.
inline int optimized_count(import_context& cx, int each) {
  const int n = (cx.input_count() - 2) / each;
  if (n < 1 || n * each + 2 != cx.input_count())
    cx.bad("the number of inputs is not 2 more than a multiple of " + std::to_string(each));
  return n;
}
inline value_id regularized(import_context& cx, value_id x, value_id gradient) {
  const double norm = cx.f("norm_coefficient", 0.f);
  return norm == 0 ? gradient : cx.add(gradient, cx.mul(x, norm));
}
inline value_id steps_done(import_context& cx, value_id like) {
  return cx.cast(cx.reshape(cx.in(1), {}), cx.elem(like));
}
inline value_id learning_rate(import_context& cx, value_id like) {
  return cx.cast(cx.reshape(cx.in(0), {}), cx.elem(like));
}

inline void adagrad(import_context& cx, const node&) {
  const int n = optimized_count(cx, 3);
  for (int k = 0; k < n; ++k) {
    const value_id x = cx.in(2 + k), squares = cx.in(2 + 2 * n + k), g = regularized(cx, x, cx.in(2 + n + k));
    const value_id decay = cx.add(cx.mul(steps_done(cx, x), double{cx.f("decay_factor", 0.f)}), 1.);
    const value_id sum = cx.add(squares, cx.square(g));
    const value_id step = cx.div(cx.mul(cx.div(learning_rate(cx, x), decay), g),
                                 cx.add(cx.make(op::sqrt{}, {sum}), double{cx.f("epsilon", 0.f)}));
    cx.out(k, cx.sub(x, step));
    cx.out(n + k, sum);
  }
}

inline void adam(import_context& cx, const node&) {
  const int n = optimized_count(cx, 4);
  const double alpha = cx.f("alpha", 0.9f), beta = cx.f("beta", 0.999f);
  for (int k = 0; k < n; ++k) {
    const value_id x = cx.in(2 + k), g = regularized(cx, x, cx.in(2 + n + k));
    const value_id v = cx.add(cx.mul(cx.in(2 + 2 * n + k), alpha), cx.mul(g, 1 - alpha));
    const value_id h = cx.add(cx.mul(cx.in(2 + 3 * n + k), beta), cx.mul(cx.square(g), 1 - beta));
    const value_id t = steps_done(cx, x), rate = learning_rate(cx, x), one = cx.like(x, 1);
    const auto left = [&](double base) { return cx.sub(one, cx.make(op::pow{}, {cx.like(x, base), t})); };
    const value_id first = cx.greater(t, cx.like(x, 0));
    // Before the first step both corrections are 0.
    const value_id corrected =
        cx.div(cx.mul(rate, cx.make(op::sqrt{}, {left(beta)})), cx.where(first, left(alpha), one));
    const value_id step = cx.div(cx.mul(cx.where(first, corrected, rate), v),
                                 cx.add(cx.make(op::sqrt{}, {h}), double{cx.f("epsilon", 1e-6f)}));
    const double after = cx.f("norm_coefficient_post", 0.f);
    const value_id y = cx.sub(x, step);
    cx.out(k, after == 0 ? y : cx.mul(y, 1 - after));
    cx.out(n + k, v);
    cx.out(2 * n + k, h);
  }
}

inline void momentum(import_context& cx, const node&) {
  const int n = optimized_count(cx, 3);
  const double alpha = cx.f("alpha"), beta = cx.f("beta");
  const std::string mode = cx.s("mode", "standard");
  if (mode != "standard" && mode != "nesterov") cx.bad("there is no mode '" + mode + "'");
  for (int k = 0; k < n; ++k) {
    const value_id x = cx.in(2 + k), g = regularized(cx, x, cx.in(2 + n + k));
    const value_id first = cx.greater(steps_done(cx, x), cx.like(x, 0));
    const value_id damping = cx.where(first, cx.like(x, beta), cx.like(x, 1));
    const value_id v = cx.add(cx.mul(cx.in(2 + 2 * n + k), alpha), cx.mul(g, damping));
    const value_id direction = mode == "standard" ? v : cx.add(g, cx.mul(v, alpha));
    cx.out(k, cx.sub(x, cx.mul(direction, learning_rate(cx, x))));
    cx.out(n + k, v);
  }
}

}  // namespace handlers

std::span<const registered_operator> families::training() {
  using namespace handlers;
  static constexpr std::string_view preview = "ai.onnx.preview.training";
  static constexpr registered_operator table[] = {
      {"Adagrad",
       adagrad,
       preview,
       1,
       {3, arity::any},
       {1, arity::any},
       "decay_factor:f epsilon:f norm_coefficient:f",
       "f i f"},
      {"Adam",
       adam,
       preview,
       1,
       {3, arity::any},
       {1, arity::any},
       "alpha:f beta:f epsilon:f norm_coefficient:f norm_coefficient_post:f",
       "f i f"},
      {"Momentum",
       momentum,
       preview,
       1,
       {3, arity::any},
       {1, arity::any},
       "alpha:f! beta:f! mode:s! norm_coefficient:f!",
       "f i f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
