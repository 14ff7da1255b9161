// Parts of graphs for external code generators: what is cut out, what stays, and that it means the same at each stage.
#include "library.hpp"

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/judge/optional.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/target.hpp>

using namespace external_test;

namespace {

// The side phase: entered once, by whom it is left; nothing of graphs runs in it; facts of its parts are kept or not.
using passes::infer_shapes, passes::lift_lambdas, passes::simplify;
using cut = passes::partition_for<library>;
using code = passes::run_external_codegen<library>;
using cut_other = passes::partition_for<other_library>;
using code_other = passes::run_external_codegen<other_library>;
struct count_parts {
  [[maybe_unused]] static constexpr fixed_string name = "count_parts";
  using runs_in = phases::partitioned;
  using needs = facts<fact::partitioned_for<library>>;
  using keeps = all_facts;
  using emits = ops<>;
};
struct rewrite_parts : count_parts {
  [[maybe_unused]] static constexpr fixed_string name = "rewrite_parts";
  using keeps = facts<>;
};
static_assert(verdict_of<lift_lambdas, cut, code>.ok() && verdict_of<lift_lambdas, cut, count_parts, code>.ok());
static_assert(verdict_of<lift_lambdas, cut, code, cut, code>.ok() &&
              verdict_of<lift_lambdas, cut, code, cut_other, code_other, infer_shapes>.ok());
static_assert(verdict_of<lift_lambdas, cut, cut, code>.code == 1, "it is there already");
static_assert(verdict_of<lift_lambdas, cut, cut_other, code, code_other>.code == 1, "one detour at a time");
static_assert(verdict_of<lift_lambdas, cut, code_other>.code == 2, "whose parts?");
static_assert(verdict_of<lift_lambdas, code, cut>.code != 0);
static_assert(verdict_of<lift_lambdas, infer_shapes, cut, simplify, code>.code == 1,
              "a pass of graphs would see parts that are spoken for");
static_assert(verdict_of<lift_lambdas, count_parts, cut, code>.code != 0);
static_assert(verdict_of<lift_lambdas, cut, code, count_parts>.code != 0);
static_assert(verdict_of<lift_lambdas, cut, rewrite_parts, code>.code == 3, "what is known of parts ends with them");
static_assert(verdict_of<lift_lambdas, cut, rewrite_parts, code>.repair_count == 0,
              "'code' before 'rewrite_parts' would only move the complaint to that");
static_assert(verdict_of<lift_lambdas, optional<cut, when<"library">>, code>.code == 25, "left, and never entered");
static_assert(verdict_of<lift_lambdas, optional<cut, when<"library">>, optional<code, when<"library">>>.ok());
static_assert(verdict_of<lift_lambdas, optional<cut, when<"library">>, optional<code, unless<"library">>>.code == 25);
struct machine {
  [[maybe_unused]] static constexpr device_kind kind = device_kind::cpu;
};
template <class Pipeline>
struct ends_in_graphs {
  [[maybe_unused]] static constexpr fixed_string name = "ends_in_graphs";
  using device = machine;
  struct code_generator {};
  using pipeline = Pipeline;
  using ends_in = phases::optimization;
};
static_assert(target<ends_in_graphs<pipeline<lift_lambdas, cut, code>::with_ops<op::call_external>>>);
static_assert(!target<ends_in_graphs<pipeline<lift_lambdas, cut>>>, "the side phase is not left");
// A module by hand: what the type does not say of its parts, nobody may rely on.
using parts_of = ir_module<phases::partitioned, fact::partitioned_for<library>>;
static_assert(can_run<code, parts_of> && !can_run<code_other, parts_of> && !can_run<cut, parts_of> &&
              !can_run<simplify, parts_of>);
static_assert(!can_run<code, ir_module<phases::partitioned>>, "edited");
static_assert(!can_run<passes::inline_calls, parts_of>, "calls of parts are not inlined across the wall");

const char* const net = R"(
constant #0 : tensor<3x4xf32> = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
constant #1 : tensor<f32> = [0]
func entry @main(%0: tensor<2x3xf32>, %1: tensor<4xf32>) -> (tensor<2x4xf32>) {
  %2 = constant() {value = #0} : tensor<3x4xf32>
  %3 = constant() {value = #1} : tensor<f32>
  %4 = matmul(%0, %2) : tensor<2x4xf32>
  %5 = add(%4, %1) : tensor<2x4xf32>
  %6 = maximum(%5, %3) : tensor<2x4xf32>
  %7 = softmax(%6) : tensor<2x4xf32>
  %8 = add(%7, %6) : tensor<2x4xf32>
  return(%8)
})";

/// Runs a text before and after, through artifacts, by the interpreter and by the runner.
template <class T>
auto means_the_same(std::string_view text, context& cx, passes::partition_options o = {}) {
  const auto before = graph(text);
  const std::vector<tensor> inputs = some_inputs(before.body()), expected = interpret(before.body(), "main", inputs);
  const auto same = [&](const std::vector<tensor>& got, const ir::module& m) {
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) CHECK_MESSAGE(same_bits(got[i], expected[i]), print(m));
  };
  cx.verify_each = true;
  auto parts = partitioned<T>(text, cx, o);
  same(interpret(parts.body(), "main", inputs), parts.body());
  auto done = run<passes::run_external_codegen<T>>(std::move(parts), cx);
  same(interpret(done.body(), "main", inputs, external_evaluations<T>()), done.body());
  same(external_program(ir::module(done.body()), external_formats<T>()).run(inputs), done.body());
  return done;
}

}  // namespace

TEST_CASE("patterns claim ops by priority, parts that do not touch stay apart, and a report says why") {
  context cx;
  const auto m = means_the_same<library>(net, cx);
  const partition_report* r = cx.find<partition_report>();
  REQUIRE(r);
  REQUIRE(r->parts.size() == 2);
  CHECK(r->parts[0].patterns == std::vector<std::string>{"linear"});
  CHECK(r->parts[0].ops == 3);
  CHECK(r->parts[1].patterns == std::vector<std::string>{"add"});
  REQUIRE(r->host.size() == 1);
  CHECK(r->host[0].op == "softmax");
  CHECK(r->host[0].why == "no pattern matches it");
  CHECK(r->text().find("library_0 for library: 3 ops (linear)") != std::string::npos);
  CHECK(m.body().artifacts().size() == 2);
  CHECK(m.body().functions().size() == 1);
  CHECK(calls_of_artifacts(m.body()) == 2);
  // The text says it all again; ops that no phase lists are among those that the reader knows.
  CHECK(print(parse(print(m.body()))) == print(m.body()));
}

TEST_CASE("what is constrained to another target stays, with that as the reason") {
  const auto place = [](const char* target) {
    auto m = graph(net);
    ir::for_each_op(m.body(), ir::function_kind::graph, [&](op_id op) {
      if (m.body().view(op).is<op::matmul>()) ir::constrain(m.body(), op, target);
    });
    context cx;
    const auto parts = run<cut>(std::move(m), cx);
    return *cx.find<partition_report>();
  };
  for (const char* here : {"library", "library:level=3"}) {
    const partition_report r = place(here);
    CHECK(r.parts.size() == 2);
    CHECK(r.host.size() == 1);
  }
  const partition_report r = place("dsp");
  bool said = false;
  for (const auto& l : r.host) said = said || (l.op == "matmul" && l.why == "it is constrained to 'dsp'");
  CHECK_MESSAGE(said, r.text());
  for (const auto& p : r.parts) CHECK(p.patterns == std::vector<std::string>{"add"});  // 'linear' would have it inside

  auto whole = graph(net);
  whole.constrain("main", "dsp");
  context cx;
  const auto left = run<cut>(std::move(whole), cx);
  CHECK(cx.find<partition_report>()->parts.empty());
}

TEST_CASE("parts that touch become one, but never over the host") {
  const char* diamond = R"(
func entry @main(%0: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
  %1 = add(%0, %0) : tensor<2x2xf32>
  %2 = softmax(%1) : tensor<2x2xf32>
  %3 = matmul(%1, %1) : tensor<2x2xf32>
  %4 = add(%3, %2) : tensor<2x2xf32>
  %5 = add(%4, %1) : tensor<2x2xf32>
  return(%5)
})";
  context merged;
  means_the_same<library>(diamond, merged);
  const partition_report* r = merged.find<partition_report>();
  REQUIRE(r->parts.size() == 2);  // {add, matmul} before softmax, {add, add} after it
  CHECK(r->parts[0].ops == 2);
  CHECK(r->parts[1].ops == 2);
  context apart;
  means_the_same<library>(diamond, apart, {.merge = false});
  CHECK(parts(apart) == 4);
  context large;
  means_the_same<library>(diamond, large, {.merge = false, .least_ops = 2});
  CHECK(parts(large) == 0);
  CHECK(large.find<partition_report>()->host[0].why == "the part that it is in has less than 2 ops");
}

TEST_CASE("a value inside of a part that others use is one of its results") {
  const char* text = R"(
constant #0 : tensor<2x2xf32> = [1, 2, 3, 4]
constant #1 : tensor<f32> = [0]
func entry @main(%0: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x2xf32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = matmul(%0, %1) : tensor<2x2xf32>
  %4 = add(%3, %0) : tensor<2x2xf32>
  %5 = maximum(%4, %2) : tensor<2x2xf32>
  %6 = neg(%3) : tensor<2x2xf32>
  return(%5, %6)
})";
  context cx;
  means_the_same<library>(text, cx);
  CHECK(parts(cx) == 1);
  CHECK(cx.find<partition_report>()->parts[0].ops == 3);
}

TEST_CASE("a match that would depend on itself through other ops is left") {
  const char* text = R"(
constant #0 : tensor<2x2xf32> = [1, 2, 3, 4]
constant #1 : tensor<f32> = [0]
func entry @main(%0: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x2xf32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = matmul(%0, %1) : tensor<2x2xf32>
  %4 = softmax(%3) : tensor<2x2xf32>
  %5 = add(%3, %4) : tensor<2x2xf32>
  %6 = maximum(%5, %2) : tensor<2x2xf32>
  return(%6)
})";
  context cx;
  means_the_same<library>(text, cx);
  const partition_report* r = cx.find<partition_report>();
  CHECK(r->parts.size() == 2);  // matmul and add, each by itself
  bool said = false;
  for (const auto& l : r->host)
    said = said || (l.op == "maximum" && l.why.find("depend on itself") != std::string::npos);
  CHECK(said);
}

TEST_CASE("two libraries share a graph; the artifacts of the first stay") {
  context cx;
  auto first = run<passes::run_external_codegen<library>>(partitioned<library>(net, cx), cx);
  // To the second library the module is one of `optimization`, with one op more.
  auto both = run<passes::run_external_codegen<other_library>>(
      run<passes::partition_for<other_library>>(std::move(first), cx), cx);
  CHECK(both.body().artifacts().size() == 3);
  CHECK(calls_of_artifacts(both.body()) == 3);
  const auto before = graph(net);
  const std::vector<tensor> inputs = some_inputs(before.body());
  const auto got = external_program(ir::module(both.body()), external_formats<library, other_library>()).run(inputs);
  CHECK(same_bits(got[0], interpret(before.body(), "main", inputs)[0]));
}

TEST_CASE("errors name the op and the library, and formats that nobody knows") {
  const char* text = R"(
func entry @main(%0: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
  %1 = exp(%0) : tensor<2x2xf32> loc("node 'power'")
  return(%1)
})";
  context cx;
  CHECK(message_of([&] {
          (void)run<passes::run_external_codegen<library>>(partitioned<library>(text, cx), cx);
        }).find("target 'library' has no kernel for 'exp' in function 'library_0': it cannot do powers") !=
        std::string::npos);
  context again;
  auto done = run<passes::run_external_codegen<library>>(partitioned<library>(net, again), again);
  CHECK(code_of([&] { external_program(ir::module(done.body()), std::vector<external_format>{}); }) ==
        "external.no_format");
  CHECK(code_of([&] { external_program(ir::module(graph(net).body()), external_formats<library>()).run({}); }) ==
        "external.arguments");
}

TEST_CASE("the phase's verifier and the fact's checker find what does not belong") {
  context cx;
  const auto m = partitioned<library>(net, cx);
  ir::module broken(m.body());
  const function_id part = broken.find_function("library_0");
  broken[part].target = "";
  phases::partitioned::verify(broken);
  const function_id lonely = broken.add_function("lonely", ir::function_kind::graph, {});
  broken[lonely].target = "library";
  CHECK(code_of([&] { phases::partitioned::verify(broken); }) == "phase.partitioned");
}

TEST_CASE("a part that several calls share knows only what all of them say") {
  // Edited by hand in the side phase: a second call of the part, with another weight.
  context cx;
  auto m = partitioned<library>(R"(
constant #0 : tensor<2x2xf32> = [1, 2, 3, 4]
constant #1 : tensor<2x2xf32> = [5, 6, 7, 8]
func entry @main(%0: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x2xf32>
  %2 = constant() {value = #1} : tensor<2x2xf32>
  %3 = matmul(%0, %1) : tensor<2x2xf32>
  %4 = sigmoid(%2) : tensor<2x2xf32>
  return(%3, %4)
})",
                                cx, passes::partition_options{.inner_bytes = 0});
  static const std::vector<const tensor*>* known = nullptr;
  struct watching : listing_generator {
    static std::vector<char> compile(const external_function& part, context& c) {
      static std::vector<const tensor*> seen;
      seen = part.known, known = &seen;
      return listing_generator::compile(part, c);
    }
  };
  struct watched : library {
    using external_code_generator = watching;
  };
  auto once = ir_module<phases::partitioned>::adopt(m.body());
  (void)run<passes::run_external_codegen<watched>>(establish<fact::partitioned_for<watched>>(std::move(once)), cx);
  REQUIRE(known->size() == 2);
  CHECK((*known)[1] != nullptr);

  auto e = std::move(m).edit();
  ir::module& body = e.body();
  const region_id main = body[body.find_function("main")].body;
  const std::vector<op_id> tops = body[main].ops;
  op_id call, weight, sigmoid;
  for (op_id op : tops) {
    if (body.view(op).is<op::call>()) call = op;
    if (body.view(op).is<op::constant>() && body.constant_value(body.result(op))->at_f64(0) == 5) weight = op;
    if (body.view(op).name() == "sigmoid") sigmoid = op;
  }
  REQUIRE((call && weight && sigmoid));
  ir::builder<> b(body, main);
  b.before(body[main].ops.back());
  const value_id operands[] = {body.operand(call, 0), body.result(weight)};
  const type_id types[] = {body[body.result(call)].type};
  const op_id again = b.make_op(body.view(call).as<op::call>(), operands, types);
  body.replace_uses(body.result(sigmoid), body.result(again));
  const std::vector<tensor> inputs{tensor::from<float>({2, 2}, {1, 0, 0, 1})};
  auto both = run<passes::run_external_codegen<watched>>(establish<fact::partitioned_for<watched>>(std::move(e)), cx);
  CHECK((*known)[1] == nullptr);
  const auto got = external_program(ir::module(both.body()), external_formats<watched>()).run(inputs);
  CHECK(got[0].at_f64(0) == 1);
  CHECK(got[1].at_f64(0) == 5);
}

TEST_CASE("a part that calls a function is refused, with or without verify_each") {
  context cx;
  auto e = partitioned<library>(net, cx).edit();
  ir::module& body = e.body();
  const function_id other = body.add_function("other", ir::function_kind::graph, {});
  ir::builder<>(body, body[other].body).make_op(op::return_{}, {}, {});
  const region_id part = body[body.find_function("library_0")].body;
  ir::builder<> b(body, part);
  b.before(body[part].ops.front());
  b.make_op(op::call{{"other"}}, {}, {});
  CHECK(code_of([&] {
          (void)run<passes::run_external_codegen<library>>(establish<fact::partitioned_for<library>>(std::move(e)), cx);
        }) == "phase.partitioned");
}

TEST_CASE("a graph is cut for a library again, by another compilation: its first parts keep their names") {
  const std::vector<tensor> inputs{tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
                                   tensor::from<float>({4}, {1, 2, 3, 4})};
  const auto want = interpret(graph(net).body(), "main", inputs);
  context cx, fresh;
  auto some = run<passes::run_external_codegen<library>>(partitioned<library>(net, cx, {.least_ops = 3}), cx);
  const size_t first = some.body().artifacts().size();
  auto rest =
      run<passes::run_external_codegen<library>>(run<passes::partition_for<library>>(std::move(some), fresh), fresh);
  CHECK(rest.body().artifacts().size() >= first);
  CHECK(compare(external_program(ir::module(rest.body()), external_formats<library>()).run(inputs)[0], want[0]).ok);
}

TEST_CASE(
    "calls of code are in the type of the module, whatever runs behind it, and of their phase, under verify_each") {
  using way = pipeline<infer_shapes, cut, code, infer_shapes>;  // without `with_ops`: `code` says what it brings
  context cx;
  cx.verify_each = true;
  const auto before = graph(net);
  const std::vector<tensor> inputs = some_inputs(before.body()), expected = interpret(before.body(), "main", inputs);
  const auto done = run_pipeline<way>(graph(net), cx);
  static_assert(
      std::is_same_v<added_ops_t<typename std::remove_const_t<decltype(done)>::phase>, ops<op::call_external>>);
  static_assert(
      !can_run<passes::to_lowering, ir_module<extend<phases::optimization, op::call_external>, fact::ops_legalized>>);
  CHECK(same_bits(interpret(done.body(), "main", inputs, external_evaluations<library>()).at(0), expected.at(0)));
  const order text = order::parse("infer_shapes, partition_for_library, run_external_codegen_library, infer_shapes",
                                  registry_of<pass_list<infer_shapes, cut, code>>);
  const auto body = text.run(std::make_unique<ir::module>(graph(net).body()), cx);
  CHECK(same_bits(interpret(*body, "main", inputs, external_evaluations<library>()).at(0), expected.at(0)));
}
