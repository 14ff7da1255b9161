/// @file lower_external_calls.ipp: definition of passes/lower_external_calls.hpp.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/lower_external_calls.hpp>

namespace tenon::passes {

void lower_external_calls::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  std::vector<op_id> calls;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (m.view(op).is<op::call_external>()) calls.push_back(op);
  });
  ir::builder<emits> b(m, {});
  for (op_id op : calls) {
    const op::call_external call = m.view(op).as<op::call_external>();
    const ir::artifact* const a = m.artifacts().find(call.symbol);
    if (a == nullptr || a->format != call.format)
      throw error("external.no_artifact",
                  "the module has no artifact of format '" + call.format + "' that defines '" + call.symbol + "'",
                  m.text(m[op].location));
    if (m.find_function(call.symbol))
      throw error("external.name", "a function has the name of artifact '" + call.symbol + "'", m.text(m[op].location),
                  "rename the function");
    std::vector<type_id> types;
    for (value_id v : m.results(op)) types.push_back(m[v].type);
    b.before(op);
    const op_id made = b.make_op(op::call_kernel{{call.symbol}, {}}, m.operands(op), types);
    for (size_t i = 0; i < types.size(); ++i)
      m.replace_uses(m.result(op, static_cast<int>(i)), m.result(made, static_cast<int>(i)));
    m.erase(op);
  }
  m.compact();
}

}  // namespace tenon::passes
