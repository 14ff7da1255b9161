// Elementwise operators, casts, and what activates.
#include "builder.hpp"

namespace random_onnx {
namespace {

constexpr const char* any = "fdhlisLISCco 13:b";
constexpr const char* numbers = "fdhlisLISCc 13:b";
constexpr const char* floats13 = "fdh 13:b";
constexpr const char* floats22 = "fdh 22:b";
constexpr const char* arithmetic = "fdhliLI 13:b 14:scSC";
constexpr const char* integers = "lisLISCc";

void unary(builder& b) { b.emit({b.pick(0, 7)}); }
void binary(builder& b) {
  const std::string x = b.pick(0, 7), y = b.partner(x, b.type);
  if (b.d.chance(50)) b.emit({x, y});
  else b.emit({y, x});
}
/// Quotients of integers by zero mean nothing.
void quotient(builder& b) {
  const std::string x = b.pick(0, 7);
  if (tenon::is_float(b.type)) {
    const std::string y = b.partner(x, b.type);
    b.emit({x, y}, b.op == "Mod" ? attrs{{"fmod", i64{1}}} : attrs{});
    return;
  }
  tensor t = b.integers(b.type, b.partner_shape(b.shape(x)), 1, 5);
  if (tenon::is_signed_int(b.type))
    for (i64 k = 0; k < t.size(); ++k)
      if (b.d.chance(40)) t.set_i64(k, -t.at_i64(k));
  const std::string y = b.given(t, 60);
  b.emit({x, y}, b.op == "Mod" && b.d.chance(40) ? attrs{{"fmod", b.d.in(0, 1)}} : attrs{});
}
void variadic(builder& b) {
  names all{b.pick(0, 7)};
  for (i64 n = b.d.in(0, 3); n > 0; --n) all.push_back(b.partner(all[0], b.type));
  b.emit(all);
}
void power(builder& b) {
  const std::string x = b.pick(0, 7);
  dtype t = b.type;
  if (b.opset >= 12 && b.d.chance(40)) t = b.d.of(types_in("fdhli", b.opset));
  const bool exact = tenon::is_int(b.type);
  tensor e = exact || b.d.chance(50) ? b.integers(t, b.partner_shape(b.shape(x)), 0, 4)
                                     : b.numbers(t, b.partner_shape(b.shape(x)));
  b.emit({x, b.given(e, 50)});
}
void shift(builder& b) {
  const std::string x = b.pick(0, 7);
  b.emit({x, b.given(b.integers(b.type, b.partner_shape(b.shape(x)), 0, 7), 60)},
         {{"direction", std::string(b.d.of({"LEFT", "RIGHT"}))}});
}
void with_alpha(builder& b) {
  b.emit({b.pick(0, 7)}, b.d.chance(60) ? attrs{{"alpha", b.d.of({0.0f, 0.25f, 0.5f, 1.0f, 2.0f})}} : attrs{});
}
void celu(builder& b) {
  b.emit({b.pick(0, 7)}, b.d.chance(60) ? attrs{{"alpha", b.d.of({0.25f, 0.5f, 2.0f})}} : attrs{});
}
void selu(builder& b) {
  b.emit({b.pick(0, 7)},
         b.d.chance(50) ? attrs{{"alpha", b.d.of({0.5f, 2.0f})}, {"gamma", b.d.of({0.5f, 1.5f})}} : attrs{});
}
void hard_sigmoid(builder& b) {
  b.emit({b.pick(0, 7)},
         b.d.chance(50) ? attrs{{"alpha", b.d.of({0.25f, 0.5f})}, {"beta", b.d.of({0.0f, 0.5f, 1.0f})}} : attrs{});
}
void shrink(builder& b) {
  b.emit({b.pick(0, 7)},
         b.d.chance(70) ? attrs{{"bias", b.d.of({0.0f, 1.0f})}, {"lambd", b.d.of({0.5f, 1.0f, 2.0f})}} : attrs{});
}
/// Experiments of the standard until operator set 9.
void experiment(builder& b) {
  b.emit({b.pick(0, 7)}, {{"alpha", b.d.of({0.5f, 1.0f, 2.0f})}, {"beta", b.d.of({0.25f, 0.5f, -1.0f})}});
}
void image_scaler(builder& b) {
  const std::string x = b.pick_of(b.type, 4, 4, true);
  std::vector<float> bias;
  for (i64 k = 0; k < b.shape(x)[1]; ++k) bias.push_back(b.d.of({0.0f, 0.5f, -1.0f}));
  b.emit({x}, {{"bias", bias}, {"scale", b.d.of({0.5f, 2.0f})}});
}
void crop(builder& b) {
  const std::string x = b.pick_of(b.type, 4, 4, true);
  const i64 rows = b.shape(x)[2], columns = b.shape(x)[3], left = b.d.in(0, columns - 1), top = b.d.in(0, rows - 1);
  const i64 across = b.d.in(1, columns - left), down = b.d.in(1, rows - top);
  if (b.d.chance(50)) b.emit({x}, {{"border", dims{left, top, 0, 0}}, {"scale", dims{down, across}}});
  else b.emit({x}, {{"border", dims{left, top, columns - left - across, rows - top - down}}});
}
void gelu(builder& b) {
  b.emit({b.pick(0, 7)}, b.d.chance(50) ? attrs{{"approximate", std::string("tanh")}} : attrs{});
}
void prelu(builder& b) {
  const std::string x = b.pick(1, 7);
  dims s = b.shape(x);
  for (i64& e : s)
    if (b.d.chance(50)) e = 1;
  s.erase(s.begin(), s.begin() + b.d.in(0, static_cast<i64>(s.size())));
  b.emit({x, b.weight(b.type, s)});
}
void clip(builder& b) {
  const std::string x = b.pick(0, 7);
  const double low = tenon::is_unsigned_int(b.type) ? 1 : static_cast<double>(b.d.in(-3, 1)),
               high = static_cast<double>(b.d.in(1, 4));
  if (b.opset < 11) {
    attrs a;
    if (b.d.chance(70)) a.push_back({"min", static_cast<float>(low)});
    if (b.d.chance(70)) a.push_back({"max", static_cast<float>(high)});
    b.emit({x}, a);
  } else {
    const std::string l = b.d.chance(70) ? b.scalar(b.type, low) : "", h = b.d.chance(70) ? b.scalar(b.type, high) : "";
    b.emit({x, l, h});
  }
}
void where(builder& b) {
  const std::string x = b.pick(0, 7), y = b.partner(x, b.type);
  b.emit({b.partner(x, dtype::boolean), x, y});
}
/// A cast of floats to integers is defined where they fit: what is cast is clipped first, now and then.
void cast(builder& b) {
  const std::vector<dtype> to = types_in(any, b.opset);
  std::string x = b.pick(0, 7);
  const dtype t = b.d.of(to);
  const bool narrows = tenon::is_float(b.type) && !tenon::is_float(t) && t != dtype::boolean;
  if (narrows && b.opset >= 12) {
    // NaN aside, which stays one.
    x = b.emit_as("Clip", {x, b.scalar(b.type, tenon::is_unsigned_int(t) ? 0 : -5), b.scalar(b.type, 5)})[0];
    if (b.specials) throw skip{};
  } else if (narrows) {
    throw skip{};
  }
  const i64 number = [&] {
    constexpr i64 of[] = {11, 1, 10, 16, 7, 6, 5, 3, 13, 12, 4, 2, 9};
    return of[static_cast<int>(t)];
  }();
  if (b.op == "CastLike") b.emit({x, b.data(t, {b.extent()})});
  else b.emit({x}, {{"to", number}});
}
void is_inf(builder& b) {
  b.emit({b.pick(0, 7)},
         b.d.chance(40) ? attrs{{"detect_negative", b.d.in(0, 1)}, {"detect_positive", b.d.in(0, 1)}} : attrs{});
}
void dropout(builder& b) {
  const std::string x = b.pick(0, 7);
  const int outputs = static_cast<int>(b.d.in(1, 2));
  // What a mask is where nothing is dropped is said since 12.
  if (b.opset < 12) b.emit({x}, {{"ratio", 0.5f}});
  else b.emit({x, b.maybe(b.scalar(dtype::f32, 0.25), 50)}, {}, outputs);
}
void bit_cast(builder& b) {
  const std::string x = b.pick(1, 7);
  const i64 to = tenon::size_of(b.type) == 4   ? b.d.of<i64>({1, 6, 12})
                 : tenon::size_of(b.type) == 1 ? b.d.of<i64>({2, 3})
                                               : b.d.of<i64>({4, 5, 10, 16});
  b.emit({x}, {{"to", to}});
}

}  // namespace

std::vector<row> elementwise_rows() {
  return {
      {"Abs", 6, numbers, unary},
      {"Neg", 6, "fdhlisc 13:b", unary},
      {"Floor Ceil Sqrt Exp Log Reciprocal Sigmoid Tanh", 6, floats13, unary},
      {"Erf", 9, floats13, unary},
      {"Sign", 9, numbers, unary},
      {"Round", 11, floats22, unary},
      {"Cos Sin Tan Acos Asin Atan", 7, floats22, unary},
      {"Sinh Cosh Asinh Acosh Atanh", 9, floats22, unary},
      {"Relu", 6, "fdh 13:b 14:lisc", unary},
      {"Softplus Softsign", 1, floats22, unary},
      {"HardSwish", 14, floats22, unary},
      {"Mish", 18, floats22, unary},
      {"Elu ThresholdedRelu", 10, floats22, with_alpha},
      {"LeakyRelu", 6, "fdh 16:b", with_alpha},
      {"Swish", 24, "fhb", with_alpha},
      {"Celu", 12, "f", celu},
      {"Selu", 6, floats22, selu},
      {"HardSigmoid", 6, floats22, hard_sigmoid},
      {"Shrink", 9, "fdhlisLISCc", shrink},
      {"Gelu", 20, "fdhb", gelu},
      {"Affine ParametricSoftplus ScaledTanh", 7, "f", experiment, 9},
      {"ImageScaler", 7, "f", image_scaler, 9},
      {"Crop", 7, "f", crop, 9},
      {"PRelu", 9, "fdhliLI 16:b", prelu},
      {"Not", 1, "o", unary},
      {"And Or Xor", 7, "o", binary},
      {"BitwiseAnd BitwiseOr BitwiseXor", 18, integers, binary},
      {"BitwiseNot", 18, integers, unary},
      {"BitShift", 11, "LISC", shift},
      {"Add Sub Mul Add Sub Mul", 7, arithmetic, binary},
      {"Div", 7, arithmetic, quotient},
      {"Mod", 10, numbers, quotient},
      {"Pow", 7, "fdh 12:li 13:b", power},
      {"Min Max", 8, "fdh 12:lisLISCc 13:b", variadic},
      {"Sum Mean", 8, floats13, variadic},
      {"Equal", 7, "oil 11:fdhsLISCc 13:b", binary},
      {"Less Greater", 7, "fdh 9:lisLISCc 13:b", binary},
      {"LessOrEqual GreaterOrEqual", 12, "fdhlisLISCc 16:b", binary},
      {"Where", 9, "fdhlisLISCco 16:b", where},
      {"IsNaN", 9, "fdh 13:b", unary},
      {"IsInf", 10, "fd 20:hb", is_inf},
      {"Clip", 6, "fdh 12:lisLISCc 13:b", clip},
      {"Cast", 9, "fdhlisLISCco 13:b", cast},
      {"CastLike", 15, any, cast},
      {"Identity", 1, "fdhlisLISCco 13:b", unary},
      {"Dropout", 7, floats13, dropout},
      {"BitCast", 26, "fISCschb", bit_cast},
  };
}

}  // namespace random_onnx
