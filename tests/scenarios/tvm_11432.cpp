// apache/tvm #11432: the hook RelayToTIR expects the functions of an external compiler inlined; the VM's driver
// outlines them.
#include "scenario.hpp"

#include <tenon/passes/inline_calls.hpp>

namespace tvm_11432 {

/// What an external compiler is to translate stands in the function that uses it.
struct compiler_functions_inlined {
  static constexpr tn::fixed_string name = "compiler_functions_inlined";
  static bool check(const tn::ir::module& m);
};
struct inline_compiler_functions {
  static constexpr tn::fixed_string name = "inline_compiler_functions";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<compiler_functions_inlined>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool removes_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// Products become functions of their own, for the compiler "dsp".
struct outline_compiler_functions {
  static constexpr tn::fixed_string name = "outline_compiler_functions";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using breaks = tn::facts<compiler_functions_inlined>;
  using emits = tn::ops<tn::op::call, tn::op::mul, tn::op::return_>;
  static constexpr bool adds_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// The hook of "dsp": doubles by adding.
struct relay_to_dsp {
  static constexpr tn::fixed_string name = "relay_to_dsp";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<compiler_functions_inlined>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::add>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

constexpr tn::verdict wrong = tn::verdict_of<inline_compiler_functions, outline_compiler_functions, relay_to_dsp>;
static_assert(wrong.code == 3 && wrong.pass_name == relay_to_dsp::name);
static_assert(wrong.culprit_name == outline_compiler_functions::name &&
              wrong.giver_name == inline_compiler_functions::name);
static_assert(tn::is_valid<tn::pass_list<inline_compiler_functions, relay_to_dsp, outline_compiler_functions>>);

#ifdef TENON_TWIN
using order =
    tn::pipeline<inline_compiler_functions, outline_compiler_functions, inline_compiler_functions, relay_to_dsp>;
#else
// CHECK: tenon-E003: pass 'relay_to_dsp' (3rd) needs 'compiler_functions_inlined', which pass 'outline_compiler_functions' (2nd) breaks after 'inline_compiler_functions' (1st) gave it: move 'outline_compiler_functions' before 'inline_compiler_functions', or move 'relay_to_dsp' before 'outline_compiler_functions'
using order = tn::pipeline<inline_compiler_functions, outline_compiler_functions, relay_to_dsp>;
#endif

#ifdef TENON_RUN
bool compiler_functions_inlined::check(const tn::ir::module& m) {
  bool inlined = true;
  ir::for_each_op(m, [&](op_id o) {
    if (const auto* c = m.view(o).get_if<op::call>())
      inlined = inlined && m[m.find_function(c->callee.name)].target != "dsp";
  });
  return inlined;
}
void inline_compiler_functions::run(tn::ir_module<runs_in>& m, tn::context& cx) const {
  passes::inline_calls{}.run(m, cx);
}
void outline_compiler_functions::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::mul>(m, [&](ir::op_view v) {
    const std::vector<ir::type> types{v.operand_type(0), v.operand_type(1)};
    const function_id f = add_function(
        m, "dsp_mul", types, [](auto& b, const auto& x) { return std::vector{b.make(op::mul{}, {x[0], x[1]})}; });
    m[f].target = "dsp";
    const type_id t[] = {m[m.result(v.id())].type};
    const op_id call = before<emits>(m, v.id()).make_op(op::call{{m[f].name}}, m.operands(v.id()), t);
    replace_op(m, v.id(), m.result(call));
  });
}
void relay_to_dsp::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::mul>(m, [&](ir::op_view v) {
    const tensor* c = m.constant_value(v.operand(1));
    if (c == nullptr || c->at_f64(0) != 2) return;
    replace_op(m, v.id(), before<emits>(m, v.id()).make(op::add{}, {v.operand(0), v.operand(0)}));
  });
}

TEST_CASE("tvm #11432") {
  const auto done = through<order, phases::optimization>(make_module<phases::optimization>(
      {vector_of(2)},
      [](auto& b, const auto& x) { return std::vector{b.make(op::mul{}, {x[0], constant(b, floats({2, 2}))})}; }));
  const ir::module& m = done.body();
  CHECK(m.view(m[m[m.find_function("main")].body].ops[1]).is<op::add>());
  CHECK(values(done, {floats({4, 5})}) == numbers{8, 10});
}
#endif
}  // namespace tvm_11432
