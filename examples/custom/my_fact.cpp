// Write your own fact: what is true of a module, with the checker that proves it; a pass that gives it, one that relies
// on it, and one that says it gives it and does not.
#include <cstdio>

#include <tenon/definitions/pipelines.hpp>  // once in a program; enough where no op of tenon's is run
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// No op divides: a fact about ops. In a pipeline it follows from what passes eliminate and emit, so nobody has to
/// remember it.
struct no_division {
  static constexpr fixed_string name = "no_division";
  using absent_ops = ops<op::div>;
};
/// Constants are small. A fact that only looking at the module can prove: so it has a checker.
struct constants_small {
  static constexpr fixed_string name = "constants_small";
  static void check(const ir::module& m) {
    for (size_t i = 0; i < m.constant_count(); ++i)
      if (const auto& c = m[constant_id(i)]; c.value.bytes() > 64)
        throw error("fact.constants_small",
                    "constant '" + c.name + "' has " + std::to_string(c.value.bytes()) + " bytes");
  }
};

/// Before: div(%x, %y)          After: mul(%x, reciprocal(%y))
struct divide_by_multiplying {
  static constexpr fixed_string name = "divide_by_multiplying";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using gives = facts<no_division>;  // for modules that passes are run on by hand: their type lists the facts
  using keeps = all_facts;
  using eliminates = ops<op::div>;
  using handles = ops<op::div>;
  using emits = ops<op::mul, op::reciprocal>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (!m.view(op).is<op::div>()) return;
      ir::builder<emits> b(m, m[op].parent);
      b.before(op);
      const value_id r = b.make(op::reciprocal{}, {m.operand(op, 1)});
      m.replace_uses(m.result(op), b.make(op::mul{}, {m.operand(op, 0), r}));
      m.erase(op);
    });
  }
};
/// Relies on both facts.
struct quantize {
  static constexpr fixed_string name = "quantize";
  using runs_in = phases::optimization;
  using needs = facts<no_division, constants_small>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context&) const { m.body().metadata["quantized"] = "yes"; }
};
/// Says that it makes constants small, and does nothing.
struct shrink_constants {
  static constexpr fixed_string name = "shrink_constants";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<constants_small>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>&, context&) const {}
};
using right = pipeline<passes::infer_shapes, divide_by_multiplying, shrink_constants, quantize>;
// simplify says what it may emit, and div is not among it: the op-set fact survives. It may emit constants, and has
// never heard of constants_small.
static_assert(
    is_valid<pass_list<passes::infer_shapes, divide_by_multiplying, passes::simplify, shrink_constants, quantize>>);
static_assert(
    verdict_of<passes::infer_shapes, divide_by_multiplying, shrink_constants, passes::simplify, quantize>.code == 3);
static_assert(verdict_of<passes::infer_shapes, shrink_constants, quantize>.code == 2, "nobody gives no_division");
}  // namespace mine

int main() {
  using namespace tenon;
  const auto module_with = [](i64 extent) {
    ir_module<phases::optimization> m;
    m.body().add_constant(tensor(dtype::f32, {extent}), "table");
    return m;
  };
  // By hand: what is known stands in the type. establish<…> runs the checkers and says so.
  context cx;
  auto m = establish<mine::no_division, mine::constants_small>(module_with(4));
  auto q = run<mine::quantize>(std::move(m), cx);
  std::printf("quantized: %s\n", q.body().metadata.at("quantized").c_str());
  // A pass that lies is named, when checkers run after each pass.
  cx.verify_each = true;
  try {
    auto lied = run<mine::shrink_constants>(module_with(1000), cx);
  } catch (const error& e) { std::printf("%s: %s\n", e.code().c_str(), e.message().c_str()); }
}

// CHECK: quantized: yes
// CHECK: tenon-E030: pass 'shrink_constants' leaves a module of which 'constants_small' is said and is not true: constant 'table' has 4000 bytes
