/// @file purity.ipp: definitions of ir/purity.hpp.
#pragma once

#include <tenon/ir/purity.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::ir {

bool purity::of_function(const module& m, function_id f) const {
  if (m[f].purity == function_purity::impure) return false;
  if (m[f].purity == function_purity::forced_pure) return true;
  return f.index < functions_.size() ? functions_[f.index] : !impure_op(m, m[f].body);
}

bool purity::of_op(const module& m, op_id op) const {
  const op_view v = m.view(op);
  if (!v.info().is_pure()) return false;
  if (const auto* c = v.get_if<op::call>()) {
    const function_id f = m.find_function(c->callee.name);
    return f && of_function(m, f);
  }
  // A kernel reads and writes buffers of its own caller only: a call of one is as pure as its op, if it says no other.
  if (const auto* k = v.get_if<op::call_kernel>()) {
    const function_id f = m.find_function(k->kernel.name);
    return f && m[f].purity != function_purity::impure;
  }
  // Of a closure that comes from elsewhere nobody knows what it does; making one counts as calling it.
  if (v.is<op::call_closure>()) return m.definition_info(v.operand(0)) == &info_of<op::closure>;
  for (int i = 0; i < v.region_count(); ++i)
    if (impure_op(m, v.region(i))) return false;
  return true;
}

op_id purity::impure_op(const module& m, region_id r) const {
  for (op_id op : m[r].ops) {
    const op_view v = m.view(op);
    if (v.info().traits.terminator || of_op(m, op)) continue;
    for (int i = 0; i < v.region_count() && v.info().is_pure(); ++i)
      if (const op_id inner = impure_op(m, v.region(i))) return inner;
    return op;
  }
  return {};
}

purity::purity(const module& m) {
  const std::vector<function_id> all = m.functions();
  for (function_id f : all) functions_.resize(f.index + 1);
  for (bool more = true; more;) {
    more = false;
    for (auto f = all.rbegin(); f != all.rend(); ++f)  // callees come behind their callers as a rule
      if (!functions_[f->index] && m[*f].purity != function_purity::impure &&
          (m[*f].purity == function_purity::forced_pure || !impure_op(m, m[*f].body)))
        functions_[f->index] = more = true;
  }
}

}  // namespace tenon::ir
