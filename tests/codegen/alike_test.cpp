// needs: llvm
// Bodies of parallel loops that differ in sizes, strides, offsets and factors alone are one function, and compute what
// each of them did; where a number cannot come from a table for nothing, they stay apart.
#include <doctest/doctest.h>

#include <cstring>

#include "codegen/kernels.hpp"
#include "support/elf_sections.hpp"
#include "support/lowered.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

/// How many functions an object has.
size_t functions_in(std::span<const char> object) {
  size_t n = 0;
  testing::for_each_section(object, [&](const Elf64_Shdr& s) {
    if (s.sh_type != SHT_SYMTAB) return;
    for (u64 at = 0; at < s.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, object.data() + s.sh_offset + at, sizeof symbol);
      n += ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
    }
  });
  return n;
}
size_t functions_of(std::string_view body, const std::vector<tensor>& inputs, const std::vector<tensor>& results) {
  context cx;
  targets::cpu target;
  target.threads = 2, target.check_bounds = bounds_checks::off;
  target.configure(cx);
  const auto m = passes::generate_code{}.run(kernel_module(body, inputs, results), cx);
  return functions_in(artifact_of<formats::elf_object>(m).bytes());
}
constexpr size_t entry_and_kernel = 2;

/// r[i, j + from] = x[i, j] * factor for rows and columns of x: a part of a concat.
std::string copied(int number, i64 rows, i64 columns, i64 from, const std::string& factor) {
  const std::string n = std::to_string(number), x = "%a" + n;
  return "  %rows" + n + " = loop.literal() {type = index, integer = " + std::to_string(rows) +
         "} : index\n  %columns" + n + " = loop.literal() {type = index, integer = " + std::to_string(columns) +
         "} : index\n  loop.for(%n0, %rows" + n + ") {kind = parallel, grain = 2, independent = true} ({ ^(%i" + n +
         ": index):\n    loop.for(%n0, %columns" + n + ") {kind = vector, independent = true} ({ ^(%j" + n +
         ": index):\n      %v" + n + " = loop.load(" + x + "[%i" + n + ", %j" + n + "]) : f32\n      %f" + n +
         " = loop.literal() {type = f32, real = " + factor + "} : f32\n      %p" + n + " = loop.scalar(%v" + n +
         ", %f" + n + ") {fn = mul} : f32\n      loop.store(%p" + n + ", %r0[%i" + n + ", %j" + n + " + " +
         std::to_string(from) + "])\n      loop.yield()\n    })\n    loop.yield()\n  })\n";
}
struct concat {
  std::string body;
  std::vector<tensor> parts;
  tensor result, want;
};
concat concat_of(const std::vector<i64>& widths, const std::vector<std::string>& factors) {
  constexpr i64 rows = 6;
  i64 all = 8;  // of which the first ones are nobody's: each part begins behind a number
  for (i64 w : widths) all += w;
  concat c{{}, {}, tensor(dtype::f32, {rows, all}), tensor(dtype::f32, {rows, all})};
  i64 from = 8;
  for (size_t k = 0; k < widths.size(); ++k) {
    c.body += copied(static_cast<int>(k), rows, widths[k], from, factors[k]);
    c.parts.push_back(random_tensor(dtype::f32, {rows, widths[k]}, k + 1));
    for (i64 i = 0; i < rows; ++i)
      for (i64 j = 0; j < widths[k]; ++j)
        c.want.set_f64(i * all + from + j, c.parts[k].at_f64(i * widths[k] + j) * std::stod(factors[k]));
    from += widths[k];
  }
  return c;
}
void check(const concat& c) {
  for (const int threads : {1, 2})
    for (const bool checked : {false, true}) {
      const tensor y = run_one(c.body, c.parts, c.result, {.threads = threads, .checked = checked});
      for (i64 i = 0; i < y.size(); ++i)
        if (i % y.shape()[1] >= 8) CHECK(y.at_f64(i) == doctest::Approx(c.want.at_f64(i)));
    }
}

/// y[i, j] = the sum of 12 rows of x, each so many elements behind the one before, by a loop of its own for each x.
std::string windows(int number, i64 columns) {
  const std::string n = std::to_string(number);
  std::string s = "  %columns" + n + " = loop.literal() {type = index, integer = " + std::to_string(columns) +
                  "} : index\n  loop.for(%n0, %n4) {kind = parallel, independent = true} ({ ^(%i" + n +
                  ": index):\n    loop.for(%n0, %columns" + n + ") {kind = vector, independent = true} ({ ^(%j" + n +
                  ": index):\n      %s" + n + "_0 = loop.load(%a" + n + "[%i" + n + ", %j" + n + "]) : f32\n";
  for (int row = 1; row < 12; ++row) {
    const std::string r = std::to_string(row), before = "%s" + n + "_" + std::to_string(row - 1);
    s += "      %x" + n + "_" + r + " = loop.load(%a" + n + "[%i" + n + " + " + r + ", %j" + n + "]) : f32\n      %s" +
         n + "_" + r + " = loop.scalar(" + before + ", %x" + n + "_" + r + ") {fn = add} : f32\n";
  }
  return s + "      loop.store(%s" + n + "_11, %r" + n + "[%i" + n + ", %j" + n +
         "])\n      loop.yield()\n    })\n    loop.yield()\n  })\n";
}

/// kernel @kN: y[i, j] = x[i, j] * 2^24 * factor for the first rows.
std::string scaled_kernel(int number, i64 rows, const std::string& factor) {
  std::string s =
      "kernel @k" + std::to_string(number) +
      "(%x: buffer<8x24xf32>, %y: buffer<8x24xf32>) target(\"cpu\") {\n  %zero = loop.literal() {type = index} : "
      "index\n  %rows = loop.literal() {type = index, integer = " +
      std::to_string(rows) +
      "} : index\n  %columns = loop.literal() {type = index, integer = 24} : index\n  loop.for(%zero, %rows) "
      "({ ^(%i: index):\n    loop.for(%zero, %columns) {kind = vector, independent = true} ({ ^(%j: "
      "index):\n      %v0 = loop.load(%x[%i, %j]) : f32\n";
  for (int k = 1; k <= 24; ++k) {
    const std::string before = "%v" + std::to_string(k - 1);
    s += "      %v" + std::to_string(k) + " = loop.scalar(" + before + ", " + before + ") {fn = add} : f32\n";
  }
  return s + "      %f = loop.literal() {type = f32, real = " + factor +
         "} : f32\n      %r = loop.scalar(%v24, %f) {fn = mul} : f32\n      loop.store(%r, %y[%i, %j])\n      "
         "loop.yield()\n    })\n    loop.yield()\n  })\n  return()\n}\n";
}

/// r[i] = i / divisor
std::string divided(int number, i64 divisor) {
  const std::string n = std::to_string(number);
  return "  %end" + n + " = loop.literal() {type = index, integer = 40} : index\n  loop.for(%n0, %end" + n +
         ") {kind = parallel, independent = true} ({ ^(%i" + n + ": index):\n    %d" + n +
         " = loop.literal() {type = index, integer = " + std::to_string(divisor) + "} : index\n    %q" + n +
         " = loop.scalar(%i" + n + ", %d" + n + ") {fn = div} : index\n    %c" + n + " = loop.convert(%q" + n +
         ") {to = i64} : i64\n    loop.store(%c" + n + ", %r" + n + "[%i" + n + "])\n    loop.yield()\n  })\n";
}

}  // namespace

TEST_CASE("loops that differ in sizes, offsets and factors are one function") {
  const concat c = concat_of({16, 32, 48, 16}, {"0.5", "0.25", "3", "-0.75"});
  CHECK(functions_of(c.body, c.parts, {c.result}) == entry_and_kernel + 1);
  check(c);
}

TEST_CASE("what LLVM knows something simpler for, and rests of vectors, stay apart") {
  const concat factors = concat_of({16, 32, 48}, {"0.5", "1", "-1"});
  CHECK(functions_of(factors.body, factors.parts, {factors.result}) == entry_and_kernel + 3);
  check(factors);
  const concat rests = concat_of({17, 18, 33}, {"0.5", "0.25", "3"});
  CHECK(functions_of(rests.body, rests.parts, {rests.result}) > entry_and_kernel + 1);
  check(rests);
}

TEST_CASE("innermost loops have no more numbers of a table than registers hold") {
  std::vector<tensor> x, y;
  for (const i64 columns : {24, 40}) {
    x.push_back(random_tensor(dtype::f32, {16, columns}, static_cast<u64>(columns)));
    y.emplace_back(dtype::f32, std::vector<i64>{4, columns});
  }
  const std::string body = windows(0, 24) + windows(1, 40);
  CHECK(functions_of(body, x, y) == entry_and_kernel + 2);
  const std::vector<tensor> got = run_kernel(body, x, y, {.threads = 2});
  for (size_t k = 0; k < x.size(); ++k)
    for (i64 i = 0, columns = y[k].shape()[1]; i < y[k].size(); ++i) {
      float sum = 0;
      for (i64 r = 0; r < 12; ++r) sum += static_cast<float>(x[k].at_f64(i + r * columns));
      CHECK(got[k].at_f64(i) == doctest::Approx(sum));
    }
}

TEST_CASE("divisors are numbers in the code: the division by one is a product") {
  const std::vector<tensor> y(3, tensor(dtype::i64, {40}));
  const std::string body = divided(0, 3) + divided(1, 7) + divided(2, 7);
  CHECK(functions_of(body, {}, y) == entry_and_kernel + 2);
  const std::vector<tensor> got = run_kernel(body, {}, y, {.threads = 2});
  for (i64 i = 0; i < 40; ++i) {
    CHECK(got[0].at_i64(i) == i / 3);
    CHECK(got[1].at_i64(i) == i / 7);
    CHECK(got[2].at_i64(i) == i / 7);
  }
}

TEST_CASE("kernels without parallel loops keep their names, and call what they share") {
  const std::string entry =
      "tenon.module phase=build\nfunc entry @main(%x: buffer<8x24xf32>, %y: buffer<8x24xf32>) -> (buffer<8x24xf32>) "
      "target(\"cpu\") {\n  call_native(%x, %y) {kernel = @k0}\n  call_native(%x, %y) {kernel = @k1}\n  return()\n}\n";
  context cx;
  targets::cpu target;
  target.threads = 1, target.check_bounds = bounds_checks::off;
  target.configure(cx);
  const auto m = passes::generate_code{}.run(
      parse<phases::build>(entry + scaled_kernel(0, 8, "0.5") + scaled_kernel(1, 3, "0.25")), cx);
  CHECK(functions_in(artifact_of<formats::elf_object>(m).bytes()) == 1 + 2 + 1);
  const std::vector<tensor> x{random_tensor(dtype::f32, {8, 24}, 9)};
  const tensor y = load(m).run(std::span<const tensor>(x), 1).at(0);
  for (i64 i = 0; i < y.size(); ++i)
    CHECK(y.at_f64(i) == x[0].at_f64(i) * static_cast<double>(1 << 24) * (i < 3 * 24 ? 0.25 : 0.5));
}
