// Patterns as types: what they match, what they capture, and what the compiler refuses.
#include <tenon/compile/context.hpp>
#include <tenon/compile/external/match.hpp>
#include <tenon/ops/all.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

constexpr auto is_zero = [](const tensor& t) { return t.size() == 1 && t.at_f64(0) == 0; };
using conv_bias = pattern<op::conv, any, capture<"weight", constant>, maybe<constant>>;
using relu =
    such_that<pattern<op::maximum, maybe<pattern<op::add, capture<"conv", conv_bias>, capture<"bias", constant>>>,
                      such_that<constant, is_zero>>,
              [](ir::op_view v) { return v.result_type().elem == dtype::f32; }, "f32">;

template <class P>
concept fine = pattern_of<P, phases::optimization>;
static_assert(fine<relu>);
static_assert(fine<pattern<op::concat, any, rest<any>>> && fine<pattern<op::concat, rest<constant>>>);
static_assert(fine<pattern<one_of<op::add, op::sub>, any, any>>);
static_assert(!fine<any> && !fine<constant> && !fine<capture<"x", any>>);
static_assert(!fine<pattern<op::slot>>);                                            // an op of another phase
static_assert(!fine<pattern<op::conv, any>> && !fine<pattern<op::neg, any, any>>);  // too few, too many operands
static_assert(!fine<pattern<op::concat, rest<any>, any>>);                          // rest is last
static_assert(!fine<pattern<op::add, capture<"x", any>, pattern<op::neg, capture<"x", any>>>>);

const char* const net = R"(
constant #0 : tensor<2x1x1x1xf32> = [1, 2]
constant #1 : tensor<2x1x1xf32> = [2, -3]
constant #2 : tensor<f32> = [0]
constant #3 : tensor<f32> = [1]
func entry @main(%0: tensor<1x1x3x4xf32>) -> (tensor<1x2x3x4xf32>) {
  %1 = constant() {value = #0} : tensor<2x1x1x1xf32>
  %2 = constant() {value = #1} : tensor<2x1x1xf32>
  %3 = constant() {value = #2} : tensor<f32>
  %4 = constant() {value = #3} : tensor<f32>
  %5 = conv(%0, %1) : tensor<1x2x3x4xf32>
  %6 = add(%2, %5) : tensor<1x2x3x4xf32>
  %7 = maximum(%3, %6) : tensor<1x2x3x4xf32>
  %8 = maximum(%7, %4) : tensor<1x2x3x4xf32>
  %9 = maximum(%5, %3) : tensor<1x2x3x4xf32>
  %10 = concat(%8, %9, %9) {axis = 0} : tensor<3x2x3x4xf32>
  %11 = reduce_sum(%10) {axes = [0]} : tensor<1x2x3x4xf32>
  return(%11)
})";

op_id nth(const ir::module& m, std::string_view name, int n) {
  op_id found;
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).name() == name && n-- == 0) found = op;
  });
  REQUIRE(found);
  return found;
}

}  // namespace

TEST_CASE("operands of commutative ops are tried in both orders, captures are found by name") {
  const auto m = graph(net);
  const ir::module& b = m.body();
  const auto found = match<relu>(b, nth(b, "maximum", 0));
  REQUIRE(found);
  CHECK(found->ops.size() == 3);
  CHECK(found->ops[0] == nth(b, "maximum", 0));
  CHECK(found->at<"conv">() == b.result(nth(b, "conv", 0)));
  CHECK(b.constant_value(found->at<"weight">())->size() == 2);
  CHECK(b.constant_value(found->at<"bias">())->shape() == std::vector<i64>{2, 1, 1});
}

TEST_CASE("an optional op may be absent; constraints decide") {
  const auto m = graph(net);
  const ir::module& b = m.body();
  CHECK_FALSE(match<relu>(b, nth(b, "maximum", 1)));  // the constant is one
  const auto without = match<relu>(b, nth(b, "maximum", 2));
  REQUIRE(without);
  CHECK(without->ops.size() == 2);
  CHECK(without->at<"conv">() == b.result(nth(b, "conv", 0)));
  CHECK_FALSE(without->at<"bias">());
}

TEST_CASE("any number of operands, one of several ops, and why a constraint did not hold") {
  const auto m = graph(net);
  const ir::module& b = m.body();
  CHECK(match<pattern<op::concat, any, rest<pattern<op::maximum, rest<any>>>>>(b, nth(b, "concat", 0)));
  CHECK_FALSE(match<pattern<op::concat, rest<constant>>>(b, nth(b, "concat", 0)));
  CHECK_FALSE(match<pattern<op::concat, any, any>>(b, nth(b, "concat", 0)));
  CHECK(match<pattern<one_of<op::add, op::sub>, any, constant>>(b, nth(b, "add", 0)));
  using never = such_that<pattern<op::add, any, any>, [](ir::op_view) { return false; }, "better weather">;
  const auto table = pattern_table_of<pattern_list<named<"sum", never>, pattern<op::conv, any, any>>>();
  REQUIRE(table.size() == 2);
  CHECK(table[0].name == "sum");
  CHECK(table[1].name == "conv");
  matched_ops found;
  std::string_view why;
  CHECK_FALSE(table[0].match(b, nth(b, "add", 0), found, why));
  CHECK(why == "better weather");
}
