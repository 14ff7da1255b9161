// needs: llvm
// Contractions under every schedule, type and place, and what the entry does around kernels, against plain C++.
#include <doctest/doctest.h>

#include "codegen/kernels.hpp"
#include "support/caught.hpp"
#include "support/lowered.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

std::string list(std::initializer_list<i64> v) {
  std::string s = "[";
  for (i64 x : v) s += (s.size() > 1 ? ", " : "") + std::to_string(x);
  return s + "]";
}
struct schedule {
  i64 rows, inner_rows, vectors;
};
std::string text_of(const schedule& s) {
  return "rows = " + std::to_string(s.rows) + ", inner_rows = " + std::to_string(s.inner_rows) +
         ", vectors = " + std::to_string(s.vectors);
}
void check(const tensor& got, const std::vector<double>& want, const std::string& what) {
  REQUIRE(got.size() == static_cast<i64>(want.size()));
  for (i64 i = 0; i < got.size(); ++i)
    CHECK_MESSAGE(got.at_f64(i) == want[static_cast<size_t>(i)],
                  what << ": element " << i << " is " << got.at_f64(i) << ", not " << want[static_cast<size_t>(i)]);
}
/// a[m, k] by b[k, n]: small integers, so that sums are exact.
std::vector<double> product(const tensor& a, const tensor& b) {
  const i64 m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
  std::vector<double> y;
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      double sum = 0;
      for (i64 p = 0; p < k; ++p) sum += a.at_f64(i * k + p) * b.at_f64(p * n + j);
      y.push_back(sum);
    }
  return y;
}
constexpr const char* store_sum =
    " ({ ^(%acc: {sum}, %m: index, %n: index):\n    loop.store(%acc, %r0[%m, %n])\n    loop.yield()\n  })\n";
std::string with_sum(std::string text, dtype t) {
  const size_t at = text.find("{sum}");
  return text.replace(at, 5, name_of(t));
}

}  // namespace

TEST_CASE("matrix products under every schedule, with rests of rows, columns and terms") {
  for (const schedule& s : {schedule{0, 0, 0}, {1, 1, 1}, {1, 4, 2}, {1, 6, 3}, {1, 14, 2}, {1, 3, 4}})
    for (const auto& [m, k, n] : std::vector<std::array<i64, 3>>{{1, 1, 1},
                                                                 {1, 7, 33},
                                                                 {3, 1, 16},
                                                                 {4, 4, 17},
                                                                 {13, 5, 50},
                                                                 {29, 65, 1},
                                                                 {6, 130, 64},
                                                                 {5, 0, 9},
                                                                 {0, 3, 4}})
      for (const bool checked : {false, true}) {
        const tensor a = random_tensor(dtype::f32, {m, k}, 1), b = random_tensor(dtype::f32, {k, n}, 2);
        const tensor y = run_one("  loop.contract(%a0, %a1) {m = " + list({m}) + ", n = " + std::to_string(n) +
                                     ", k = " + list({k}) +
                                     ", map_a = [[0, 1, 0, 0], [0, 0, 0, 1]], map_b = [[0, 0, 0, 1], [0, 0, 1, 0]], " +
                                     text_of(s) + "}" + with_sum(store_sum, dtype::f32),
                                 {a, b}, tensor(dtype::f32, {m, n}), {.checked = checked});
        check(y, product(a, b), text_of(s) + ": " + list({m, k, n}));
      }
}

TEST_CASE("sums in another type than the operands'") {
  struct types {
    dtype a, b, sum;
  };
  for (const types& t : {types{dtype::f64, dtype::f64, dtype::f64},
                         {dtype::f16, dtype::f16, dtype::f32},
                         {dtype::bf16, dtype::bf16, dtype::f32},
                         {dtype::f16, dtype::f16, dtype::f16},
                         {dtype::u8, dtype::i8, dtype::i32},
                         {dtype::i8, dtype::u8, dtype::i32},
                         {dtype::i32, dtype::i32, dtype::i32},
                         {dtype::i64, dtype::i64, dtype::i64},
                         {dtype::f32, dtype::f16, dtype::f64}})
    for (i64 n : {1, 5, 40}) {
      tensor a = random_tensor(t.a, {7, 19}, 3), b = random_tensor(t.b, {19, n}, 4);
      if (t.a == dtype::u8 || t.b == dtype::u8) {  // the ends of both types
        a.set_i64(0, t.a == dtype::u8 ? 255 : -128), a.set_i64(1, t.a == dtype::u8 ? 255 : 127);
        b.set_i64(0, t.b == dtype::u8 ? 255 : -128), b.set_i64(n, t.b == dtype::u8 ? 255 : -128);
      }
      const tensor y = run_one(
          "  loop.contract(%a0, %a1) {m = [7], n = " + std::to_string(n) +
              ", k = [19], map_a = [[0, 1, 0, 0], [0, 0, 0, 1]], map_b = [[0, 0, 0, 1], [0, 0, 1, 0]], "
              "accumulate = " +
              std::string(name_of(t.sum)) + ", rows = 1, inner_rows = 3, vectors = 2}" + with_sum(store_sum, t.sum),
          {a, b}, tensor(t.sum, {7, n}));
      check(y, product(a, b),
            std::string(name_of(t.a)) + " by " + std::string(name_of(t.b)) + " in " + std::string(name_of(t.sum)));
    }
}

namespace {
/// a [m, q * k] by bytes or words b [k, wide, q], of which n columns count: sums of q products at once, at the ends of
/// the types.
void check_products_together(const char* arch, dtype words, dtype weights, i64 q, i64 m, i64 k, i64 n, i64 wide,
                             int rows) {
  if (!missing_features("cpu:arch=" + std::string(arch)).empty()) return;
  const bool is_signed = words == dtype::i16;
  tensor a = random_tensor(words, {m, q * k}, 5), b = random_tensor(weights, {k, wide, q}, 6);
  for (i64 i = 0; i < a.size(); i += 3) a.set_i64(i, !is_signed ? 255 : i % 2 == 0 ? 32767 : -32768);
  for (i64 i = 0; i < b.size(); i += 2) b.set_i64(i, weights == dtype::i16 ? 3 * i : i % 4 == 0 ? -128 : 127);
  const tensor y =
      run_one("  loop.contract(%a0, %a1) {m = " + list({m}) + ", n = " + std::to_string(n) + ", k = " + list({k, q}) +
                  ", map_a = [[0, 1, 0, 0, 0], [0, 0, 0, " + std::to_string(q) +
                  ", 1]], map_b = [[0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]], accumulate = i32, rows = 1, "
                  "inner_rows = " +
                  std::to_string(rows) + ", vectors = 2}" + with_sum(store_sum, dtype::i32),
              {a, b}, tensor(dtype::i32, {m, n}), {.arch = arch});
  std::vector<double> want;
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      i64 sum = 0;
      for (i64 p = 0; p < q * k; ++p) sum += a.at_i64(i * q * k + p) * b.at_i64((p / q * wide + j) * q + p % q);
      want.push_back(static_cast<double>(sum));
    }
  check(y, want, std::string(arch) + list({m, k, n, wide}));
}
}  // namespace

TEST_CASE("four products of bytes at once, also at the ends of their types") {
  for (const char* arch : {"", "x86-64", "haswell"})
    for (const auto& [m, k, n] : std::vector<std::array<i64, 3>>{{1, 1, 8}, {5, 7, 16}, {3, 2, 21}, {4, 5, 3}})
      check_products_together(arch, dtype::u8, dtype::i8, 4, m, k, n, n, 2);
}

TEST_CASE(
    "two products of words by bytes or words at once, with columns behind the last that are read and not stored") {
  for (const char* arch : {"", "x86-64", "x86-64-v3"})
    for (const auto& [m, k, n, wide] :
         std::vector<std::array<i64, 4>>{{1, 1, 8, 8}, {5, 7, 16, 16}, {7, 3, 21, 24}, {7, 3, 21, 21}, {4, 5, 3, 16}})
      for (const dtype weights : {dtype::i8, dtype::i16})
        check_products_together(arch, dtype::i16, weights, 2, m, k, n, wide, 3);
}

TEST_CASE("convolutions: two dimensions of rows, several of terms, places that a loop around moves") {
  const i64 batch = 2, height = 6, width = 7, channels = 3, outputs = 5, kernel = 2;
  const tensor x = random_tensor(dtype::f32, {batch, height, width, channels}, 7),
               w = random_tensor(dtype::f32, {kernel, kernel, channels, outputs}, 8);
  for (const schedule& s : {schedule{0, 0, 0}, {2, 5, 1}, {1, 4, 2}}) {
    // y[b, i, j, n] = the sum over p, q, c of x[b, i + p, j + q, c] * w[p, q, c, n], plus 100
    const tensor y = run_one(
        "  %hundred = loop.literal() {real = 100} : f32\n  loop.for(%n0, %n2) ({ ^(%b: index):\n  loop.contract(%a0, "
        "%a1, %b) {m = [5, 6], n = 5, "
        "k = [2, 2, 3], map_a = [[0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0, 1, 0], [0, 0, "
        "0, 0, 0, 0, 0, 1]], "
        "map_b = [[0, 0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0, 0, "
        "0]], " +
            text_of(s) +
            "} ({ ^(%acc: f32, %i: index, %j: index, %n: index):\n    %s = loop.scalar(%acc, %hundred) {fn = add} : "
            "f32\n    "
            "loop.store(%s, %r0[%b, %i, %j, %n])\n    loop.yield()\n  })\n  loop.yield()\n  })\n",
        {x, w}, tensor(dtype::f32, {batch, 5, 6, outputs}));
    std::vector<double> want;
    for (i64 b = 0; b < batch; ++b)
      for (i64 i = 0; i < 5; ++i)
        for (i64 j = 0; j < 6; ++j)
          for (i64 n = 0; n < outputs; ++n) {
            double sum = 100;
            for (i64 p = 0; p < kernel; ++p)
              for (i64 q = 0; q < kernel; ++q)
                for (i64 c = 0; c < channels; ++c)
                  sum += x.at_f64(((b * height + i + p) * width + j + q) * channels + c) *
                         w.at_f64(((p * kernel + q) * channels + c) * outputs + n);
            want.push_back(sum);
          }
    check(y, want, text_of(s));
  }
}

TEST_CASE("panels one behind the other, of which each block fetches its share of the next") {
  // Rests of rows and of columns, one and two dimensions of rows and of terms; behind the last panel there is nothing.
  const i64 panels = 3, depth = 70, width = 40, height = 5, length = 7;
  const tensor a = random_tensor(dtype::f32, {height, length, 2, depth / 2}, 12),
               b = random_tensor(dtype::f32, {panels, 2, depth / 2, width}, 13);
  for (const schedule& s : {schedule{1, 1, 1}, {1, 4, 1}, {1, 3, 2}, {2, 7, 3}, {5, 7, 3}})
    for (const bool checked : {false, true}) {
      const tensor y = run_one(
          "  loop.for(%n0, %n3) ({ ^(%b: index):\n  loop.contract(%a0, %a1, %b) {m = [5, 7], n = 40, k = [2, 35], "
          "map_a = [[0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1]], "
          "map_b = [[0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0, 0]], " +
              text_of(s) +
              "} ({ ^(%acc: f32, %i: index, %j: index, %n: index):\n    loop.store(%acc, %r0[%i, %j, %b, %n])\n    "
              "loop.yield()\n  })\n  loop.yield()\n  })\n",
          {a, b}, tensor(dtype::f32, {height, length, panels, width}), {.checked = checked});
      std::vector<double> want;
      for (i64 row = 0; row < height * length; ++row)
        for (i64 p = 0; p < panels; ++p)
          for (i64 n = 0; n < width; ++n) {
            double sum = 0;
            for (i64 k = 0; k < depth; ++k) sum += a.at_f64(row * depth + k) * b.at_f64((p * depth + k) * width + n);
            want.push_back(sum);
          }
      check(y, want, text_of(s));
    }
}

TEST_CASE("extents that are known when the kernel runs") {
  for (const schedule& s : {schedule{0, 0, 0}, {1, 5, 2}, {1, 8, 1}})
    for (const auto& [m, k, n] :
         std::vector<std::array<i64, 3>>{{0, 4, 4}, {1, 1, 1}, {3, 0, 8}, {7, 9, 33}, {12, 40, 21}})
      for (const bool checked : {false, true}) {
        const tensor a = random_tensor(dtype::f32, {12, 40}, 9), b = random_tensor(dtype::f32, {40, 33}, 10);
        std::string sizes;
        for (const char* size : {"0", "1", "2"})
          sizes += "  %i" + std::string(size) + " = loop.load(%a2[" + size + "]) : i64\n  %e" + size +
                   " = loop.convert(%i" + size + ") {to = index} : index\n";
        const std::string clear =
            "  %c = loop.literal() {type = index, integer = 33} : index\n  %d = loop.literal() {type = index, integer "
            "= 12} : "
            "index\n  %none = loop.literal() {real = -1} : f32\n  loop.for(%n0, %d) ({ ^(%i: index):\n  loop.for(%n0, "
            "%c) ({ ^(%j: "
            "index):\n    loop.store(%none, %r0[%i, %j])\n    loop.yield()\n  })\n  loop.yield()\n  })\n";
        const tensor y =
            run_one(clear + sizes +
                        "  loop.contract(%a0, %a1, %e0, %e1, %e2) {m = [-1], n = -3, k = [-2], map_a = [[0, 0, 0, 0, "
                        "1, 0, 0], [0, 0, 0, 0, 0, 0, "
                        "1]], map_b = [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 0]], " +
                        text_of(s) + "}" + with_sum(store_sum, dtype::f32),
                    {a, b, tensor::from<i64>({3}, {m, k, n})}, tensor(dtype::f32, {12, 33}), {.checked = checked});
        std::vector<double> want(12 * 33, -1);
        for (i64 i = 0; i < m; ++i)
          for (i64 j = 0; j < n; ++j) {
            double sum = 0;
            for (i64 p = 0; p < k; ++p) sum += a.at_f64(i * 40 + p) * b.at_f64(p * 33 + j);
            want[static_cast<size_t>(i * 33 + j)] = sum;
          }
        check(y, want, text_of(s) + ": " + list({m, k, n}));
      }
}

TEST_CASE("the entry: slots of the arena, constants, views, copies, and kernels that are called twice") {
  context cx;
  targets::cpu{}.configure(cx);
  const program p =
      load(passes::generate_code{}.run(parse<phases::build>(R"(tenon.module phase=build {arena_bytes = "128"}
constant #0 : tensor<2x3xi32> = [1, 2, 3, 4, 5, 6]
func entry @main(%x: buffer<6xi32>, %y: buffer<6xi32>, %z: buffer<2x3xi32>) -> (buffer<6xi32>, buffer<2x3xi32>) inputs("x") outputs("y", "z") target("cpu") {
  %c = constant_buffer() {value = #0} : buffer<2x3xi32>
  %v = view_buffer(%c) : buffer<6xi32>
  %s = slot() {offset = 64} : buffer<6xi32>
  %t = slot() : buffer<6xi32>
  call_native(%x, %v, %s, %t) {kernel = @sum}
  call_native(%s, %s, %y, %t) {kernel = @sum}
  %w = view_buffer(%s) : buffer<2x3xi32>
  copy_buffer(%w, %z)
  return()
}
kernel @sum(%a: buffer<6xi32>, %b: buffer<6xi32>, %r: buffer<6xi32>, %scratch: buffer<6xi32>) target("cpu") {
  %0 = loop.literal() {type = index} : index
  %6 = loop.literal() {type = index, integer = 6} : index
  loop.for(%0, %6) {kind = vector, independent = true} ({ ^(%i: index):
    %x = loop.load(%a[%i]) : i32
    %y = loop.load(%b[%i]) : i32
    %s = loop.scalar(%x, %y) {fn = add} : i32
    loop.store(%s, %scratch[5 - %i])
    loop.yield()
  })
  loop.for(%0, %6) {kind = vector, independent = true} ({ ^(%i: index):
    %x = loop.load(%scratch[5 - %i]) : i32
    loop.store(%x, %r[%i])
    loop.yield()
  })
  return()
}
)"),
                                       cx));
  const tensor x = tensor::from<i32>({6}, {10, 20, 30, 40, 50, 60});
  const auto y = p.run({x}, 1);
  for (i64 i = 0; i < 6; ++i) {
    CHECK(y[0].at_i64(i) == 2 * (x.at_i64(i) + i + 1));
    CHECK(y[1].at_i64(i) == x.at_i64(i) + i + 1);
  }
  CHECK(y[1].shape() == std::vector<i64>{2, 3});
}

TEST_CASE("sizes of a run, in loops and in buffers") {
  context cx;
  targets::cpu target;
  target.threads = 2;
  target.configure(cx);
  const program p = load(build<targets::cpu>(parse<phases::lowering>(R"(tenon.module phase=lowering
func entry @main(%x: buffer<NxMxf32>, %y: buffer<MxNxf32>) -> (buffer<MxNxf32>) inputs("x") outputs("y") {
  call_dps(%x, %y) {kernel = @transposed, inputs = 1}
  return()
}
kernel @transposed(%a: buffer<NxMxf32>, %r: buffer<MxNxf32>) {
  %0 = loop.literal() {type = index} : index
  %rows = loop.extent() {expression = "N"} : index
  %columns = loop.extent() {expression = "M"} : index
  loop.for(%0, %rows) {kind = parallel, independent = true} ({ ^(%i: index):
    loop.for(%0, %columns) {kind = vector, independent = true} ({ ^(%j: index):
      %x = loop.load(%a[%i, %j]) : f32
      loop.store(%x, %r[%j, %i])
      loop.yield()
    })
    loop.yield()
  })
  return()
}
)"),
                                             cx));
  for (const auto& [rows, columns] : {std::pair<i64, i64>{1, 1}, {3, 40}, {50, 2}, {0, 3}}) {
    const tensor x = random_tensor(dtype::f32, {rows, columns}, 11);
    const tensor y = p.run({x}, 2).at(0);
    REQUIRE(y.shape() == std::vector<i64>{columns, rows});
    for (i64 i = 0; i < rows; ++i)
      for (i64 j = 0; j < columns; ++j) CHECK(y.at_f64(j * rows + i) == x.at_f64(i * columns + j));
  }
}

TEST_CASE("what has no code is an error that names kernel and op") {
  const auto said = [](std::string_view body, const tensor& result) {
    return std::string(caught([&] { run_one(body, {random_tensor(dtype::f32, {8, 8}, 1)}, result); }).what());
  };
  const tensor y(dtype::f32, {8, 8});
  const std::string strided = said(
      "  loop.contract(%a0, %a0) {m = [4], n = 4, k = [4], map_a = [[0, 1, 0, 0], [0, 0, 0, 1]], map_b = [[0, 0, 0, "
      "1], "
      "[0, 0, 2, 0]]}" +
          with_sum(store_sum, dtype::f32),
      y);
  CHECK(
      contains(strided, "kernel 'k': loop.contract: operand a must not depend on n, and b must be contiguous along n"));
  CHECK(contains(strided, "codegen.unsupported"));
}
