/// @file elementwise: ONNX operators that are elementwise ops: arithmetic, comparison, logic, bits, casts.
///
/// Before operator set 7, binary operators had `broadcast` and `axis`: the second operand's dimensions then stand at
/// `axis` of the first one's. It is reshaped so that numpy's rule gives the same.
#pragma once

#include <tenon/importers/onnx/families/random.ipp>
#include <tenon/importers/onnx/narrow_cast.hpp>

namespace tenon::importers::onnx {
namespace handlers {

template <class Op> void unary(import_context& cx, const node&) { cx.out(cx.make(Op{}, {cx.in(0)})); }

/// The second operand as numpy's broadcasting wants it.
inline value_id second_operand(import_context& cx) {
  const value_id b = cx.in(1);
  if (cx.opset() >= 7 || cx.i("broadcast", 0) == 0 || !cx.has_attribute("axis")) return b;
  const int rank_a = cx.rank(cx.in(0)), rank_b = cx.rank(b);
  const i64 axis = cx.axis(cx.i("axis"), rank_a);
  std::vector<i64> trailing;
  for (i64 d = axis + rank_b; d < rank_a; ++d) trailing.push_back(d - axis);
  return trailing.empty() ? b : cx.unsqueeze(b, trailing);
}

template <class Op> void binary(import_context& cx, const node&) {
  const value_id a = cx.in(0), b = second_operand(cx);
  cx.out(cx.make(Op{}, {a, b}));
}

/// Any number of operands, joined from left to right.
template <class Op> void variadic(import_context& cx, const node&) {
  value_id all = cx.in(0);
  for (int i = 1; i < cx.input_count(); ++i) all = cx.make(Op{}, {all, cx.in(i)});
  cx.out(all);
}

inline void mean(import_context& cx, const node&) {
  value_id all = cx.in(0);
  for (int i = 1; i < cx.input_count(); ++i) all = cx.add(all, cx.in(i));
  cx.out(cx.div(all, cx.like(all, cx.input_count())));
}

inline void mod(import_context& cx, const node&) {
  const value_id a = cx.in(0), b = cx.in(1);
  if (cx.i("fmod", 0) != 0) return cx.out(cx.make(op::fmod{}, {a, b}));
  if (is_float(cx.elem(a))) cx.bad("Mod of floats needs the attribute fmod = 1");
  cx.out(cx.make(op::mod{}, {a, b}));
}

inline void bit_shift(import_context& cx, const node&) {
  const value_id a = cx.in(0), b = cx.in(1);
  const std::string direction = cx.s("direction");
  if (direction == "LEFT") return cx.out(cx.make(op::shift_left{}, {a, b}));
  if (direction == "RIGHT") return cx.out(cx.make(op::shift_right{}, {a, b}));
  cx.bad("direction is '" + direction + "', not LEFT or RIGHT");
}

inline void is_inf(import_context& cx, const node&) {
  cx.out(cx.make(op::is_inf{.detect_negative = cx.i("detect_negative", 1) != 0,
                            .detect_positive = cx.i("detect_positive", 1) != 0},
                 {cx.in(0)}));
}

/// Operator set 11 made the bounds inputs.
inline void clip(import_context& cx, const node&) {
  value_id x = cx.in(0);
  if (cx.opset() < 11) {
    if (cx.has_attribute("min")) x = cx.maximum(x, cx.like(x, cx.f("min")));
    if (cx.has_attribute("max")) x = cx.minimum(x, cx.like(x, cx.f("max")));
  } else {
    if (cx.has(1)) x = cx.maximum(x, cx.in(1));
    if (cx.has(2)) x = cx.minimum(x, cx.in(2));
    cx.require_same_shape(x, cx.in(0));
  }
  cx.out(x);
}

/// `to` is a number since operator set 6, and was the name of a type before.
inline dtype cast_target(import_context& cx) {
  const attribute* const a = cx.find("to");
  if (!a) cx.bad("attribute 'to' is missing");
  if (a->type != attribute::type_t::string) return cx.element_type("to", dtype::f32);
  for (i32 t = 1; t <= static_cast<i32>(elem_type::int2); ++t) {
    std::string name = name_of(static_cast<elem_type>(t));
    for (char& c : name)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (name == a->s) return require_dtype(static_cast<elem_type>(t), cx.where());
  }
  cx.bad("the element type '" + a->s + "' does not exist");
}

inline void cast_to(import_context& cx, dtype to) {
  // What floats outside of the range give is left open. ONNX saturated to 4 bits when it had just got them, and has let
  // the bits wrap since operator set 23, as other integers do.
  if ((to == dtype::i4 || to == dtype::u4) && is_float(cx.elem(cx.in(0))) && cx.opset() < 23) {
    const value_id x = cx.cast(cx.in(0), dtype::f32);
    return cx.out(cx.cast(cx.minimum(cx.maximum(x, to == dtype::i4 ? -8. : 0.), to == dtype::i4 ? 7. : 15.), to));
  }
  cx.out(narrow_cast(cx, cx.in(0), to, cx.i("saturate", 1) != 0, cx.s("round_mode", "up")));
}
inline void cast(import_context& cx, const node&) { cast_to(cx, cast_target(cx)); }
inline void cast_like(import_context& cx, const node&) { cast_to(cx, cx.elem(cx.in(1))); }
inline void bit_cast(import_context& cx, const node&) {
  cx.out(cx.make(op::bit_cast{.to = cast_target(cx)}, {cx.in(0)}));
}

/// Of integers, too: computed in f64, and truncated.
inline void erf(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const value_id wide = is_float(cx.elem(x)) ? x : cx.cast(x, dtype::f64);
  cx.out(cx.cast(cx.make(op::erf{}, {wide}), cx.elem(x)));
}

inline void where(import_context& cx, const node&) { cx.out(cx.where(cx.in(0), cx.in(1), cx.in(2))); }
inline void identity(import_context& cx, const node&) { cx.out(cx.in(0)); }

/// Inference, or nothing to drop: the input. Training, since operator set 12: elements are dropped as random numbers
/// say, and the others made larger. The mask says what is kept; it was of the input's type before operator set 10.
inline void dropout(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const auto is_zero = [&](int i) { return cx.is_known(i) && cx.in_number(i) == 0; };
  if (cx.opset() < 12 || !cx.has(2) || is_zero(2) || (cx.has(1) && is_zero(1))) {
    cx.out(0, x);
    if (cx.wants(1)) cx.out(1, cx.expand(cx.scalar(cx.opset() >= 10 ? dtype::boolean : cx.elem(x), 1), cx.shape_of(x)));
    return;
  }
  const dtype wide = compute_type(cx.elem(x));
  const value_id ratio = cx.has(1) ? cx.reshape(cx.cast(cx.in(1), wide), {}) : cx.scalar(wide, 0.5);
  const value_id share = cx.where(cx.reshape(cx.in(2), {}), ratio, cx.scalar(wide, 0));
  const value_id number = cx.cast(uniform_numbers(cx, cx.shape_of(x), seed_of(cx)), wide);
  const value_id kept = cx.make(op::greater_equal{}, {number, share});
  const value_id larger = cx.div(cx.cast(x, wide), cx.sub(cx.like(share, 1), share));
  cx.out(0, cx.cast(cx.where(kept, larger, cx.like(larger, 0)), cx.elem(x)));
  cx.out(1, kept);
}

}  // namespace handlers

std::span<const registered_operator> families::elementwise() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Abs", unary<op::abs>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Abs", unary<op::abs>, "", 6, 1, 1, ""},
      {"Acos", unary<op::acos>, "", 7, 1, 1, ""},
      {"Acosh", unary<op::acosh>, "", 9, 1, 1, ""},
      {"Add", binary<op::add>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is"},
      {"Add", binary<op::add>, "", 6, 2, 1, "axis:i broadcast:i"},
      {"Add", binary<op::add>, "", 7, 2, 1, ""},
      {"And", binary<op::logical_and>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"And", binary<op::logical_and>, "", 7, 2, 1, ""},
      {"Asin", unary<op::asin>, "", 7, 1, 1, ""},
      {"Asinh", unary<op::asinh>, "", 9, 1, 1, ""},
      {"Atan", unary<op::atan>, "", 7, 1, 1, ""},
      {"Atanh", unary<op::atanh>, "", 9, 1, 1, ""},
      {"BitCast", bit_cast, "", 26, 1, 1, "to:i!"},
      {"BitShift", bit_shift, "", 11, 2, 1, "direction:s!"},
      {"BitwiseAnd", binary<op::bit_and>, "", 18, 2, 1, ""},
      {"BitwiseNot", unary<op::bit_not>, "", 18, 1, 1, ""},
      {"BitwiseOr", binary<op::bit_or>, "", 18, 2, 1, ""},
      {"BitwiseXor", binary<op::bit_xor>, "", 18, 2, 1, ""},
      {"Cast", cast, "", 1, 1, 1, "to:s!"},
      {"Cast", cast, "", 6, 1, 1, "to:i!"},
      {"Cast", cast, "", 19, 1, 1, "saturate:i to:i!"},
      {"Cast", cast, "", 24, 1, 1, "round_mode:s saturate:i to:i!"},
      {"CastLike", cast_like, "", 15, 2, 1, ""},
      {"CastLike", cast_like, "", 19, 2, 1, "saturate:i"},
      {"CastLike", cast_like, "", 24, 2, 1, "round_mode:s saturate:i"},
      {"Ceil", unary<op::ceil>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Ceil", unary<op::ceil>, "", 6, 1, 1, ""},
      {"Clip", clip, "", 1, 1, 1, "consumed_inputs:is max:f min:f"},
      {"Clip", clip, "", 6, 1, 1, "max:f min:f"},
      {"Clip", clip, "", 11, {1, 3}, 1, ""},
      {"Cos", unary<op::cos>, "", 7, 1, 1, ""},
      {"Cosh", unary<op::cosh>, "", 9, 1, 1, ""},
      {"Div", binary<op::div>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is"},
      {"Div", binary<op::div>, "", 6, 2, 1, "axis:i broadcast:i"},
      {"Div", binary<op::div>, "", 7, 2, 1, ""},
      {"Dropout", dropout, "", 1, 1, {1, 2}, "consumed_inputs:is is_test:i ratio:f"},
      {"Dropout", dropout, "", 6, 1, {1, 2}, "is_test:i ratio:f"},
      {"Dropout", dropout, "", 7, 1, {1, 2}, "ratio:f"},
      {"Dropout", dropout, "", 12, {1, 3}, {1, 2}, "seed:i"},
      {"Equal", binary<op::equal>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"Equal", binary<op::equal>, "", 7, 2, 1, ""},
      {"Erf", erf, "", 9, 1, 1, ""},
      {"Exp", unary<op::exp>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Exp", unary<op::exp>, "", 6, 1, 1, ""},
      {"Floor", unary<op::floor>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Floor", unary<op::floor>, "", 6, 1, 1, ""},
      {"Greater", binary<op::greater>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"Greater", binary<op::greater>, "", 7, 2, 1, ""},
      {"GreaterOrEqual", binary<op::greater_equal>, "", 12, 2, 1, ""},
      {"Identity", identity, "", 1, 1, 1, ""},
      {"IsInf", is_inf, "", 10, 1, 1, "detect_negative:i detect_positive:i"},
      {"IsNaN", unary<op::is_nan>, "", 9, 1, 1, ""},
      {"Less", binary<op::less>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"Less", binary<op::less>, "", 7, 2, 1, ""},
      {"LessOrEqual", binary<op::less_equal>, "", 12, 2, 1, ""},
      {"Log", unary<op::log>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Log", unary<op::log>, "", 6, 1, 1, ""},
      {"Max", variadic<op::maximum>, "", 1, {1, arity::any}, 1, "consumed_inputs:is"},
      {"Max", variadic<op::maximum>, "", 6, {1, arity::any}, 1, ""},
      {"Mean", mean, "", 1, {1, arity::any}, 1, "consumed_inputs:is"},
      {"Mean", mean, "", 6, {1, arity::any}, 1, ""},
      {"Min", variadic<op::minimum>, "", 1, {1, arity::any}, 1, "consumed_inputs:is"},
      {"Min", variadic<op::minimum>, "", 6, {1, arity::any}, 1, ""},
      {"Mod", mod, "", 10, 2, 1, "fmod:i"},
      {"Mul", binary<op::mul>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is"},
      {"Mul", binary<op::mul>, "", 6, 2, 1, "axis:i broadcast:i"},
      {"Mul", binary<op::mul>, "", 7, 2, 1, ""},
      {"Neg", unary<op::neg>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Neg", unary<op::neg>, "", 6, 1, 1, ""},
      {"Not", unary<op::logical_not>, "", 1, 1, 1, ""},
      {"Or", binary<op::logical_or>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"Or", binary<op::logical_or>, "", 7, 2, 1, ""},
      {"Pow", binary<op::pow>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"Pow", binary<op::pow>, "", 7, 2, 1, ""},
      {"Reciprocal", unary<op::reciprocal>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Reciprocal", unary<op::reciprocal>, "", 6, 1, 1, ""},
      {"Round", unary<op::round>, "", 11, 1, 1, ""},
      {"Sigmoid", unary<op::sigmoid>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Sigmoid", unary<op::sigmoid>, "", 6, 1, 1, ""},
      {"Sign", unary<op::sign>, "", 9, 1, 1, ""},
      {"Sin", unary<op::sin>, "", 7, 1, 1, ""},
      {"Sinh", unary<op::sinh>, "", 9, 1, 1, ""},
      {"Sqrt", unary<op::sqrt>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Sqrt", unary<op::sqrt>, "", 6, 1, 1, ""},
      {"Sub", binary<op::sub>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is"},
      {"Sub", binary<op::sub>, "", 6, 2, 1, "axis:i broadcast:i"},
      {"Sub", binary<op::sub>, "", 7, 2, 1, ""},
      {"Sum", variadic<op::add>, "", 1, {1, arity::any}, 1, "consumed_inputs:is"},
      {"Sum", variadic<op::add>, "", 6, {1, arity::any}, 1, ""},
      {"Tan", unary<op::tan>, "", 7, 1, 1, ""},
      {"Tanh", unary<op::tanh>, "", 1, 1, 1, "consumed_inputs:is"},
      {"Tanh", unary<op::tanh>, "", 6, 1, 1, ""},
      {"Where", where, "", 9, 3, 1, ""},
      {"Xor", binary<op::logical_xor>, "", 1, 2, 1, "axis:i broadcast:i"},
      {"Xor", binary<op::logical_xor>, "", 7, 2, 1, ""},
  };
  return table;
}

}  // namespace tenon::importers::onnx
