/// @file regions_outlined.ipp: the checker of facts/regions_outlined.hpp.
#pragma once

#include <tenon/facts/regions_outlined.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/host_side.hpp>

namespace tenon::fact {

void regions_outlined::check(const ir::module& m) {
  passes::host_side sides(m);
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph) || m[f].target.empty()) continue;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      if (v.is<op::constant>() || v.is<op::return_>() || sides.is_native(op)) return;
      throw error("fact.regions_outlined",
                  "function '" + m[f].name + "' is for target '" + m[f].target + "', and holds " +
                      std::string(v.name()) + ": " + sides.reason(op),
                  m.text(m[op].location), "run outline_regions");
    });
  }
}

}  // namespace tenon::fact
