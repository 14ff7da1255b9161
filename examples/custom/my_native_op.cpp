// Your own op in native code: its meaning at one index, and one line that lets it through the pipeline of `cpu`.
// Fusion, vectors and threads come from the built-in passes.
// needs: llvm
#include <cstdio>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/passes/lowering_table.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// `%y = leaky(%x) {slope}`: x where it is positive, slope * x elsewhere
struct leaky {
  static constexpr fixed_string name = "leaky";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  double slope = 0.01;
  TENON_ATTRIBUTES(slope)
};
void infer(const leaky&, ir::infer_context& cx) { cx.result(cx.operand(0)); }

/// What it means, for the interpreter.
void evaluate(const leaky& op, eval_context& cx) {
  tensor y = cx.operand(0).clone();
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, y.at_f64(i) * (y.at_f64(i) > 0 ? 1 : op.slope));
  cx.result(y);
}
// [element]
/// What it means at one index, for loop nests: max(x, 0) + slope * min(x, 0).
value_id element(const leaky& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.result_type().elem;
  const value_id x = cx.operand(0, at), zero = b.real(t, 0);
  return b.add(b.max(x, zero), b.mul(b.real(t, op.slope), b.min(x, zero)));
}
// [end]
}  // namespace mine

// The line: without it `with_ops` below does not compile, and the error says so.
// [line]
template <>
struct tenon::lower_with<tenon::passes::legalize_ops, mine::leaky> : tenon::native_form<mine::leaky> {};
// [end]

namespace mine {
struct target : targets::cpu {
  static constexpr fixed_string name = "cpu_with_leaky";
  // [pipeline]
  using pipeline = targets::cpu::pipeline::with_ops<leaky>;
  // [end]
};
}  // namespace mine

int main() {
  using namespace tenon;
  using phase = extend<phases::ingestion, mine::leaky>;
  ir_module<phase> graph;
  ir::module& m = graph.body();
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {4}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  m[f].entry = true;
  ir::builder<phase::op_list> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id y = b.make(op::exp{}, {b.make(mine::leaky{.slope = 0.5}, {b.make(op::neg{}, {x})})});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};

  const tensor in = tensor::from<float>({4}, {-1, 0, 2, 4});
  const tensor meant = interpret(m, "main", {&in, 1}, eval_table_of<ops<mine::leaky>>())[0];

  context cx;
  cx.verify_each = true;
  mine::target{}.configure(cx);
  const auto built = build<mine::target>(std::move(graph), cx);
  for (function_id k : built.body().functions()) std::printf("%s\n", built.body()[k].name.c_str());
  const tensor made = load(built)["main"](in);
  for (i64 i = 0; i < 4; ++i) std::printf("%.4f %.4f\n", meant.at_f64(i), made.at_f64(i));
}

// CHECK: neg_leaky_exp
// CHECK: 2.7183 2.7183
// CHECK: 1.0000 1.0000
// CHECK: 0.3679 0.3679
// CHECK: 0.1353 0.1353
