/// @file c_elementary.ipp: functions of float in C that compilers vectorize: no call, and no branch.
///
/// Before: expf(v)
/// After:  tn_exp(v), by the numbers that native code has (ops/loop/elementary.hpp), at most 5 ulp, since products and
/// sums are rounded apart. Conditions are masks: of `x > 89 ? 89 : x` GCC makes a path of its own, on which all that
/// follows is constant, and does not vectorize the loop.
#pragma once

#include <tenon/ops/loop/elementary.hpp>
#include <tenon/passes/c_scalars.ipp>

namespace tenon::passes::c_code {

/// A number as the shortest text that C reads as the same float.
inline std::string decimal(double v) {
  char text[32];
  const std::string s(text, std::to_chars(text, text + sizeof text, static_cast<float>(v)).ptr);
  return s + (s.find_first_of(".e") == std::string::npos ? ".0f" : "f");
}
/// ((c0 * x + c1) * x + c2) …
inline std::string polynomial(const std::string& x, loop::elementary::coefficients c) {
  std::string s;
  for (const double v : c) {
    if (s.empty()) s = decimal(v);
    else s = (s.find(' ') == std::string::npos ? s : "(" + s + ")") + " * " + x + " + " + decimal(v);
  }
  return s;
}

inline void scalars::select_helper() {
  word_helpers();
  helper("select", R"(static inline float tn_select(int c, float a, float b) {
  const uint32_t mask = 0u - (uint32_t)c;
  return tn_float_of((tn_bits_of(a) & mask) | (tn_bits_of(b) & ~mask));
}
)");
}

/// What exp and expm1 share.
inline void scalars::exponent_helpers() {
  namespace e = loop::elementary;
  select_helper();
  helper("exponent", R"(/* x = n ln 2 + r with an |r| of at most ln 2 / 2: n, and e^r - 1. */
static inline int32_t tn_exponent(float x) {
  const float n = x * )" +
                         decimal(e::reciprocal_of_ln2) + R"(;
  return (int32_t)(n + copysignf(0.5f, n));
}
static inline float tn_reduced_expm1(float x, int32_t n) {
  const float r = x - (float)n * )" +
                         decimal(e::ln2_high) + " - (float)n * " + decimal(e::ln2_low) +
                         ";\n  const float p = " + polynomial("r", e::exp_rest) + R"(;
  return p * (r * r) + r;
}
static inline float tn_power_of_2(int32_t n) { return tn_float_of((uint32_t)(n + 127) << 23); }
)");
}

/// The name of a function of float, with its text in the prelude; empty where it is libm's, or an operation.
inline std::string scalars::elementary(scalar_fn fn) {
  namespace e = loop::elementary;
  const auto define = [&](const char* name, const std::string& body) {
    helper(name, std::string("static inline float ") + name + "(float x) {\n" + body + "}\n");
    return std::string(name);
  };
  /// x within two bounds, of which a NaN is one.
  const auto within = [](double low, double high) {
    return "tn_select(x < " + decimal(high) + ", tn_select(x > " + decimal(low) + ", x, " + decimal(low) + "), " +
           decimal(high) + ")";
  };
  /// x p(x²) / q(x²) of an x within ±limit; x where that is below `tiny`, or no number; ±1 from `one` on.
  const auto ratio = [&](double limit, e::coefficients p, e::coefficients q, double tiny, double one) {
    select_helper();
    return "  const float size = fabsf(x), y = tn_select(size < " + decimal(limit) + ", x, copysignf(" +
           decimal(limit) + ", x)), z = y * y;\n  const float p = " + polynomial("z", p) +
           ";\n  const float q = " + polynomial("z", q) + ";\n  const float r = tn_select(size < " + decimal(one) +
           ", y * (p / q), copysignf(1.0f, x));\n  return tn_select(size >= " + decimal(tiny) + ", r, x);\n";
  };
  switch (fn) {
    case scalar_fn::exp:
      exponent_helpers();
      return define("tn_exp", "  const float y = " + within(e::exp_low, e::exp_high) + R"(;
  const int32_t n = tn_exponent(y), half = n >> 1;  /* 2^n may be no float */
  const float p = tn_reduced_expm1(y, n) + 1.0f;
  return tn_select(x == x, p * tn_power_of_2(half) * tn_power_of_2(n - half), x);
)");
    case scalar_fn::expm1:
      exponent_helpers();
      return define("tn_expm1", "  const float y = " + within(e::expm1_low, e::expm1_high) + R"(;
  const int32_t n = tn_exponent(y);
  const float s = tn_power_of_2(n - 1);  /* half of 2^n, which may be no float */
  const float half = tn_reduced_expm1(y, n) * s + (s - 0.5f);
  const float r = tn_select(x > )" + decimal(e::expm1_high) +
                                    R"(, INFINITY, half + half);
  return tn_select(x == x, copysignf(r, x), x);
)");
    case scalar_fn::log:
      select_helper();
      return define("tn_log", R"(  const int small = x < 0x1p-126f;  /* a denormal number is made a normal one */
  const uint32_t bits = tn_bits_of(tn_select(small, x * 0x1p23f, x));
  const float m = tn_float_of((bits & 0x7fffff) | 0x3f000000);  /* 0.5 to 1 */
  const int low = m < )" + decimal(e::half_sqrt2) +
                                  R"(;
  const float t = tn_select(low, m + m, m) - 1.0f, z = t * t;
  const float n = (float)((int32_t)(bits >> 23) - 126 - low - 23 * small);
  const float p = )" + polynomial("t", e::log_rest) +
                                  ";\n  const float r = t + (t * z * p + n * " + decimal(e::ln2_low) +
                                  " - z * 0.5f) + n * " + decimal(e::ln2_high) + R"(;
  const float ends = tn_select(x == 0, -INFINITY, tn_select(x < 0, NAN, x));  /* infinity and NaN, too */
  return tn_select((x > 0) & (x < INFINITY), r, ends);
)");
    case scalar_fn::log1p:
      elementary(scalar_fn::log);
      return define("tn_log1p", R"(  const float u = x + 1.0f, whole = tn_log(u), rest = (x - (u - 1.0f)) / u;
  return tn_select((u > 0) & (u < INFINITY), copysignf(whole + rest, x), whole);
)");
    case scalar_fn::tanh:
      return define("tn_tanh", ratio(e::tanh_limit, e::tanh_p, e::tanh_q, e::tanh_tiny, e::tanh_one));
    case scalar_fn::erf: return define("tn_erf", ratio(e::erf_limit, e::erf_p, e::erf_q, 0, e::erf_one));
    default: return {};
  }
}

}  // namespace tenon::passes::c_code
