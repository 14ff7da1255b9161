/// @file loops_scheduled.ipp: the checker of facts/loops_scheduled.hpp.
#pragma once

#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/interpret/loop_orders.hpp>
#include <tenon/ir/races.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::fact {

void loops_scheduled::check(const ir::module& m) {
  ir::bounds known(m);
  ir::for_each_op(m, ir::function_kind::kernel, [&](op_id op) {
    const auto* l = m.view(op).get_if<loop::for_loop>();
    if (l == nullptr) return;
    const bool serial = l->kind == loop::loop_kind::serial, parallel = l->kind == loop::loop_kind::parallel;
    for (region_id r = m[op].parent; !serial && m[r].parent; r = m[m[r].parent].parent) {
      const auto* outer = m.view(m[r].parent).get_if<loop::for_loop>();
      if (outer != nullptr && outer->kind != loop::loop_kind::serial &&
          !(outer->kind == loop::loop_kind::parallel && l->kind == loop::loop_kind::vector))
        throw error("fact.loops_scheduled",
                    "a parallel or vector loop is inside of a vector loop, or of another parallel one",
                    m.text(m[op].location));
    }
    if (!parallel && !l->independent) return;  // who schedules loops believes the claim
    if (const auto race = ir::race_of(m, op, known))
      throw error("fact.loops_scheduled",
                  "kernel '" + m[m.function_of(m[op].parent)].name + "': of " +
                      (parallel ? "a parallel loop, " : "a loop that is said to be independent, ") + *race,
                  m.text(m[op].location),
                  parallel ? "leave the loop serial, or let each iteration write elements of its own"
                           : "leave out 'independent', or let each iteration write elements of its own");
  });
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::kernel)) continue;
    if (const auto problem = order_problem(m, f))
      throw error("fact.loops_scheduled", problem->message(), problem->where(),
                  "let each iteration write elements of its own, or say of no loop around it that it is parallel or "
                  "independent");
  }
}

}  // namespace tenon::fact
