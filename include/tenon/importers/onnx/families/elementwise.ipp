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
  // What the model says is rounded, also where results of operators may be held in f32.
  if (op::is_half(to) && cx.elem(cx.in(0)) == dtype::f32) return cx.out(cx.make(op::cast{.to = to}, {cx.in(0)}));
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
      {"Abs", unary<op::abs>, "", 1, 1, 1, "consumed_inputs:is", "fi"},
      {"Abs", unary<op::abs>, "", 6, 1, 1, "", "fi"},
      {"Acos", unary<op::acos>, "", 7, 1, 1, "", "f"},
      {"Acosh", unary<op::acosh>, "", 9, 1, 1, "", "f"},
      {"Add", binary<op::add>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is", "fi"},
      {"Add", binary<op::add>, "", 6, 2, 1, "axis:i broadcast:i", "fi"},
      {"Add", binary<op::add>, "", 7, 2, 1, "", "fi"},
      {"And", binary<op::logical_and>, "", 1, 2, 1, "axis:i broadcast:i", "b"},
      {"And", binary<op::logical_and>, "", 7, 2, 1, "", "b"},
      {"Asin", unary<op::asin>, "", 7, 1, 1, "", "f"},
      {"Asinh", unary<op::asinh>, "", 9, 1, 1, "", "f"},
      {"Atan", unary<op::atan>, "", 7, 1, 1, "", "f"},
      {"Atanh", unary<op::atanh>, "", 9, 1, 1, "", "f"},
      {"BitCast", bit_cast, "", 26, 1, 1, "to:i!", "*"},
      {"BitShift", bit_shift, "", 11, 2, 1, "direction:s!", "i"},
      {"BitwiseAnd", binary<op::bit_and>, "", 18, 2, 1, "", "i"},
      {"BitwiseNot", unary<op::bit_not>, "", 18, 1, 1, "", "i"},
      {"BitwiseOr", binary<op::bit_or>, "", 18, 2, 1, "", "i"},
      {"BitwiseXor", binary<op::bit_xor>, "", 18, 2, 1, "", "i"},
      {"Cast", cast, "", 1, 1, 1, "to:s!", "*"},
      {"Cast", cast, "", 6, 1, 1, "to:i!", "*"},
      {"Cast", cast, "", 19, 1, 1, "saturate:i to:i!", "*"},
      {"Cast", cast, "", 24, 1, 1, "round_mode:s saturate:i to:i!", "*"},
      {"CastLike", cast_like, "", 15, 2, 1, "", "*"},
      {"CastLike", cast_like, "", 19, 2, 1, "saturate:i", "*"},
      {"CastLike", cast_like, "", 24, 2, 1, "round_mode:s saturate:i", "*"},
      {"Ceil", unary<op::ceil>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Ceil", unary<op::ceil>, "", 6, 1, 1, "", "f"},
      {"Clip", clip, "", 1, 1, 1, "consumed_inputs:is max:f min:f", "fi"},
      {"Clip", clip, "", 6, 1, 1, "max:f min:f", "fi"},
      {"Clip", clip, "", 11, {1, 3}, 1, "", "fi"},
      {"Cos", unary<op::cos>, "", 7, 1, 1, "", "f"},
      {"Cosh", unary<op::cosh>, "", 9, 1, 1, "", "f"},
      {"Div", binary<op::div>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is", "fi"},
      {"Div", binary<op::div>, "", 6, 2, 1, "axis:i broadcast:i", "fi"},
      {"Div", binary<op::div>, "", 7, 2, 1, "", "fi"},
      {"Dropout", dropout, "", 1, 1, {1, 2}, "consumed_inputs:is is_test:i ratio:f", "f f b"},
      {"Dropout", dropout, "", 6, 1, {1, 2}, "is_test:i ratio:f", "f f b"},
      {"Dropout", dropout, "", 7, 1, {1, 2}, "ratio:f", "f f b"},
      {"Dropout", dropout, "", 12, {1, 3}, {1, 2}, "seed:i", "f f b"},
      {"Equal", binary<op::equal>, "", 1, 2, 1, "axis:i broadcast:i", "*"},
      {"Equal", binary<op::equal>, "", 7, 2, 1, "", "*"},
      {"Erf", erf, "", 9, 1, 1, "", "fi"},
      {"Exp", unary<op::exp>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Exp", unary<op::exp>, "", 6, 1, 1, "", "f"},
      {"Floor", unary<op::floor>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Floor", unary<op::floor>, "", 6, 1, 1, "", "f"},
      {"Greater", binary<op::greater>, "", 1, 2, 1, "axis:i broadcast:i", "fi"},
      {"Greater", binary<op::greater>, "", 7, 2, 1, "", "fi"},
      {"GreaterOrEqual", binary<op::greater_equal>, "", 12, 2, 1, "", "fi"},
      {"Identity", identity, "", 1, 1, 1, "", "*"},
      {"IsInf", is_inf, "", 10, 1, 1, "detect_negative:i detect_positive:i", "f"},
      {"IsNaN", unary<op::is_nan>, "", 9, 1, 1, "", "f"},
      {"Less", binary<op::less>, "", 1, 2, 1, "axis:i broadcast:i", "fi"},
      {"Less", binary<op::less>, "", 7, 2, 1, "", "fi"},
      {"LessOrEqual", binary<op::less_equal>, "", 12, 2, 1, "", "fi"},
      {"Log", unary<op::log>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Log", unary<op::log>, "", 6, 1, 1, "", "f"},
      {"Max", variadic<op::maximum>, "", 1, {1, arity::any}, 1, "consumed_inputs:is", "fi"},
      {"Max", variadic<op::maximum>, "", 6, {1, arity::any}, 1, "", "fi"},
      {"Mean", mean, "", 1, {1, arity::any}, 1, "consumed_inputs:is", "f"},
      {"Mean", mean, "", 6, {1, arity::any}, 1, "", "f"},
      {"Min", variadic<op::minimum>, "", 1, {1, arity::any}, 1, "consumed_inputs:is", "fi"},
      {"Min", variadic<op::minimum>, "", 6, {1, arity::any}, 1, "", "fi"},
      {"Mod", mod, "", 10, 2, 1, "fmod:i", "fi"},
      {"Mul", binary<op::mul>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is", "fi"},
      {"Mul", binary<op::mul>, "", 6, 2, 1, "axis:i broadcast:i", "fi"},
      {"Mul", binary<op::mul>, "", 7, 2, 1, "", "fi"},
      {"Neg", unary<op::neg>, "", 1, 1, 1, "consumed_inputs:is", "fi"},
      {"Neg", unary<op::neg>, "", 6, 1, 1, "", "fi"},
      {"Not", unary<op::logical_not>, "", 1, 1, 1, "", "b"},
      {"Or", binary<op::logical_or>, "", 1, 2, 1, "axis:i broadcast:i", "b"},
      {"Or", binary<op::logical_or>, "", 7, 2, 1, "", "b"},
      {"Pow", binary<op::pow>, "", 1, 2, 1, "axis:i broadcast:i", "fi"},
      {"Pow", binary<op::pow>, "", 7, 2, 1, "", "fi"},
      {"Reciprocal", unary<op::reciprocal>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Reciprocal", unary<op::reciprocal>, "", 6, 1, 1, "", "f"},
      {"Round", unary<op::round>, "", 11, 1, 1, "", "f"},
      {"Sigmoid", unary<op::sigmoid>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Sigmoid", unary<op::sigmoid>, "", 6, 1, 1, "", "f"},
      {"Sign", unary<op::sign>, "", 9, 1, 1, "", "fi"},
      {"Sin", unary<op::sin>, "", 7, 1, 1, "", "f"},
      {"Sinh", unary<op::sinh>, "", 9, 1, 1, "", "f"},
      {"Sqrt", unary<op::sqrt>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Sqrt", unary<op::sqrt>, "", 6, 1, 1, "", "f"},
      {"Sub", binary<op::sub>, "", 1, 2, 1, "axis:i broadcast:i consumed_inputs:is", "fi"},
      {"Sub", binary<op::sub>, "", 6, 2, 1, "axis:i broadcast:i", "fi"},
      {"Sub", binary<op::sub>, "", 7, 2, 1, "", "fi"},
      {"Sum", variadic<op::add>, "", 1, {1, arity::any}, 1, "consumed_inputs:is", "f"},
      {"Sum", variadic<op::add>, "", 6, {1, arity::any}, 1, "", "f"},
      {"Tan", unary<op::tan>, "", 7, 1, 1, "", "f"},
      {"Tanh", unary<op::tanh>, "", 1, 1, 1, "consumed_inputs:is", "f"},
      {"Tanh", unary<op::tanh>, "", 6, 1, 1, "", "f"},
      {"Where", where, "", 9, 3, 1, "", "b *"},
      {"Xor", binary<op::logical_xor>, "", 1, 2, 1, "axis:i broadcast:i", "b"},
      {"Xor", binary<op::logical_xor>, "", 7, 2, 1, "", "b"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
