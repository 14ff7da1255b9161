// apache/tvm #20192: constant folding ran after legalization and left `R.add`, which the VM's code generator did not
// know.
#include "scenario.hpp"

#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace tvm_20192 {

/// Computes what is constant, and simplifies what is left; so it may make any op of the graph.
struct fold_constant {
  static constexpr tn::fixed_string name = "fold_constant";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<tn::fact::shapes_known>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes, tn::passes::to_lowering;

constexpr tn::verdict wrong =
    tn::verdict_of<infer_shapes, require_static_shapes, legalize_ops, fold_constant, to_lowering>;
static_assert(wrong.code == 3 && wrong.pass_name == to_lowering::name && wrong.culprit_name == fold_constant::name);
static_assert(wrong.giver_name == legalize_ops::name && wrong.subject == tn::fact::ops_legalized::name);
static_assert(
    tn::is_valid<tn::pass_list<infer_shapes, require_static_shapes, fold_constant, legalize_ops, to_lowering>>);

#ifdef TENON_TWIN
using order = tn::pipeline<infer_shapes, require_static_shapes, fold_constant, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E003: pass 'to_lowering' (5th) needs 'ops_legalized', which pass 'fold_constant' (4th) breaks after 'legalize_ops' (3rd) gave it: move 'fold_constant' before 'legalize_ops', or run 'legalize_ops' again after it
using order = tn::pipeline<infer_shapes, require_static_shapes, legalize_ops, fold_constant, to_lowering>;
#endif

#ifdef TENON_RUN
void fold_constant::run(tn::ir_module<runs_in>& m, tn::context& cx) const { passes::fold_constants{}.run(m, cx); }

TEST_CASE("tvm #20192") {
  auto m = make_module<phases::optimization>({vector_of(2)}, [](auto& b, const auto& x) {
    const value_id sum = b.make(op::add{}, {constant(b, floats({1, 2})), constant(b, floats({10, 20}))});
    return std::vector{b.make(op::add{}, {x[0], sum})};
  });
  CHECK(values(m, {floats({100, 200})}) == numbers{111, 222});
  const auto lowered = through<order, phases::lowering>(std::move(m));
  CHECK(count<op::call_dps>(lowered.body()) == 1);
  CHECK(values(lowered, {floats({100, 200})}) == numbers{111, 222});
}
#endif
}  // namespace tvm_20192
