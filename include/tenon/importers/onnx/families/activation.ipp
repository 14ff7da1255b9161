/// @file activation: ONNX activations, as formulas over elementwise ops.
#pragma once

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// A formula of several steps: of narrow floats its steps are computed in f32, and rounded once.
template <class Formula>
value_id rounded_once(import_context& cx, value_id x, Formula formula) {
  const dtype t = cx.elem(x);
  return cx.cast(formula(cx.cast(x, compute_type(t))), t);
}

inline void relu(import_context& cx, const node&) { cx.out(cx.maximum(cx.in(0), 0.)); }

inline void leaky_relu(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.where(cx.less(x, cx.like(x, 0)), cx.mul(x, cx.f("alpha", 0.01f)), x));
}

/// Before operator set 7 a slope of rank 1 had one number per channel; since then numpy's rule holds.
inline void prelu(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  value_id slope = cx.in(1);
  if (cx.opset() < 7 && cx.rank(slope) == 1 && cx.rank(x) > 2) {
    std::vector<i64> trailing;
    for (i64 d = 2; d < cx.rank(x); ++d) trailing.push_back(d - 1);
    slope = cx.unsqueeze(slope, trailing);
  }
  const value_id y = cx.where(cx.less(x, cx.like(x, 0)), cx.mul(x, slope), x);
  cx.require_same_shape(y, x);
  cx.out(y);
}

inline value_id clamp_to_unit(import_context& cx, value_id x) { return cx.minimum(cx.maximum(x, 0.), 1.); }

inline void hard_sigmoid(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) {
    return clamp_to_unit(cx, cx.add(cx.mul(x, cx.f("alpha", 0.2f)), cx.f("beta", 0.5f)));
  }));
}
inline void hard_swish(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0),
                      [&](value_id x) { return cx.mul(x, clamp_to_unit(cx, cx.add(cx.mul(x, 1. / 6.), 0.5))); }));
}

/// alpha * (exp(x) - 1) for x below zero; what exp does above zero is never seen.
inline value_id exponential_below_zero(import_context& cx, value_id x, double alpha) {
  return cx.mul(cx.make(op::expm1{}, {cx.minimum(x, 0.)}), alpha);
}
inline void elu(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) {
    return cx.where(cx.less(x, cx.like(x, 0)), exponential_below_zero(cx, x, cx.f("alpha", 1.f)), x);
  }));
}
inline void selu(import_context& cx, const node&) {
  const bool old = cx.opset() < 6;
  const double alpha = cx.f("alpha", old ? 1.6732f : 1.67326319217681884765625f);
  const double gamma = cx.f("gamma", old ? 1.0507f : 1.05070102214813232421875f);
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) {
    const value_id below = exponential_below_zero(cx, x, alpha);
    return cx.mul(cx.where(cx.greater(x, cx.like(x, 0)), x, below), gamma);
  }));
}
inline void celu(import_context& cx, const node&) {
  const double alpha = cx.f("alpha", 1.f);
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) {
    const value_id below = exponential_below_zero(cx, cx.div(x, cx.like(x, alpha)), alpha);
    return cx.add(cx.maximum(x, 0.), cx.minimum(below, 0.));
  }));
}

/// log(1 + exp(x)), written so that large x do not overflow.
inline value_id softplus_of(import_context& cx, value_id x) {
  const value_id small = cx.make(op::exp{}, {cx.make(op::neg{}, {cx.make(op::abs{}, {x})})});
  return cx.add(cx.maximum(x, 0.), cx.make(op::log1p{}, {small}));
}
inline void softplus(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) { return softplus_of(cx, x); }));
}
inline void mish(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) { return cx.mul(x, cx.make(op::tanh{}, {softplus_of(cx, x)})); }));
}
inline void softsign(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) { return cx.div(x, cx.add(cx.make(op::abs{}, {x}), 1.)); }));
}
inline void thresholded_relu(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.where(cx.greater(x, cx.like(x, cx.f("alpha", 1.f))), x, cx.like(x, 0)));
}
inline void shrink(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const double limit = cx.f("lambd", 0.5f), bias = cx.f("bias", 0.f);
  // Neither limit nor bias need be an integer: integers are shrunk as floats, and then cut off.
  const value_id wide = is_float(cx.elem(x)) ? x : cx.cast(x, dtype::f64);
  const value_id upper = cx.where(cx.greater(wide, cx.like(wide, limit)), cx.add(wide, -bias), cx.like(wide, 0));
  cx.out(cx.cast(cx.where(cx.less(wide, cx.like(wide, -limit)), cx.add(wide, bias), upper), cx.elem(x)));
}

/// x times the normal distribution's cumulative function at x; `approximate`: none, or tanh.
inline value_id gelu_of(import_context& cx, value_id given, const std::string& approximate) {
  if (approximate != "tanh" && approximate != "none") cx.bad("approximate is '" + approximate + "', not none or tanh");
  return rounded_once(cx, given, [&](value_id x) {
    value_id gate;
    if (approximate == "tanh") {
      const value_id cube = cx.mul(cx.square(x), x);
      gate = cx.make(op::tanh{}, {cx.mul(cx.add(x, cx.mul(cube, 0.044715)), 0.7978845608028654)});
    } else {
      gate = cx.make(op::erf{}, {cx.mul(x, 0.7071067811865476)});
    }
    return cx.mul(cx.mul(x, 0.5), cx.add(gate, 1.));
  });
}
inline void gelu(import_context& cx, const node&) { cx.out(gelu_of(cx, cx.in(0), cx.s("approximate", "none"))); }

inline value_id swish_of(import_context& cx, value_id x) {
  const float alpha = cx.f("alpha", 1.f);
  return cx.mul(x, cx.make(op::sigmoid{}, {alpha == 1.f ? x : cx.mul(x, alpha)}));
}
inline void swish(import_context& cx, const node&) {
  cx.out(rounded_once(cx, cx.in(0), [&](value_id x) { return swish_of(cx, x); }));
}
inline void swiglu(import_context& cx, const node&) {
  cx.out(
      rounded_once(cx, cx.in(0), [&](value_id x) { return cx.mul(swish_of(cx, x), cx.cast(cx.in(1), cx.elem(x))); }));
}

}  // namespace handlers

std::span<const registered_operator> families::activation() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Celu", celu, "", 12, 1, 1, "alpha:f", "f"},
      {"Elu", elu, "", 1, 1, 1, "alpha:f consumed_inputs:is", "f"},
      {"Elu", elu, "", 6, 1, 1, "alpha:f", "f"},
      {"Gelu", gelu, "", 20, 1, 1, "approximate:s", "f"},
      {"Gelu", gelu, "com.microsoft", 1, 1, 1, "", "f"},
      {"HardSigmoid", hard_sigmoid, "", 1, 1, 1, "alpha:f beta:f consumed_inputs:is", "f"},
      {"HardSigmoid", hard_sigmoid, "", 6, 1, 1, "alpha:f beta:f", "f"},
      {"HardSwish", hard_swish, "", 14, 1, 1, "", "f"},
      {"LeakyRelu", leaky_relu, "", 1, 1, 1, "alpha:f consumed_inputs:is", "f"},
      {"LeakyRelu", leaky_relu, "", 6, 1, 1, "alpha:f", "f"},
      {"Mish", mish, "", 18, 1, 1, "", "f"},
      {"PRelu", prelu, "", 1, 2, 1, "consumed_inputs:is", "fi"},
      {"PRelu", prelu, "", 6, 2, 1, "", "fi"},
      {"Relu", relu, "", 1, 1, 1, "consumed_inputs:is", "fi"},
      {"Relu", relu, "", 6, 1, 1, "", "fi"},
      {"Selu", selu, "", 1, 1, 1, "alpha:f consumed_inputs:is gamma:f", "f"},
      {"Selu", selu, "", 6, 1, 1, "alpha:f gamma:f", "f"},
      {"Shrink", shrink, "", 9, 1, 1, "bias:f lambd:f", "fi"},
      {"Softplus", softplus, "", 1, 1, 1, "", "f"},
      {"Softsign", softsign, "", 1, 1, 1, "", "f"},
      {"SwiGLU", swiglu, "", 28, 2, 1, "alpha:f", "f"},
      {"Swish", swish, "", 24, 1, 1, "alpha:f", "f"},
      {"ThresholdedRelu", thresholded_relu, "", 1, 1, 1, "alpha:f", "f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
