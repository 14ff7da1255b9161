// Triton PR #11598, #11625, #11543: a new encoding and the pass that resolves it came into NVIDIA's pipeline only;
// AMD's died with "unknown layout".
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace triton_11598 {

#ifdef TENON_RUN
/// The same tensor in an encoding that is chosen later.
struct with_generic_layout {
  static constexpr tn::fixed_string name = "test.with_generic_layout";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
void infer(const with_generic_layout&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const with_generic_layout&, eval_context& cx) { cx.result(cx.operand(0)); }
#else
struct with_generic_layout;
#endif

using tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes, tn::passes::to_lowering;
using common = tn::pipeline<infer_shapes, require_static_shapes, legalize_ops, to_lowering>;

struct resolve_layouts {
  static constexpr tn::fixed_string name = "resolve_layouts";
  using runs_in = tn::extend<tn::phases::optimization, with_generic_layout>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<with_generic_layout>;
  using handles = tn::ops<with_generic_layout>;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// The start of every target's pipeline, since the encoding came.
using start = tn::pipeline<infer_shapes>::with_ops<with_generic_layout>;
using nvidia = start::edit<tn::append<resolve_layouts, require_static_shapes, legalize_ops, to_lowering>>;

constexpr tn::verdict wrong =
    tn::judged<tn::ops<with_generic_layout>, infer_shapes, require_static_shapes, legalize_ops, to_lowering>::value;
static_assert(wrong.code == 4 && wrong.pass_name == to_lowering::name && wrong.total == 1);

#ifdef TENON_TWIN
using amd = start::edit<tn::append<require_static_shapes, resolve_layouts, legalize_ops, to_lowering>>;
#else
// CHECK: tenon-E004: pass 'to_lowering' (4th) enters phase 'lowering', which does not list 'with_generic_layout', and no pass before it eliminates it: specialize tenon::lower_with<legalize_ops, with_generic_layout>
using amd = start::edit<tn::append<require_static_shapes, legalize_ops, to_lowering>>;
#endif

#ifdef TENON_RUN
void resolve_layouts::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for_each<with_generic_layout>(m.body(), [&](ir::op_view v) { replace_op(m.body(), v.id(), v.operand(0)); });
}

TEST_CASE("Triton PR #11598") {
  const auto kernel = [] {
    return make_module<tn::extend<phases::optimization, with_generic_layout>>(
        {vector_of(2)}, [](auto& b, const auto& x) {
          return std::vector{b.make(op::mul{}, {b.make(with_generic_layout{}, {x[0]}), x[0]})};
        });
  };
  CHECK(values(kernel(), {floats({3, 4})}, eval_table_of<tn::ops<with_generic_layout>>()) == numbers{9, 16});
  CHECK(values(through<nvidia, phases::lowering>(kernel()), {floats({3, 4})}) == numbers{9, 16});
  CHECK(values(through<amd, phases::lowering>(kernel()), {floats({3, 4})}) == numbers{9, 16});
}
#endif
}  // namespace triton_11598
