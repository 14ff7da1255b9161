// apache/tvm #18599: the rewriter for PTX ran for target llvm, and crashed.
// The passes of a device's code run in a phase that only pipelines for such devices enter.
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>
#ifdef TENON_RUN
#  include <tenon/ir/loop_builder.hpp>
#endif

namespace tvm_18599 {

/// Kernels bound to an NVIDIA device.
struct nvptx_kernels {
  static constexpr tn::fixed_string name = "nvptx_kernels";
  using op_list = tn::lowering_ops;
};
struct to_nvptx {
  static constexpr tn::fixed_string name = "to_nvptx";
  using from = tn::phases::lowering;
  using to = nvptx_kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context& cx) const;
};
/// Copies of buffers become calls of kernels that copy in PTX's own way.
struct inject_ptx {
  static constexpr tn::fixed_string name = "inject_ptx";
  using runs_in = nvptx_kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<tn::op::copy_buffer>;
  using handles = tn::ops<tn::op::copy_buffer>;
  using emits =
      tn::ops<tn::op::call_dps, tn::op::return_, tn::loop::for_loop, tn::loop::load, tn::loop::store, tn::loop::yield>;
  static constexpr bool adds_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes, tn::passes::to_lowering;
using tn::passes::plan_memory, tn::passes::lower_builtins;
using common = tn::pipeline<infer_shapes, require_static_shapes, legalize_ops, to_lowering>;

constexpr tn::verdict wrong = tn::verdict_of<infer_shapes, require_static_shapes, legalize_ops, to_lowering, inject_ptx,
                                             plan_memory, lower_builtins>;
static_assert(wrong.code == 1 && wrong.pass_name == inject_ptx::name && wrong.culprit_name == to_lowering::name);
static_assert(wrong.subject == nvptx_kernels::name && wrong.repair_count == 0,
              "no place in a pipeline for llvm would do");

#ifdef TENON_TWIN
using llvm = common::edit<tn::append<plan_memory, lower_builtins>>;
using order = common::edit<tn::append<to_nvptx, inject_ptx>>;
#else
// CHECK: tenon-E001: pass 'inject_ptx' (5th) runs in phase 'nvptx_kernels', but the module is in 'lowering' since 'to_lowering' (4th): no place in this pipeline would do, so leave it out or add the transition
using order = common::edit<tn::append<inject_ptx, plan_memory, lower_builtins>>;
#endif

#ifdef TENON_RUN
auto to_nvptx::run(tn::ir_module<from>&& m, tn::context&) const -> tn::ir_module<to> {
  for (function_id f : m.body().functions())
    if (m.body()[f].kind == ir::function_kind::kernel) m.body()[f].target = "nvptx";
  return tn::ir_module<to>::adopt(std::move(m.body()));
}
void inject_ptx::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::copy_buffer>(m, [&](ir::op_view copy) {
    const ir::type t = copy.operand_type(0);
    const type_id types[] = {m.intern(t), m.intern(t)};
    const function_id k = m.add_function("ptx_copy", ir::function_kind::kernel, types);
    m[k].target = "nvptx";
    ir::loop_builder b(m, m[k].body);
    const std::vector<value_id> a = m[m[k].body].arguments;
    b.for_(0, t.count(), [&](ir::index_expr i) { b.store(b.load(a[0], {i}), a[1], {i}); });
    b.make_op(op::return_{}, {}, {});
    auto at = before<emits>(m, copy.id());
    at.make_op(op::call_dps{{m[k].name}, 1, {}}, std::vector{copy.operand(0), copy.operand(1)}, {});
    m.erase(copy.id());
  });
}

TEST_CASE("tvm #18599") {
  const auto write = [](auto& b, const auto& x) { return std::vector{x[0], b.make(op::add{}, {x[0], x[0]})}; };
  const auto gpu = through<order, nvptx_kernels>(make_module<phases::optimization>({vector_of(2)}, write));
  CHECK(count<op::copy_buffer>(gpu.body()) == 0);
  CHECK(values(gpu, {floats({3, 4})}) == numbers{3, 4});
  CHECK(interpret(gpu.body(), "main", {{floats({3, 4})}}).at(1).at_f64(1) == 8);
  const auto host = through<llvm, phases::build>(make_module<phases::optimization>({vector_of(2)}, write));
  CHECK(count<op::copy_buffer>(host.body()) == 1);
  CHECK(values(host, {floats({3, 4})}) == numbers{3, 4});
}
#endif
}  // namespace tvm_18599
