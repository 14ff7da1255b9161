/// @file run_external_codegen.ipp: definition of passes/run_external_codegen.hpp.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/run_external_codegen.hpp>

namespace tenon::passes {

void generate_external(ir::module& m, std::string_view target, std::string_view format,
                       std::vector<char> (*compile)(const external_function&, context&), context& cx) {
  // All calls of a part count: an argument is a known constant if it is that one in each of them.
  std::vector<external_function> parts;
  std::vector<op_id> calls;
  const auto part_of = [&](function_id f) {
    return std::find_if(parts.begin(), parts.end(), [f](const external_function& p) { return p.function == f; });
  };
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const auto* call = m.view(op).get_if<op::call>();
    if (call == nullptr) return;
    const function_id f = m.find_function(call->callee.name);
    if (!f || m[f].target != target || !m[f].here(ir::function_kind::graph) || m[f].entry) return;
    calls.push_back(op);
    const auto p = part_of(f);
    if (p == parts.end()) {
      parts.push_back({m, f, {}});
      for (value_id v : m.operands(op)) parts.back().known.push_back(m.constant_value(v));
      return;
    }
    for (size_t i = 0; i < p->known.size(); ++i)
      if (const tensor* c = m.constant_value(m.operand(op, static_cast<int>(i))); c != p->known[i])
        p->known[i] = nullptr;
  });
  for (const external_function& part : parts) {
    ir::for_each_op(m, m[part.function].body, [&](op_id op) {
      if (m.view(op).is<op::call>())
        throw error("phase.partitioned",
                    "function '" + m[part.function].name + "' is for target '" + std::string(target) +
                        "', and calls another function",
                    m.text(m[op].location), "a part for an external code generator holds ops only");
    });
    m.add_artifact(
        {std::string(format), std::string(target), m[part.function].name, compile(part, cx), "run_external_codegen"});
  }
  ir::builder<ops<op::call_external>> b(m, {});
  for (op_id op : calls) {
    const std::string symbol = m.view(op).as<op::call>().callee.name;
    std::vector<type_id> types;
    for (value_id v : m.results(op)) types.push_back(m[v].type);
    b.before(op);
    const op_id made = b.make_op(op::call_external{symbol, std::string(format)}, m.operands(op), types);
    for (size_t i = 0; i < types.size(); ++i)
      m.replace_uses(m.result(op, static_cast<int>(i)), m.result(made, static_cast<int>(i)));
    m.erase(op);
  }
  for (const external_function& part : parts) m.erase_function(part.function);
  m.compact();
}

}  // namespace tenon::passes
