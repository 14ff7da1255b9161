/// @file quantize: ONNX quantization: scale and zero point per tensor, per axis or per block, and integer products.
#pragma once

#include <tenon/importers/onnx/conv_window.hpp>
#include <tenon/importers/onnx/narrow_cast.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// The lowest and highest integer of a type, as f32.
inline std::pair<double, double> integer_range(import_context& cx, dtype t) {
  if (!is_int(t) || size_of(t) > 4) cx.bad("the quantized type is " + std::string(name_of(t)));
  const int bits = bits_of(t);
  if (is_signed_int(t))
    return {-static_cast<double>(i64{1} << (bits - 1)), static_cast<double>((i64{1} << (bits - 1)) - 1)};
  return {0, static_cast<double>((i64{1} << bits) - 1)};
}

/// A list is of one number: it is known to be, or nothing else fits, which is asked when the model runs.
inline bool is_single(import_context& cx, value_id list, bool nothing_else_fits) {
  const ir::dim n = cx.dim(list, 0);
  return n == ir::dim(1) || (nothing_else_fits && !n.is_static());
}

/// A scale or zero point as it broadcasts to x: one number, one per index of `axis`, or one per block along it.
inline value_id spread(import_context& cx, value_id parameter, value_id x) {
  const int rank = cx.rank(x), own = cx.rank(parameter);
  if (own == 0) return parameter;
  const i64 given = cx.i("axis", 1);
  if (own == 1 && is_single(cx, parameter, given < -rank || given >= rank)) return cx.reshape(parameter, {});
  const i64 axis = cx.axis(given, rank), block = cx.i("block_size", 0);
  if (block < 0) cx.bad("block_size is " + std::to_string(block));
  if (block == 0) {
    if (own != 1) cx.bad("scale and zero point must have one dimension");
    std::vector<i64> trailing;
    for (i64 d = axis + 1; d < rank; ++d) trailing.push_back(d - axis);
    return trailing.empty() ? parameter : cx.unsqueeze(parameter, trailing);
  }
  if (own != rank || !cx.type_of(parameter).is_static()) cx.unsupported("blocks of a shape that is not known");
  std::vector<i64> shape = cx.type_of(parameter).extents(), repeated = shape;
  repeated.insert(repeated.begin() + static_cast<std::ptrdiff_t>(axis) + 1, block);
  shape[static_cast<size_t>(axis)] = checked_mul(shape[static_cast<size_t>(axis)], block);
  const value_id wide = cx.expand(cx.unsqueeze(parameter, {axis + 1}), cx.list(repeated));
  return cx.make(op::slice{.starts = {0}, .ends = {}, .axes = {axis}, .steps = {}},
                 {cx.reshape(wide, shape), {}, cx.slice(cx.shape_of(x), 0, axis, axis + 1)});
}

/// saturate(round(x / scale) + zero point), where x, scale and zero point are f32 (or wider).
inline value_id saturated(import_context& cx, value_id scaled, value_id zero_point, dtype to) {
  const auto [low, high] = integer_range(cx, to);
  value_id y = cx.make(op::round{}, {scaled});
  if (zero_point) y = cx.add(y, cx.cast(zero_point, cx.elem(y)));
  return cx.cast(cx.minimum(cx.maximum(y, low), high), to);
}

/// An element type that is given as an attribute other than 0.
inline dtype optional_type(import_context& cx, std::string_view name, dtype otherwise) {
  return cx.i(name, 0) == 0 ? otherwise : cx.element_type(name, otherwise);
}

inline bool is_zero(import_context& cx, value_id v) {
  const tensor* c = cx.constant_of(v);
  for (i64 i = 0; c && i < c->size(); ++i)
    if (c->at_f64(i) != 0) return false;
  return c != nullptr;
}

inline void quantize_linear(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  value_id zero_point = cx.has(2) ? spread(cx, cx.in(2), x) : value_id{};
  const dtype to = zero_point ? cx.elem(zero_point) : optional_type(cx, "output_dtype", dtype::u8);
  // The division is done in the scale's type, unless `precision` says otherwise; f8e8m0 has no arithmetic.
  const dtype by_scale = is_narrow(cx.elem(cx.in(1))) ? dtype::f32 : cx.elem(cx.in(1));
  const dtype precision = optional_type(cx, "precision", cx.elem(x) == dtype::f64 ? dtype::f64 : by_scale);
  if (!is_float(precision) || is_narrow(precision)) cx.bad("the precision is " + std::string(name_of(precision)));
  // What is rounded to `precision` stays so, since an integer follows from it: no operator's result, which may not.
  const dtype wide = compute_type(precision);
  const auto rounded = [&](value_id v) {
    if (wide == precision || cx.elem(v) == precision) return cx.cast(v, wide);
    return cx.cast(cx.make(op::cast{.to = precision}, {v}), wide);
  };
  const value_id quotient = rounded(cx.div(rounded(x), rounded(spread(cx, cx.in(1), x))));
  if (is_int(to)) return cx.out(saturated(cx, quotient, zero_point, to));
  if (zero_point && is_zero(cx, zero_point)) zero_point = {};
  const value_id moved = zero_point ? cx.add(quotient, cx.cast(zero_point, cx.elem(quotient))) : quotient;
  cx.out(narrow_cast(cx, moved, to, cx.i("saturate", 1) != 0, "up"));
}

/// x - zero point, as i32.
inline value_id shifted(import_context& cx, value_id x, value_id zero_point) {
  const value_id wide = cx.cast(x, dtype::i32);
  return zero_point ? cx.sub(wide, cx.cast(zero_point, dtype::i32)) : wide;
}

inline void dequantize_linear(import_context& cx, const node&) {
  const value_id x = cx.in(0), scale = cx.in(1);
  const dtype wide = compute_type(cx.elem(scale));
  const value_id zero_point = cx.has(2) && !is_zero(cx, cx.in(2)) ? spread(cx, cx.in(2), x) : value_id{};
  value_id difference;
  const bool plain = is_int(cx.elem(x)) && size_of(cx.elem(x)) <= 2 && cx.elem(scale) == dtype::f32;
  if (plain) {
    // A zero point of zeros says nothing; the operand is left out.
    import_context::values operands{x, spread(cx, scale, x)};
    if (zero_point) operands.push_back(zero_point);
    return cx.out(cx.cast(cx.make(op::dequantize{}, operands), optional_type(cx, "output_dtype", dtype::f32)));
  }
  if (is_float(cx.elem(x))) {
    difference = cx.cast(x, wide);
    if (zero_point) difference = cx.sub(difference, cx.cast(zero_point, wide));
  } else {
    difference = cx.cast(shifted(cx, x, zero_point), wide);
  }
  const value_id y = cx.mul(difference, cx.cast(spread(cx, scale, x), wide));
  const dtype by_scale = is_narrow(cx.elem(scale)) ? dtype::f32 : cx.elem(scale);
  cx.out(cx.cast(y, optional_type(cx, "output_dtype", by_scale)));
}

/// To u8, with the scale and zero point that span the input's values and zero: all three.
inline import_context::values dynamically_quantized(import_context& cx, value_id x) {
  std::vector<i64> axes;
  for (int d = 0; d < cx.rank(x); ++d) axes.push_back(d);
  const value_id high = cx.maximum(cx.reduce_max(x, axes, false), 0.);
  const value_id low = cx.minimum(cx.make(op::reduce_min{.axes = axes, .keep_dims = false}, {x}), 0.);
  const value_id scale = cx.div(cx.sub(high, low), cx.like(x, 255));
  const value_id zero = cx.like(x, 0);
  // All zeros: any scale will do, but not zero.
  const value_id divisor = cx.where(cx.equal(scale, zero), cx.like(x, 1), scale);
  const value_id zero_point = saturated(cx, cx.make(op::neg{}, {cx.div(low, divisor)}), {}, dtype::u8);
  return {saturated(cx, cx.div(x, divisor), zero_point, dtype::u8), scale, zero_point};
}
inline void dynamic_quantize_linear(import_context& cx, const node&) {
  const import_context::values all = dynamically_quantized(cx, cx.in(0));
  for (int k = 0; k < 3; ++k) cx.out(k, all[static_cast<size_t>(k)]);
}

/// The zero point of a matrix: one number, one per row of a left operand, or one per column of a right one. A vector
/// has one alone.
inline value_id matrix_zero_point(import_context& cx, int i, value_id matrix, bool rows) {
  if (!cx.has(i)) return {};
  const value_id z = cx.in(i);
  if (cx.rank(z) != 1) return z;
  if (is_single(cx, z, cx.rank(matrix) < 2)) return cx.reshape(z, {});
  return rows ? cx.unsqueeze(z, {1}) : z;
}

inline void matmul_integer(import_context& cx, const node&) {
  cx.out(cx.matmul(shifted(cx, cx.in(0), matrix_zero_point(cx, 2, cx.in(0), true)),
                   shifted(cx, cx.in(1), matrix_zero_point(cx, 3, cx.in(1), false))));
}

inline value_id matrix_scale(import_context& cx, int i, value_id matrix, bool rows) {
  cx.in(i);  // a scale cannot be left out
  return cx.cast(matrix_zero_point(cx, i, matrix, rows), dtype::f32);
}

inline void qlinear_matmul(import_context& cx, const node&) {
  const value_id a = cx.in(0), b = cx.in(3);
  const value_id sum =
      cx.matmul(shifted(cx, a, matrix_zero_point(cx, 2, a, true)), shifted(cx, b, matrix_zero_point(cx, 5, b, false)));
  const value_id scale =
      cx.div(cx.mul(matrix_scale(cx, 1, a, true), matrix_scale(cx, 4, b, false)), matrix_scale(cx, 6, sum, true));
  const value_id zero_point = matrix_zero_point(cx, 7, sum, true);
  cx.out(saturated(cx, cx.mul(cx.cast(sum, dtype::f32), scale), zero_point, cx.elem(zero_point)));
}

/// A list of one number per output channel of a weight, or one number for all.
inline value_id per_output(import_context& cx, value_id v, int trailing) {
  if (cx.rank(v) != 1) return v;
  if (cx.dim(v, 0) == ir::dim(1)) return cx.reshape(v, {});
  std::vector<i64> axes;
  for (int d = 1; d <= trailing; ++d) axes.push_back(d);
  return cx.unsqueeze(v, axes);
}

inline value_id integer_conv(import_context& cx, value_id x, value_id x_zero, value_id w, value_id w_zero,
                             value_id bias) {
  window_lists l = read_window(cx, x, kernel_of_weight(cx, w));
  set_auto_pads(cx, x, l);
  const value_id left = shifted(cx, x, x_zero);
  const value_id right = shifted(cx, w, w_zero ? per_output(cx, w_zero, cx.rank(w) - 1) : w_zero);
  return cx.make(op::conv{.strides = l.strides, .dilations = l.dilations, .pads = l.pads, .group = cx.i("group", 1)},
                 {left, right, bias});
}

inline void conv_integer(import_context& cx, const node&) {
  cx.out(integer_conv(cx, cx.in(0), cx.in_or(2, {}), cx.in(1), cx.in_or(3, {}), {}));
}

inline value_id qlinear_conv_of(import_context& cx, value_id x) {
  const value_id w = cx.in(3), y_zero = cx.in(7);
  const value_id sum = integer_conv(cx, x, cx.in(2), w, cx.in(5), cx.in_or(8, {}));
  const auto scale = [&](int i) { return per_output(cx, cx.cast(cx.in(i), dtype::f32), cx.rank(w) - 2); };
  const value_id factor = cx.div(cx.mul(scale(1), scale(4)), scale(6));
  return saturated(cx, cx.mul(cx.cast(sum, dtype::f32), factor), y_zero, cx.elem(y_zero));
}
inline void qlinear_conv(import_context& cx, const node&) { cx.out(qlinear_conv_of(cx, cx.in(0))); }

}  // namespace handlers

std::span<const registered_operator> families::quantize() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"ConvInteger",
       conv_integer,
       "",
       10,
       {2, 4},
       1,
       "auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is",
       "i"},
      {"DequantizeLinear", dequantize_linear, "", 10, {2, 3}, 1, "", "fi f fi"},
      {"DequantizeLinear", dequantize_linear, "", 13, {2, 3}, 1, "axis:i", "fi f fi"},
      {"DequantizeLinear", dequantize_linear, "", 21, {2, 3}, 1, "axis:i block_size:i", "fi f fi"},
      {"DequantizeLinear", dequantize_linear, "", 23, {2, 3}, 1, "axis:i block_size:i output_dtype:i", "fi f fi"},
      {"DynamicQuantizeLinear", dynamic_quantize_linear, "", 11, 1, 3, "", "f"},
      {"MatMulInteger", matmul_integer, "", 10, {2, 4}, 1, "", "i"},
      {"QLinearConv",
       qlinear_conv,
       "",
       10,
       {8, 9},
       1,
       "auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is",
       "i f i i f i f i"},
      {"QLinearMatMul", qlinear_matmul, "", 10, 8, 1, "", "fi f fi fi f fi f fi"},
      {"QuantizeLinear", quantize_linear, "", 10, {2, 3}, 1, "", "fi"},
      {"QuantizeLinear", quantize_linear, "", 13, {2, 3}, 1, "axis:i", "fi"},
      {"QuantizeLinear", quantize_linear, "", 19, {2, 3}, 1, "axis:i saturate:i", "fi"},
      {"QuantizeLinear", quantize_linear, "", 21, {2, 3}, 1, "axis:i block_size:i output_dtype:i saturate:i", "fi"},
      {"QuantizeLinear",
       quantize_linear,
       "",
       23,
       {2, 3},
       1,
       "axis:i block_size:i output_dtype:i precision:i saturate:i",
       "fi"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
