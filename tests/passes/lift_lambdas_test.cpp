// Closures become top-level functions or are copied to their calls; calls are inlined.
#include <tenon/compile/run.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/lift_lambdas.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

const ir::type vec = ir::type::tensor(dtype::f32, {2});

/// main(x, y) with a closure \a. a * y + x, called `calls` times in a chain.
ir::module with_closure(int calls, bool named_captures) {
  ir::module m;
  const type_id t = m.intern(vec), two[] = {t, t}, one[] = {t};
  const function_id f = m.add_function("main", ir::function_kind::graph, two);
  m[f].entry = true;
  const auto args = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  ir::type fn;
  fn.kind = ir::type_kind::function;
  fn.parts = {t, t};
  fn.split = 1;
  const type_id ft[] = {m.intern(fn)};
  const op_id closure =
      named_captures ? b.make_op(op::closure{}, std::vector{args[1]}, ft, 1) : b.make_op(op::closure{}, {}, ft, 1);
  const region_id body = m.region(closure);
  const value_id y = named_captures ? m.add_argument(body, t) : args[1];
  const value_id a = m.add_argument(body, t);
  {
    ir::builder<> inner(m, body);
    const value_id s = inner.make(op::mul{}, {a, y});
    inner.make_op(op::yield{}, std::vector{inner.make(op::add{}, {s, args[0]})}, {});
  }
  value_id v = args[0];
  for (int i = 0; i < calls; ++i) v = m.result(b.make_op(op::call_closure{}, std::vector{m.result(closure), v}, one));
  b.make_op(op::return_{}, std::vector{v}, {});
  m[f].result_types = {t};
  return m;
}

std::vector<tensor> inputs() { return {tensor::from<float>({2}, {1, 2}), tensor::from<float>({2}, {3, 5})}; }

}  // namespace

TEST_CASE("a closure with several calls becomes a function with its captures as operands") {
  for (const bool named : {false, true}) {
    CAPTURE(named);
    ir::module m = with_closure(3, named);
    const auto before = interpret(m, "main", inputs());
    context cx;
    auto lifted = run<passes::lift_lambdas>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
    ir::verify<phases::optimization>(lifted.body());
    CHECK(decltype(lifted)::knows<fact::no_inner_functions>);
    REQUIRE(lifted.body().find_function("main_lambda"));
    CHECK(count(lifted, "call") == 3);
    CHECK(same_bits(interpret(lifted.body(), "main", inputs())[0], before[0]));
    auto flat = run<passes::inline_calls>(std::move(lifted), cx);
    ir::verify<phases::optimization>(flat.body());
    CHECK(flat.body().functions().size() == 1);
    CHECK(same_bits(interpret(flat.body(), "main", inputs())[0], before[0]));
  }
}

TEST_CASE("a closure with one call is part of its caller") {
  ir::module m = with_closure(1, true);
  const auto before = interpret(m, "main", inputs());
  context cx;
  const auto lifted = run<passes::lift_lambdas>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
  CHECK(lifted.body().functions().size() == 1);
  CHECK(same_bits(interpret(lifted.body(), "main", inputs())[0], before[0]));
}

TEST_CASE("functions that take functions are copied to their calls") {
  // apply(f, x) = f(f(x)); main(x, y) = apply(\a. a + y, x)
  ir::module m;
  const type_id t = m.intern(vec), two[] = {t, t}, one[] = {t};
  ir::type fn;
  fn.kind = ir::type_kind::function;
  fn.parts = {t, t};
  fn.split = 1;
  const type_id ft[] = {m.intern(fn)}, fa[] = {ft[0], t};
  const function_id apply = m.add_function("apply", ir::function_kind::graph, fa);
  {
    const auto args = m[m[apply].body].arguments;
    ir::builder<> b(m, m[apply].body);
    const value_id once = m.result(b.make_op(op::call_closure{}, std::vector{args[0], args[1]}, one));
    b.make_op(op::return_{}, std::vector{m.result(b.make_op(op::call_closure{}, std::vector{args[0], once}, one))}, {});
  }
  const function_id f = m.add_function("main", ir::function_kind::graph, two);
  m[f].entry = true;
  const auto args = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const op_id closure = b.make_op(op::closure{}, {}, ft, 1);
  const value_id a = m.add_argument(m.region(closure), t);
  ir::builder<> inner(m, m.region(closure));
  inner.make_op(op::yield{}, std::vector{inner.make(op::add{}, {a, args[1]})}, {});
  const value_id v = m.result(b.make_op(op::call{{"apply"}}, std::vector{m.result(closure), args[0]}, one));
  b.make_op(op::return_{}, std::vector{v}, {});

  const auto before = interpret(m, "main", inputs());
  context cx;
  const auto lifted = run<passes::lift_lambdas>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
  ir::verify<phases::optimization>(lifted.body());
  CHECK_FALSE(lifted.body().find_function("apply"));
  CHECK(same_bits(interpret(lifted.body(), "main", inputs())[0], before[0]));
}

TEST_CASE("a closure that leaves is an error") {
  ir::module m = with_closure(1, false);
  const region_id body = m[m.find_function("main")].body;
  const value_id closure = m.result(m[body].ops[0]);
  m.set_operand(m.terminator(body), 0, closure);
  m[m.find_function("main")].result_types = {m[closure].type};
  context cx;
  CHECK(code_of([&] { (void)run<passes::lift_lambdas>(ir_module<phases::ingestion>::adopt(std::move(m)), cx); }) ==
        "passes.lift_lambdas");
}
