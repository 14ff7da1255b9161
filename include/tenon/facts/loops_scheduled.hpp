/// @file loops_scheduled: every kernel's loops say how they run: which is parallel, which is a vector loop.
///
/// A performance fact: code generation works without it, one thread and one lane at a time.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::fact {

struct loops_scheduled {
  static constexpr fixed_string name = "loops_scheduled";
  /// No parallel loop runs inside of another, or inside of a vector loop.
  static void check(const ir::module& m) {
    ir::for_each_op(m, ir::function_kind::kernel, [&](op_id op) {
      const auto* l = m.view(op).get_if<loop::for_loop>();
      if (l == nullptr || l->kind == loop::loop_kind::serial) return;
      for (region_id r = m[op].parent; m[r].parent; r = m[m[r].parent].parent) {
        const auto* outer = m.view(m[r].parent).get_if<loop::for_loop>();
        if (outer != nullptr && outer->kind != loop::loop_kind::serial &&
            !(outer->kind == loop::loop_kind::parallel && l->kind == loop::loop_kind::vector))
          throw error("fact.loops_scheduled", "a parallel or vector loop is inside of a vector loop, or of another parallel one", m.text(m[op].location));
      }
    });
  }
};

}  // namespace tenon::fact
