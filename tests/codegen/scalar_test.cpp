// needs: llvm
// Each scalar function in each element type, alone and in vectors, and what a formula in plain C++ says of it.
#include <doctest/doctest.h>

#include <random>

#include "codegen/kernels.hpp"

using namespace tenon;
using namespace tenon::testing;
using loop::scalar_fn;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), undefined = std::numeric_limits<double>::quiet_NaN();

const loop_form forms[] = {{"", 0},
                           {" {kind = vector, lanes = 4, independent = true}", 0},
                           {" {kind = vector, lanes = 16, independent = true}", 0},
                           {" {kind = vector, independent = true}", 0}};

/// The function at each of `count` elements of its operands.
tensor applied(scalar_fn fn, const std::vector<tensor>& operands, dtype result, loop_form form,
               const code_options& o = {}) {
  std::string body, names;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string n = std::to_string(i);
    body += "    %x" + n + " = loop.load(%a" + n + "[%i]) : " + std::string(name_of(operands[i].type())) + "\n";
    names += (i == 0 ? "%x" : ", %x") + n;
  }
  body += "    %y = loop.scalar(" + names + ") {fn = " + std::string(loop::scalar_fn_names[static_cast<size_t>(fn)]) +
          "} : " + std::string(name_of(result)) + "\n    loop.store(%y, %r0[%i])\n";
  form.count = operands[0].size();
  return run_one(loop_over(form, body), operands, tensor(result, {form.count}), o);
}

/// All pairs of `values`, as two operands; an odd number, so that vectors have a rest.
template <class V>
std::vector<std::vector<V>> pairs(const std::vector<V>& values) {
  std::vector<std::vector<V>> both(2);
  for (V a : values)
    for (V b : values) both[0].push_back(a), both[1].push_back(b);
  if (both[0].size() % 2 == 0)
    for (auto& x : both) x.push_back(values[1]);
  return both;
}

std::string spelled(double v) { return std::to_string(v); }

// --- floats

const std::vector<double> reals{0.0, -0.0, 1,  -1,    0.5,   -0.5,  1.5, 2.5,  -2.5,
                                3,   -7,   10, 0.001, 60000, -1e-5, inf, -inf, undefined};

struct real_function {
  scalar_fn fn;
  double (*formula)(double, double);
  double ulps;                    ///< of f32, for f32 and the 16-bit floats; f64 is libm's
  double low = -inf, high = inf;  ///< operands outside are left out
};
double sigmoid(double x, double) { return 1 / (1 + std::exp(-x)); }
double of_sign(double x, double) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double least(double a, double b) { return std::isnan(a) || std::isnan(b) ? undefined : a < b ? a : b; }
double most(double a, double b) { return std::isnan(a) || std::isnan(b) ? undefined : a > b ? a : b; }
double remainder_of_divisor(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

#define ONE(f) [](double x, double) -> double { return f; }
#define TWO(f) [](double x, double y) -> double { return f; }
const real_function real_unary[] = {
    {scalar_fn::neg, ONE(-x), 0},
    {scalar_fn::abs, ONE(std::fabs(x)), 0},
    {scalar_fn::sign, of_sign, 0},
    {scalar_fn::exp, ONE(std::exp(x)), 4},
    {scalar_fn::log, ONE(std::log(x)), 4},
    {scalar_fn::sqrt, ONE(std::sqrt(x)), 0},
    {scalar_fn::rsqrt, ONE(1 / std::sqrt(x)), 2},
    {scalar_fn::reciprocal, ONE(1 / x), 0},
    {scalar_fn::tanh, ONE(std::tanh(x)), 5},
    {scalar_fn::sigmoid, sigmoid, 4},
    {scalar_fn::erf, ONE(std::erf(x)), 5},
    {scalar_fn::sin, ONE(std::sin(x)), 2},
    {scalar_fn::cos, ONE(std::cos(x)), 2},
    {scalar_fn::tan, ONE(std::tan(x)), 2},
    {scalar_fn::asin, ONE(std::asin(x)), 2},
    {scalar_fn::acos, ONE(std::acos(x)), 2},
    {scalar_fn::atan, ONE(std::atan(x)), 3},
    {scalar_fn::sinh, ONE(std::sinh(x)), 2},
    {scalar_fn::cosh, ONE(std::cosh(x)), 2},
    {scalar_fn::asinh, ONE(std::asinh(x)), 2},
    {scalar_fn::acosh, ONE(std::acosh(x)), 2},
    {scalar_fn::atanh, ONE(std::atanh(x)), 2},
    {scalar_fn::floor, ONE(std::floor(x)), 0},
    {scalar_fn::ceil, ONE(std::ceil(x)), 0},
    {scalar_fn::round, ONE(std::nearbyint(x)), 0},
    {scalar_fn::trunc, ONE(std::trunc(x)), 0},
    {scalar_fn::log1p, ONE(std::log1p(x)), 2},
    {scalar_fn::expm1, ONE(std::expm1(x)), 2},
};
const real_function real_binary[] = {
    {scalar_fn::add, TWO(x + y), 0},
    {scalar_fn::sub, TWO(x - y), 0},
    {scalar_fn::mul, TWO(x * y), 0},
    {scalar_fn::div, TWO(x / y), 0},
    {scalar_fn::pow, TWO(std::pow(x, y)), 2},
    {scalar_fn::mod, remainder_of_divisor, 0},
    {scalar_fn::fmod, TWO(std::fmod(x, y)), 0},
    {scalar_fn::floor_div, TWO(std::floor(x / y)), 0},
    {scalar_fn::min, least, 0},
    {scalar_fn::max, most, 0},
};
#undef ONE
#undef TWO
struct real_test {
  scalar_fn fn;
  bool (*formula)(double, double);
};
#define ASK(f) [](double x, double y) -> bool { return (void)y, f; }
const real_test real_tests[] = {{scalar_fn::eq, ASK(x == y)},     {scalar_fn::ne, ASK(x != y)},
                                {scalar_fn::lt, ASK(x < y)},      {scalar_fn::le, ASK(x <= y)},
                                {scalar_fn::gt, ASK(x > y)},      {scalar_fn::ge, ASK(x >= y)},
                                {scalar_fn::is_nan, ASK(x != x)}, {scalar_fn::is_inf, ASK(std::isinf(x))}};
#undef ASK

/// One unit in the last place of `type` at `v`.
double unit(dtype type, double v) {
  const int digits = type == dtype::f64 ? 53 : type == dtype::f32 ? 24 : type == dtype::f16 ? 11 : 8;
  const int lowest = type == dtype::f64 ? -1074 : type == dtype::f16 ? -24 : type == dtype::f32 ? -149 : -133;
  int e = 0;
  std::frexp(v, &e);
  return std::ldexp(1.0, std::max(e - digits, lowest));
}
/// Is `got` what the formula says, rounded to the type, or within so many units of it?
bool near(dtype type, double got, double want, double ulps) {
  tensor rounded(type, {1});
  rounded.set_f64(0, want);
  const double w = rounded.at_f64(0);
  if (std::isnan(w) || std::isnan(got)) return std::isnan(w) && std::isnan(got);
  if (got == w) return got != 0 || ulps > 0 || std::signbit(got) == std::signbit(w);
  return std::isfinite(got) && std::fabs(got - want) <= (ulps + 0.5) * unit(type, want);
}

tensor of_reals(dtype type, const std::vector<double>& values) {
  tensor t(type, {static_cast<i64>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) t.set_f64(static_cast<i64>(i), values[i]);
  return t;
}

void check_real(const real_function& f, const std::vector<std::vector<double>>& operands, dtype type,
                const loop_form& form, const code_options& o = {}) {
  std::vector<tensor> in;
  for (const auto& v : operands) in.push_back(of_reals(type, v));
  const tensor y = applied(f.fn, in, type, form, o);
  // A 16-bit float is computed as f32, and f64 by libm, which is right within a unit.
  const double ulps = f.ulps == 0 ? 0 : type == dtype::f64 ? 1 : type == dtype::f32 ? f.ulps : 0.01;
  for (i64 i = 0; i < y.size(); ++i) {
    const double a = in[0].at_f64(i), b = in.size() > 1 ? in[1].at_f64(i) : 0;
    const double want = f.formula(a, b);
    CHECK_MESSAGE(near(type, y.at_f64(i), want, ulps), loop::scalar_fn_names[static_cast<size_t>(f.fn)]
                                                           << " of " << name_of(type) << " " << spelled(a) << ", "
                                                           << spelled(b) << std::string(form.attributes) << ": "
                                                           << y.at_f64(i) << ", not " << want);
  }
}

constexpr dtype float_types[] = {dtype::f64, dtype::f32, dtype::f16, dtype::bf16};

}  // namespace

TEST_CASE("functions of one float") {
  for (dtype type : float_types)
    for (const loop_form& form : forms)
      for (const real_function& f : real_unary) check_real(f, {reals}, type, form);
}

TEST_CASE("functions of one float, one by one as libm computes them") {
  for (dtype type : {dtype::f64, dtype::f32})
    for (const loop_form& form : {forms[0], forms[3]})
      for (real_function f : real_unary) {
        f.ulps = std::min(f.ulps, 2.0);
        check_real(f, {reals}, type, form, {.precision = targets::precision::strict});
      }
}

TEST_CASE("functions of one float, from the least normal number to those next to 1") {
  std::vector<double> values;
  for (float x = 0x1p-126F; x < 1; x *= 1.007F)
    values.insert(values.end(), {static_cast<double>(x), -static_cast<double>(x)});
  for (const loop_form& form : {forms[0], forms[2]})
    for (const real_function& f : real_unary) check_real(f, {values}, dtype::f32, form);
}

TEST_CASE("tanh and erf, of many floats") {
  std::vector<double> values;
  for (float x = 0x1p-12F; x < 12; x += 0x1p-9F) values.push_back(x);
  for (const real_function& f : real_unary)
    if (f.fn == scalar_fn::tanh || f.fn == scalar_fn::erf)
      for (const loop_form& form : {forms[0], forms[2]}) check_real(f, {values}, dtype::f32, form);
}

TEST_CASE("functions whose argument is reduced, of many floats") {
  std::vector<double> small, large;
  std::mt19937 random(5);
  const auto draw = [&](double size) { return std::uniform_real_distribution<float>(-1, 1)(random) * size; };
  for (int i = 0; i < 500; ++i) {
    for (double size : {1e-6, 0.01, 1.0, 20.0, 88.0, 5000.0, 99999.0}) small.push_back(draw(size));
    small.push_back(static_cast<float>(i * 127 * std::acos(0.0)));  // next to what sin or cos are 0 at
    for (double size : {3.0, 2e5, 1e30}) large.push_back(draw(size));
  }
  for (const real_function& f : real_unary)
    if (f.fn == scalar_fn::sin || f.fn == scalar_fn::cos || f.fn == scalar_fn::expm1 || f.fn == scalar_fn::log1p)
      for (const auto& values : {small, large})
        for (const loop_form& form : {forms[0], forms[2]}) check_real(f, {values}, dtype::f32, form);
}

TEST_CASE("inverse trigonometric functions, of many floats") {
  std::vector<double> values;
  for (float x = 0; x < 1.01F; x += 0x1p-11F) values.insert(values.end(), {x, -x, x * x, 1 / x, -1 / x});
  for (const real_function& f : real_unary)
    if (f.fn == scalar_fn::asin || f.fn == scalar_fn::acos || f.fn == scalar_fn::atan)
      for (const loop_form& form : {forms[0], forms[2]}) check_real(f, {values}, dtype::f32, form);
}

TEST_CASE("hyperbolic functions and their inverses, of many floats") {
  std::vector<double> values;
  for (float x = 1e-7F; x < 1e5F; x *= 1.013F) values.insert(values.end(), {x, -x, 1 + x, 1 - x});
  for (float x : {89.0F, 89.4159F, 89.416F, 90.0F, 1e30F, 3.4e38F}) values.insert(values.end(), {x, -x});
  for (double& x : values) x = static_cast<float>(x);
  for (const real_function& f : real_unary)
    for (scalar_fn fn : {scalar_fn::sinh, scalar_fn::cosh, scalar_fn::asinh, scalar_fn::acosh, scalar_fn::atanh})
      if (f.fn == fn)
        for (const loop_form& form : {forms[0], forms[2]}) check_real({fn, f.formula, 0.5}, {values}, dtype::f32, form);
}

TEST_CASE("powers of many floats") {
  std::vector<std::vector<double>> operands(2);
  const auto add = [&](float x, float y) {
    const double r = std::fabs(std::pow(static_cast<double>(x), static_cast<double>(y)));
    if (r != 0 && r < std::numeric_limits<float>::min()) return;  // which code takes for zero
    operands[0].push_back(x), operands[1].push_back(y);
  };
  std::mt19937 random(11);
  const auto draw = [&](double low, double high) {
    return static_cast<float>(std::uniform_real_distribution<double>(low, high)(random));
  };
  for (int i = 0; i < 2000; ++i) {
    add(draw(0, 10), draw(-5, 5)), add(draw(0.999, 1.001), draw(-80000, 80000)),
        add(draw(-3, 3), std::round(draw(-60, 60)));
    add(std::exp(draw(-80, 80)), draw(-1, 1)), add(draw(-1e30, 1e30), draw(-2, 2));
  }
  for (float x : {-2.0F, -1.0F, -0.0F, 0.0F, 0.5F, 1.0F, 3.0F, -INFINITY, INFINITY, NAN})
    for (float y : {-INFINITY, INFINITY, NAN, -0.0F, 0.0F, 0.5F, -0.5F, 1.0F, -1.0F, 2.0F, -3.0F, 16777215.0F,
                    16777216.0F, -16777217.0F, 1e30F, 127.9F, -150.0F})
      add(x, y);
  for (const real_function& f : real_binary)
    if (f.fn == scalar_fn::pow)
      for (const loop_form& form : {forms[0], forms[2]}) check_real({f.fn, f.formula, 0.5}, operands, dtype::f32, form);
}

TEST_CASE("functions of two floats") {
  for (dtype type : float_types)
    for (const loop_form& form : forms)
      for (const real_function& f : real_binary)
        if (f.fn != scalar_fn::floor_div || type == dtype::f64)  // of integers; a rounded quotient may be whole
          check_real(f, pairs(reals), type, form);
}

TEST_CASE("questions about floats") {
  for (dtype type : float_types)
    for (const loop_form& form : forms)
      for (const real_test& t : real_tests) {
        const auto both = pairs(reals);
        std::vector<tensor> in{of_reals(type, both[0])};
        if (loop::arity(t.fn) == 2) in.push_back(of_reals(type, both[1]));
        const tensor y = applied(t.fn, in, dtype::boolean, form);
        for (i64 i = 0; i < y.size(); ++i) {
          const double a = in[0].at_f64(i), b = in.back().at_f64(i);
          CHECK_MESSAGE((y.at_i64(i) != 0) == t.formula(a, b), loop::scalar_fn_names[static_cast<size_t>(t.fn)]
                                                                   << " of " << name_of(type) << " " << a << ", " << b);
        }
      }
}

TEST_CASE("a product and a sum are rounded once") {
  for (dtype type : {dtype::f64, dtype::f32})
    for (const loop_form& form : forms) {
      const double e = type == dtype::f64 ? std::ldexp(1, -30) : std::ldexp(1, -13);
      const tensor a = of_reals(type, {1 + e, 2, inf, 1}), c = of_reals(type, {-(1 + 2 * e), 3, -inf, undefined});
      const tensor y = applied(scalar_fn::fma, {a, a, c}, type, form);
      CHECK(y.at_f64(0) == e * e);
      CHECK(y.at_f64(1) == 7);
      CHECK(std::isnan(y.at_f64(2)));
      CHECK(std::isnan(y.at_f64(3)));
    }
}
