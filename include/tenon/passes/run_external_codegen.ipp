/// @file run_external_codegen.ipp: definition of passes/run_external_codegen.hpp.
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/run_external_codegen.hpp>

namespace tenon::passes {

TENON_INLINE void generate_external(ir::module& m, std::string_view target, std::string_view format,
                                    std::vector<char> (*compile)(const external_function&, context&), context& cx) {
  std::vector<function_id> done;
  ir::builder<ops<op::call_external>> b(m, {});
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const auto* call = m.view(op).get_if<op::call>();
    if (call == nullptr) return;
    const function_id f = m.find_function(call->callee.name);
    if (!f || m[f].target != target || m[f].kind != ir::function_kind::graph || m[f].entry) return;
    const std::string symbol = m[f].name;
    if (std::find(done.begin(), done.end(), f) == done.end()) {
      external_function part{m, f, {}};
      for (value_id v : m.operands(op)) part.known.push_back(m.constant_value(v));
      m.add_artifact({std::string(format), std::string(target), symbol, compile(part, cx), "run_external_codegen"});
      done.push_back(f);
    }
    std::vector<type_id> types;
    for (value_id v : m.results(op)) types.push_back(m[v].type);
    b.before(op);
    const op_id made = b.make_op(op::call_external{symbol, std::string(format)}, m.operands(op), types);
    for (size_t i = 0; i < types.size(); ++i) m.replace_uses(m.result(op, static_cast<int>(i)), m.result(made, static_cast<int>(i)));
    m.erase(op);
  });
  for (function_id f : done) m.erase_function(f);
  m.compact();
}

}  // namespace tenon::passes
