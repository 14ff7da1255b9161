// needs: llvm xsimd
// The value that says what becomes of a module, and what really becomes of it: on every target, for modules whose
// shapes or course follow from nothing, from sizes, or from values.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include <tenon/compile/session.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"

using namespace tenon;
using testing::caught;
using form = compilation_form;

namespace {

struct of_numbers : targets::xsimd {
  static constexpr fixed_string name = "xsimd_of_numbers";
  using pipeline = targets::xsimd::pipeline::edit<
      insert_before<passes::partition_for<targets::xsimd_library>, passes::require_static_shapes>>;
};

struct example {
  const char* name;
  const char* text;
  std::vector<tensor> inputs;
  form on_cpu, for_numbers;  ///< of cpu and xsimd; of a target that takes static shapes only
};

tensor numbers(std::vector<i64> shape) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>((i * 7) % 5) - 1.5);
  return t;
}

std::vector<example> examples() {
  const tensor few = numbers({2, 4}), texts = string_tensor({2}, {"a", "b"});
  return {
      {"static",
       R"(func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>) inputs("x") outputs("y") {
  %a = add(%x, %x) : tensor<2x4xf32>
  %y = tanh(%a) : tensor<2x4xf32>
  return(%y)
})",
       {few},
       form::whole,
       form::whole},
      {"symbolic",
       R"(func entry @main(%x: tensor<nx4xf32>) -> (tensor<nx4xf32>) inputs("x") outputs("y") {
  %y = add(%x, %x) : tensor<nx4xf32>
  return(%y)
})",
       {few},
       form::whole,
       form::open},
      {"an if on sizes",
       R"(constant #0 : tensor<i64> = [3]
func entry @main(%x: tensor<nx4xf32>) -> (tensor<?x4xf32>) inputs("x") outputs("y") {
  %limit = constant() {value = #0} : tensor<i64>
  %count = count_of(%x) : tensor<i64>
  %many = less(%limit, %count) : tensor<bool>
  %y = if_else(%many) : tensor<nx4xf32> ({
    %a = add(%x, %x) : tensor<nx4xf32>
    yield(%a)
  }, {
    %b = exp(%x) : tensor<nx4xf32>
    yield(%b)
  })
  return(%y)
})",
       {few},
       form::divided,
       form::open},
      {"an if on values",
       R"(constant #0 : tensor<f32> = [0]
func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>) inputs("x") outputs("y") {
  %zero = constant() {value = #0} : tensor<f32>
  %sum = reduce_sum(%x) {axes = [0, 1], keep_dims = false} : tensor<f32>
  %yes = less(%zero, %sum) : tensor<bool>
  %y = if_else(%yes) : tensor<2x4xf32> ({
    %a = add(%x, %x) : tensor<2x4xf32>
    yield(%a)
  }, {
    %b = exp(%x) : tensor<2x4xf32>
    yield(%b)
  })
  return(%y)
})",
       {few},
       form::divided,
       form::divided},
      {"non_zero",
       R"(func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x?xi64>) inputs("x") outputs("y") {
  %a = exp(%x) : tensor<2x4xf32>
  %b = sub(%a, %x) : tensor<2x4xf32>
  %y = non_zero(%b) : tensor<2x?xi64>
  return(%y)
})",
       {few},
       form::divided,
       form::divided},
      {"non_zero of much",
       R"(func entry @main(%x: tensor<20x4xf32>) -> (tensor<2x?xi64>) inputs("x") outputs("y") {
  %y = non_zero(%x) : tensor<2x?xi64>
  return(%y)
})",
       {numbers({20, 4})},
       form::divided,
       form::divided},
      {"a loop",
       R"(constant #0 : tensor<i64> = [3]
func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>) inputs("x") outputs("y") {
  %trips = constant() {value = #0} : tensor<i64>
  %y = repeat(%trips, _, %x) : tensor<2x4xf32> ({ ^(%i: tensor<i64>, %go: tensor<bool>, %v: tensor<2x4xf32>):
    %next = tanh(%v) : tensor<2x4xf32>
    yield(%go, %next)
  })
  return(%y)
})",
       {few},
       form::divided,
       form::divided},
      {"strings",
       R"(func entry @main(%x: tensor<2xstring>) -> (tensor<2xbool>) inputs("x") outputs("y") {
  %y = equal(%x, %x) : tensor<2xbool>
  return(%y)
})",
       {texts},
       form::divided,
       form::divided},
      {"a reshape by an input",
       R"(func entry @main(%x: tensor<2x4xf32>, %s: tensor<2xi64>) -> (tensor<?x?xf32>) inputs("x", "s") outputs("y") {
  %r = reshape(%x, %s) : tensor<?x?xf32>
  %y = exp(%r) : tensor<?x?xf32>
  return(%y)
})",
       {few, tensor::from<i64>({2}, {4, 2})},
       form::divided,
       form::divided},
      {"a sum along an axis that is an input",
       R"(func entry @main(%x: tensor<2x4xf32>, %a: tensor<i64>) -> (tensor<2x4xf32>) inputs("x", "a") outputs("y") {
  %y = cumulative_sum(%x, %a) : tensor<2x4xf32>
  return(%y)
})",
       {few, tensor::scalar<i64>(1)},
       form::open,
       form::open},
  };
}

ir_module<phases::ingestion> module_of(const example& e) {
  return parse<phases::ingestion>("tenon.module phase=ingestion\n" + std::string(e.text));
}

/// All passes of a target, asked nothing.
bool compiles_in_one_piece(const ir::module& m, const target_spec& spec) {
  try {
    context cx;
    const target_entry& e = find_entry(spec.name);
    e.configure(spec, 1, cx);
    e.load(*e.run(std::make_unique<ir::module>(m), cx, 0, e.passes.size()));
    return true;
  } catch (const error&) { return false; }
}

void agrees(const example& e, const target_spec& spec) {
  const ir_module<phases::ingestion> m = module_of(e);
  const compilation_plan plan = plan_of(m.body(), spec);
  CAPTURE(plan.reason());
  const bool numbers = spec.name == "xsimd_of_numbers", others = numbers || spec.name == "c_source";  // that may refuse
  if (spec.name == "cpu" || spec.name == "xsimd") CHECK(int(plan.becomes) == int(e.on_cpu));
  if (numbers) CHECK(int(plan.becomes) == int(e.for_numbers));
  if (spec.name == "interpreter") CHECK(int(plan.becomes) == int(form::whole));
  CHECK((plan.becomes == form::whole) == !plan.why.has_value());
  CHECK((plan.becomes == form::open) == !plan.needs.empty());
  // Strings are the host's matter, even where comparing their numbers happens to do.
  const bool strings =
      e.inputs.front().type() == dtype::string && spec.name != "interpreter" && spec.name != "c_source";
  CHECK((plan.becomes == form::whole) == (compiles_in_one_piece(m.body(), spec) && !strings));
  // Sessions ask the same.
  const std::vector<value> inputs(e.inputs.begin(), e.inputs.end());
  session s(m.clone(), {.target = to_text(spec)});
  std::vector<value> got;
  try {
    got = s.run_values(inputs);
  } catch (const error& why) {
    CHECK(plan.becomes != form::whole);
    CHECK(plan.becomes != form::divided);
    CHECK(others);
    CHECK_MESSAGE(s.last_plan().reason() == why.what(), why.what());
    return;
  }
  const auto want = interpret_values(m.body(), "main", inputs);
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) CHECK(compare(got[i].as_tensor(), want[i].as_tensor()).message == "");
  const bool hosts = dynamic_cast<const hosted*>(&s.prepare(e.inputs)) != nullptr;
  CHECK(hosts == (s.last_plan().becomes == form::divided));
  if (plan.becomes == form::divided) CHECK(hosts);
  if (plan.becomes == form::whole) CHECK_FALSE(hosts);
  // When sizes are known, a host may still have something to do.
  const bool then_divided = numbers && e.on_cpu == form::divided;
  if (plan.becomes == form::open) CHECK(s.last_plan().becomes == (then_divided ? form::divided : form::whole));
}

}  // namespace

TEST_CASE("what becomes of a module is what its plan says") {
  register_target<targets::xsimd>();
  register_target<of_numbers>();
  register_target<targets::c_source>();
  for (const char* target : {"cpu", "xsimd", "xsimd_of_numbers", "c_source:optimize=0", "interpreter"})
    for (const example& e : examples()) {
      CAPTURE(std::string(target));
      CAPTURE(std::string(e.name));
      agrees(e, parse_target(target));
    }
}

TEST_CASE("a plan names the inputs that it needs") {
  const auto plan = [](const char* name, const char* target) {
    for (const example& e : examples())
      if (e.name == std::string(name)) return plan_of(module_of(e).body(), parse_target(target));
    return compilation_plan{};
  };
  using needs = std::vector<ir::input_need>;
  register_target<of_numbers>();
  CHECK(plan("symbolic", "xsimd_of_numbers").needs == needs{{"x", false}});
  CHECK(plan("a reshape by an input", "c_source").needs == needs{{"s", true}});
  CHECK(plan("a sum along an axis that is an input", "cpu").needs == needs{{"a", true}});
  CHECK(plan("a sum along an axis that is an input", "cpu").divisible);
  CHECK(plan("non_zero", "cpu").needs.empty());
  CHECK(plan("non_zero", "cpu").why->kind == ir::obstacle_kind::result_extents);
  CHECK(plan("strings", "cpu").why->kind == ir::obstacle_kind::host_op);
  CHECK(plan("symbolic", "xsimd_of_numbers").why->kind == ir::obstacle_kind::input_extents);
}

TEST_CASE("a composite's plan follows from what its parts are for") {
  register_target<targets::xsimd>();
  const example e = examples()[4];  // non_zero
  ir_module<phases::ingestion> m = module_of(e);
  CHECK(int(plan_of(m.body(), parse_target("composite(interpreter,npu@xsimd)")).becomes) == int(form::whole));
  CHECK(int(plan_of(m.body(), parse_target("composite(xsimd,ref@interpreter)")).becomes) == int(form::open));
}

TEST_CASE("a session runs a module, for sizes and values that it is told") {
  const example reshaped = examples()[8];
  for (const char* target : {"cpu", "xsimd", "interpreter"}) {
    session s(module_of(reshaped), {.target = target});
    CHECK(s.inputs().at(1).name == "s");
    CHECK(s.outputs() == std::vector<std::string>{"y"});
    for (const std::vector<i64>& shape : {std::vector<i64>{4, 2}, {8, 1}, {1, 8}}) {
      const tensor y = s.run(std::vector<tensor>{reshaped.inputs[0], tensor::from<i64>({2}, shape)}).at(0);
      CHECK(y.shape() == shape);
    }
    CHECK(caught([&] { s.run({}); }).code() == "session.count");
    CHECK(caught([&] { s.run({}); }).message() == "the model has 2 inputs, and 0 were given");
    CHECK(caught([&] { s.run({}); }).hint() == "give them in this order: x, s");
  }
}

TEST_CASE("targets and tags are registered from several threads") {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 50; ++i) {
        register_target<targets::interpreter>();
        register_target<targets::c_source>();
        register_target_tag({"mine-" + std::to_string(t), "cpu:threads=" + std::to_string(i + 1), "a test"});
        find_entry("interpreter"), registered_targets(), parse_target("mine-0");
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(to_text(parse_target("mine-3")) == "cpu:threads=50");
  CHECK(to_text(find_target("mine-1:optimize=1")) == "cpu:threads=50,optimize=1");
}

TEST_CASE("a tag stands for no tag that stands for it") {
  register_target_tag({"one-tag", "other-tag", "not known yet"});
  CHECK(caught([] { register_target_tag({"other-tag", "one-tag:threads=2", "a circle"}); }).code() == "target.syntax");
  CHECK(caught([] { register_target_tag({"self", "composite(cpu,x@self)", "a circle"}); }).code() == "target.syntax");
  CHECK(caught([] { register_target_tag({"a name", "cpu", "two words"}); }).code() == "target.syntax");
}

TEST_CASE("an op that takes nothing needs what the branch around it depends on") {
  const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<4xf32>, %s: tensor<bool>) -> (tensor<4xf32>) inputs("x", "s") outputs("y") {
  %y = if_else(%s) : tensor<4xf32> ({ %e = exp(%x) : tensor<4xf32>
    yield(%e) }, { %r = raise() {message = "not served"} : tensor<4xf32>
    yield(%r) })
  return(%y)
})");
  const compilation_plan p = plan_of(m, parse_target("c_source"));
  CHECK(int(p.becomes) == int(compilation_form::open));
  REQUIRE(p.needs.size() == 1);
  CHECK(p.needs[0].name == "s");
  CHECK(p.needs[0].value);
}

TEST_CASE("with several entries, needs are those of the one that the obstacle is in, or that leads to it") {
  const std::string sized = "(%x: tensor<4xf32>, %s: tensor<2xi64>) -> (tensor<?x?xf32>) ";
  const std::string shapes = " {\n  %y = reshape(%x, %s) : tensor<?x?xf32>\n  return(%y)\n}\n";
  const std::string calls = " {\n  %y = call(%x, %s) {callee = @f} : tensor<?x?xf32>\n  return(%y)\n}\n";
  const std::string plain =
      "func entry @last(%z: tensor<4xf32>) -> (tensor<4xf32>) inputs(\"z\") outputs(\"n\") {\n  return(%z)\n}\n";
  const auto needs = [&](const std::string& text, std::string_view in) {
    const ir::module m = parse("tenon.module phase=optimization\n" + text);
    const function_id f = m.find_function(in);
    op_id at;
    ir::for_each_op(m, m[f].body, [&](op_id op) { at = m.view(op).name() == "reshape" ? op : at; });
    const ir::obstacle o{ir::obstacle_kind::result_extents, f, at, unsupported_error("test", "its shape is open")};
    return ir::needs_of(m, o);
  };
  const std::string entry = "func entry @first" + sized + "inputs(\"x\", \"s\") outputs(\"y\")";
  using list = std::vector<ir::input_need>;
  CHECK(needs(entry + shapes + plain, "first") == list{{"s", true}});
  CHECK(needs(entry + calls + plain + "func @f" + sized + shapes, "f") == list{{"x", true}, {"s", true}});
  CHECK(needs(plain + "func @f" + sized + shapes, "f").empty());
}

#if TENON_HAS_LLVM
TEST_CASE("an image whose channels are a symbol has as many as its weight is for") {
  const ir::module m = parse(R"(tenon.module phase=ingestion
constant #0 "w" : tensor<2x1x1x1xf32> = [-1, 2]
func entry @main(%x: tensor<1xnx1x1xf32>) -> (tensor<1x2x1x1xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<2x1x1x1xf32>
  %y = conv(%x, %w) : tensor<1x2x1x1xf32>
  return(%y)
})");
  session s(ir_module<phases::ingestion>::adopt(ir::module(m)), {.target = "cpu"});
  const tensor y = s.run(std::vector<tensor>{tensor::from<float>({1, 1, 1, 1}, {3})}).at(0);
  CHECK(y.at_f64(0) == -3);
  CHECK(y.at_f64(1) == 6);
  CHECK(caught([&] { s.run(std::vector<tensor>{tensor(dtype::f32, {1, 2, 1, 1})}); }).code() != "none");
}
#endif
