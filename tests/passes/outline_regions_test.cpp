// A graph becomes native regions and the host's part, with the same meaning.
#include <tenon/passes/outline_regions.hpp>

#include "support/graph.hpp"

using namespace graph_test;

namespace {

size_t regions_of(const ir::module& m) {
  size_t n = 0;
  for (function_id f : m.functions()) n += !m[f].target.empty();
  return n;
}
/// What stands in `main`, in order.
std::string main_ops(const ir::module& m) {
  std::string s;
  for (op_id op : m[m[m.find_function("main")].body].ops) s += (s.empty() ? "" : " ") + std::string(m.view(op).name());
  return s;
}

}  // namespace

TEST_CASE("a result of the host divides what needs it from what it needs") {
  const auto m = ran<passes::outline_regions>(R"(
    func entry @main(%x: tensor<20x30xf32>) -> (tensor<2x?xi64>, tensor<20x30xf32>) inputs("x") outputs("y", "z") {
      %a = exp(%x) : tensor<20x30xf32>
      %b = neg(%a) : tensor<20x30xf32>
      %n = non_zero(%b) : tensor<2x?xi64>
      %c = neg(%n) : tensor<2x?xi64>
      %d = mul(%a, %b) : tensor<20x30xf32>
      return(%c, %d)
    })");
  CHECK(main_ops(m.body()) == "call non_zero call return");
  CHECK(regions_of(m.body()) == 2);
  fact::regions_outlined::check(m.body());
}

TEST_CASE("shape arithmetic goes into the regions that use it, and to the host if that does") {
  const auto m = ran<passes::outline_regions>(R"(
    constant #0 : tensor<1xi64> = [-1]
    constant #1 : tensor<1xi64> = [0]
    func entry @main(%x: tensor<2x3xf32>) -> (tensor<?x?xf32>, tensor<2x?xi64>) inputs("x") outputs("y", "z") {
      %n = non_zero(%x) : tensor<2x?xi64>
      %m = neg(%n) : tensor<2x?xi64>
      %f = cast(%m) {to = f32} : tensor<2x?xf32>
      %s = shape_of(%m) : tensor<2xi64>
      %zero = constant() {value = #1} : tensor<1xi64>
      %rows = gather(%s, %zero) : tensor<1xi64>
      %rest = constant() {value = #0} : tensor<1xi64>
      %shape = concat(%rest, %rows) : tensor<2xi64>
      %r = reshape(%f, %shape) : tensor<?x?xf32>
      return(%r, %m)
    })");
  CHECK(main_ops(m.body()) == "non_zero call return");
  const std::string text = print(m);
  CHECK(text.find("shape_of") != std::string::npos);
}

TEST_CASE("views and few numbers that no region computes stay on the host") {
  const auto m = ran<passes::outline_regions>(R"(
    constant #0 : tensor<2xi64> = [3, -1]
    func entry @main(%x: tensor<2x300xf32>, %i: tensor<i64>) -> (tensor<i64>, tensor<?x?xf32>, tensor<2x?xi64>) inputs("x", "i") outputs("a", "b", "c") {
      %j = add(%i, %i) : tensor<i64>
      %s = constant() {value = #0} : tensor<2xi64>
      %v = reshape(%x) {shape = [3, 200]} : tensor<3x200xf32>
      %n = non_zero(%v) : tensor<2x?xi64>
      %e = exp(%v) : tensor<3x200xf32>
      return(%j, %e, %n)
    })");
  CHECK(regions_of(m.body()) == 1);
  CHECK(main_ops(m.body()) == "add reshape non_zero call return");
}

TEST_CASE("the bodies of control flow are divided too, and use what is outside") {
  const auto m = ran<passes::outline_regions>(R"(
    constant #0 : tensor<i64> = [3]
    func entry @main(%x: tensor<20x30xf32>) -> (tensor<20x30xf32>, tensor<?x20x30xf32>) inputs("x") outputs("y", "z") {
      %a = exp(%x) : tensor<20x30xf32>
      %n = constant() {value = #0} : tensor<i64>
      %y, %z = repeat(%n, _, %a) : (tensor<20x30xf32>, tensor<3x20x30xf32>) ({ ^(%i: tensor<i64>, %go: tensor<bool>, %v: tensor<20x30xf32>):
        %w = mul(%v, %x) : tensor<20x30xf32>
        %b = less(%i, %i) : tensor<bool>
        %u = if_else(%b) : tensor<20x30xf32> ({
          %p = neg(%w) : tensor<20x30xf32>
          yield(%p)
        }, {
          yield(%a)
        })
        yield(%go, %u, %w)
      })
      return(%y, %z)
    })");
  CHECK(regions_of(m.body()) == 3);
  CHECK(main_ops(m.body()) == "constant call repeat return");
}

TEST_CASE("a value that only a shape is needed of is no result of its region") {
  const auto m = ran<passes::outline_regions>(R"(
    func entry @main(%x: tensor<20x30xf32>) -> (tensor<20x30xf32>, tensor<2x?xi64>) inputs("x") outputs("y", "z") {
      %a = exp(%x) : tensor<20x30xf32>
      %s = shape_of(%a) : tensor<2xi64>
      %r = expand(%a, %s) : tensor<20x30xf32>
      %n = non_zero(%r) : tensor<2x?xi64>
      return(%r, %n)
    })");
  const ir::module& b = m.body();
  for (function_id f : b.functions())
    if (!b[f].target.empty()) CHECK(b[f].result_types.size() == 1);
}

TEST_CASE("the fact's checker names what does not belong into a region") {
  auto m = parse(
      "tenon.module phase=optimization\n"
      "func entry @main(%x: tensor<3xf32>) -> (tensor<1x?xi64>) {\n  %y = non_zero(%x) : tensor<1x?xi64>\n  "
      "return(%y)\n}");
  fact::regions_outlined::check(m);
  m[m.find_function("main")].target = "cpu";
  CHECK_THROWS_WITH_AS(fact::regions_outlined::check(m), doctest::Contains("non_zero: no loop nests exist for it"),
                       error);
}
