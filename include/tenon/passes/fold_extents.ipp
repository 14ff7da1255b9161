/// @file fold_extents.ipp: definition of passes/fold_extents.hpp.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/passes/fold_extents.hpp>

namespace tenon::passes {

TENON_INLINE void fold_extents::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  for (function_id f : module.functions()) {
    if (m[f].kind != ir::function_kind::graph) continue;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      if (v.result_count() != 1 || v.is<op::constant>() || v.is<op::extents_of>() || !v.info().is_pure() || !m.has_uses(v.result())) return;
      const ir::type t = v.result_type();
      if (!t.is_tensor() || !t.is_static() || t.rank() > 1 || t.count() == 0 || (t.elem != dtype::i64 && t.elem != dtype::i32)) return;
      const auto list = op::symbolic_value(m, v.result());
      if (!list) return;
      ir::builder<emits> b(m, m[op].parent, m[op].location);
      b.before(op);
      if (const auto numbers = op::movement_detail::numbers_in(*list)) {
        tensor value(t.elem, t.extents());
        for (size_t i = 0; i < numbers->size(); ++i) value.set_i64(static_cast<i64>(i), (*numbers)[i]);
        m.replace_uses(v.result(), b.make(op::constant{m.add_constant(std::move(value))}, {}));
        return;
      }
      op::extents_of made{{}, t.elem, t.rank() == 0};
      for (const auto& e : *list) {
        if (!e) return;
        made.values.push_back(e->text());
      }
      m.replace_uses(v.result(), b.make(made, {}));
    });
  }
}

}  // namespace tenon::passes
