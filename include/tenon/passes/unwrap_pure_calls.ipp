/// @file unwrap_pure_calls.ipp: definition of passes/unwrap_pure_calls.hpp.
#pragma once

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/packed.hpp>
#include <tenon/passes/unwrap_pure_calls.hpp>

namespace tenon::passes {

void unwrap_pure_calls::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const fact::purity pure = cx.analysis<fact::purity_known>(*this, m);  // as they were
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph)) continue;
    bool changed = false;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const auto* c = m.view(op).get_if<op::call_pure_packed>();
      if (c == nullptr) return;
      std::vector<type_id> types;
      for (value_id v : m.results(op)) types.push_back(m[v].type);
      ir::builder<unwrap_pure_calls> b(m, m[op].parent);
      b.before(op);
      b.set_location(m[op].location);
      const op_id made = b.make_op(op::call_packed{c->function}, m.operands(op), types);
      for (size_t i = 0; i < types.size(); ++i)
        m.replace_uses(m.result(op, static_cast<int>(i)), m.result(made, static_cast<int>(i)));
      m.erase(op);
      changed = true;
    });
    if (changed && pure.of_function(m, f)) m[f].purity = ir::function_purity::forced_pure;
  }
}

}  // namespace tenon::passes
