/// @file bounds_checks.ipp: definitions of ir/bounds_checks.hpp.
#pragma once

#include <tenon/core/checked.hpp>
#include <tenon/core/extent_condition.hpp>
#include <tenon/ir/bounds_checks.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::ir {

void mark_untrusted(module& m) {
  for (function_id f : m.functions())
    if (m[f].kind == function_kind::kernel) m.build.kernels_are_untrusted = true;
}

/// Sizes that are known only when the program runs are compared then: types alone agree with any size.
inline void require_sizes(module& m) {
  const auto require = [&](op_id op, value_id given, value_id seen) {
    if (!given || !is_known(m.type_of(given)) || !is_known(m.type_of(seen))) return;
    const auto bytes = [&](value_id v) { return count_of(m, m.type_of(v)) * extent_expr(size_of(m.type_of(v).elem)); };
    const extent_expr apart = bytes(given) - bytes(seen);
    if (!m.conditions.add({apart, extent_condition::is_zero}))
      throw error("ir.verify",
                  "function '" + m[m.function_of(m[op].parent)].name + "': " + std::string(m.view(op).name()) +
                      ": a buffer is given where one of another size is seen: they differ by " + apart.text() +
                      " bytes",
                  m.text(m[op].location));
  };
  for_each_op(m, function_kind::graph, [&](op_id op) {
    const op_view v = m.view(op);
    if (v.is<op::view_buffer>()) require(op, v.operand(0), v.result());
    if (v.is<op::copy_buffer>()) require(op, v.operand(0), v.operand(1));
    const auto* call = v.get_if<op::call_native>();
    const function_id f = call != nullptr ? m.find_function(call->kernel.name) : function_id{};
    if (!f) return;
    const auto& formal = m[m[f].body].arguments;
    for (size_t i = 0; i < formal.size() && i < static_cast<size_t>(v.operand_count()); ++i)
      require(op, v.operand(static_cast<int>(i)), formal[i]);
  });
}

void require_places(module& m) {
  if (m.build.kernels_are_untrusted) require_sizes(m);
  const i64 at_run_time = static_cast<i64>(m.build.memory.buffers.size()), arena = m.build.memory.arena().value_or(0);
  for_each_op(m, function_kind::graph, [&](op_id op) {
    const auto* s = m.view(op).get_if<op::slot>();
    if (s == nullptr) return;
    const type& t = m.view(op).result_type();
    const std::string what =
        "function '" + m[m.function_of(m[op].parent)].name + "': " + std::string(m.view(op).name()) + ": ";
    // Extents that are symbols may still come to a number of elements, none for one.
    const extent_expr count = is_known(t) ? count_of(m, t) : extent_expr::name("?");
    if (s->offset < -1 ? -2 - s->offset >= at_run_time : !count.is_constant())
      throw error("ir.verify", what + "nothing places it when the program runs", m.text(m[op].location),
                  "run plan_memory");
    if (s->offset >= 0 && s->offset % size_of(t.elem) != 0)
      throw error("ir.verify",
                  what + "byte " + std::to_string(s->offset) + " is no place for " + std::string(name_of(t.elem)),
                  m.text(m[op].location), "run plan_memory");
    const i64 end = s->offset >= 0 ? checked_add(s->offset, checked_mul(count.constant(), size_of(t.elem))) : 0;
    if (t.space.empty() && end > arena)
      throw error(
          "ir.verify",
          what + "it ends at byte " + std::to_string(end) + " of an arena of " + std::to_string(arena) + " bytes",
          m.text(m[op].location), "run plan_memory, which says how large the arena is: 'arena_bytes'");
  });
}

}  // namespace tenon::ir
