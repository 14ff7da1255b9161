/// @file partitioned.ipp: the verifier of phases/partitioned.hpp.
#pragma once

#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/phases/partitioned.hpp>

namespace tenon::phases {

void partitioned::verify(const ir::module& m) {
  const std::vector<function_id> functions = m.functions();
  std::vector<bool> called(functions.empty() ? 0 : functions.back().index + 1);
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const auto* c = m.view(op).get_if<op::call>();
    const function_id f = c ? m.find_function(c->callee.name) : function_id{};
    if (f) called[f.index] = true;
  });
  for (function_id f : functions) {
    const ir::function& fn = m[f];
    if (fn.kind != ir::function_kind::graph || fn.entry || fn.target.empty()) continue;
    if (!called[f.index])
      throw error("phase.partitioned",
                  "function '" + fn.name + "' is for target '" + fn.target + "', and nothing calls it");
    ir::for_each_op(m, fn.body, [&](op_id op) {
      if (m.view(op).is<op::call>())
        throw error("phase.partitioned",
                    "function '" + fn.name + "' is for target '" + fn.target + "', and calls another function",
                    m.text(m[op].location), "a part for an external code generator holds ops only");
    });
  }
}

}  // namespace tenon::phases
