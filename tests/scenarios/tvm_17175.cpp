// apache/tvm #17175: "CodeGenVM cannot handle this intrinsic tensor_to_shape": no pass of the pipeline lowered the op.
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace tvm_17175 {

#ifdef TENON_RUN
/// An integer tensor as a shape.
struct tensor_to_shape {
  static constexpr tn::fixed_string name = "test.tensor_to_shape";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
void infer(const tensor_to_shape&, ir::infer_context& cx) {
  cx.result(ir::type::tensor(dtype::i64, cx.operand(0).shape));
}
void evaluate(const tensor_to_shape&, eval_context& cx) {
  tensor shape = cx.make_result();
  for (i64 i = 0; i < shape.size(); ++i) shape.set_i64(i, cx.operand(0).at_i64(i));
  cx.result(std::move(shape));
}
#else
struct tensor_to_shape;
#endif

struct decompose_shape_ops {
  static constexpr tn::fixed_string name = "decompose_shape_ops";
  using runs_in = tn::extend<tn::phases::optimization, tensor_to_shape>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<tensor_to_shape>;
  using handles = tn::ops<tensor_to_shape>;
  using emits = tn::ops<tn::op::cast>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes, tn::passes::to_lowering;
using common = tn::pipeline<infer_shapes, require_static_shapes, legalize_ops, to_lowering>;

constexpr tn::verdict wrong =
    tn::judged<tn::ops<tensor_to_shape>, infer_shapes, require_static_shapes, legalize_ops, to_lowering>::value;
static_assert(wrong.code == 4 && wrong.pass_name == to_lowering::name && wrong.total == 1);
static_assert(tn::judged<tn::ops<tensor_to_shape>, decompose_shape_ops, infer_shapes, require_static_shapes,
                         legalize_ops, to_lowering>::ok);

#ifdef TENON_TWIN
using order = tn::pipeline<decompose_shape_ops, infer_shapes>::with_ops<tensor_to_shape>::edit<
    tn::append<require_static_shapes, legalize_ops, to_lowering>>;
#else
// CHECK: tenon-E004: pass 'to_lowering' (4th) enters phase 'lowering', which does not list 'tensor_to_shape', and no pass before it eliminates it: specialize tenon::lower_with<legalize_ops, tensor_to_shape>
using order = common::with_ops<tensor_to_shape>;
#endif

#ifdef TENON_RUN
void decompose_shape_ops::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for_each<tensor_to_shape>(m.body(), [&](ir::op_view v) {
    replace_op(m.body(), v.id(), before<emits>(m.body(), v.id()).make(op::cast{dtype::i64}, {v.operand(0)}));
  });
}

TEST_CASE("tvm #17175") {
  auto m = make_module<tn::extend<phases::optimization, tensor_to_shape>>(
      {vector_of(3, dtype::i32)},
      [](auto& b, const auto& x) { return std::vector{b.make(tensor_to_shape{}, {b.make(op::add{}, {x[0], x[0]})})}; });
  const tensor x = tensor::from<i32>({3}, {1, 2, 3});
  CHECK(values(m, {x}, eval_table_of<tn::ops<tensor_to_shape>>()) == numbers{2, 4, 6});
  CHECK(values(through<order, phases::lowering>(std::move(m)), {x}) == numbers{2, 4, 6});
}
#endif
}  // namespace tvm_17175
