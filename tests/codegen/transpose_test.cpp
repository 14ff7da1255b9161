// needs: llvm
// A vector loop in a short loop whose loads, or stores, are contiguous along the short one: code transposes blocks in
// registers. Every number of rows and lanes, on processors with vectors of every width, as plain C++ computes it.
#include <doctest/doctest.h>

#include "codegen/kernels.hpp"
#include "support/lowered.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr i64 all_rows[] = {2, 3, 4, 5, 8, 9, 15, 16, 24, 31, 32, 33}, all_counts[] = {1, 3, 4, 8, 13, 16, 17, 32, 50};
constexpr std::string_view archs[] = {"", "x86-64", "x86-64-v3"};

/// `for i < rows { for j < count { body } }`, the inner loop one of vectors.
std::string nest(i64 rows, i64 count, const std::string& body) {
  const auto number = [](const std::string& name, i64 v) {
    return "  %" + name + " = loop.literal() {type = index, integer = " + std::to_string(v) + "} : index\n";
  };
  return number("rows", rows) + number("count", count) +
         "  loop.for(%n0, %rows) {independent = true} ({ ^(%i: index):\n"
         "    loop.for(%n0, %count) {kind = vector, independent = true} ({ ^(%j: index):\n" +
         body + "      loop.yield()\n    })\n    loop.yield()\n  })\n";
}

}  // namespace

TEST_CASE("rows that are loaded along the short loop are transposed") {
  for (std::string_view arch : archs)
    for (dtype t : {dtype::f32, dtype::i32})
      for (i64 rows : all_rows)
        for (i64 count : all_counts) {
          CAPTURE(rows);
          CAPTURE(count);
          const std::string type(name_of(t));
          const tensor x = random_tensor(t, {count, rows}, 1, 0, 9), z = random_tensor(t, {rows, count}, 2, 0, 9);
          const std::string body =
              "      %x = loop.load(%a0[%j, %i]) : " + type + "\n      %z = loop.load(%a1[%i, %j]) : " + type +
              "\n      %y = loop.scalar(%x, %z) {fn = mul} : " + type + "\n      loop.store(%y, %r0[%i, %j])\n";
          const tensor y = run_one(nest(rows, count, body), {x, z}, tensor(t, {rows, count}), {std::string(arch)});
          for (i64 i = 0; i < rows; ++i)
            for (i64 j = 0; j < count; ++j)
              REQUIRE(y.at_f64(i * count + j) == x.at_f64(j * rows + i) * z.at_f64(i * count + j));
        }
}

TEST_CASE("so are rows whose distance follows from the sizes of a run") {
  for (std::string_view arch : archs) {
    targets::cpu target;
    target.arch = arch, target.threads = 1;
    context cx;
    target.configure(cx);
    const program p = load(build<targets::cpu>(parse<phases::ingestion>(R"(tenon.module phase=ingestion
      func entry @main(%0: tensor<bx40xhxwxf32>) -> (tensor<bxhxwx40xf32>) inputs("x") outputs("y") {
        %1 = transpose(%0) {permutation = [0, 2, 3, 1]} : tensor<bxhxwx40xf32>
        return(%1)
      })"),
                                               cx));
    for (const auto& [b, h, w] : {std::array<i64, 3>{1, 32, 32}, {2, 7, 17}, {1, 1, 1}, {3, 1, 50}, {1, 50, 1}}) {
      CAPTURE(w);
      const tensor x = random_tensor(dtype::f32, {b, 40, h, w}, 6), y = p.run({x}, 1).at(0);
      REQUIRE(y.shape() == std::vector<i64>{b, h, w, 40});
      for (i64 k = 0; k < y.size(); ++k) {
        const i64 plane = h * w, image = k / (40 * plane), pixel = k / 40 % plane, channel = k % 40;
        REQUIRE(y.at_f64(k) == x.at_f64((image * 40 + channel) * plane + pixel));
      }
    }
  }
}

TEST_CASE("vectors that go to neighbours in turns are interleaved, and nothing behind them is written") {
  for (std::string_view arch : archs)
    for (dtype t : {dtype::f32, dtype::u8, dtype::i8})
      for (i64 rows : {2, 3, 4, 5})
        for (i64 count : all_counts) {
          CAPTURE(rows);
          CAPTURE(count);
          const std::string type(name_of(t));
          const tensor x = random_tensor(t, {rows, count}, 3, 0, 9);
          const std::string body = "      %x = loop.load(%a0[%i, %j]) : " + type +
                                   "\n      %y = loop.scalar(%x, %x) {fn = add} : " + type +
                                   "\n      loop.store(%y, %r0[%j + 1, %i])\n";
          const tensor y = run_one(nest(rows, count, body), {x}, tensor(t, {count + 2, rows}), {std::string(arch)});
          for (i64 i = 0; i < rows; ++i)
            for (i64 j = 0; j < count + 2; ++j)
              REQUIRE(y.at_f64(j * rows + i) == (j == 0 || j > count ? 0 : 2 * x.at_f64(i * count + j - 1)));
        }
}

TEST_CASE("planes of bytes become pixels with a border, and rows of bytes are read with one") {
  for (std::string_view arch : archs)
    for (dtype t : {dtype::u8, dtype::i8})
      for (bool pixels : {true, false})
        for (i64 rows : {2, 3, 4})
          for (i64 count : all_counts) {
            CAPTURE(pixels);
            CAPTURE(rows);
            CAPTURE(count);
            const std::string type(name_of(t));
            const tensor x = random_tensor(t, {rows, count}, 4, 0, 9);
            const std::string body = "      %fill = loop.literal() {type = " + type + ", integer = 77} : " + type +
                                     "\n      %x = loop.load(%a0[%i, %j - 2], %fill) : " + type +
                                     "\n      loop.store(%x, %r0[" + (pixels ? "%j, %i" : "%i, %j") + "])\n";
            const i64 wide = count + 5;
            const tensor y = run_one(nest(rows, wide, body), {x},
                                     tensor(t, pixels ? std::vector<i64>{wide, rows} : std::vector<i64>{rows, wide}),
                                     {std::string(arch)});
            for (i64 i = 0; i < rows; ++i)
              for (i64 j = 0; j < wide; ++j)
                REQUIRE(y.at_f64(pixels ? j * rows + i : i * wide + j) ==
                        (j < 2 || j >= count + 2 ? 77 : x.at_f64(i * count + j - 2)));
          }
}
