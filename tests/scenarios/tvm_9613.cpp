// apache/tvm #9613, #11662: a second run of PlanDevices, after lowering, broke what the first had established; it was
// disabled.
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace tvm_9613 {

/// Every function says on which device it runs.
struct devices_planned {
  static constexpr tn::fixed_string name = "devices_planned";
  static bool check(const tn::ir::module& m);
};
/// Follows tensors from op to op; so it speaks of graphs.
struct plan_devices {
  static constexpr tn::fixed_string name = "plan_devices";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<devices_planned>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes, tn::passes::to_lowering;
constexpr tn::verdict wrong =
    tn::verdict_of<plan_devices, infer_shapes, require_static_shapes, legalize_ops, to_lowering, plan_devices>;
static_assert(wrong.code == 1 && wrong.pass == 5 && wrong.pass_name == plan_devices::name);
static_assert(wrong.culprit_name == to_lowering::name && wrong.other == tn::phases::lowering::name);

#ifdef TENON_TWIN
using order = tn::pipeline<plan_devices, infer_shapes, require_static_shapes, plan_devices, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E001: pass 'plan_devices' (6th) runs in phase 'optimization', but the module is in 'lowering' since 'to_lowering' (5th)
using order = tn::pipeline<plan_devices, infer_shapes, require_static_shapes, legalize_ops, to_lowering, plan_devices>;
#endif

#ifdef TENON_RUN
bool devices_planned::check(const tn::ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].kind == ir::function_kind::graph && m[f].target.empty()) return false;
  return true;
}
void plan_devices::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for (function_id f : m.body().functions())
    if (m.body()[f].target.empty()) m.body()[f].target = "device0";
}

TEST_CASE("tvm #9613") {
  const auto done =
      through<order, phases::lowering>(make_module<phases::optimization>({vector_of(2)}, [](auto& b, const auto& x) {
        return std::vector{b.make(op::mul{}, {x[0], b.make(op::add{}, {x[0], x[0]})})};
      }));
  static_assert(decltype(done)::knows<devices_planned>, "to_lowering keeps what it does not break");
  CHECK(done.body()[done.body().find_function("main")].target == "device0");
  CHECK(values(done, {floats({2, 3})}) == numbers{8, 18});
}
#endif
}  // namespace tvm_9613
