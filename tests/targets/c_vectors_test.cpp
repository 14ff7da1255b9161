// What C source has so that compilers vectorize it: functions of floats without calls, sums of floats that are several.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/text/parse.hpp>

#include "support/skip.hpp"

using namespace tenon;

namespace {

auto built_from(const std::string& text) {
  context cx;
  targets::c_source{}.configure(cx);
  return build<targets::c_source>(ir_module<phases::ingestion>::adopt(parse(text)), cx);
}

std::string function_of(const std::string& op, const std::string& size) {
  return "tenon.module phase=ingestion\nfunc entry @main(%x: tensor<" + size + "xf32>) -> (tensor<" + size +
         "xf32>) inputs(\"x\") outputs(\"y\") {\n  %y = " + op + "(%x) : tensor<" + size + "xf32>\n  return(%y)\n}\n";
}

struct function {
  const char* name;
  double (*formula)(double);
  double ulps;
};
#define OF(f) [](double x) -> double { return f; }
const function functions[] = {{"exp", OF(std::exp(x)), 2},   {"expm1", OF(std::expm1(x)), 2},
                              {"log", OF(std::log(x)), 2},   {"log1p", OF(std::log1p(x)), 2},
                              {"tanh", OF(std::tanh(x)), 5}, {"sigmoid", OF(1 / (1 + std::exp(-x))), 3},
                              {"erf", OF(std::erf(x)), 5}};
#undef OF

/// How many units in the last place of a float `got` is from `want`.
double units(float got, double want) {
  const auto rounded = static_cast<float>(want);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  if (got == rounded) return got != 0 || std::signbit(got) == std::signbit(rounded) ? 0 : INFINITY;
  int e = 0;
  std::frexp(rounded, &e);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(e - 24, -149));
}

bool assembled_is(const std::string& text, const std::string& test) {
  const std::string file = "tenon_vectors_" + std::to_string(getpid()) + ".c";
  artifact_of<formats::c_source>(built_from(text)).save(file);
  const int status =
      std::system(("cc -std=c11 -O3 -march=x86-64-v3 -w -S -o - " + file + " | grep -q " + test).c_str());
  unlink(file.c_str());
  return status == 0;
}

std::string reduction_of(const std::string& op, const std::string& size) {
  return "tenon.module phase=ingestion\nfunc entry @main(%x: tensor<3x" + size +
         "xf32>) -> (tensor<3xf32>) inputs(\"x\") outputs(\"y\") {\n  %y = " + op +
         "(%x) {axes = [1], keep_dims = false} : tensor<3xf32>\n  return(%y)\n}\n";
}

}  // namespace

TEST_CASE("functions of floats are within a few units of the exact values") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  std::vector<float> values{0.0F,   -0.0F,   1,      -1,      INFINITY, -INFINITY, NAN,
                            1e-45F, -1e-45F, 1e-40F, -1e-40F, 3.4e38F,  -3.4e38F};
  for (float x = 2e-38F; x < 1e38F; x *= 1.007F) values.insert(values.end(), {x, -x});
  for (float x = -1; x < 110; x += 0x1p-7F) values.insert(values.end(), {x, -x, 1 + x * 1e-4F, 1 - x * 1e-4F});
  const auto n = static_cast<i64>(values.size());
  tensor x(dtype::f32, {n});
  for (i64 i = 0; i < n; ++i) x.set_f64(i, values[static_cast<size_t>(i)]);
  for (const function& f : functions) {
    const program p = load_c_source(built_from(function_of(f.name, std::to_string(n))));
    const tensor y = p.run({&x, 1})[0];
    double most = 0;
    i64 at = 0;
    for (i64 i = 0; i < n; ++i)
      if (const double u = units(static_cast<float>(y.at_f64(i)), f.formula(x.at_f64(i))); u > most) most = u, at = i;
    CHECK_MESSAGE(most <= f.ulps + 0.5,
                  f.name << "(" << x.at_f64(at) << ") is " << y.at_f64(at) << ", " << most << " units off");
  }
}

TEST_CASE("compilers vectorize loops with these functions, and sums") {
#if !defined(__x86_64__)
  testing::skip("this looks for instructions of x86-64");
#else
  if (!has_c_compiler() || std::system("cc --version | grep -q 'Free Software'") != 0)
    return testing::skip("there is no GCC as cc");
  for (const function& f : functions) {
    INFO(f.name);
    const std::string name = f.name;
    CHECK(assembled_is(function_of(name, "1000"), "'vmulps.*ymm'"));
    CHECK_FALSE(assembled_is(function_of(name, "1000"), "-E '(call|jmp).*(exp|log|tanh|erf)'"));
  }
  for (const char* size : {"1000", "N"}) {
    INFO(size);
    CHECK(assembled_is(reduction_of("reduce_sum", size), "'vaddps.*ymm'"));
  }
#endif
}

TEST_CASE("reductions of floats are those of the interpreter at every length, fixed or open") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  for (const char* op : {"reduce_sum", "reduce_max", "reduce_prod"})
    for (const std::string size : {"N", "31", "32", "33", "48", "1000"}) {
      const std::string text = reduction_of(op, size);
      const program p = load_c_source(built_from(text));
      for (const i64 n : {0, 1, 15, 16, 17, 31, 32, 33, 48, 1000}) {
        if (size != "N" && size != std::to_string(n)) continue;
        if (n == 0 && std::string(op) != "reduce_sum") continue;
        for (const i64 special : {i64{-1}, i64{0}, n / 2, n - 1}) {  // where a NaN is
          tensor x(dtype::f32, {3, n});
          for (i64 i = 0; i < x.size(); ++i)
            x.set_f64(i, i == n + special ? NAN : 1 + (static_cast<double>(i * 37 % 101) - 50) / 4096);
          const comparison c =
              compare(p.run({&x, 1})[0], interpret(parse(text), "main", {&x, 1})[0], {1e-5, 1e-5, 1e-5, false});
          CHECK_MESSAGE(c.ok, op << " of " << size << " at " << n << ", NaN at " << special << ": " << c.message);
        }
      }
    }
}
