// needs: llvm
// Loops of each kind, accesses, reductions, guards and branches, in vectors of every width with and without a rest:
// each result is what a loop in plain C++ gives. Small integers, so that sums are exact in every order.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "codegen/kernels.hpp"
#include "support/lowered.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr i64 counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 130, 257};
constexpr int widths[] = {0, 1, 2, 4, 8, 16, 32, 64};
constexpr double untouched_value = 96;  // a number of each type

std::string vector_of(int lanes, bool independent = true) {
  return " {kind = vector, lanes = " + std::to_string(lanes) + (independent ? ", independent = true}" : "}");
}
std::string type_of(dtype t) { return std::string(name_of(t)); }
std::string number(const std::string& name, i64 v) {
  return "  %" + name + " = loop.literal() {type = index, integer = " + std::to_string(v) + "} : index\n";
}
std::string convert(const std::string& to, const std::string& from, const std::string& type) {
  return "    " + to + " = loop.convert(" + from + ") {to = " + type + "} : " + type + "\n";
}
std::string scalar(const std::string& to, const std::string& fn, const std::string& operands, const std::string& type) {
  return "    " + to + " = loop.scalar(" + operands + ") {fn = " + fn + "} : " + type + "\n";
}
std::string literal(const std::string& name, dtype t, double v) {
  const std::string digits = std::to_string(v);
  return "  " + name + " = loop.literal() {type = " + type_of(t) + ", " +
         (is_float(t) ? "real = " + digits : "integer = " + digits.substr(0, digits.find('.'))) + "} : " + type_of(t) +
         "\n";
}
/// Writes 96 everywhere, so that an element that is not to be written shows.
std::string untouched(i64 count, dtype t) {
  return number("all", count) + literal("%none", t, untouched_value) +
         "  loop.for(%n0, %all) ({ ^(%i: index):\n    loop.store(%none, %r0[%i])\n    loop.yield()\n  })\n";
}
void check(const tensor& got, const std::vector<double>& want, const std::string& what) {
  REQUIRE(got.size() == static_cast<i64>(want.size()));
  for (i64 i = 0; i < got.size(); ++i) {
    const double w = want[static_cast<size_t>(i)];
    CHECK_MESSAGE((got.at_f64(i) == w || (std::isnan(w) && std::isnan(got.at_f64(i)))),
                  what << ": element " << i << " is " << got.at_f64(i) << ", not " << w);
  }
}

}  // namespace

TEST_CASE("vector loops of every width and number of iterations write what they should and nothing behind it") {
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::bf16, dtype::i8, dtype::i64, dtype::u16, dtype::f8e5m2})
    for (int lanes : widths)
      for (i64 n : counts) {
        if (t != dtype::f32 && n > 33) continue;
        const tensor x = random_tensor(t, {n + 3}, 5, 0, 7);
        std::string body = untouched(n + 3, t) + number("end", n + 1) + "  loop.for(%n1, %end)" + vector_of(lanes) +
                           " ({ ^(%i: index):\n    %x = loop.load(%a0[%i + 1]) : " + type_of(t) + "\n" +
                           convert("%w", "%x", "f32") + scalar("%d", "add", "%w, %w", "f32") +
                           convert("%y", "%d", type_of(t)) + "    loop.store(%y, %r0[%i])\n    loop.yield()\n  })\n";
        const tensor y = run_one(body, {x}, tensor(t, {n + 3}));
        std::vector<double> want(static_cast<size_t>(n + 3), untouched_value);
        for (i64 i = 1; i < n + 1; ++i) want[static_cast<size_t>(i)] = 2 * x.at_f64(i + 1);
        check(y, want, type_of(t) + ", lanes " + std::to_string(lanes) + ", " + std::to_string(n) + " iterations");
      }
}

TEST_CASE("accesses far apart, backwards, by data, of one element for all, and in two dimensions") {
  const i64 n = 21;
  const tensor x = random_tensor(dtype::f32, {3, 64}, 6), where = [&] {
    tensor t(dtype::i32, {n});
    for (i64 i = 0; i < n; ++i) t.set_i64(i, i * 5 % n);
    return t;
  }();
  for (const std::string& how : {std::string(), vector_of(4), vector_of(8), vector_of(16), vector_of(0)})
    for (const bool checked : {false, true}) {
      const auto run = [&](const std::string& load, const std::string& store) {
        return run_one(untouched(64, dtype::f32) + number("end", n) + number("k", 2) + "  loop.for(%n0, %end)" + how +
                           " ({ ^(%i: index):\n    %p = loop.load(%a1[%i]) : i32\n" + convert("%w", "%p", "index") +
                           load + store + "    loop.yield()\n  })\n",
                       {x, where}, tensor(dtype::f32, {64}), {.checked = checked});
      };
      const std::string plain = "    loop.store(%x, %r0[%i])\n";
      const auto expected = [&](auto&& from, auto&& to) {
        std::vector<double> want(64, untouched_value);
        for (i64 i = 0; i < n; ++i) want[static_cast<size_t>(to(i))] = x.at_f64(from(i));
        return want;
      };
      const auto same = [](i64 i) { return i; };
      check(run("    %x = loop.load(%a0[1, %i * 3]) : f32\n", plain), expected([](i64 i) { return 64 + 3 * i; }, same),
            "stride" + how);
      check(run("    %x = loop.load(%a0[%k, 30 - %i]) : f32\n", plain),
            expected([](i64 i) { return 128 + 30 - i; }, same), "back" + how);
      check(run("    %x = loop.load(%a0[0, %w]) : f32\n", plain),
            expected([&](i64 i) { return where.at_i64(i); }, same), "gather" + how);
      check(run("    %x = loop.load(%a0[%k, 7]) : f32\n", plain), expected([](i64) { return 128 + 7; }, same),
            "one" + how);
      check(run("    %x = loop.load(%a0[0, %i]) : f32\n", "    loop.store(%x, %r0[%w])\n"),
            expected(same, [&](i64 i) { return where.at_i64(i); }), "scatter" + how);
      check(run("    %x = loop.load(%a0[0, %i]) : f32\n", "    loop.store(%x, %r0[%i * 2 + 1])\n"),
            expected(same, [](i64 i) { return 2 * i + 1; }), "far" + how);
      check(run("    %x = loop.load(%a0[1, %w + %i * 2]) : f32\n", plain),
            expected([&](i64 i) { return 64 + where.at_i64(i) + 2 * i; }, same), "both" + how);
    }
}

TEST_CASE("lanes that read the same few neighbours, or elements that are no further apart than there are lanes") {
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::i8})
    for (const char* arch : {"", "x86-64-v3", "x86-64"})
      for (int lanes : {0, 8, 16})
        for (i64 n : {3, 13, 16, 17})
          for (i64 together : {2, 4, 16})
            for (i64 apart : {1, 4, 5}) {
              if ((t != dtype::f32 || *arch != 0) && (lanes != 16 || apart == 1)) continue;
              const auto read = [&](i64 i) { return i / together * apart + 1; };
              const tensor x = random_tensor(t, {read(n - 1) + 1}, 11, 0, 7);
              const std::string load = "    %x = loop.load(%a0[%q * " + std::to_string(apart) + " + 1]) : ";
              const std::string body = untouched(n + 1, t) + number("end", n) + number("t", together) +
                                       "  loop.for(%n0, %end)" + vector_of(lanes) + " ({ ^(%i: index):\n" +
                                       scalar("%q", "floor_div", "%i, %t", "index") + load + type_of(t) +
                                       "\n    loop.store(%x, %r0[%i])\n    loop.yield()\n  })\n";
              std::vector<double> want(static_cast<size_t>(n + 1), untouched_value);
              for (i64 i = 0; i < n; ++i) want[static_cast<size_t>(i)] = x.at_f64(read(i));
              for (const bool checked : {false, true})
                check(run_one(body, {x}, tensor(t, {n + 1}), {.arch = arch, .checked = checked}), want,
                      type_of(t) + " " + arch + ", lanes " + std::to_string(lanes) + ", " + std::to_string(n) +
                          " iterations, " + std::to_string(together) + " together, " + std::to_string(apart) +
                          " apart");
            }
}

TEST_CASE("the least and the greatest of numbers with one NaN among them is that, wherever it is") {
  for (dtype t : {dtype::f32, dtype::f64, dtype::bf16})
    for (const char* fn : {"min", "max"})
      for (const std::string& how : {vector_of(0, false), vector_of(4, false)})
        for (i64 n : {1, 7, 40, 129})
          for (i64 at : {i64{0}, n / 2, n - 1}) {
            tensor x = random_tensor(t, {n}, 9, -4, 6);
            x.set_f64(at, std::numeric_limits<double>::quiet_NaN());
            const std::string type = type_of(t);
            const tensor y = run_one(
                literal("%first", t, 0) + number("end", n) + "  %s = loop.for(%n0, %end, %first)" + how + " : " + type +
                    " ({ ^(%i: index, %acc: " + type + "):\n    %x = loop.load(%a0[%i]) : " + type + "\n" +
                    scalar("%next", fn, "%acc, %x", type) + "    loop.yield(%next)\n  })\n  loop.store(%s, %r0[0])\n",
                {x}, tensor(t, {1}));
            INFO(type, " ", fn, how, " of ", n, " at ", at);
            CHECK(std::isnan(y.at_f64(0)));
          }
}

TEST_CASE("reductions by every function that lanes can share, and by one that they cannot") {
  struct reduction {
    const char* fn;
    double first;
    double (*formula)(double, double);
    bool of_bits;
  };
  const reduction all[] = {
      {"add", 3, [](double a, double b) { return a + b; }, false},
      {"mul", 1, [](double a, double b) { return a * b; }, false},
      {"min", 2, [](double a, double b) { return b < a ? b : a; }, false},
      {"max", 2, [](double a, double b) { return b > a ? b : a; }, false},
      {"sub", 3, [](double a, double b) { return a - b; }, false},
      {"bit_and", 7, [](double a, double b) { return double(i64(a) & i64(b)); }, true},
      {"bit_or", 1, [](double a, double b) { return double(i64(a) | i64(b)); }, true},
      {"bit_xor", 1, [](double a, double b) { return double(i64(a) ^ i64(b)); }, true},
  };
  for (dtype t : {dtype::f32, dtype::f64, dtype::i32, dtype::u8, dtype::i64, dtype::i16})
    for (const reduction& f : all)
      for (const std::string& how : {std::string(), vector_of(0, false), vector_of(4, false), vector_of(16, false)})
        for (i64 n : {0, 1, 3, 8, 17, 64, 129, 600}) {
          if (f.of_bits && is_float(t)) continue;
          const bool product = std::string(f.fn) == "mul";
          const tensor x = random_tensor(t, {n + 1}, 9, product ? 1 : -4, product ? (n > 20 ? 1 : 2) : 6);
          const std::string type = type_of(t);
          const tensor y = run_one(
              literal("%first", t, f.first) + number("end", n) + "  %s = loop.for(%n0, %end, %first)" + how + " : " +
                  type + " ({ ^(%i: index, %acc: " + type + "):\n    %x = loop.load(%a0[%i]) : " + type + "\n" +
                  scalar("%next", f.fn, "%acc, %x", type) + "    loop.yield(%next)\n  })\n  loop.store(%s, %r0[0])\n",
              {x}, tensor(t, {1}));
          double want = f.first;
          for (i64 i = 0; i < n; ++i) want = f.formula(want, x.at_f64(i));
          tensor wrapped(t, {1});
          if (is_float(t)) wrapped.set_f64(0, want);
          else wrapped.set_i64(0, static_cast<i64>(want));
          check(y, {wrapped.at_f64(0)}, type + " " + f.fn + how + " of " + std::to_string(n));
        }
}

TEST_CASE("reductions down columns, of every number of them") {
  for (const char* fn : {"add", "max"})
    for (i64 columns : {1, 8, 40, 64, 100, 256, 300, 1000}) {
      const tensor x = random_tensor(dtype::f32, {9, columns}, 13);
      const std::string body = literal("%first", dtype::f32, 0) + number("end", columns) + number("rows", 9) +
                               "  loop.for(%n0, %end)" + vector_of(0) + " ({ ^(%i: index):\n" +
                               "    %s = loop.for(%n0, %rows, %first) : f32 ({ ^(%k: index, %a: f32):\n" +
                               "      %x = loop.load(%a0[%k, %i]) : f32\n" + scalar("%b", fn, "%a, %x", "f32") +
                               "      loop.yield(%b)\n    })\n    loop.store(%s, %r0[%i])\n    loop.yield()\n  })\n";
      std::vector<double> want(static_cast<size_t>(columns), 0);
      for (i64 i = 0; i < columns; ++i)
        for (i64 k = 0; k < 9; ++k) {
          double& w = want[static_cast<size_t>(i)];
          w = fn[0] == 'a' ? w + x.at_f64(k * columns + i) : std::max(w, x.at_f64(k * columns + i));
        }
      check(run_one(body, {x}, tensor(dtype::f32, {columns})), want, fn + (" of " + std::to_string(columns)));
    }
}

TEST_CASE("sums of products, two reductions in one loop, and what becomes of NaN and of minus zero") {
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& how : {std::string(), vector_of(8, false), vector_of(16, false)})
    for (i64 n : {5, 40, 300}) {
      tensor x = random_tensor(dtype::f32, {n}, 11), y = random_tensor(dtype::f32, {n}, 12);
      const std::string body = literal("%zero", dtype::f32, 0) + literal("%low", dtype::f32, -100) + number("end", n) +
                               "  %s, %m = loop.for(%n0, %end, %zero, %low)" + how +
                               " : (f32, f32) ({ ^(%i: index, %a: f32, %b: f32):\n    %x = loop.load(%a0[%i]) : f32\n"
                               "    %y = loop.load(%a1[%i]) : f32\n" +
                               scalar("%p", "fma", "%x, %y, %a", "f32") + scalar("%q", "max", "%b, %x", "f32") +
                               "    loop.yield(%p, %q)\n  })\n  loop.store(%s, %r0[0])\n  loop.store(%m, %r0[1])\n";
      double sum = 0, most = -100;
      for (i64 i = 0; i < n; ++i) sum += x.at_f64(i) * y.at_f64(i), most = std::max(most, x.at_f64(i));
      check(run_one(body, {x, y}, tensor(dtype::f32, {2})), {sum, most}, "of " + std::to_string(n) + how);
      x.set_f64(n - 2, undefined);
      check(run_one(body, {x, y}, tensor(dtype::f32, {2})), {undefined, undefined}, "NaN" + how);
      for (i64 i = 0; i < n; ++i) x.set_f64(i, -0.0);
      const tensor zero =
          run_one(literal("%zero", dtype::f32, -0.0) + number("end", n) + "  %s = loop.for(%n0, %end, %zero)" + how +
                      " : f32 ({ ^(%i: index, %a: f32):\n    %x = loop.load(%a0[%i]) : f32\n" +
                      scalar("%p", "add", "%a, %x", "f32") + "    loop.yield(%p)\n  })\n  loop.store(%s, %r0[0])\n",
                  {x}, tensor(dtype::f32, {1}));
      CHECK(std::signbit(zero.at_f64(0)));
    }
}

TEST_CASE("carried values that change places, alone and inside of a vector loop") {
  for (const std::string& how : {std::string(" {independent = true}"), vector_of(4), vector_of(16)}) {
    const i64 n = 19;
    const tensor y =
        run_one(number("end", n) + literal("%zero", dtype::i64, 0) + literal("%one", dtype::i64, 1) +
                    "  loop.for(%n0, %end)" + how +
                    " ({ ^(%i: index):\n"
                    "    %x = loop.load(%a0[%i]) : i64\n"
                    "    %f, %g = loop.for(%n0, %n7, %zero, %one) : (i64, i64) ({ ^(%k: index, %a: i64, %b: i64):\n" +
                    scalar("%c", "add", "%a, %b", "i64") + "      loop.yield(%b, %c)\n    })\n" +
                    scalar("%y", "add", "%f, %x", "i64") + "    loop.store(%y, %r0[%i])\n    loop.yield()\n  })\n",
                {random_tensor(dtype::i64, {n}, 4)}, tensor(dtype::i64, {n}));
    const tensor x = random_tensor(dtype::i64, {n}, 4);
    for (i64 i = 0; i < n; ++i) CHECK(y.at_i64(i) == 13 + x.at_i64(i));
  }
}

TEST_CASE("guarded loads give the fill outside, in each dimension") {
  const i64 rows = 3, columns = 9;
  const tensor x = random_tensor(dtype::f32, {rows, columns}, 13);
  for (const std::string& how : {std::string(), vector_of(4), vector_of(8), vector_of(16)})
    for (const auto& [at, row, column] :
         {std::tuple{"%i - 4, %j - 3", 1, 1}, {"%i - 4, 12 - %j", 1, -1}, {"1, %j * 2 - 5", 0, 2}}) {
      const tensor y =
          run_one(literal("%fill", dtype::f32, 50) + number("columns", 17) +
                      "  loop.for(%n0, %n9) ({ ^(%i: index):\n  loop.for(%n0, %columns)" + how +
                      " ({ ^(%j: index):\n    %x = loop.load(%a0[" + at +
                      "], %fill) {guarded = true} : f32\n    loop.store(%x, %r0[%i, %j])\n    loop.yield()\n  })\n  "
                      "loop.yield()\n  })\n",
                  {x}, tensor(dtype::f32, {9, 17}));
      std::vector<double> want;
      for (i64 i = 0; i < 9; ++i)
        for (i64 j = 0; j < 17; ++j) {
          const i64 r = row == 1 ? i - 4 : 1, c = column == 1 ? j - 3 : column == -1 ? 12 - j : 2 * j - 5;
          want.push_back(r >= 0 && r < rows && c >= 0 && c < columns ? x.at_f64(r * columns + c) : 50);
        }
      check(y, want, std::string(at) + how);
    }
}

TEST_CASE("branches give values, also around and inside of vectors") {
  for (const std::string& how : {std::string(), vector_of(4), vector_of(16)}) {
    const tensor x = random_tensor(dtype::i32, {4, 13}, 14);
    const tensor y =
        run_one(number("columns", 13) + literal("%ten", dtype::i32, 10) + "  loop.for(%n0, %n4) ({ ^(%i: index):\n" +
                    scalar("%c", "lt", "%i, %n2", "bool") + "  loop.for(%n0, %columns)" + how +
                    " ({ ^(%j: index):\n    %x = loop.load(%a0[%i, %j]) : i32\n"
                    "    %v = loop.if(%c) : i32 ({\n" +
                    scalar("%s", "add", "%x, %ten", "i32") + "    loop.yield(%s)\n    }, {\n" +
                    scalar("%d", "mul", "%x, %ten", "i32") +
                    "    loop.yield(%d)\n    })\n    loop.store(%v, %r0[%i, %j])\n    loop.yield()\n  })\n  "
                    "loop.yield()\n  })\n",
                {x}, tensor(dtype::i32, {4, 13}));
    for (i64 i = 0; i < x.size(); ++i) CHECK(y.at_i64(i) == (i < 26 ? x.at_i64(i) + 10 : x.at_i64(i) * 10));
  }
}

TEST_CASE("parallel loops run each iteration once, with what they use from around them") {
  for (int threads : {1, 2, 4})
    for (i64 grain : {1, 3, 1000})
      for (i64 n : {0, 1, 7, 100})
        for (const bool checked : {false, true}) {
          const tensor x = random_tensor(dtype::f32, {n + 5, 20}, 15);
          const std::string body =
              number("end", n + 2) + number("columns", 20) +
              "  %c = loop.load(%a1[0]) : f32\n  %p = loop.load(%a2[0]) : i64\n" + convert("%shift", "%p", "index") +
              "  loop.for(%n2, %end) {kind = parallel, grain = " + std::to_string(grain) +
              ", independent = true} ({ ^(%i: index):\n    loop.for(%n0, %columns) {kind = vector, independent = true} "
              "({ "
              "^(%j: index):\n    %x = loop.load(%a0[%i + %shift, %j]) : f32\n" +
              scalar("%y", "add", "%x, %c", "f32") + "    %o = loop.load(%r0[%i, %j]) : f32\n" +
              scalar("%z", "add", "%y, %o", "f32") +
              "    loop.store(%z, %r0[%i, %j])\n    loop.yield()\n    })\n    loop.yield()\n  })\n";
          const std::string zero =
              number("every", n + 5) + literal("%zero", dtype::f32, 0) + number("twenty", 20) +
              "  loop.for(%n0, %every) ({ ^(%i: index):\n    loop.for(%n0, %twenty) ({ ^(%j: index):\n    "
              "loop.store(%zero, %r0[%i, %j])\n    loop.yield()\n    })\n    loop.yield()\n  })\n";
          const tensor y = run_one(zero + body, {x, tensor::from<float>({1}, {100}), tensor::from<i64>({1}, {1})},
                                   tensor(dtype::f32, {n + 5, 20}), {.threads = threads, .checked = checked});
          std::vector<double> want(static_cast<size_t>((n + 5) * 20), 0);
          for (i64 i = 2; i < n + 2; ++i)
            for (i64 j = 0; j < 20; ++j) want[static_cast<size_t>(i * 20 + j)] = x.at_f64((i + 1) * 20 + j) + 100;
          check(y, want,
                std::to_string(threads) + " threads, grain " + std::to_string(grain) + ", " + std::to_string(n));
        }
}

TEST_CASE("steps, kinds that cannot be had, and indices beyond 32 bits") {
  const i64 far = i64{1} << 40;
  const tensor x = random_tensor(dtype::f32, {30}, 16);
  for (const char* how :
       {"{step = 3}", "{step = 3, kind = unrolled}", "{step = 3, kind = parallel, independent = true}",
        "{step = 3, kind = vector, independent = true}"})
    for (const bool checked : {false, true}) {
      const tensor y =
          run_one(untouched(30, dtype::f32) + number("end", 29) + "  loop.for(%n1, %end) " + how +
                      " ({ ^(%i: index):\n    %x = loop.load(%a0[%i]) : f32\n    loop.store(%x, %r0[%i + 1])\n    "
                      "loop.yield()\n  })\n",
                  {x}, tensor(dtype::f32, {30}), {.checked = checked});
      std::vector<double> want(30, untouched_value);
      for (i64 i = 1; i < 29; i += 3) want[static_cast<size_t>(i + 1)] = x.at_f64(i);
      check(y, want, how);
    }
  // Data on its way through an index, and places that only their sum brings back into the buffer.
  for (const std::string& how : {std::string(), vector_of(8)})
    for (const bool checked : {false, true}) {
      const std::string minus = std::to_string(far);
      const tensor y =
          run_one(number("end", 30) + "  %b = loop.load(%a1[0]) : i64\n" + convert("%far", "%b", "index") +
                      "  loop.for(%n0, %end)" + how + " ({ ^(%i: index):\n" +
                      scalar("%sum", "add", "%i, %far", "index") + "    %x = loop.load(%a0[%sum - " + minus +
                      "]) : f32\n" + convert("%w", "%sum", "f64") + convert("%v", "%x", "f64") +
                      scalar("%z", "add", "%w, %v", "f64") + "    loop.store(%z, %r0[%i])\n    loop.yield()\n  })\n",
                  {x, tensor::from<i64>({1}, {far})}, tensor(dtype::f64, {30}), {.checked = checked});
      for (i64 i = 0; i < 30; ++i) CHECK(y.at_f64(i) == static_cast<double>(far + i) + x.at_f64(i));
    }
}
