// A command line with passes that are wrong, for `compare` and `reduce` to find: what it answers stands in
// faulty/*.tir.
#include <cstdlib>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/tool/built_in.hpp>

namespace faulty {
using namespace tenon;

/// Before: tanh(%x)          After: neg(%x)
struct wrong_tanh {
  static constexpr fixed_string name = "wrong_tanh";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<op::neg>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (!m.view(op).is<op::tanh>()) return;
      ir::builder<emits> b(m, m[op].parent);
      b.before(op);
      m.replace_uses(m.result(op), b.make(op::neg{}, {m.operand(op, 0)}));
      m.erase(op);
    });
  }
};

/// Ends the process where an exp is of what a matmul gives.
struct crash_on_exp {
  static constexpr fixed_string name = "crash_on_exp";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& module, context&) const {
    const ir::module& m = module.body();
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (m.view(op).is<op::exp>() && m.definition_info(m.operand(op, 0)) == &ir::info_of<op::matmul>) std::abort();
    });
  }
};

struct target : targets::interpreter {
  static constexpr fixed_string name = "wrong";
  using pipeline = targets::interpreter::pipeline::edit<insert_after<passes::infer_shapes, wrong_tanh>>;
};
struct crashing : targets::interpreter {
  static constexpr fixed_string name = "crashing";
  using pipeline = targets::interpreter::pipeline::edit<insert_after<passes::infer_shapes, crash_on_exp>>;
};
}  // namespace faulty

int main(int argc, char** argv) {
  using namespace tenon;
  return tenon_main<built_in, pass_list<faulty::wrong_tanh, faulty::crash_on_exp>,
                    target_list<faulty::target, faulty::crashing>>(argc, argv);
}
