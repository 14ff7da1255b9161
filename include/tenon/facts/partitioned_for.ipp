/// @file partitioned_for.ipp: the checker of facts/partitioned_for.hpp.
#pragma once

#include <tenon/facts/partitioned_for.hpp>
#include <tenon/ir/walk.hpp>

namespace tenon::fact {

void check_partition(const ir::module& m, std::string_view target) {
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    if (!fn.here(ir::function_kind::graph) || fn.target != target || fn.entry) continue;
    ir::for_each_op(m, fn.body, [&](op_id op) {
      const ir::op_info& info = m.view(op).info();
      if (!info.traits.terminator && !info.is_pure())
        throw error("fact.partitioned_for",
                    "function '" + fn.name + "' for target '" + fn.target + "' holds '" + std::string(info.name) +
                        "', which does more than compute its results",
                    m.text(m[op].location));
    });
  }
}

}  // namespace tenon::fact
