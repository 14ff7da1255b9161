/// @file fold_extents.ipp: definition of passes/fold_extents.hpp.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/passes/fold_extents.hpp>

namespace tenon::passes {

void fold_extents::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  for (function_id f : module.functions()) {
    if (m[f].kind != ir::function_kind::graph) continue;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const auto list = op::extents_computed(m, op);
      if (!list) return;
      const value_id computed = m.view(op).result();
      const ir::type t = m.type_of(computed);
      ir::builder<emits> b(m, m[op].parent, m[op].location);
      b.before(op);
      if (const auto numbers = op::movement_detail::numbers_in(*list)) {
        tensor value(t.elem, t.extents());
        for (size_t i = 0; i < numbers->size(); ++i) value.set_i64(static_cast<i64>(i), (*numbers)[i]);
        m.replace_uses(computed, b.make(op::constant{m.add_constant(std::move(value))}, {}));
        return;
      }
      op::extents_of made{{}, t.elem, t.rank() == 0};
      for (const auto& e : *list) made.values.push_back(e->text());
      m.replace_uses(computed, b.make(made, {}));
    });
  }
}

}  // namespace tenon::passes
