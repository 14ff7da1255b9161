// Write your own op: a struct, its type rule, its meaning; and a pass that says it in built-in ops.
#include <cmath>
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/interpret/interpreter.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// `%y = swish(%x) {beta}`: x * sigmoid(beta * x)
struct swish {
  static constexpr fixed_string name = "swish";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  double beta = 1;
  TENON_ATTRIBUTES(
      beta)  // i64, double, bool, std::string, dtype, vectors of numbers or strings, constant_id (a tensor)
};
void infer(const swish&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const swish& op, eval_context& cx) {
  tensor y = cx.operand(0).clone();
  for (i64 i = 0; i < y.size(); ++i) {
    const double x = y.at_f64(i);
    y.set_f64(i, x / (1 + std::exp(-op.beta * x)));
  }
  cx.result(y);
}

/// Before: swish(%x) {beta}          After: mul(%x, sigmoid(mul(const beta, %x)))
struct expand_swish {
  static constexpr fixed_string name = "expand_swish";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = facts<>;
  using eliminates = ops<swish>;
  using handles = ops<swish>;
  using emits = ops<op::constant, op::mul, op::sigmoid>;

  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, [&](op_id op) {
      const swish* s = m.view(op).get_if<swish>();
      if (!s) return;
      ir::builder<emits> b(m, m[op].parent);
      b.before(op);
      const value_id x = m.operand(op, 0);
      const tensor beta = tensor::scalar(s->beta).cast(m.type_of(x).elem);
      const value_id scaled = b.make(op::mul{}, {b.make(op::constant{m.add_constant(beta)}, {}), x});
      m.replace_uses(m.result(op), b.make(op::mul{}, {x, b.make(op::sigmoid{}, {scaled})}));
      m.erase(op);
    });
  }
};

// Phases are open: with the op, and a pass that eliminates it, the pipeline of a target is judged again as a whole.
using with_swish =
    targets::interpreter::pipeline::edit<insert_after<passes::inline_calls, expand_swish>>::with_ops<swish>;
struct target : targets::interpreter {
  static constexpr fixed_string name = "interpreter_with_swish";
  using pipeline = with_swish;
};
}  // namespace mine

int main() {
  using namespace tenon;
  ir_module<extend<phases::ingestion, mine::swish>> graph;
  ir::module& m = graph.body();
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {3}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  m[f].entry = true;
  ir::builder<extend<phases::ingestion, mine::swish>::op_list> b(m, m[f].body);
  const value_id y = b.make(mine::swish{.beta = 1.5}, {m[m[f].body].arguments[0]});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  std::printf("%s", print(graph).c_str());

  const tensor x = tensor::from<float>({3}, {-1, 0, 2});
  const tensor by_itself = interpret(m, "main", {&x, 1}, eval_table_of<ops<mine::swish>>())[0];
  auto expanded = compile_to<phases::optimization, mine::target>(std::move(graph));
  std::printf("%s", print(expanded).c_str());
  const tensor by_parts = interpret(expanded.body(), "main", {&x, 1})[0];
  for (i64 i = 0; i < 3; ++i) std::printf("%.4f %.4f\n", by_itself.at_f64(i), by_parts.at_f64(i));
}

// CHECK: swish(%0) {beta = 1.5} : tensor<3xf32>
// CHECK: phase=optimization
// CHECK-NOT: swish(
// CHECK: sigmoid
// CHECK: -0.1824 -0.1824
// CHECK: 1.9051 1.9051
