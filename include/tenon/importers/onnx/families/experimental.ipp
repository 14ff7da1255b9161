/// @file experimental: operators that were experiments of the standard's first years, and still are in models of then.
///
/// They have no page any more; ONNX Runtime has kept them as they were
/// (https://github.com/onnx/onnx/blob/rel-1.4.1/docs/Operators.md, "experimental").
#pragma once

#include <tenon/importers/onnx/families/activation.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// alpha * x + beta
inline void affine(import_context& cx, const node&) {
  cx.out(cx.add(cx.mul(cx.in(0), cx.f("alpha", 1.f)), cx.f("beta", 0.f)));
}
/// alpha * log(1 + exp(beta * x))
inline void parametric_softplus(import_context& cx, const node&) {
  cx.out(cx.mul(softplus_of(cx, cx.mul(cx.in(0), cx.f("beta"))), cx.f("alpha")));
}
/// alpha * tanh(beta * x)
inline void scaled_tanh(import_context& cx, const node&) {
  cx.out(cx.mul(cx.make(op::tanh{}, {cx.mul(cx.in(0), cx.f("beta"))}), cx.f("alpha")));
}
/// scale * x, and a number for each channel.
inline void image_scaler(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const std::vector<float> bias = cx.floats("bias");
  if (cx.rank(x) != 4) cx.bad("an image has four dimensions");
  const ir::dim channels = cx.dim(x, 1);
  if (bias.empty() || !cx.require_equal(channels, static_cast<i64>(bias.size())))
    cx.bad("bias has " + std::to_string(bias.size()) + " numbers, not one for each channel");
  tensor shift(cx.elem(x), {static_cast<i64>(bias.size()), 1, 1});
  for (size_t k = 0; k < bias.size(); ++k) shift.set_f64(static_cast<i64>(k), bias[k]);
  const value_id y = cx.add(cx.mul(x, cx.f("scale", 1.f)), cx.constant(shift));
  cx.require_same_shape(y, x);
  cx.out(y);
}

/// What is left of an image without its border (left, top, right, bottom), or, with `scale`, that many rows and
/// columns from the left and top border on.
inline void crop(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const std::vector<i64> border = cx.integers("border"), scale = cx.integers("scale");
  if (cx.rank(x) != 4) cx.bad("an image has four dimensions");
  if (border.size() != 4 || (!scale.empty() && scale.size() != 2)) cx.bad("border or scale do not fit an image");
  const auto part = [&](value_id v, i64 axis, i64 before, i64 after, i64 size) {
    if (before < 0 || after < 0 || size < 0) cx.bad("border and scale are not negative");
    const ir::dim all = cx.dim(v, static_cast<int>(axis));
    if (!all.is_static())
      cx.unknown("onnx.needs_constant", "Crop of an image whose size is not known",
                 "give the shapes of the model's inputs in the import options");
    const i64 end = scale.empty() ? checked_sub(all.extent(), after) : checked_add(before, size);
    if (end < before || end > all.extent())
      cx.bad("an extent of " + std::to_string(all.extent()) + " is too small for border and scale");
    return cx.slice(v, axis, before, end);
  };
  const value_id rows = part(x, 2, border[1], border[3], scale.empty() ? 0 : scale[0]);
  cx.out(part(rows, 3, border[0], border[2], scale.empty() ? 0 : scale[1]));
}

}  // namespace handlers

std::span<const registered_operator> families::experimental() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Affine", affine, "", 1, 1, 1, "alpha:f beta:f", "f"},
      {"Crop", crop, "", 1, 1, 1, "border:is scale:is", "f"},
      {"ImageScaler", image_scaler, "", 1, 1, 1, "bias:fs scale:f", "f"},
      {"ParametricSoftplus", parametric_softplus, "", 1, 1, 1, "alpha:f beta:f", "f"},
      {"ScaledTanh", scaled_tanh, "", 1, 1, 1, "alpha:f beta:f", "f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
