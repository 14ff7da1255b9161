// Ops with one home: what only one member of a composite has runs there, pinned or not; what none has is refused.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/compile/constrain.hpp>
#include <tenon/interpret/eval.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {
/// y = x * exp(-x)
struct ripple {
  static constexpr fixed_string name = "ripple";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
};
void infer(const ripple&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
struct expand_ripple {
  static constexpr fixed_string name = "expand_ripple";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = facts<>;
  using eliminates = ops<ripple>;
  using handles = ops<ripple>;
  using emits = ops<op::mul, op::neg, op::exp>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, [&](op_id op) {
      if (!m.view(op).is<ripple>()) return;
      ir::builder<expand_ripple> b(m, m[op].parent);
      b.before(op);
      const value_id x = m.operand(op, 0);
      m.replace_uses(m.result(op), b.make(op::mul{}, {x, b.make(op::exp{}, {b.make(op::neg{}, {x})})}));
      m.erase(op);
    });
  }
};
struct wave : targets::interpreter {
  static constexpr fixed_string name = "wave";
  using pipeline =
      targets::interpreter::pipeline::edit<insert_after<passes::inline_calls, expand_ripple>>::with_ops<ripple>;
};
/// Computes sums, and nothing else.
struct adder : targets::interpreter {
  static constexpr fixed_string name = "adder";
  static bool has(const ir::op_view& op) { return op.is<op::add>(); }
};

struct collected : diagnostic_sink {
  std::vector<diagnostic> all;
  void report(const diagnostic& d) override { all.push_back(d); }
};

ir_module<phases::ingestion> sample() {
  ir::module m;
  const type_id three[] = {m.intern(ir::type::tensor(dtype::f32, {3}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, three);
  m[f].entry = true, m[f].result_types = {three[0]};
  ir::builder<ops<op::add, ripple, op::neg, op::return_>> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id y[] = {b.make(op::neg{}, {b.make(ripple{}, {b.make(op::add{}, {x, x})})})};
  b.make_op(op::return_{}, y, {});
  return ir_module<phases::ingestion>::adopt(std::move(m));
}
template <class Board>
std::vector<std::string> launches(ir_module<phases::ingestion> m, context& cx) {
  const auto built = build<Board>(std::move(m), cx);
  const float x[3] = {0.5f, 1, -2};
  const tensor in = tensor::from<float>({3}, {x[0], x[1], x[2]});
  const std::vector<tensor> out = Board::runtime::load(built.body())->run(std::span(&in, 1), 1);
  for (int i = 0; i < 3; ++i) CHECK(out[0].at_f64(i) == doctest::Approx(-2 * x[i] * std::exp(-2.0 * x[i])));
  std::vector<std::string> where;
  ir::for_each_op(built.body(), [&](op_id op) {
    if (const auto* l = built.body().view(op).template get_if<op::launch>()) where.push_back(l->on);
  });
  return where;
}
}  // namespace

TEST_CASE("an op that one member has runs there, unpinned, and the rest on the host") {
  using board = composite<host<targets::interpreter>, device<"npu", wave>>;
  context cx;
  collected notes;
  cx.diagnostics = &notes;
  CHECK(launches<board>(sample(), cx) == std::vector<std::string>{"interpreter", "npu", "interpreter"});
  REQUIRE(notes.all.size() == 1);
  CHECK(notes.all[0].code == "target.fallback");
  CHECK(notes.all[0].message == "'interpreter' does not have op 'ripple': it runs on 'npu'");
}
TEST_CASE("ops are pinned by their type, and no note is needed") {
  using board = composite<host<wave>, device<"a", targets::interpreter>, device<"b", wave>>;
  auto m = sample();
  constrain<
      pins<op_pin<ripple, device<"b", wave>>, op_pin<op::neg, targets::interpreter>, op_pin<op::add, unconstrained>>,
      board>(m);
  context cx;
  collected notes;
  cx.diagnostics = &notes;
  CHECK(launches<board>(std::move(m), cx) == std::vector<std::string>{"wave", "b", "a"});
  CHECK(notes.all.empty());
}
TEST_CASE("a host may have little: the first member that has an op gets it") {
  using board = composite<host<adder>, device<"a", targets::interpreter>, device<"b", wave>>;
  context cx;
  CHECK(launches<board>(sample(), cx) == std::vector<std::string>{"adder", "b", "a"});
}
TEST_CASE("what no member has is refused, with where it stands") {
  using board = composite<host<adder>, device<"b", adder>>;
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion

func entry @main(%0: tensor<3xf32>) -> (tensor<3xf32>) {
  %1 = neg(%0) : tensor<3xf32> loc("node 'n'")
  return(%1)
}
)");
  context cx;
  const error e = caught([&] { (void)build<board>(std::move(m), cx); });
  CHECK(e.code() == "target.home");
  CHECK(e.message() == "'adder' does not have op 'neg', nor does another member");
  CHECK(e.where() == "node 'n'");
  CHECK(e.hint().find("the members are: adder, b") != std::string::npos);
}
TEST_CASE("what is known of pins of ops where they are written") {
  using two = detail::types<host<targets::interpreter>, device<"npu", wave>>;
  static_assert(detail::board_check<two, pins<op_pin<ripple, wave>>>::ok);
  static_assert(!detail::board_check<two, pins<op_pin<ripple, targets::interpreter>>>::ok, "it does not have it");
  static_assert(detail::board_check<two, pins<op_pin<op::neg, targets::interpreter>>>::ok);
  static_assert(!detail::pins_check<op_pin<op::neg, wave>, op_pin<op::neg, targets::interpreter>>::ok);
  static_assert(detail::pins_check<op_pin<op::neg, wave>, pin<"neg", targets::interpreter>>::ok, "op and function");
}
