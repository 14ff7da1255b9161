/// @file run_pipeline_test: a pipeline runs by itself, judged from the module that it is given.
#include <doctest/doctest.h>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {
constexpr std::string_view text = R"(phase=optimization
constant #0 "two" : tensor<f32> = [2]
constant #1 "three" : tensor<f32> = [3]
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = constant() {value = #0} : tensor<f32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = mul(%1, %2) : tensor<f32>
  %4 = add(%0, %3) : tensor<4xf32>
  return(%4)
}
)";
ir_module<phases::optimization> graph() { return parse<phases::optimization>("tenon.module " + std::string(text)); }
std::vector<std::string> ran(const context& cx) {
  std::vector<std::string> names;
  for (const pass_record& r : cx.records) names.push_back(r.name);
  return names;
}
std::vector<float> numbers(const ir::module& m) {
  const tensor x = tensor::from<float>({4}, {0, 1, 2, 3});
  const tensor y = interpret(m, "main", {&x, 1})[0];
  std::vector<float> v;
  for (i64 i = 0; i < y.size(); ++i) v.push_back(static_cast<float>(y.at_f64(i)));
  return v;
}
using mine = pipeline<passes::infer_shapes, passes::fold_constants, passes::simplify, passes::eliminate_dead>;
template <class Pipeline, class Module>
constexpr bool runs = detail::whole_route<Pipeline, Module>::ok;
}  // namespace

TEST_CASE("every pass runs, in order, and the type says what is known then") {
  context cx;
  cx.verify_each = true;
  const auto done = run_pipeline<mine>(graph(), cx);
  static_assert(decltype(done)::knows<fact::shapes_known>);
  static_assert(meta::same<decltype(done)::phase, phases::optimization>);
  CHECK(ran(cx) == std::vector<std::string>{"infer_shapes", "fold_constants", "simplify", "eliminate_dead"});
  CHECK(print(done).find("mul") == std::string::npos);
  CHECK(numbers(done.body()) == numbers(graph().body()));
  CHECK(done.body().build.target.empty());  // nobody was built for
}

TEST_CASE("what is known of the module counts, and no pass is left out for it") {
  using rest = pass_list<passes::simplify, passes::infer_shapes>;
  static_assert(!is_valid<rest>);
  struct shaped_only {  // a pipeline is judged from nothing known; this stands for one that was
    using passes = rest;
    using added_ops = ops<>;
  };
  static_assert(!runs<shaped_only, ir_module<phases::optimization>>);
  static_assert(runs<shaped_only, ir_module<phases::optimization, fact::shapes_known>>);
  context cx;
  auto shaped = run<passes::infer_shapes>(graph(), cx);
  const auto done = run_pipeline<mine>(std::move(shaped), cx);
  CHECK(ran(cx) ==
        std::vector<std::string>{"infer_shapes", "infer_shapes", "fold_constants", "simplify", "eliminate_dead"});
}

TEST_CASE("transitions, flags and the empty pipeline") {
  using way = pipeline<passes::lift_lambdas, optional<passes::inline_calls, when<"inline">>, passes::infer_shapes>;
  static_assert(runs<way, ir_module<phases::ingestion>>);
  static_assert(!runs<way, ir_module<phases::optimization>>, "it begins in another phase");
  for (const bool on : {true, false}) {
    context cx;
    cx.set_flag("inline", on);
    const auto done = run_pipeline<way>(
        parse<phases::ingestion>("tenon.module " + std::string(text).replace(6, 12, "ingestion")), cx);
    static_assert(meta::same<decltype(done)::phase, phases::optimization>);
    static_assert(!decltype(done)::knows<fact::calls_inlined>, "only when a flag is on");
    static_assert(decltype(done)::knows<fact::no_inner_functions>);
    CHECK(ran(cx).size() == (on ? 3 : 2));
  }
  context cx;
  const auto same = run_pipeline<pipeline<>>(graph(), cx);
  CHECK(ran(cx).empty());
  CHECK(print(same) == print(graph()));
}
