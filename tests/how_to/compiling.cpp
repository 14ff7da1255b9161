// needs: llvm
// Code of docs/how_to/: compiling with stops, constraints, checks and instruments.
#include <cstdio>

#include <doctest/doctest.h>

#include <tenon/compile/instruments/all.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/judge/order_text.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/outline.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {
ir_module<phases::ingestion> model() {
  return parse<phases::ingestion>(R"(tenon.module phase=ingestion
func @encoder(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %t = tanh(%x) : tensor<4xf32>
  return(%t)
}
func entry @main(%x: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %h = call(%x) {callee = @encoder} : tensor<4xf32>
  %y = exp(%h) : tensor<4xf32>
  return(%y)
}
)");
}
}  // namespace

TEST_CASE("stop and go on") {
  const char* const file = "how_to_half.tmod";
  // [stop]
  auto half = compile_to<phases::optimization, targets::cpu>(model());  // just before graphs become loops
  save_module(file, half);
  // [end]
  // [go on]
  auto again = load<phases::optimization>(file);                  // in another process, perhaps
  const program p = load(build<targets::cpu>(std::move(again)));  // what the facts of the file leave to do
  // [end]
  std::remove(file);
  CHECK(p["main"](tensor(dtype::f32, {4})).at_f64(0) == 1);
}

TEST_CASE("constrain") {
  // [constrain]
  using board = composite<host<targets::cpu>, device<"npu", targets::interpreter>>;
  auto m = model();
  ir::constrain(m.body(), "encoder", "npu");  // a function, or the ops that passes::outline makes one of
  const auto built = build<board>(std::move(m));
  const auto runs = board::runtime::load(built.body());
  // [end]
  CHECK(print(built).find("npu") != std::string::npos);
  CHECK(runs->run(std::vector{tensor(dtype::f32, {4})}, 1)[0].at_f64(0) == 1);
}

// [wrong pass]
struct forget_tanh {
  static constexpr fixed_string name = "forget_tanh";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, [&](op_id op) {
      if (m.view(op).is<op::tanh>()) m.replace_uses(m.result(op), m.operand(op, 0));  // not the same
    });
  }
};
// [end]

TEST_CASE("debugging a pass") {
  using list = pipeline<passes::lift_lambdas, passes::infer_shapes, forget_tanh, passes::eliminate_dead>;
  std::string said;
  // [instruments]
  context cx;
  instruments watch(cx, instrument::print_changed{.to = &said}, instrument::timing{}, instrument::bisect{});
  (void)run_pipeline<list>(model(), cx);
  const auto first =
      watch.get<instrument::bisect>().find();  // by the interpreter: the pass behind which results differ
  // [end]
  REQUIRE(first);
  CHECK(first->pass == "forget_tanh");
  CHECK(said.find("changed by forget_tanh") != std::string::npos);
}

struct claims_static {
  static constexpr fixed_string name = "claims_static";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  // [claim]
  using gives = facts<fact::static_shapes>;
  void run(ir_module<runs_in>&, context&) const {}  // it does nothing of the kind
  // [end]
};

TEST_CASE("verify each") {
  using list = pipeline<passes::lift_lambdas, claims_static>;
  auto open = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<nxf32>) -> (tensor<nxf32>) inputs("x") outputs("y") {
  return(%x)
}
)");
  std::string said;
  // [verify]
  context cx;
  cx.verify_each = true;  // after each pass: the phase's rules, and every fact that is claimed and has a checker
  try {
    (void)run_pipeline<list>(std::move(open), cx);
  } catch (const error& e) { said = e.pass() + ": " + e.what(); }
  // [end]
  CHECK(said.starts_with("claims_static: "));
}
