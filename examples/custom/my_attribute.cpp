// From a note to a field: what only advises is a discardable attribute, which every pass carries and none has to know.
// What programs come to rely on becomes an op of its own, with the same struct, and the judge holds passes to it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// The values of a tensor, rounded to so many bits. First a note, `mine.rounded.bits = 4`, beside any op; then an op.
struct rounded {
  static constexpr fixed_string name = "mine.rounded";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  i64 bits = 24;
  TENON_ATTRIBUTES(bits)
};
void infer(const rounded&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const rounded& op, eval_context& cx) {
  tensor y = cx.operand(0).clone();
  for (i64 i = 0; i < y.size(); ++i) {
    int exponent = 0;
    const double part = std::frexp(y.at_f64(i), &exponent), scale = std::ldexp(1.0, static_cast<int>(op.bits));
    y.set_f64(i, std::ldexp(std::round(part * scale) / scale, exponent));
  }
  cx.result(y);
}

/// Before: %1 = exp(%0) attributes(mine.rounded.bits = 4)    After: %1 = exp(%0); %2 = mine.rounded(%1) {bits = 4}
/// From here on the number is part of what the module means, and every pass is asked what it does with the op.
struct round_as_noted {
  static constexpr fixed_string name = "round_as_noted";
  using runs_in = extend<phases::optimization, rounded>;
  using needs = facts<>;
  using keeps = facts<fact::shapes_known, fact::calls_inlined>;
  using emits = ops<rounded>;

  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, [&](op_id op) {
      const auto note = ir::attached<rounded>(m.discardable(op));
      if (!note) return;
      ir::discardable_attributes others = m.discardable(op);
      others.erase("mine.rounded.bits");
      m.set_discardable(op, others);  // said once, in one place
      const std::vector<op_id>& ops = m[m[op].parent].ops;
      ir::builder<emits> b(m, m[op].parent);
      b.before(*(std::find(ops.begin(), ops.end(), op) + 1));
      const value_id exact = m.result(op), y = b.make(*note, {exact});
      m.replace_uses(exact, y);
      m.set_operand(m[y].definition, 0, exact);
    });
  }
};
}  // namespace mine

int main() {
  using namespace tenon;
  auto noted = parse<phases::ingestion>(R"m(tenon.module phase=ingestion
    func entry @main(%x: tensor<3xf32>) -> (tensor<3xf32>) inputs("x") outputs("y") {
      %a = exp(%x) : tensor<3xf32> attributes(mine.rounded.bits = 4)
      %b = exp(%x) : tensor<3xf32>
      %y = add(%a, %b) : tensor<3xf32>
      return(%y)
    })m");
  const tensor x = tensor::from<float>({3}, {-1, 0, 2});
  const tensor exact = interpret(noted.body(), "main", {&x, 1})[0];

  // A note: the passes of a target carry it, and a file has it.
  auto graph = compile_to<phases::optimization, targets::interpreter>(std::move(noted));
  const std::string file = std::filesystem::temp_directory_path() / "tenon_my_attribute.tmod";
  save_module(file, graph);
  using open = extend<phases::optimization, mine::rounded>;
  auto loaded = ir_module<open>::adopt(load_module(file));
  std::filesystem::remove(file);
  std::printf("%s\n", print(loaded).c_str());
  std::printf("advice changes nothing: %s\n",
              same_bits(interpret(loaded.body(), "main", {&x, 1})[0], exact) ? "yes" : "no");

  // A field: the same struct is the attributes of an op, in a phase that knows it. What must be right reads this.
  context cx;
  const auto promoted = run<mine::round_as_noted>(std::move(loaded), cx);
  std::printf("%s\n", print(promoted).c_str());
  const tensor y = interpret(promoted.body(), "main", {&x, 1}, eval_table_of<ops<mine::rounded>>())[0];
  for (i64 i = 0; i < 3; ++i) std::printf("%.4f instead of %.4f\n", y.at_f64(i), exact.at_f64(i));
}

// CHECK: exp(%0) : tensor<3xf32> attributes(mine.rounded.bits = 4)
// CHECK: advice changes nothing: yes
// CHECK: exp(%0) : tensor<3xf32>
// CHECK-NOT: attributes(
// CHECK: mine.rounded(%1) {bits = 4} : tensor<3xf32>
// CHECK: 14.8891 instead of 14.7781
