/// @file threads_bound.ipp: the checker of facts/threads_bound.hpp.
#pragma once

#include <tenon/facts/threads_bound.hpp>
#include <tenon/ir/grid.hpp>
#include <tenon/ir/races.hpp>

namespace tenon::fact {

void threads_bound::check(const ir::module& m) {
  ir::bounds known(m);
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::kernel)) continue;
    for (const ir::grid_step& s : ir::grid_steps(m, f))
      for (op_id loop : s.loops)
        if (const auto race = ir::race_of(m, loop, known))
          throw error("fact.threads_bound", "kernel '" + m[f].name + "': of a bound loop, " + *race,
                      m.text(m[loop].location),
                      "leave the loop serial, or let each iteration write elements of its own");
  }
}

}  // namespace tenon::fact
