// needs: llvm
// Floats below the least normal one: zeros while native code runs, on each of its threads, or kept; and nothing of it
// is left behind.
#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>

#if defined(__x86_64__)
#  include <immintrin.h>
using namespace tenon;

namespace {

/// x * y, element by element, as a target in text makes it; `type` is of both.
tensor product(const char* target, const std::string& type, const tensor& x, const tensor& y, int threads = 1) {
  context cx;
  entry_of<targets::cpu>().configure(parse_target(target), threads, cx);
  auto m = parse<phases::ingestion>(
      "tenon.module phase=ingestion\nfunc entry @main(%x: " + type + ", %y: " + type + ") -> (" + type +
      ") inputs(\"x\", \"y\") outputs(\"z\") {\n  %z = mul(%x, %y) : " + type + "\n  return(%z)\n}");
  return load(build<targets::cpu>(std::move(m), cx)).run(std::vector<tensor>{x, y}, threads)[0];
}
tensor filled(dtype t, i64 n, double v) {
  tensor x(t, {n});
  for (i64 i = 0; i < n; ++i) x.set_f64(i, v);
  return x;
}

}  // namespace

TEST_CASE("results and operands below the least normal float are zeros") {
  constexpr i64 n = 200'000;
  const std::string type = "tensor<200000xf32>";
  for (int threads : {1, 2}) {
    CAPTURE(threads);
    // 1e-40 is a result; and an operand, times what would make it normal again.
    for (const auto& [a, b] : std::vector<std::pair<double, double>>{{1e-20, 1e-20}, {1e-40, 1e10}}) {
      const tensor x = filled(dtype::f32, n, a), y = filled(dtype::f32, n, b);
      const float kept = static_cast<float>(a) * static_cast<float>(b);
      REQUIRE(kept != 0);
      const unsigned before = _mm_getcsr();
      const tensor flushed = product("cpu", type, x, y, threads),
                   same = product("cpu:denormals=keep", type, x, y, threads),
                   strict = product("cpu:precision=strict", type, x, y, threads);
      CHECK((_mm_getcsr() & ~0x3fu) == (before & ~0x3fu));  // but for the flags of what has happened
      i64 zeros = 0, exact = 0;
      for (i64 i = 0; i < n; ++i) {
        zeros += flushed.data<float>()[static_cast<size_t>(i)] == 0;
        exact +=
            same.data<float>()[static_cast<size_t>(i)] == kept && strict.data<float>()[static_cast<size_t>(i)] == kept;
      }
      CHECK(zeros == n);
      CHECK(exact == n);
    }
  }
}

TEST_CASE("the caller's rounding stays, and so does what it keeps of denormals") {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x6000);  // towards zero
  product("cpu", "tensor<7xf32>", filled(dtype::f32, 7, 1e-20), filled(dtype::f32, 7, 1e-20));
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  CHECK((after & 0xe040) == ((before | 0x6000) & 0xe040));
}

TEST_CASE("normal floats, f64 and 16-bit floats are what they were") {
  const tensor two = filled(dtype::f32, 9, 2);
  CHECK(product("cpu", "tensor<9xf32>", filled(dtype::f32, 9, 1.25e-38), two).at_f64(8) ==
        static_cast<double>(2 * 1.25e-38f));
  CHECK(product("cpu", "tensor<9xf64>", filled(dtype::f64, 9, 1e-160), filled(dtype::f64, 9, 1e-160)).at_f64(8) ==
        1e-160 * 1e-160);
  const double least = std::ldexp(1.0, -24);  // the least of f16
  CHECK(product("cpu", "tensor<9xf16>", filled(dtype::f16, 9, least), filled(dtype::f16, 9, 3)).at_f64(8) == 3 * least);
}
#endif
