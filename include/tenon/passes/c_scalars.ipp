/// @file c_scalars.ipp: scalar functions and conversions as C expressions, with the helpers that they call.
///
/// Values are C variables of the element type; the 16-bit floats are computed in float and rounded after each function,
/// integers wrap, comparisons and bools are 0 or 1. As the interpreter does it, but for the last bits of libm.
#pragma once

#include <charconv>
#include <cmath>
#include <map>

#include <tenon/ops/loop/loop.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::passes::c_code {

using loop::scalar_fn;

inline std::string number(i64 v) {
  if (v == std::numeric_limits<i64>::min()) return "INT64_MIN";
  const std::string digits = std::to_string(v);
  return v > 2147483647 || v < -2147483647 ? "INT64_C(" + digits + ")" : digits;
}
/// The type of a value, or null; 16-bit floats are floats then.
inline const char* value_type_or_null(dtype t) {
  switch (t) {
    case dtype::f64: return "double";
    case dtype::f32:
    case dtype::f16:
    case dtype::bf16: return "float";
    case dtype::i64:
    case dtype::index: return "int64_t";
    case dtype::i32: return "int32_t";
    case dtype::i16: return "int16_t";
    case dtype::i8: return "int8_t";
    case dtype::u64: return "uint64_t";
    case dtype::u32: return "uint32_t";
    case dtype::u16: return "uint16_t";
    case dtype::u8:
    case dtype::boolean: return "uint8_t";
    default: return nullptr;
  }
}
inline const char* value_type(dtype t) {
  if (const char* type = value_type_or_null(t)) return type;
  throw unsupported_error("codegen.unsupported", "element type " + std::string(name_of(t)) + " has no form in C");
}
inline const char* memory_type(dtype t) { return t == dtype::f16 || t == dtype::bf16 ? "uint16_t" : value_type(t); }
/// The unsigned type in which integers of a type wrap without promotion.
inline const char* wrapping_type(dtype t) { return size_of(t) == 8 ? "uint64_t" : "uint32_t"; }

class scalars {
 public:
  std::string prelude;           ///< the helpers that were needed, in order
  bool through_doubles = false;  ///< a function of integers is computed in doubles
  bool vectorizable = true;      ///< functions of floats are such that C compilers vectorize loops with them

  std::string literal(dtype t, double real, i64 integer) {
    if (!is_float(t)) {
      if (t == dtype::boolean) return integer != 0 ? "1" : "0";
      const std::string digits =
          is_unsigned_int(t) ? "UINT64_C(" + std::to_string(static_cast<u64>(integer)) + ")" : number(integer);
      return t == dtype::index || t == dtype::i64 ? digits : "(" + std::string(value_type(t)) + ")" + digits;
    }
    if (t == dtype::f32) real = static_cast<float>(real);
    if (t == dtype::f16) real = static_cast<float>(convert_element<half>(real));
    if (t == dtype::bf16) real = static_cast<float>(convert_element<bfloat16>(real));
    const char* suffix = t == dtype::f64 ? "" : "f";
    if (std::isnan(real)) return "NAN";
    if (std::isinf(real)) return real < 0 ? "-INFINITY" : "INFINITY";
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, std::fabs(real), std::chars_format::hex).ptr;
    return (std::signbit(real) ? "-0x" : "0x") + std::string(text, end) + suffix;
  }

  std::string load(dtype t, const std::string& place) {
    if (t == dtype::boolean) return "(uint8_t)(" + place + " != 0)";
    if (t == dtype::f16) return half_helpers(), "tn_from_f16(" + place + ")";
    if (t == dtype::bf16) return half_helpers(), "tn_from_bf16(" + place + ")";
    return place;
  }
  std::string store(dtype t, const std::string& value) {
    if (t == dtype::f16) return half_helpers(), "tn_to_f16(" + value + ")";
    if (t == dtype::bf16) return half_helpers(), "tn_to_bf16(" + value + ")";
    return value;
  }
  std::string rounded(dtype t, const std::string& value) {
    return t == dtype::f16 || t == dtype::bf16 ? load(t, store(t, value)) : value;
  }

  std::string convert(dtype from, dtype to, const std::string& x) {
    const auto same = [](dtype t) { return t == dtype::index ? dtype::i64 : t; };
    if (same(from) == same(to)) return x;
    const std::string type = value_type(to);
    if (to == dtype::boolean) return "(uint8_t)(" + x + " != 0)";
    if (is_float(to)) return rounded(to, "(" + type + ")" + x);
    if (!is_float(from)) return "(" + type + ")" + x;
    const std::string f = value_type(from), name = std::string("tn_") + f + "_to_" +
                                                   (to == dtype::u64                       ? "u64"
                                                    : size_of(to) == 8 || to == dtype::u32 ? "i64"
                                                                                           : "i32");
    const std::string l = from == dtype::f64 ? "" : "f";
    helper("tn_" + f + "_to_i64", "static inline int64_t tn_" + f + "_to_i64(" + f + " v) {\n  return v < 0x1p63" + l +
                                      " && v >= -0x1p63" + l + " ? (int64_t)v : INT64_MIN;\n}\n");
    // A double below -2^31 by less than one still truncates to the least value.
    helper("tn_" + f + "_to_i32", "static inline int32_t tn_" + f + "_to_i32(" + f + " v) {\n  return v < 0x1p31" + l +
                                      " && v > -0x1p31" + l + " - 1 ? (int32_t)(int64_t)v : INT32_MIN;\n}\n");
    helper("tn_" + f + "_to_u64",
           "static inline uint64_t tn_" + f + "_to_u64(" + f + " v) {\n  if (v >= 0x1p63" + l + ") return v < 0x1p64" +
               l + " ? (uint64_t)v : UINT64_C(1) << 63;\n  return (uint64_t)tn_" + f + "_to_i64(v);\n}\n");
    return "(" + type + ")" + name + "(" + x + ")";
  }

  std::string float_of_bits(const std::string& x) {
    word_helpers();
    return "tn_float_of(" + x + ")";
  }

  std::string function(scalar_fn fn, dtype t, const std::vector<std::string>& v) {
    if (fn == scalar_fn::select) return v[0] + " ? " + v[1] + " : " + v[2];
    if (loop::is_comparison(fn)) {
      static constexpr const char* signs[] = {"==", "!=", "<", "<=", ">", ">="};
      return "(uint8_t)(" + v[0] + " " + signs[static_cast<int>(fn) - static_cast<int>(scalar_fn::eq)] + " " + v[1] +
             ")";
    }
    if (!is_float(t)) return integer(fn, t, v);
    return loop::gives_bool(fn) ? real(fn, t, v) : rounded(t, real(fn, t, v));
  }

 private:
  void helper(const std::string& name, const std::string& text) {
    if (helpers_.emplace(name, true).second) prelude += text;
  }
  void word_helpers() {
    helper("word", R"(union tn_word { uint32_t bits; float real; };
static inline float tn_float_of(uint32_t bits) { union tn_word w; w.bits = bits; return w.real; }
static inline uint32_t tn_bits_of(float f) { union tn_word w; w.real = f; return w.bits; }
)");
  }
  // c_elementary.ipp
  void select_helper();
  void exponent_helpers();
  std::string elementary(scalar_fn fn);
  void half_helpers() {
    word_helpers();
    helper("half",
           R"(static inline float tn_from_bf16(uint16_t h) { return tn_float_of((uint32_t)h << 16); }
static inline uint16_t tn_to_bf16(float f) {
  const uint32_t b = tn_bits_of(f);
  return (uint16_t)(f != f ? (b >> 16) | 64 : (b + 0x7fff + ((b >> 16) & 1)) >> 16);
}
static inline float tn_from_f16(uint16_t h) {
  const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
  if (rest < 0x400) return tn_float_of(sign | tn_bits_of((float)rest * 0x1p-24f));
  return tn_float_of(sign | (rest >= 0x7c00 ? 0x7f800000 | (rest & 0x3ff) << 13 : (rest << 13) + (112u << 23)));
}
static inline uint16_t tn_to_f16(float f) {
  const uint32_t b = tn_bits_of(f), sign = b >> 16 & 0x8000, rest = b & 0x7fffffff;
  if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x3ff));
  if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
  if (rest < 0x38800000) return (uint16_t)(sign | (uint32_t)rintf(tn_float_of(rest) * 0x1p24f));
  return (uint16_t)(sign | ((rest - (112u << 23)) + 0xfff + (rest >> 13 & 1)) >> 13);
}
)");
  }

  std::string real(scalar_fn fn, dtype t, const std::vector<std::string>& v) {
    const std::string c = value_type(t), f = t == dtype::f64 ? "" : "f", one = t == dtype::f64 ? "1.0" : "1.0f";
    const auto call = [&](const std::string& name) {
      std::string s = name + f + "(" + v[0];
      for (size_t i = 1; i < v.size(); ++i) s += ", " + v[i];
      return s + ")";
    };
    const auto own = [&](const std::string& name, const char* arguments, const std::string& body) {
      helper("tn_" + name + "_" + c,
             "static inline " + c + " tn_" + name + "_" + c + "(" + arguments + ") {\n" + body + "}\n");
      return "tn_" + name + "_" + c + "(" + v[0] + (v.size() > 1 ? ", " + v[1] : "") +
             (v.size() > 2 ? ", " + v[2] : "") + ")";
    };
    const std::string ab = c + " a, " + c + " b", a = c + " a";
    if (t != dtype::f64 && vectorizable)
      if (const std::string name = elementary(fn); !name.empty()) return name + "(" + v[0] + ")";
    switch (fn) {
      case scalar_fn::add: return v[0] + " + " + v[1];
      case scalar_fn::sub: return v[0] + " - " + v[1];
      case scalar_fn::mul: return v[0] + " * " + v[1];
      case scalar_fn::div: return v[0] + " / " + v[1];
      case scalar_fn::mod:
        return own("mod", ab.c_str(),
                   "  const " + c + " r = fmod" + f +
                       "(a, b);\n  return r != 0 ? ((r < 0) != (b < 0) ? r + b : r) : copysign" + f + "((" + c +
                       ")0, b);\n");
      case scalar_fn::floor_div: return "floor" + f + "(" + v[0] + " / " + v[1] + ")";
      case scalar_fn::min:
        return own("min", ab.c_str(), "  const " + c + " r = b < a ? b : a;\n  return b != b ? b : r;\n");
      case scalar_fn::max:
        return own("max", ab.c_str(), "  const " + c + " r = b > a ? b : a;\n  return b != b ? b : r;\n");
      case scalar_fn::neg: return "-" + v[0];
      case scalar_fn::abs: return call("fabs");
      case scalar_fn::sign: return v[0] + " > 0 ? 1 : " + v[0] + " < 0 ? -1 : " + v[0];
      case scalar_fn::rsqrt: return one + " / sqrt" + f + "(" + v[0] + ")";
      case scalar_fn::reciprocal: return one + " / " + v[0];
      case scalar_fn::sigmoid:
        return own("sigmoid", a.c_str(),
                   "  const " + c + " e = " + real(scalar_fn::exp, t, {"-fabs" + f + "(a)"}) +
                       ";\n  return (a >= 0 ? 1 : e) / (1 + e);\n");
      case scalar_fn::round: return call("rint");
      case scalar_fn::is_nan: return "(uint8_t)(" + v[0] + " != " + v[0] + ")";
      case scalar_fn::is_inf: return "(uint8_t)(fabs" + f + "(" + v[0] + ") == INFINITY)";
      case scalar_fn::fma:  // in one rounding where that is fast
        return own("fma", (ab + ", " + c + " c").c_str(),
                   std::string("#ifdef FP_FAST_FMA") + (f.empty() ? "" : "F") + "\n  return fma" + f +
                       "(a, b, c);\n#else\n  return a * b + c;\n#endif\n");
      default:
        return call(std::string(loop::scalar_fn_names[static_cast<size_t>(fn)]));  // libm has it by the same name
    }
  }

  std::string integer(scalar_fn fn, dtype t, const std::vector<std::string>& v) {
    const std::string c = value_type(t), u = wrapping_type(t);
    const bool is_bool = t == dtype::boolean, is_unsigned = is_unsigned_int(t) || is_bool;
    const auto wrapped = [&](const char* sign) {
      if (t == dtype::index) return v[0] + " " + sign + " " + v[1];  // indices of buffers do not overflow
      return "(" + c + ")((" + u + ")" + v[0] + " " + sign + " (" + u + ")" + v[1] + ")";
    };
    const auto own = [&](const std::string& name, const std::string& body) {
      const std::string full = "tn_" + name + "_" + c;
      helper(full, "static inline " + c + " " + full + "(" + c + " a, " + c + " b) {\n" + body + "}\n");
      return full + "(" + v[0] + ", " + v[1] + ")";
    };
    const std::string zero_minus = "(" + c + ")(0 - (" + u + ")",
                      minus_one = is_unsigned ? "" : "  if (b == -1) return ";
    const std::string remainder = "  if (b == 0) return 0;\n" + (is_unsigned ? "" : minus_one + "0;\n");
    switch (fn) {
      case scalar_fn::add: return is_bool ? v[0] + " | " + v[1] : wrapped("+");
      case scalar_fn::sub: return is_bool ? v[0] + " ^ " + v[1] : wrapped("-");
      case scalar_fn::mul: return is_bool ? v[0] + " & " + v[1] : wrapped("*");
      case scalar_fn::div:
        return own("div", "  if (b == 0) return 0;\n" + (is_unsigned ? "" : minus_one + zero_minus + "a);\n") +
                              "  return (" + c + ")(a / b);\n");
      case scalar_fn::fmod: return own("rem", remainder + "  return (" + c + ")(a % b);\n");
      case scalar_fn::mod:
        return own("mod", remainder + "  const " + c + " r = (" + c + ")(a % b);\n  return (" + c +
                              ")(r != 0 && (r < 0) != (b < 0) ? r + b : r);\n");
      case scalar_fn::floor_div:
        return own("floor_div", "  if (b == 0) return 0;\n" + (is_unsigned ? "" : minus_one + zero_minus + "a);\n") +
                                    "  return (" + c + ")(a / b - (a % b != 0 && (a % b < 0) != (b < 0)));\n");
      case scalar_fn::min: return v[1] + " < " + v[0] + " ? " + v[1] + " : " + v[0];
      case scalar_fn::max: return v[1] + " > " + v[0] + " ? " + v[1] + " : " + v[0];
      case scalar_fn::bit_and: return v[0] + " & " + v[1];
      case scalar_fn::bit_or: return v[0] + " | " + v[1];
      case scalar_fn::bit_xor: return v[0] + " ^ " + v[1];
      case scalar_fn::shift_left:
      case scalar_fn::shift_right: {
        const std::string bits = std::to_string(is_bool ? 1 : size_of(t) * 8),
                          inside = is_unsigned ? "b < " + bits : "b >= 0 && b < " + bits;
        const bool left = fn == scalar_fn::shift_left;
        return own(left ? "shift_left" : "shift_right",
                   "  return " + inside + " ? (" + c + ")(" + (left ? "(" + u + ")a << b" : "a >> b") + ") : 0;\n");
      }
      case scalar_fn::neg: return is_bool ? v[0] : zero_minus + v[0] + ")";
      case scalar_fn::abs: return is_unsigned ? v[0] : v[0] + " < 0 ? " + zero_minus + v[0] + ") : " + v[0];
      case scalar_fn::sign: return "(" + c + ")((" + v[0] + " > 0) - (" + v[0] + " < 0))";
      case scalar_fn::bit_not: return is_bool ? "!" + v[0] : "(" + c + ")~" + v[0];
      case scalar_fn::floor:
      case scalar_fn::ceil:
      case scalar_fn::round:
      case scalar_fn::trunc: return v[0];
      case scalar_fn::is_nan:
      case scalar_fn::is_inf: return "0";
      case scalar_fn::fma:
        return "(" + c + ")((" + u + ")" + v[0] + " * (" + u + ")" + v[1] + " + (" + u + ")" + v[2] + ")";
      case scalar_fn::pow:
        return own("pow", (is_unsigned ? std::string()
                                       : "  if (b < 0) return a == 1 ? 1 : a == -1 ? ((b & 1) ? -1 : 1) : 0;\n") +
                              "  " + u + " r = 1, x = (" + u +
                              ")a;\n  for (uint64_t e = (uint64_t)b; e != 0; e >>= 1) {\n    if (e & 1) r *= x;\n    x "
                              "*= x;\n  }\n  return (" +
                              c + ")r;\n");
      default: {  // through double, as the reference does
        through_doubles = true;
        std::vector<std::string> wide;
        for (const std::string& x : v) wide.push_back("(double)" + x);
        return convert(dtype::f64, t, "(" + real(fn, dtype::f64, wide) + ")");
      }
    }
  }

  std::map<std::string, bool> helpers_;
};

}  // namespace tenon::passes::c_code
