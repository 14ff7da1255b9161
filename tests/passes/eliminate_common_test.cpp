// Equal computations become one.
#include <tenon/compile/run.hpp>
#include <tenon/passes/eliminate_common.hpp>

#include <support/graph.hpp>

using namespace graph_test;

TEST_CASE("equal ops and equal constants are merged, different ones are not") {
  const auto m = ran<passes::eliminate_common>(R"(
constant #0 : tensor<2xf32> = [1, 2]
constant #1 : tensor<2xf32> = [1, 2]
constant #2 : tensor<2xf32> = [1, -2]
func entry @main(%0: tensor<2xf32>, %1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %2 = constant() {value = #0} : tensor<2xf32>
  %3 = constant() {value = #1} : tensor<2xf32>
  %4 = constant() {value = #2} : tensor<2xf32>
  %5 = add(%0, %1) : tensor<2xf32>
  %6 = add(%1, %0) : tensor<2xf32>
  %7 = sub(%0, %1) : tensor<2xf32>
  %8 = sub(%1, %0) : tensor<2xf32>
  %9 = mul(%5, %2) : tensor<2xf32>
  %10 = mul(%6, %3) : tensor<2xf32>
  %11 = mul(%7, %4) : tensor<2xf32>
  %12 = add(%9, %10) : tensor<2xf32>
  return(%12, %11, %8)
})");
  CHECK(count(m, "constant") == 2);
  CHECK(count(m, "add") == 2);
  CHECK(count(m, "sub") == 2);
  CHECK(count(m, "mul") == 2);
}

TEST_CASE("attributes count, and every result is replaced") {
  const auto m = ran<passes::eliminate_common>(R"(
func entry @main(%0: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>, tensor<1x4xf32>) {
  %1, %2 = top_k(%0) {k = 2, axis = 1} : (tensor<2x2xf32>, tensor<2x2xi64>)
  %3, %4 = top_k(%0) {k = 2, axis = 1} : (tensor<2x2xf32>, tensor<2x2xi64>)
  %5, %6 = top_k(%0) {k = 1, axis = 0} : (tensor<1x4xf32>, tensor<1x4xi64>)
  return(%1, %4, %5)
})");
  CHECK(count(m, "top_k") == 2);
}

TEST_CASE("large constants are one only where all of their elements are equal") {
  ir::module m;
  const function_id f = m.add_function("main", ir::function_kind::graph, {});
  ir::builder<> b(m, m[f].body);
  m[f].entry = true;
  std::vector<value_id> results;
  for (int changed : {-1, 5000, -1, 5000, 5001}) {
    tensor t(dtype::i32, {10000});
    if (changed >= 0) t.set_i64(changed, 1);
    results.push_back(b.make(op::constant{m.add_constant(std::move(t))}, {}));
    m[f].result_types.push_back(m[results.back()].type);
  }
  b.make_op(op::return_{}, results, {});
  auto o = ir_module<phases::optimization>::adopt(std::move(m));
  context cx;
  passes::eliminate_common{}.run(o, cx);
  CHECK(count(o, "constant") == 3);
  const auto values = interpret(o.body(), "main", {});
  CHECK(values[2].at_i64(5000) == 0);
  CHECK(values[3].at_i64(5000) == 1);
  CHECK(values[4].at_i64(5001) == 1);
}

TEST_CASE("calls of a pure function with the same operands are one call") {
  const auto m = ran<passes::eliminate_common>(R"(
func entry @main(%0: tensor<2xf32>, %1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %2, %3 = call(%0, %1) {callee = @both} : (tensor<2xf32>, tensor<2xf32>)
  %4, %5 = call(%0, %1) {callee = @both} : (tensor<2xf32>, tensor<2xf32>)
  %6, %7 = call(%1, %0) {callee = @both} : (tensor<2xf32>, tensor<2xf32>)
  %8 = add(%2, %5) : tensor<2xf32>
  %9 = add(%3, %6) : tensor<2xf32>
  return(%8, %9)
}
func @both(%0: tensor<2xf32>, %1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %2 = sub(%0, %1) : tensor<2xf32>
  %3 = mul(%0, %1) : tensor<2xf32>
  return(%2, %3)
})");
  CHECK(count(m, "call") == 2);
}

namespace {
/// `%y = common.task() ({ ops; common.task_end(%v) })`: will be code of its own, and shares nothing with what is
/// around.
struct task {
  static constexpr fixed_string name = "common.task";
  static constexpr op_traits traits{.regions = 1, .max_operands = 0};
  using region_keeps = any_effects;
};
struct task_end {
  static constexpr fixed_string name = "common.task_end";
  static constexpr op_traits traits{.terminator = true, .results = 0};
};
}  // namespace

TEST_CASE("an op in a region that keeps what stands in it is not merged with one outside, but with its like inside") {
  using phase = extend<phases::optimization, task, task_end>;
  ir::module m;
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {2}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  ir::builder<> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id outside = b.make(op::exp{}, {x});
  const op_id around = b.make_op(task{}, {}, {&t, 1}, 1);
  ir::builder<> in(m, m.region(around));
  const value_id inside = in.make(op::exp{}, {x}), again = in.make(op::exp{}, {x});
  const value_id sum = in.make(op::add{}, {inside, again});
  in.make_op(task_end{}, {&sum, 1}, {});
  const value_id both[] = {outside, m.result(around)};
  b.make_op(op::return_{}, both, {});
  m[f].result_types = {t, t};

  auto o = ir_module<phase>::adopt(std::move(m));
  context cx;
  cx.verify_each = true;
  const auto done = run<passes::eliminate_common>(std::move(o), cx);
  int left = 0;
  ir::for_each_op(done.body(), [&](op_id op) { left += done.body().view(op).is<op::exp>(); });
  CHECK(left == 2);
}
