// Rules: before and after, what a rule must leave alone, and what the pass says of itself; ops that simplify
// themselves.
#include <doctest/doctest.h>

#include <tenon/compile/run.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/simplification.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/passes/rewrite.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>
#include "support/caught.hpp"

namespace mine {
using namespace tenon;

constexpr auto is_half = [](const tensor& t) { return is_all(t, 0.5); };

/// exp(a) * exp(b) -> exp(a + b), where nobody else needs the factors
struct product_of_exps {
  using match = pattern<op::mul, pattern<op::exp, capture<"a", any>>, pattern<op::exp, capture<"b", any>>>;
  using emits = ops<op::add, op::exp>;
  static bool when(const auto& found) { return found.template type_of<"a">() == found.template type_of<"b">(); }
  static value_id replace(auto& found) {
    return found.make(op::exp{}, {found.make(op::add{}, {found.template at<"a">(), found.template at<"b">()})});
  }
};
/// pow(x, 0.5) -> sqrt(x)
struct root {
  using match = pattern<op::pow, capture<"x", any>, such_that<constant, is_half>>;
  using emits = ops<op::sqrt>;
  static value_id replace(auto& found) { return found.make(op::sqrt{}, {found.template at<"x">()}); }
};
/// Fits where `root` does; worth less.
struct root_by_exp {
  using match = root::match;
  using emits = ops<op::exp>;
  static constexpr int benefit = 0;
  static value_id replace(auto& found) { return found.make(op::exp{}, {found.template at<"x">()}); }
};

/// reshape(reshape(x)) -> reshape(x), the same op, where nobody else needs what is between, and that is of rank 1
struct reshape_once {
  using match = pattern<op::reshape, capture<"inner", pattern<op::reshape, capture<"x", any>>>>;
  using emits = ops<op::reshape>;
  static bool when(const auto& found) {
    return found.template used_once<"inner">() &&
           found.template op_of<"inner">().template as<op::reshape>().shape.size() == 1;
  }
  static value_id replace(auto& found) {
    return found.update(op::reshape{found.result_type().extents()}, found.template at<"x">());
  }
};
struct reshape_less : passes::rewrite<phases::optimization, reshape_once> {
  static constexpr fixed_string name = "reshape_less";
  using keeps = passes::graph_facts;
};

struct tidy : passes::rewrite<phases::optimization, root_by_exp, product_of_exps, root> {
  static constexpr fixed_string name = "tidy";
  using keeps = passes::graph_facts;
};
static_assert(meta::same<tidy::emits, ops<op::exp, op::add, op::sqrt>>);
static_assert(meta::same<tidy::works_on, ops<op::pow, op::mul>>);

template <class To, class From>
struct exchange {
  using match = pattern<From, capture<"x", any>>;
  using emits = ops<To>;
  static value_id replace(auto& found) { return found.make(To{}, {found.template at<"x">()}); }
};
struct no_end : passes::rewrite<phases::optimization, exchange<op::sin, op::cos>, exchange<op::cos, op::sin>> {
  static constexpr fixed_string name = "no_end";
  using keeps = facts<>;
};
struct wrong_type : passes::rewrite<phases::optimization, exchange<op::is_nan, op::sin>> {
  static constexpr fixed_string name = "wrong_type";
  using keeps = facts<>;
};

/// x * x * x; its own rule needs no pass of its own.
struct cube {
  static constexpr fixed_string name = "cube";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
};
void infer(const cube&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
bool simplify(const cube&, simplification& s) {
  const value_id x = s.operand(0);
  return s.replace(s.make(op::mul{}, {s.make(op::mul{}, {x, x}), x}));
}
/// Its law is all there is to know.
struct wrap_angle {
  static constexpr fixed_string name = "wrap_angle";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .law = algebra::idempotent};
};
void infer(const wrap_angle&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
}  // namespace mine

namespace {
using namespace tenon;

std::string after(auto pass, const char* body) {
  const std::string head = "tenon.module phase=optimization\nconstant #0 : tensor<f32> = [0.5]\n";
  auto m = parse<phases::optimization>(head +
                                       "func entry @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> "
                                       "(tensor<4xf32>) inputs(\"x\", \"y\") outputs(\"r\") {\n" +
                                       body + "}\n");
  context cx;
  const std::string text =
      print(run<passes::eliminate_dead>(run<decltype(pass)>(establish<fact::shapes_known>(std::move(m)), cx), cx));
  return text.substr(text.find("{\n") + 2);
}

TEST_CASE("rules replace what they match") {
  CHECK(after(mine::tidy{},
              "%1 = exp(%x) : tensor<4xf32>\n%2 = exp(%y) : tensor<4xf32>\n"
              "%3 = mul(%1, %2) : tensor<4xf32>\nreturn(%3)\n") ==
        "  %2 = add(%0, %1) : tensor<4xf32>\n  %3 = exp(%2) : tensor<4xf32>\n  return(%3)\n}\n");
}
TEST_CASE("of two rules that fit, the one of more benefit is taken") {
  const std::string text = after(mine::tidy{},
                                 "%1 = constant() {value = #0} : tensor<f32>\n"
                                 "%2 = pow(%x, %1) : tensor<4xf32>\nreturn(%2)\n");
  CHECK(text == "  %2 = sqrt(%0) : tensor<4xf32>\n  return(%2)\n}\n");
}
TEST_CASE("what no pattern fits stays") {
  const std::string text = after(mine::tidy{},
                                 "%1 = exp(%x) : tensor<4xf32>\n%2 = mul(%1, %y) : tensor<4xf32>\n"
                                 "%3 = pow(%2, %y) : tensor<4xf32>\nreturn(%3)\n");
  CHECK(text.find("exp(%0)") != std::string::npos);
  CHECK(text.find("pow(") != std::string::npos);
}
TEST_CASE("ops with different constraints do not become one") {
  const std::string text = after(mine::tidy{},
                                 "%1 = exp(%x) : tensor<4xf32> target(\"npu\")\n%2 = exp(%y) : tensor<4xf32>\n"
                                 "%3 = mul(%1, %2) : tensor<4xf32>\nreturn(%3)\n");
  CHECK(text.find("mul(") != std::string::npos);
}
TEST_CASE("a rule may change its op where it stands, and ask for the op of a part and for its uses") {
  CHECK(after(mine::reshape_less{},
              "%1 = reshape(%x) {shape = [4]} : tensor<4xf32>\n%2 = reshape(%1) {shape = [-1]} : tensor<4xf32>\n"
              "return(%2)\n") == "  %2 = reshape(%0) {shape = [4]} : tensor<4xf32>\n  return(%2)\n}\n");
  const std::string two_dimensions = after(mine::reshape_less{},
                                           "%1 = reshape(%x) {shape = [2, 2]} : tensor<2x2xf32>\n%2 = reshape(%1) "
                                           "{shape = [4]} : tensor<4xf32>\nreturn(%2)\n");
  CHECK(two_dimensions.find("[2, 2]") != std::string::npos);
  const std::string two_uses = after(mine::reshape_less{},
                                     "%1 = reshape(%x) {shape = [4]} : tensor<4xf32>\n"
                                     "%2 = reshape(%1) {shape = [-1]} : tensor<4xf32>\n"
                                     "%3 = add(%1, %2) : tensor<4xf32>\nreturn(%3)\n");
  CHECK(two_uses.find("[-1]") != std::string::npos);
}
TEST_CASE("rules that undo each other are an error, as is one that changes a type") {
  const char* one_sine = "%1 = sin(%x) : tensor<4xf32>\nreturn(%1)\n";
  const error endless = testing::caught([&] { (void)after(mine::no_end{}, one_sine); });
  CHECK(endless.code() == "rewrite.no_end");
  const error wrong = testing::caught([&] { (void)after(mine::wrong_type{}, one_sine); });
  CHECK(wrong.code() == "rewrite.type");
  CHECK(wrong.message().find("' replaces f32[4] by bool[4]") != std::string::npos);
}
TEST_CASE("an op of a user's simplifies itself, and by its law") {
  ir::module m;
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {4}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id w = b.make(mine::wrap_angle{}, {b.make(mine::wrap_angle{}, {b.make(mine::cube{}, {x})})});
  b.make_op(op::return_{}, {&w, 1}, {});
  m[f].result_types = {m[w].type};
  using with_ops = extend<phases::optimization, mine::cube, mine::wrap_angle>;
  context cx;
  auto done = run<passes::eliminate_dead>(
      run<passes::simplify>(establish<fact::shapes_known>(ir_module<with_ops>::adopt(std::move(m))), cx), cx);
  const std::string text = print(done);
  CHECK(text.find("cube") == std::string::npos);
  CHECK(text.find("wrap_angle") == text.rfind("wrap_angle"));
  CHECK(text.find("wrap_angle(%2)") != std::string::npos);
}

}  // namespace
