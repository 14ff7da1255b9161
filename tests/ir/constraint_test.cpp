// Constraints: the lattice, who says what, and text.
#include <doctest/doctest.h>

#include <tenon/compile/constrain.hpp>
#include <tenon/compile/run.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>
#include <support/find_op.hpp>

using namespace tenon;
using testing::caught;
using testing::find_op;

namespace {

constexpr const char* text = R"(tenon.module phase=optimization

func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
  %1 = exp(%0) : tensor<2xf32> target("a") loc("node_1")
  %2 = call(%1) {callee = @f} : tensor<2xf32>
  %3 = call(%2) {callee = @f} : tensor<2xf32> target("b")
  return(%3)
}

func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = neg(%0) : tensor<2xf32>
  return(%1)
}
)";

}  // namespace

TEST_CASE("constraints are printed and read") {
  const auto m = parse<phases::optimization>(text);
  CHECK(print(m) == text);
  CHECK(ir::constraint_of(m.body(), find_op(m.body(), "exp")) == "a");
  CHECK(m.body().text(m.body()[find_op(m.body(), "exp")].location) == "node_1");
  CHECK(ir::constraint_of(m.body(), find_op(m.body(), "neg")) == "");
}

TEST_CASE("joining goes up the lattice") {
  CHECK(ir::join({"", "x"}, {"", "y"}) == "");
  CHECK(ir::join({"a", "x"}, {"", "y"}) == "a");
  CHECK(ir::join({"", "x"}, {"a", "y"}) == "a");
  CHECK(ir::join({"a", "x"}, {"a", "y"}) == "a");
  const error e = caught([] { ir::join({"a", "function 'f'"}, {"b", "op 'exp' (node_1)"}); });
  CHECK(e.code() == "target.conflict");
  CHECK(e.message() == "function 'f' is constrained to 'a', and op 'exp' (node_1) to 'b'");
  static_assert(std::is_same_v<join_t<unconstrained, targets::interpreter>, targets::interpreter>);
  static_assert(std::is_same_v<join_t<targets::interpreter, targets::interpreter>, targets::interpreter>);
  static_assert(!may_join<targets::interpreter, targets::reference_device>);
}

TEST_CASE("functions, ops and calls are constrained") {
  auto m = parse<phases::optimization>(text);
  m.constrain("f", targets::interpreter{});
  CHECK(ir::constraint_of(m.body(), find_op(m.body(), "neg")) == "interpreter");
  m.constrain("f", "interpreter");
  CHECK(caught([&] { m.constrain("f", "b"); }).code() == "target.conflict");
  CHECK(caught([&] { m.constrain("g", "b"); }).code() == "target.no_function");
  ir::constrain(m.body(), find_op(m.body(), "call"), "c");
  CHECK(ir::constraint_of(m.body(), find_op(m.body(), "call")) == "c");
  CHECK(caught([&] { ir::constrain_calls(m.body(), "f", "c"); }).message() ==
        "op 'call' is constrained to 'b', and the new constraint of it to 'c'");
  CHECK(caught([&] { m.constrain("main", "z"), ir::constraint_of(m.body(), find_op(m.body(), "exp")); }).message() ==
        "op 'exp' (node_1) is constrained to 'a', and function 'main' to 'z'");
  ir::remove_constraints(m.body());
  CHECK(print(m).find("target") == std::string::npos);
  CHECK(m.body().text(m.body()[find_op(m.body(), "exp")].location) == "node_1");
}

TEST_CASE("pins are constraints as types") {
  auto m = parse<phases::optimization>(text);
  constrain<pins<pin<"f", targets::interpreter>, pin<"main", unconstrained>>>(m);
  CHECK(m.body()[m.body().find_function("f")].target == "interpreter");
  CHECK(m.body()[m.body().find_function("main")].target.empty());
}

TEST_CASE("pins on a board name its members, by themselves or by their targets") {
  using board = composite<host<targets::interpreter>, device<"second", targets::interpreter>>;
  auto m = parse<phases::optimization>(text);
  constrain<pins<pin<"f", device<"second", targets::interpreter>>, pin<"main", targets::interpreter>>, board>(m);
  CHECK(m.body()[m.body().find_function("f")].target == "second");
  CHECK(m.body()[m.body().find_function("main")].target == "interpreter");
  using two = detail::types<device<"a", targets::interpreter>, device<"b", targets::interpreter>>;
  static_assert(!detail::board_check<two, pins<pin<"f", targets::interpreter>>>::ok, "several members are");
  static_assert(detail::board_check<two, pins<pin<"f", device<"b", targets::interpreter>>>>::ok);
  static_assert(!detail::board_check<two, pins<pin<"f", device<"c", targets::interpreter>>>>::ok);
  static_assert(detail::board_check<two, pins<pin<"f", unconstrained>>>::ok);
}

TEST_CASE("inlining carries what the call and the function are constrained to") {
  context cx;
  const auto m = run<passes::inline_calls>(parse<phases::optimization>(text), cx);
  CHECK(ir::constraint_of(m.body(), find_op(m.body(), "neg", 0)) == "");
  CHECK(ir::constraint_of(m.body(), find_op(m.body(), "neg", 1)) == "b");
  auto other = parse<phases::optimization>(text);
  other.constrain("f", "c");
  const error e = caught([&] { (void)run<passes::inline_calls>(std::move(other), cx); });
  CHECK(e.code() == "target.conflict");
  CHECK(e.message() == "the op 'call' is constrained to 'b', and function 'f' to 'c'");
}

TEST_CASE("a target with options is more than the same without") {
  CHECK(ir::join({"cpu", "x"}, {"cpu:threads=1", "y"}) == "cpu:threads=1");
  CHECK(ir::join({"cpu:threads=1", "x"}, {"cpu", "y"}) == "cpu:threads=1");
  CHECK(caught([] { (void)ir::join({"cpu:threads=1", "x"}, {"cpu:threads=2", "y"}); }).code() == "target.conflict");
  CHECK(caught([] { (void)ir::join({"cpu", "x"}, {"cpus:threads=2", "y"}); }).code() == "target.conflict");
}

TEST_CASE("functions and nodes are constrained by their names, and by patterns") {
  auto m = parse<phases::optimization>(R"m(tenon.module phase=optimization
    func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
      %1 = exp(%0) : tensor<2xf32> loc("node '/head/exp' (Exp)")
      %2 = call(%1) {callee = @head} : tensor<2xf32> loc("node '/tail/call' (F)")
      %3 = neg(%2) : tensor<2xf32>
      return(%3)
    }
    func @head(%0: tensor<2xf32>) -> (tensor<2xf32>) {
      %1 = tanh(%0) : tensor<2xf32> loc("node (Tanh making 'out')")
      return(%1)
    })m");
  ir::module& b = m.body();
  CHECK(ir::constrain_named(b, "/head/*", "a") == 1);
  CHECK(ir::constraint_of(b, find_op(b, "exp")) == "a");
  CHECK(ir::constrain_named(b, "head", "b") == 1);
  CHECK(b[b.find_function("head")].target == "b");
  CHECK(ir::constrain_named(b, "/t?il/ca*l", "c") == 1);
  CHECK(ir::constraint_of(b, find_op(b, "call")) == "c");
  CHECK(ir::constrain_named(b, "neg", "d") == 1);  // an op without a location is called by its kind
  CHECK(ir::constrain_named(b, "o*t", "b") == 1);
  const error e = caught([&] { (void)ir::constrain_named(b, "/head/axp", "a"); });
  CHECK(e.code() == "target.no_node");
  CHECK(e.hint() == "did you mean '/head/exp'?");
  CHECK(caught([&] { (void)ir::constrain_named(b, "/head/exp", "b"); }).code() == "target.conflict");
  CHECK(caught([&] { (void)ir::constrain_named(b, "return", "b"); }).code() == "target.no_node");
}
