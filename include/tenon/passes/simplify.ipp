/// @file simplify.ipp: definition of passes/simplify.hpp.
#pragma once

#include <tenon/ir/walk.hpp>
#include <tenon/passes/simplify_arithmetic.ipp>
#include <tenon/passes/simplify_movement.ipp>

namespace tenon::passes {

void simplify::run(ir_module<runs_in>& module, context&) const {
  simplifying::rewriting r(module.body());
  ir::module& m = module.body();
  do {
    r.changed = false;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      // What nothing uses is left to eliminate_dead: to rewrite it would go on for ever.
      if (m.view(op).result_count() != 1 || !m.has_uses(m.result(op))) return;
      if (!simplifying::simplify_arithmetic(r, op)) simplifying::simplify_movement(r, op);
    });
  } while (r.changed);
  ir::refine_types(m);
}

}  // namespace tenon::passes
