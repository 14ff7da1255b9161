// Write your own effect: what an op does besides computing its results. Every pass that deletes, merges or moves ops
// answers for it, or the pipeline does not compile.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/interpret/interpreter.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// Something is written to a log: how often and in which order is seen from outside.
struct logs {
  static constexpr fixed_string name = "logs";
};
/// `%y = trace(%x) {text}`: x, and a line in the log.
struct trace {
  static constexpr fixed_string name = "trace";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  using effects = tenon::effects<logs>;
  std::string text;
  TENON_ATTRIBUTES(text)
};
void infer(const trace&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const trace& op, eval_context& cx) {
  std::printf("log: %s\n", op.text.c_str());
  cx.result(cx.operand(0));
}

using phase = extend<phases::ingestion, trace>;
using cleaning = targets::interpreter::pipeline::edit<append<passes::eliminate_common>, append<passes::eliminate_dead>>;
}  // namespace mine

// Put this line in front of the answers below, and the compiler says:
//
//   using silent = mine::cleaning::with_ops<mine::trace>;
//
//   tenon-E016: pass 'lift_lambdas' (1st) deletes, merges or moves ops, and does not say how it treats the effect
//   'logs' of an op that this pipeline adds: specialize tenon::treats<lift_lambdas, effect>
//
// All four leave an op alone that has an effect they do not know, or move it with its neighbours: who looked, says so.
template <>
inline constexpr bool tenon::treats<tenon::passes::lift_lambdas, mine::logs> = true;
template <>
inline constexpr bool tenon::treats<tenon::passes::inline_calls, mine::logs> = true;
template <>
inline constexpr bool tenon::treats<tenon::passes::eliminate_common, mine::logs> = true;
template <>
inline constexpr bool tenon::treats<tenon::passes::eliminate_dead, mine::logs> = true;

namespace mine {
struct target : targets::interpreter {
  static constexpr fixed_string name = "interpreter_that_logs";
  using pipeline = cleaning::with_ops<trace>;
};
}  // namespace mine

int main() {
  using namespace tenon;
  ir_module<mine::phase> graph;
  ir::module& m = graph.body();
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {2}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  m[f].entry = true;
  ir::builder<mine::phase::op_list> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  b.make(op::exp{}, {x});                       // nobody uses it: deleted
  b.make(mine::trace{.text = "started"}, {x});  // nobody uses it, and it stays
  const value_id once = b.make(mine::trace{.text = "step"}, {x}), twice = b.make(mine::trace{.text = "step"}, {x});
  const value_id y = b.make(op::add{}, {once, twice});  // both are the same, and are not merged
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};

  const auto done = compile_to<phases::optimization, mine::target>(std::move(graph));
  std::printf("%s", print(done).c_str());
  const tensor in = tensor::from<float>({2}, {1, 2});
  const tensor out = interpret(done.body(), "main", {&in, 1}, eval_table_of<ops<mine::trace>>())[0];
  std::printf("%g %g\n", out.at_f64(0), out.at_f64(1));
}

// CHECK-NOT: exp(
// CHECK: trace(%0) {text = "started"}
// CHECK-COUNT-2: trace(%0) {text = "step"}
// CHECK: log: started
// CHECK-NEXT: log: step
// CHECK-NEXT: log: step
// CHECK-NEXT: 2 4
