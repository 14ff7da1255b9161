// Identities, movements that cancel, and what must stay.
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/simplify.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

ir_module<phases::optimization> simplified(std::string_view text) {
  auto m = ran<passes::simplify>(text);
  context cx;
  passes::eliminate_dead{}.run(m, cx);
  return m;
}

/// One op on %0 : tensor<2x3xf32> and a scalar constant.
std::string with_scalar(const std::string& op, const std::string& number) {
  return "constant #0 : tensor<f32> = [" + number + "]\n" +
         "func entry @main(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {\n"
         "  %1 = constant() {value = #0} : tensor<f32>\n"
         "  %2 = " +
         op +
         "(%0, %1) : tensor<2x3xf32>\n"
         "  return(%2)\n}\n";
}

}  // namespace

TEST_CASE("neutral constants disappear") {
  for (const auto& [op, number] : {std::pair{"add", "0"},
                                   {"sub", "0"},
                                   {"mul", "1"},
                                   {"div", "1"},
                                   {"pow", "1"},
                                   {"maximum", "-inf"},
                                   {"minimum", "inf"}}) {
    CAPTURE(op);
    const auto m = simplified(with_scalar(op, number));
    CHECK(count(m, op) == 0);
  }
  CHECK(count(simplified(with_scalar("add", "1")), "add") == 1);
  CHECK(count(simplified(with_scalar("maximum", "0")), "maximum") == 1);
}

TEST_CASE("what was replaced is in no region's list, in branches neither, whatever runs next") {
  const auto m = ran<passes::simplify>(R"(constant #0 : tensor<f32> = [1]
func entry @main(%0: tensor<bool>, %1: tensor<2xf32>) -> (tensor<2xf32>) {
  %2 = constant() {value = #0} : tensor<f32>
  %3 = mul(%1, %2) : tensor<2xf32>
  %4 = if_else(%0) : tensor<2xf32> ({
    %5 = div(%3, %2) : tensor<2xf32>
    %6 = exp(%5) : tensor<2xf32>
    yield(%6)
  }, {
    %7 = mul(%2, %3) : tensor<2xf32>
    yield(%7)
  })
  return(%4)
})");
  int listed = 0;
  const auto count = [&](auto& self, region_id r) -> void {
    for (op_id op : m.body()[r].ops) {
      REQUIRE(m.body().alive(op));
      ++listed;
      for (u32 i = 0; i < m.body()[op].region_count; ++i) self(self, m.body().region(op, static_cast<int>(i)));
    }
  };
  for (function_id f : m.body().functions()) count(count, m.body()[f].body);
  CHECK(listed == 6);  // constant, if_else, exp and two yields, return
}

TEST_CASE("a neutral constant that broadcasts the operand stays") {
  const auto m = simplified(R"(
constant #0 : tensor<2x1xf32> = [0, 0]
func entry @main(%0: tensor<3xf32>) -> (tensor<2x3xf32>) {
  %1 = constant() {value = #0} : tensor<2x1xf32>
  %2 = add(%0, %1) : tensor<2x3xf32>
  return(%2)
})");
  CHECK(count(m, "add") == 1);
}

TEST_CASE("sub becomes add, and div by a power of two becomes mul") {
  CHECK(count(simplified(with_scalar("sub", "3")), "add") == 1);
  CHECK(count(simplified(with_scalar("div", "4")), "mul") == 1);
  CHECK(count(simplified(with_scalar("div", "3")), "div") == 1);
}

TEST_CASE("small powers are products") {
  CHECK(count(simplified(with_scalar("pow", "2")), "mul") == 1);
  CHECK(count(simplified(with_scalar("pow", "3")), "mul") == 2);
  CHECK(count(simplified(with_scalar("pow", "2.5")), "pow") == 1);
}

TEST_CASE("scalars merge only when neither undoes the other") {
  const auto twice = [](const char* op, const char* a, const char* b) {
    return std::string("constant #0 : tensor<f32> = [") + a + "]\nconstant #1 : tensor<f32> = [" + b + R"(]
func entry @main(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %1 = constant() {value = #0} : tensor<f32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = )" + op +
           "(%0, %1) : tensor<2x3xf32>\n  %4 = " + op + "(%3, %2) : tensor<2x3xf32>\n  return(%4)\n}\n";
  };
  CHECK(count(simplified(twice("add", "1", "2")), "add") == 1);
  CHECK(count(simplified(twice("mul", "3", "2")), "mul") == 1);
  CHECK(count(simplified(twice("add", "12582912", "-12582912")), "add") == 2);  // rounds to integers
  CHECK(count(simplified(twice("mul", "1e30", "1e-30")), "mul") == 2);          // saturates
  CHECK(count(simplified(twice("mul", "1e30", "1e30")), "mul") == 2);
}

TEST_CASE("twice is once or nothing") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<2x3xf32>, %1: tensor<2x3xbool>) -> (tensor<2x3xf32>, tensor<2x3xbool>) {
  %2 = neg(%0) : tensor<2x3xf32>
  %3 = neg(%2) : tensor<2x3xf32>
  %4 = logical_not(%1) : tensor<2x3xbool>
  %5 = logical_not(%4) : tensor<2x3xbool>
  return(%3, %5)
})");
  const ir::module& b = m.body();
  const region_id body = b[b.find_function("main")].body;
  CHECK(b.operands(b.terminator(body)) == b[body].arguments);
}

TEST_CASE("reshapes join, and vanish when they change nothing") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>) {
  %1 = reshape(%0) {shape = [12]} : tensor<12xf32>
  %2 = reshape(%1) {shape = [3, -1]} : tensor<3x4xf32>
  %3 = reshape(%1) {shape = [2, 6]} : tensor<2x6xf32>
  return(%2, %3)
})");
  CHECK(count(m, "reshape") == 1);
  const ir::module& b = m.body();
  const region_id body = b[b.find_function("main")].body;
  const std::vector<value_id> results = b.operands(b.terminator(body));
  CHECK(results[1] == b[body].arguments[0]);
  CHECK(b.operand(b[results[0]].definition, 0) == b[body].arguments[0]);
  CHECK(b.view(b[results[0]].definition).as<op::reshape>().shape == std::vector<i64>{3, 4});
}

TEST_CASE("transposes compose; moving extents of 1 is a reshape") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<2x3x4xf32>, %1: tensor<2x1x4xf32>) -> (tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<1x2x4xf32>) {
  %2 = transpose(%0) {permutation = [2, 1, 0]} : tensor<4x3x2xf32>
  %3 = transpose(%2) {permutation = [1, 0, 2]} : tensor<3x4x2xf32>
  %4 = transpose(%2) {permutation = [2, 1, 0]} : tensor<2x3x4xf32>
  %5 = transpose(%1) {permutation = [1, 0, 2]} : tensor<1x2x4xf32>
  return(%3, %4, %5)
})");
  CHECK(count(m, "reshape") == 1);
  CHECK(count(m, "transpose") == 1);
}

TEST_CASE("slices, expands, tiles, pads and casts that change nothing") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %1 = slice(%0) {starts = [0], ends = [99], axes = [1]} : tensor<2x3xf32>
  %2 = expand(%1) {shape = [2, 3]} : tensor<2x3xf32>
  %3 = tile(%2) {repeats = [1, 1]} : tensor<2x3xf32>
  %4 = pad(%3) {before = [0, 0], after = [0, 0]} : tensor<2x3xf32>
  %5 = cast(%4) {to = f32} : tensor<2x3xf32>
  %6 = concat(%5) {axis = 0} : tensor<2x3xf32>
  return(%6)
})");
  CHECK(count(m, "slice") + count(m, "expand") + count(m, "tile") + count(m, "pad") + count(m, "cast") +
            count(m, "concat") ==
        0);
}

TEST_CASE("a slice that reverses and a pad that shifts stay") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %1 = slice(%0) {starts = [-1], ends = [-9], axes = [0], steps = [-1]} : tensor<4xf32>
  %2 = pad(%0) {before = [1], after = [-1]} : tensor<4xf32>
  return(%1, %2)
})");
  CHECK(count(m, "slice") == 1);
  CHECK(count(m, "pad") == 1);
}

TEST_CASE("casts join when nothing is lost on the way") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<4xf16>, %1: tensor<4xi32>) -> (tensor<4xf16>, tensor<4xi32>, tensor<4xf64>) {
  %2 = cast(%0) {to = f32} : tensor<4xf32>
  %3 = cast(%2) {to = f16} : tensor<4xf16>
  %4 = cast(%1) {to = i8} : tensor<4xi8>
  %5 = cast(%4) {to = i32} : tensor<4xi32>
  %6 = cast(%2) {to = f64} : tensor<4xf64>
  return(%3, %5, %6)
})");
  CHECK(count(m, "cast") == 3);  // i32 → i8 → i32 stays, f16 → f32 → f64 is one
}

TEST_CASE("elementwise ops broadcast by themselves") {
  const auto m = simplified(R"(
func entry @main(%0: tensor<1x3xf32>, %1: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %2 = expand(%0) {shape = [2, 3]} : tensor<2x3xf32>
  %3 = add(%2, %1) : tensor<2x3xf32>
  %4 = exp(%2) : tensor<2x3xf32>
  return(%3, %4)
})");
  const ir::module& b = m.body();
  const region_id body = b[b.find_function("main")].body;
  const std::vector<value_id> results = b.operands(b.terminator(body));
  CHECK(b.operand(b[results[0]].definition, 0) == b[body].arguments[0]);
  CHECK(b.view(b[b.operand(b[results[1]].definition, 0)].definition).is<op::expand>());
}

TEST_CASE("where with a known condition") {
  const auto m = simplified(R"(
constant #0 : tensor<bool> = [true]
func entry @main(%0: tensor<2xf32>, %1: tensor<2xf32>) -> (tensor<2xf32>) {
  %2 = constant() {value = #0} : tensor<bool>
  %3 = where(%2, %0, %1) : tensor<2xf32>
  return(%3)
})");
  CHECK(count(m, "where") == 0);
}
