/// @file lower_builtins.ipp: definition of passes/lower_builtins.hpp.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/check_constraints.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/lower_builtins.hpp>

namespace tenon::passes {

ir_module<lower_builtins::to> lower_builtins::run(ir_module<from>&& module, context& cx) const {
  ir::module& m = module.body();
  for (function_id f : m.functions()) {
    if (!m[f].phase.empty()) continue;
    const std::string_view here = cx.get<kernel_options>().target, there = m[f].target;
    if (there.empty()) m[f].target = here;
    else if (!ir::is_constraint_for(there, here))
      throw error("target.elsewhere",
                  "function '" + m[f].name + "' is constrained to '" + std::string(there) +
                      "', and this pipeline is for '" + std::string(here) + "'",
                  {}, "build for a composite target that has both as members");
    if (!m[f].here(ir::function_kind::graph)) continue;
    ir::builder<emits> b(m, m[f].body);
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      b.before(op);
      if (const auto* a = v.get_if<op::alloc>()) {
        if (a->offset == -1)  // a pass behind plan_memory made it, and said that it keeps the plan
          throw error("fact.memory_planned", "function '" + m[f].name + "': a buffer has no place in the arena",
                      m.text(v.location()), "run plan_memory behind the pass that made it");
        const type_id t[1] = {m[v.result()].type};
        m.replace_uses(v.result(), m.result(b.make_op(op::slot{a->offset}, {}, t)));
      } else if (const auto* c = v.get_if<op::call_dps>()) {
        b.make_op(op::call_native{c->kernel}, m.operands(op), {});
      } else {
        return;
      }
      m.erase(op);
    });
  }
  m.compact();
  return ir_module<to>::adopt(std::move(m));
}

}  // namespace tenon::passes
