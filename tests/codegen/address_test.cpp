// needs: llvm
// Addresses: accesses that differ by a number share what the loops add, whatever is left of the number: positive,
// negative, of each dimension, in scalar and in vector loops. Results are those of plain C++.
#include <doctest/doctest.h>

#include "codegen/kernels.hpp"
#include "support/lowered.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr i64 rows = 7, columns = 9, channels = 24;

/// y[r, c, k] = sum of x[r + dr, c + dc, k] for all dr and dc of 0 to 2, the rows from the last to the first: their
/// index has a factor of -1.
std::string window_kernel(const std::string& how) {
  std::string s = "  %rows = loop.literal() {type = index, integer = " + std::to_string(rows - 2) +
                  "} : index\n  %columns = loop.literal() {type = index, integer = " + std::to_string(columns - 2) +
                  "} : index\n  %channels = loop.literal() {type = index, integer = " + std::to_string(channels) +
                  "} : index\n  %zero = loop.literal() {type = f32, real = 0} : f32\n"
                  "  loop.for(%n0, %rows) ({ ^(%i: index):\n    loop.for(%n0, %columns) ({ ^(%j: index):\n"
                  "      loop.for(%n0, %channels)" +
                  how + " ({ ^(%k: index):\n";
  std::string sum = "%zero";
  for (int dr = 0; dr < 3; ++dr)
    for (int dc = 0; dc < 3; ++dc) {
      const std::string n = std::to_string(3 * dr + dc);
      s += "        %x" + n + " = loop.load(%a0[-%i + " + std::to_string(rows - 3 + dr) + ", %j + " +
           std::to_string(dc) + ", %k]) : f32\n        %s" + n + " = loop.scalar(" + sum + ", %x" + n +
           ") {fn = add} : f32\n";
      sum = "%s" + n;
    }
  return s + "        loop.store(" + sum + ", %r0[-%i + " + std::to_string(rows - 3) +
         ", %j, %k])\n        loop.yield()\n      })\n      loop.yield()\n    })\n    loop.yield()\n  })\n";
}

/// How many pointers the code computes from others by what is no number.
size_t computed_pointers(const std::string& ir) {
  size_t count = 0;
  for (size_t at = 0, end; (end = ir.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string_view line = std::string_view(ir).substr(at, end - at);
    const size_t index = line.rfind("i64 ");
    count += line.find("getelementptr") != line.npos && index != line.npos && line.substr(index + 4).starts_with("%");
  }
  return count;
}

}  // namespace

TEST_CASE("accesses beside each other read what they should, in scalar and in vector loops") {
  const tensor x = random_tensor(dtype::f32, {rows, columns, channels}, 5);
  for (const std::string& how : {std::string(), std::string(" {kind = vector, lanes = 8, independent = true}"),
                                 std::string(" {kind = vector, lanes = 16, independent = true}")})
    for (const bool checked : {false, true}) {
      const tensor y =
          run_one(window_kernel(how), {x}, tensor(dtype::f32, {rows - 2, columns - 2, channels}), {.checked = checked});
      for (i64 r = 0; r < rows - 2; ++r)
        for (i64 c = 0; c < columns - 2; ++c)
          for (i64 k = 0; k < channels; ++k) {
            float sum = 0;
            for (i64 dr = 0; dr < 3; ++dr)
              for (i64 dc = 0; dc < 3; ++dc)
                sum += static_cast<float>(x.at_f64(((r + dr) * columns + c + dc) * channels + k));
            CHECK(y.at_f64((r * (columns - 2) + c) * channels + k) == static_cast<double>(sum));
          }
    }
}

TEST_CASE("accesses that differ by a number have one pointer for each loop, and the number for each") {
  const tensor x(dtype::f32, {rows, columns, channels}), y(dtype::f32, {rows - 2, columns - 2, channels});
  codegen::options o;
  o.keep_text = true;
  const std::string ir =
      codegen::emit_object(
          kernel_module(window_kernel(" {kind = vector, lanes = 8, independent = true}"), {x}, {y}).body(), o)
          .ir;
  CHECK(computed_pointers(ir) >= 1);
  CHECK(computed_pointers(ir) <= 6);  // a pointer to each of two buffers for each of three loops, of nine accesses
}
