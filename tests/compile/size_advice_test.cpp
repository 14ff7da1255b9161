// Errors of given sizes name the size that is at fault, and one that was tried and fits.
#include <doctest/doctest.h>

#include <tenon/compile/size_advice.hpp>
#include <tenon/core/attempt.hpp>
#include <tenon/importers/module.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

/// A function of %x and %w that gives %y.
std::unique_ptr<module_source> source(const std::string& x, const std::string& w, const std::string& body) {
  return source_of(parse<phases::ingestion>("tenon.module phase=ingestion\nfunc entry @main(%x: tensor<" + x +
                                            ">, %w: tensor<" + w + ">) -> (tensor<?x?x?x?xf32>) inputs(\"x\", \"w\") " +
                                            "outputs(\"y\") {\n" + body + "\nreturn(%y)\n}"));
}
std::string advice(const module_source& m, std::vector<i64> x, std::vector<i64> w, advice_time left = usual_advice_time,
                   const size_error& e = rule_error("test", "message")) {
  known_inputs given;
  given.shapes = {{"x", std::move(x)}, {"w", std::move(w)}};
  return size_advice(e, m, given, parse_target("interpreter"), left);
}
constexpr const char* pooled =
    "%a = max_pool(%x) {kernel = [3, 20]} : tensor<?x?x?x?xf32>\n"
    "%y = mul(%a, %w) : tensor<?x?x?x?xf32>";
/// The product asks that w has as many elements as x has columns.
constexpr const char* joined =
    "%a = mul(%x, %w) : tensor<1x1x?x?xf32>\n"
    "%y = max_pool(%a) {kernel = [2, 3]} : tensor<?x?x?x?xf32>";

}  // namespace

TEST_CASE("the one dimension that does not fit, and the size next to it that does") {
  const auto m = source("1x1xhxwxf32", "nxf32", pooled);
  CHECK(advice(*m, {1, 1, 2, 24}, {1}) == "input 'x', dimension 2 is 2: 3 would fit");
  CHECK(advice(*m, {1, 1, 3, 3}, {1}) == "input 'x', dimension 3 is 3: 20 would fit");
  CHECK(advice(*m, {1, 1, 3, 1000}, {900}) == "input 'w', dimension 0 is 900: 1 would fit");
}

TEST_CASE("dimensions that are equal by a symbol are one size") {
  const auto m = source("1x1xhxnxf32", "nxf32", joined);
  CHECK(advice(*m, {1, 1, 1, 7}, {7}) == "input 'x', dimension 2 is 1: 2 would fit");
  CHECK(advice(*m, {1, 1, 4, 2}, {2}) == "input 'x', dimension 3 and input 'w', dimension 0 are 2: 3 would fit");
}

TEST_CASE("where no single size helps, or there is no time, those that are open are listed") {
  const auto m = source("1x1xhxwxf32", "nxf32", pooled);
  const std::string list =
      "input 'x' is f32[1,1,2,3], of which dimensions 2 and 3 may be others; "
      "input 'w' is f32[1], of which dimension 0 may be another";
  CHECK(advice(*m, {1, 1, 2, 3}, {1}) == list);
  CHECK(advice(*m, {1, 1, 2, 24}, {1}, {}).starts_with("input 'x' is f32[1,1,2,24], of which"));
}

TEST_CASE("a size that an error knows of is tried, whatever its message says") {
  // No multiple of 7 is 30, and no part of it: only who knows the rule's numbers finds it.
  const auto m = source("1x1xhxwxf32", "1x1x5x6xf32", "%y = reshape(%x) {shape = [1, 1, 5, 6]} : tensor<1x1x5x6xf32>");
  const auto said = [&](const size_error& e) { return advice(*m, {1, 1, 1, 7}, {1, 1, 5, 6}, usual_advice_time, e); };
  CHECK(said(rule_error("test", "7 elements, not 30")).starts_with("input 'x' is f32[1,1,1,7], of which"));
  CHECK(said(rule_error("test", "message", {}, {}, {1, 7, 30})) == "input 'x', dimension 3 is 7: 30 would fit");
}

TEST_CASE("a rule that is broken knows the sizes of its operands, and the numbers of its op") {
  const failure built = attempt([] {
    ir::module m;
    const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {2, 7}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    ir::builder<> b(m, m[f].body);
    b.make(op::reshape{.shape = {5, 6}}, {m[m[f].body].arguments[0]});
  });
  REQUIRE(built.as<rule_error>() != nullptr);
  CHECK(built.as<rule_error>()->sizes() == std::vector<i64>{2, 7, 5, 6});
  CHECK(built->message().starts_with("reshape: "));
}
