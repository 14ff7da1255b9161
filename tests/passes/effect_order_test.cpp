// What has an effect in a call or in a branch keeps its place among what has effects, whatever pass puts ops in a new
// order.
#include <tenon/ir/op_table.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/passes/partition_for.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

// A cell, who writes it, and who reads it.
struct cell {
  [[maybe_unused]] static constexpr fixed_string name = "cell";
};
struct cell_write {
  static constexpr fixed_string name = "test.cell_write";
  using effects = tenon::effects<cell>;
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = 0};
};
struct cell_read {
  static constexpr fixed_string name = "test.cell_read";
  using effects = tenon::effects<cell>;
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
void infer(const cell_read&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
tensor held;
void evaluate(const cell_write&, eval_context& cx) { held = cx.operand(0).clone(); }
void evaluate(const cell_read&, eval_context& cx) { cx.result(held.clone()); }

using known = meta::concat_t<graph_ops, host_ops, call_ops, ops<cell_write, cell_read>>;

/// What the names of tests stand for: the same write, in a function, in a branch, or in the open.
constexpr std::string_view in_function = "call(%a) {callee = @put}", in_branch = R"(if_else(%yes) ({
    test.cell_write(%a)
    yield()
  }, {
    yield()
  }))",
                           in_the_open = "test.cell_write(%a)";

/// A read behind the write, of which what was before it is used too.
std::string read_behind(std::string_view write) {
  return "tenon.module phase=optimization"
         R"(
func @put(%v: tensor<2x3xf32>) -> () {
  test.cell_write(%v)
  return()
}
func entry @main(%x: tensor<2x3xf32>, %yes: tensor<bool>, %w: tensor<3x3xf32>) -> (tensor<2x3xf32>) {
  %a = neg(%x) : tensor<2x3xf32>
  )" + std::string(write) +
         R"(
  %v = test.cell_read(%x) : tensor<2x3xf32>
  %c = add(%a, %v) : tensor<2x3xf32>
  return(%c)
})";
}

/// Two writes, of which the first has to wait for what it writes.
std::string written_twice(std::string_view write) {
  return "tenon.module phase=optimization"
         R"(
func @put(%v: tensor<20x30xf32>) -> () {
  test.cell_write(%v)
  return()
}
func entry @main(%a: tensor<20x30xf32>, %yes: tensor<bool>) -> (tensor<20x30xf32>) {
  %b = exp(%a) : tensor<20x30xf32>
  %c = neg(%b) : tensor<20x30xf32>
  test.cell_write(%c)
  )" + std::string(write) +
         R"(
  %v = test.cell_read(%a) : tensor<20x30xf32>
  return(%v)
})";
}

/// What `main` returns, where the cell held 100 before.
tensor run_main(const ir::module& m, const std::vector<tensor>& inputs) {
  held = tensor(dtype::f32, inputs[0].shape());
  for (i64 i = 0; i < held.size(); ++i) held.set_f64(i, 100);
  return interpret(m, "main", inputs, eval_table_of<ops<cell_write, cell_read>>()).at(0);
}

template <class Pass>
void means_the_same(const std::string& text, const Pass& pass = {}) {
  auto m = ir_module<phases::optimization>::adopt(parse(text, "text", {.phase = {}, .ops = ir::op_table_of<known>()}));
  std::vector<tensor> inputs = some_inputs(m.body());
  inputs[1].set_i64(0, 1);
  const tensor before = run_main(m.body(), inputs);
  REQUIRE(before.at_f64(0) != 100);
  context cx;
  if constexpr (requires { pass.run(m, cx); }) {
    pass.run(m, cx);
    CHECK_MESSAGE(run_main(m.body(), inputs).at_f64(0) == before.at_f64(0), print(m));
  } else {
    const auto after = pass.run(std::move(m), cx);
    CHECK_MESSAGE(run_main(after.body(), inputs).at_f64(0) == before.at_f64(0), print(after));
  }
}

struct no_generator {
  struct format {
    static constexpr fixed_string name = "none";
  };
  static std::vector<char> compile(const external_function&, context&) { return {}; }
  static std::unique_ptr<external_code> load(std::span<const char>) { return nullptr; }
};
struct elementwise_library {
  static constexpr fixed_string name = "elementwise";
  using patterns = pattern_list<named<"sum", pattern<op::add, any, any>>, named<"neg", pattern<op::neg, any>>>;
  using external_code_generator = no_generator;
};

}  // namespace

TEST_CASE_TEMPLATE("a write in the open, in a function, in a branch", Pass, passes::fuse,
                   passes::partition_for<elementwise_library>, passes::outline_regions, passes::eliminate_dead) {
  for (const std::string_view write : {in_the_open, in_function, in_branch}) {
    means_the_same<Pass>(read_behind(write));
    means_the_same<Pass>(written_twice(write));
  }
}
