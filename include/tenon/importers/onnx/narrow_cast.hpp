/// @file narrow_cast: what ONNX Cast adds to a conversion to a narrow float: saturation, and rounding to powers of two.
///
/// https://onnx.ai/onnx/operators/onnx__Cast.html. Both are written with ordinary ops before the conversion, so the
/// conversion itself has one meaning (f32_to_narrow_bits).
#pragma once

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx::handlers {

/// The exponent of f32 values, as f8e8m0. Signs are ignored: for negative numbers ONNX leaves the result open.
inline value_id to_power_of_two(import_context& cx, value_id v, bool saturate, const std::string& round_mode) {
  const value_id bits = cx.make(op::bit_cast{.to = dtype::i32}, {cx.cast(v, dtype::f32)});
  const value_id a = cx.make(op::bit_and{}, {bits, cx.like(bits, 0x7fffffff)});
  const auto exponent = [&](value_id x) { return cx.make(op::shift_right{}, {x, cx.like(x, 23)}); };
  // Code 0 is 2^-127, which is subnormal in f32: half of what the lowest exponent says.
  const auto rounded = [&](double added, double zero_up_to) {
    return cx.where(cx.greater(a, cx.like(a, zero_up_to)), exponent(cx.add(a, added)), cx.like(a, 0));
  };
  value_id code;
  if (round_mode == "up") code = rounded(0x7fffff, 0x400000);
  else if (round_mode == "nearest") code = rounded(0x400000, 0x5fffff);
  else if (round_mode == "down") code = exponent(a);
  else cx.bad("there is no round_mode '" + round_mode + "'");
  if (saturate) code = cx.minimum(code, 254);
  else code = cx.where(cx.less(a, cx.like(a, 0x400000)), cx.like(a, 255), cx.minimum(code, 255));
  code = cx.where(cx.greater(a, cx.like(a, 0x7f800000)), cx.like(a, 255), code);
  return cx.make(op::bit_cast{.to = dtype::f8e8m0}, {cx.cast(code, dtype::u8)});
}

/// As `cast`, with ONNX's rules where the result is a narrow float.
inline value_id narrow_cast(import_context& cx, value_id v, dtype to, bool saturate, const std::string& round_mode) {
  if (!is_narrow_float(to) || cx.elem(v) == to) return cx.cast(v, to);
  if (to == dtype::f8e8m0) return to_power_of_two(cx, v, saturate, round_mode);
  if (!saturate || to == dtype::f4e2m1) return cx.cast(v, to);
  const value_id x = is_float(cx.elem(v)) && !is_narrow(cx.elem(v)) ? v : cx.cast(v, dtype::f32);
  const double highest = static_cast<double>(narrow_bits_to_f32(narrow_format_of(to).max, to));
  return cx.cast(cx.minimum(cx.maximum(x, -highest), highest), to);
}

}  // namespace tenon::importers::onnx::handlers
