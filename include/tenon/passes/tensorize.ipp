/// @file tensorize.ipp: definition of passes/tensorize.hpp.
#pragma once

#include <unordered_map>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/tensorize.hpp>

namespace tenon::passes {

void apply_rule(ir::module& m, const tensorize_rule& rule) {
  std::unordered_map<std::string, std::vector<type_id>> chosen;  // by kernel
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::kernel) || !rule.matches(m, f)) continue;
    std::vector<type_id>& types = chosen[m[f].name];
    for (const ir::type& t : rule.scratch(m, f)) types.push_back(m.intern(t));
    for (type_id t : types) m.add_argument(m[f].body, t);
  }
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const auto* call = m.view(op).get_if<op::call_dps>();
    const auto it = call != nullptr ? chosen.find(call->kernel.name) : chosen.end();
    if (it == chosen.end()) return;
    const op::call_dps copy = *call;
    ir::builder<ops<op::alloc, op::call_dps>> b(m, m[op].parent);
    b.before(op);
    std::vector<value_id> operands = m.operands(op);
    for (type_id t : it->second) {
      const type_id type[1] = {t};
      operands.push_back(m.result(b.make_op(op::alloc{}, {}, type)));
    }
    b.make_op(copy, operands, {});
    m.erase(op);
  });
}

}  // namespace tenon::passes
