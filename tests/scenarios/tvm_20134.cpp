// apache/tvm #20134: a dispatch pass emitted `vm.builtin.reshape`, an alias that the memory planner does not know,
// before it: storage was used again while it lived, and the results were wrong in silence. The op says that its result
// is memory of an operand, the planner which of such ops it follows.
#include "scenario.hpp"

namespace tvm_20134 {

/// The runtime's reshape: its result shares the operand's storage.
struct builtin_reshape {
  static constexpr tn::fixed_string name = "test.builtin_reshape";
#ifdef TENON_RUN
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
#endif
  using aliases = tn::operands<0>;
};
#ifdef TENON_RUN
void evaluate(const builtin_reshape&, eval_context& cx) {
  tensor y = cx.make_result();
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, cx.operand(0).at_f64(i));
  cx.result(std::move(y));
}
#endif

/// What the VM runs: calls, and the runtime's own ops.
struct vm {
  static constexpr tn::fixed_string name = "vm";
  using op_list =
      tn::ops<tn::op::add, tn::op::maximum, tn::op::view, tn::op::reduce_max, tn::op::return_, builtin_reshape>;
};
struct to_vm {
  static constexpr tn::fixed_string name = "to_vm";
  using from = tn::phases::optimization;
  using to = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::phases::optimization::op_list::without<tn::op::add, tn::op::maximum, tn::op::view,
                                                                tn::op::reduce_max, tn::op::return_>;
  using handles = tn::handled_by_default<"an error: the graphs of this test hold none">;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context& cx) const;
};
/// A reduction of a row becomes the library's call, on the row as the library wants it.
struct dispatch_rows {
  static constexpr tn::fixed_string name = "dispatch_rows";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<builtin_reshape>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
struct plan_block_memory {
  static constexpr tn::fixed_string name = "plan_block_memory";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using looks_through = tn::ops<tn::op::view>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

constexpr tn::verdict wrong = tn::verdict_of<to_vm, dispatch_rows, plan_block_memory>;
static_assert(wrong.code == 46 && wrong.pass_name == plan_block_memory::name &&
              wrong.culprit_name == dispatch_rows::name);
static_assert(tn::is_valid<tn::pass_list<to_vm, plan_block_memory, dispatch_rows>>);

#ifdef TENON_TWIN
using order = tn::pipeline<to_vm, plan_block_memory, dispatch_rows>;
#else
// CHECK: tenon-E046: pass 'plan_block_memory' (3rd) does not look through 'builtin_reshape', whose result shares memory of an operand, and pass 'dispatch_rows' (2nd) emits it: move 'plan_block_memory' before 'dispatch_rows', or list in its 'looks_through' the ops that it follows
using order = tn::pipeline<to_vm, dispatch_rows, plan_block_memory>;
#endif

#ifdef TENON_RUN
auto to_vm::run(tn::ir_module<from>&& m, tn::context&) const -> tn::ir_module<to> {
  return tn::ir_module<to>::adopt(std::move(m.body()));
}
void dispatch_rows::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for_each<op::maximum>(m.body(), [&](ir::op_view v) {
    const type_id t[] = {m.body()[v.operand(0)].type};
    auto b = before<emits>(m.body(), v.id());
    m.body().set_operand(v.id(), 0, m.body().result(b.make_op(builtin_reshape{}, std::vector{v.operand(0)}, t)));
  });
}
void plan_block_memory::run(tn::ir_module<runs_in>& m, tn::context&) const {
  // As many blocks as values live at once: an argument and what it is added to may not share one.
  m.body().metadata["blocks"] = std::to_string(count<op::add>(m.body()) + count<op::maximum>(m.body()));
}

TEST_CASE("tvm #20134") {
  const auto done = through<order, vm>(make_module<phases::optimization>({vector_of(3)}, [](auto& b, const auto& x) {
    const value_id twice = b.make(op::add{}, {x[0], x[0]});
    return std::vector{b.make(op::maximum{}, {twice, x[0]})};
  }));
  CHECK(done.body().metadata.at("blocks") == "2");
  CHECK(count<builtin_reshape>(done.body()) == 1);
  CHECK(values(done, {floats({1, -2, 3})}, eval_table_of<tn::ops<builtin_reshape>>()) == numbers{2, -2, 6});
}
#endif
}  // namespace tvm_20134
