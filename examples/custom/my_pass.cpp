// Write your own pass: from outside of the library, with nothing that the built-in ones do not have.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/interpret/interpreter.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing/laws.hpp>

namespace mine {
using namespace tenon;

/// Before: mul(%x, const 2)          After: add(%x, %x)
struct double_by_adding {
  static constexpr fixed_string name = "double_by_adding";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;  // what it relies on …
  using keeps = all_facts;                  // … and what it leaves true
  using emits = ops<op::add>;               // its builder can make nothing else

  void run(ir_module<runs_in>& module, context& cx) const {
    ir::module& m = module.body();
    int count = 0;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (!m.view(op).is<op::mul>()) return;
      const tensor* factor = m.constant_value(m.operand(op, 1));
      const value_id x = m.operand(op, 0);
      if (!factor || factor->size() != 1 || factor->at_f64(0) != 2 || m.type_of(x) != m.type_of(m.result(op))) return;
      ir::builder<double_by_adding> b(m, m[op].parent);
      b.before(op);
      m.replace_uses(m.result(op), b.make(op::add{}, {x, x}));
      m.erase(op);
      ++count;
    });
    cx.report({severity::note, "double_by_adding", std::to_string(count) + " products became sums", {}, {}});
  }
};
// Is the declaration sound? Asked loudly here, so that the compiler says what is wrong, and again wherever it is used.
static_assert(sound_pass<double_by_adding>);

// It fits after infer_shapes, and not before: the second line would not compile as a pipeline.
using fits = pipeline<passes::infer_shapes, double_by_adding, passes::eliminate_dead>;
static_assert(!is_valid<pass_list<double_by_adding, passes::infer_shapes>>);

struct printer final : diagnostic_sink {
  void report(const diagnostic& d) override { std::printf("note: %s\n", d.message.c_str()); }
};
}  // namespace mine

int main() {
  using namespace tenon;
  auto m = parse<phases::optimization>(R"(tenon.module phase=optimization
constant #0 "two" : tensor<f32> = [2]
func entry @main(%0: tensor<3xf32>) -> (tensor<3xf32>) inputs("x") outputs("y") {
  %1 = constant() {value = #0} : tensor<f32>
  %2 = mul(%0, %1) : tensor<3xf32>
  return(%2)
}
)");
  const tensor x = tensor::from<float>({3}, {1, 2, 3});
  const tensor before = interpret(m.body(), "main", {&x, 1})[0];
  context cx;
  cx.verify_each = true;
  mine::printer sink;
  cx.diagnostics = &sink;
  auto shaped = run<passes::infer_shapes>(std::move(m), cx);
  // Does it do what it says? The laws of passes, for your tests: it emits, deletes and keeps what it declares, gives
  // the same text twice, and keeps the meaning. A law that does not hold is an error that names it.
  laws::check_pass<mine::double_by_adding>(shaped.body(), {.inputs = {x}});
  auto doubled = run<mine::double_by_adding>(std::move(shaped), cx);
  auto done = run<passes::eliminate_dead>(std::move(doubled), cx);
  std::printf("%s", print(done).c_str());
  const tensor after = interpret(done.body(), "main", {&x, 1})[0];
  std::printf("means %s\n", same_bits(before, after) ? "the same" : "something else");
}

// CHECK: note: 1 products became sums
// CHECK: func entry @main
// CHECK-NEXT: add(%0, %0) : tensor<3xf32>
// CHECK-NEXT: return
// CHECK: means the same
