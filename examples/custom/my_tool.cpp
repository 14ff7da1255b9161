// Write your own tool: the whole command line of tenon (opt, build, run, pipeline, compare, reduce …) for a pass, an
// op, a fact, a target and a format of yours. What it answers stands in my_tool/*.tir.
// needs: tool
#include <cmath>
#include <fstream>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/tool/built_in.hpp>

namespace mine {
using namespace tenon;

/// `%y = swish(%x) {beta}`: x * sigmoid(beta * x)
struct swish {
  static constexpr fixed_string name = "swish";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  double beta = 1;
  TENON_ATTRIBUTES(beta)
};
void infer(const swish&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const swish& op, eval_context& cx) {
  tensor y = cx.operand(0).clone();
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, y.at_f64(i) / (1 + std::exp(-op.beta * y.at_f64(i))));
  cx.result(y);
}

/// No swish is left: it follows from what passes eliminate and emit.
struct swish_expanded {
  static constexpr fixed_string name = "swish_expanded";
  using absent_ops = ops<swish>;
};

/// Before: swish(%x) {beta}          After: mul(%x, sigmoid(mul(const beta, %x)))
struct expand_swish {
  static constexpr fixed_string name = "expand_swish";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<swish_expanded>;
  using keeps = facts<>;
  using eliminates = ops<swish>;
  using handles = ops<swish>;
  using emits = ops<op::constant, op::mul, op::sigmoid>;

  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, [&](op_id op) {
      const swish* s = m.view(op).get_if<swish>();
      if (!s) return;
      ir::builder<expand_swish> b(m, m[op].parent);
      b.before(op);
      const value_id x = m.operand(op, 0);
      const tensor beta = tensor::scalar(s->beta).cast(m.type_of(x).elem);
      const value_id scaled = b.make(op::mul{}, {b.make(op::constant{m.add_constant(beta)}, {}), x});
      m.replace_uses(m.result(op), b.make(op::mul{}, {x, b.make(op::sigmoid{}, {scaled})}));
      m.erase(op);
    });
  }
};

/// The interpreter's target, for modules that hold the op.
struct target : targets::interpreter {
  static constexpr fixed_string name = "with_swish";
  using pipeline =
      targets::interpreter::pipeline::edit<insert_after<passes::inline_calls, expand_swish>>::with_ops<swish>;
};

/// Reads files of numbers: a chain of swish with each as its beta.
struct betas {
  static constexpr fixed_string name = "betas";
  static constexpr fixed_string extension = ".betas";
  static ir_module<phases::ingestion> load(const std::string& path) {
    ir::module m;
    const type_id three[] = {m.intern(ir::type::tensor(dtype::f32, {3}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, three);
    m[f].entry = true, m[f].argument_names = {"x"}, m[f].result_names = {"y"}, m[f].result_types = {three[0]};
    ir::builder<ops<swish, op::return_>> b(m, m[f].body);
    value_id x = m[m[f].body].arguments[0];
    std::ifstream file(path);
    for (double beta; file >> beta;) x = b.make(swish{beta}, {x});
    const value_id results[] = {x};
    b.make_op(op::return_{}, results, {});
    return ir_module<phases::ingestion>::adopt(std::move(m));
  }
};
}  // namespace mine

int main(int argc, char** argv) {
  using namespace tenon;
  return tenon_main<built_in, pass_list<mine::expand_swish>, target_list<mine::target>, ops<mine::swish>,
                    importer_list<mine::betas>>(argc, argv);
}
