// needs: llvm
// What quantizing is made of, against plain C++, to the last bit: quotients by constants, which are products where
// those give the same, floats rounded to integers, and sums of products of bytes.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <random>

#include "codegen/kernels.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), undefined = std::numeric_limits<float>::quiet_NaN();
const loop_form forms[] = {{"", 0},
                           {" {kind = vector, lanes = 4, independent = true}", 0},
                           {" {kind = vector, lanes = 8, independent = true}", 0},
                           {" {kind = vector, independent = true}", 0}};
const char* const processors[] = {"", "x86-64-v3", "x86-64"};

std::string spelled(float v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(v));
  return text;
}

tensor of_floats(const std::vector<float>& v) {
  tensor t(dtype::f32, {static_cast<i64>(v.size())});
  std::copy(v.begin(), v.end(), t.data<float>().begin());
  return t;
}

/// Dividends: all kinds of numbers, and products of the divisor by what lies next to the middle between two floats.
std::vector<float> dividends(float divisor, std::mt19937& random) {
  std::vector<float> x{0.0F, -0.0F, inf, -inf, undefined, 1, -1, 3.4e38F, -3.4e38F, 1e-15F};
  std::uniform_real_distribution<float> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-40, 60);
  for (int i = 0; i < 3000; ++i) x.push_back(std::ldexp(mantissa(random), exponent(random)) * (i % 2 == 0 ? 1 : -1));
  for (int i = 0; i < 1500; ++i) {
    const double middle = static_cast<double>(mantissa(random)) + 0x1p-24;
    x.push_back(static_cast<float>(middle * static_cast<double>(divisor)));
    x.push_back(std::nextafter(x.back(), i % 2 == 0 ? inf : -inf));
  }
  return x;
}

void check_quotients(float divisor, const loop_form& form, const char* arch, std::mt19937& random) {
  const std::vector<float> x = dividends(divisor, random);
  const tensor y =
      run_one(loop_over({form.attributes, static_cast<i64>(x.size())},
                        "    %x = loop.load(%a0[%i]) : f32\n    %d = loop.literal() {real = " + spelled(divisor) +
                            "} : f32\n    %y = loop.scalar(%x, %d) {fn = div} : f32\n"
                            "    loop.store(%y, %r0[%i])\n"),
              {of_floats(x)}, of_floats(std::vector<float>(x.size())), {.arch = arch});
  int wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const float q = x[i] / divisor, got = y.data<float>()[i];
    if (std::fabs(q) < 0x1p-78F && std::fabs(got - q) <= std::fabs(q) * 0x1p-23F) continue;
    const bool same = std::isnan(q) ? std::isnan(got) : std::bit_cast<u32>(q) == std::bit_cast<u32>(got);
    if (!same && wrong++ == 0) MESSAGE(x[i] << " / " << divisor << " is " << q << ", not " << got);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("a float divided by a constant is what a division gives") {
  std::mt19937 random(7);
  for (const loop_form& form : forms)
    for (float d : {0.0390625F, 0.023681640625F, 0.1F, -0.3F, 255.0F, 3.0F, 0.25F, 0.00392156886F, 1e-20F, 1e-30F, inf})
      check_quotients(d, form, "", random);
  std::uniform_real_distribution<float> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-14, 10);
  for (const char* arch : processors)
    for (int i = 0; i < 20; ++i)
      check_quotients(std::ldexp(mantissa(random), exponent(random)), forms[3], arch, random);
}

TEST_CASE("a rounded float becomes an integer between whole bounds") {
  const std::vector<float> x{0,      -0.0F,   0.5F,      1.5F,          2.5F,           -0.5F,       -1.5F,     254.5F,
                             255.5F, 300,     -3,        1e9F,          3e9F,           -3e9,        inf,       -inf,
                             127.5F, -128.5F, undefined, 2147483520.0F, -2147483648.0F, 0.49999997F, 8388607.5F};
  struct bounds {
    const char* low;
    const char* high;
    dtype to;
  };
  for (const bounds& b : {bounds{"0", "255", dtype::u8},
                          {"-128", "127", dtype::i8},
                          {nullptr, nullptr, dtype::i32},
                          {"-7.5", "7.5", dtype::i8},
                          {nullptr, "60000", dtype::u16}})
    for (const loop_form& form : forms)
      for (const char* arch : processors) {
        std::string body = "    %x = loop.load(%a0[%i]) : f32\n    %v0 = loop.scalar(%x) {fn = round} : f32\n";
        int n = 0;
        const auto bound = [&](const char* fn, const char* by) {
          if (by == nullptr) return;
          const std::string k = std::to_string(n);
          body += "    %c" + k + " = loop.literal() {real = " + by + "} : f32\n    %v" + std::to_string(n + 1) +
                  " = loop.scalar(%v" + k + ", %c" + k + ") {fn = " + fn + "} : f32\n";
          ++n;
        };
        bound("max", b.low), bound("min", b.high);
        const std::string type(name_of(b.to));
        body += "    %y = loop.convert(%v" + std::to_string(n) + ") {to = " + type + "} : " + type +
                "\n    loop.store(%y, %r0[%i])\n";
        tensor y = run_one(loop_over({form.attributes, static_cast<i64>(x.size())}, body), {of_floats(x)},
                           tensor(b.to, {static_cast<i64>(x.size())}), {.arch = arch});
        for (size_t i = 0; i < x.size(); ++i) {
          float r = std::nearbyint(x[i]);
          if (b.low != nullptr && !(r > std::stof(b.low)) && !std::isnan(r)) r = std::stof(b.low);
          if (b.high != nullptr && !(r < std::stof(b.high)) && !std::isnan(r)) r = std::stof(b.high);
          const bool fits = r >= -2147483648.0F && r < 2147483648.0F;
          tensor expected(b.to, {1});
          expected.set_i64(0, fits ? static_cast<i64>(r) : std::numeric_limits<i32>::min());
          CAPTURE(x[i]);
          CHECK(y.at_i64(static_cast<i64>(i)) == expected.at_i64(0));
        }
      }
}

TEST_CASE("sums of products of bytes, whatever their signs") {
  constexpr i64 n = 517;
  for (const auto& [a, b] :
       {std::pair{dtype::u8, dtype::i8}, {dtype::i8, dtype::u8}, {dtype::u8, dtype::u8}, {dtype::i8, dtype::i8}})
    for (const loop_form& form : forms)
      for (const char* arch : processors) {
        tensor x(a, {n}), w(b, {n}), sums(dtype::i32, {n});
        for (i64 i = 0; i < n; ++i) {
          x.set_i64(i, i * 7919 % 256 - (a == dtype::i8 ? 128 : 0));
          w.set_i64(i, i * 104729 % 256 - (b == dtype::i8 ? 128 : 0));
          sums.set_i64(i, i % 3 == 0 ? -i * 1000003 : i);
        }
        const tensor y =
            run_one(loop_over({form.attributes, n}, "    %x = loop.load(%a0[%i]) : " + std::string(name_of(a)) +
                                                        "\n    %w = loop.load(%a1[%i]) : " + std::string(name_of(b)) +
                                                        "\n    %s = loop.load(%a2[%i]) : i32\n"
                                                        "    %p = loop.convert(%x) {to = i32} : i32\n"
                                                        "    %q = loop.convert(%w) {to = i32} : i32\n"
                                                        "    %m = loop.scalar(%p, %q) {fn = mul} : i32\n"
                                                        "    %y = loop.scalar(%s, %m) {fn = add} : i32\n"
                                                        "    loop.store(%y, %r0[%i])\n"),
                    {x, w, sums}, tensor(dtype::i32, {n}), {.arch = arch});
        int wrong = 0;
        for (i64 i = 0; i < n; ++i) wrong += y.at_i64(i) != sums.at_i64(i) + x.at_i64(i) * w.at_i64(i) ? 1 : 0;
        CHECK(wrong == 0);
      }
}

TEST_CASE("bytes and halves of words that are stored a few elements apart") {
  constexpr i64 n = 53;
  for (dtype t : {dtype::u8, dtype::f16, dtype::f32})
    for (i64 stride : {2, 3, 4, 5})
      for (const char* arch : processors) {
        tensor x(t, {n}), y(t, {n * stride});
        for (i64 i = 0; i < n; ++i) x.set_i64(i, i + 1);
        const std::string type(name_of(t));
        const tensor stored = run_kernel(
            "  %count = loop.literal() {type = index, integer = 53} : index\n"
            "  loop.for(%n0, %count) {kind = vector, independent = true} ({ ^(%i: index):\n    %x = loop.load(%a0[%i]) "
            ": " +
                type + "\n    loop.store(%x, %r0[%i * " + std::to_string(stride) + "])\n    loop.yield()\n  })\n",
            {x}, {y}, {.arch = arch})[0];
        int wrong = 0;
        for (i64 i = 0; i < n; ++i) wrong += stored.at_f64(i * stride) != x.at_f64(i) ? 1 : 0;
        CAPTURE(stride);
        CHECK(wrong == 0);
      }
}
