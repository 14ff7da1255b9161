/// @file purity_known.ipp: definitions of facts/purity_known.hpp.
#pragma once

#include <tenon/facts/purity_known.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::fact {

bool purity::of_op(const ir::module& m, op_id op) const {
  const ir::op_view v = m.view(op);
  // A kernel reads and writes buffers of its own caller only, and a call of one is as pure as its op says.
  if (!v.info().is_pure()) return false;
  if (const auto* c = v.get_if<op::call>()) {
    const function_id f = m.find_function(c->callee.name);
    return f && (f.index < functions_.size() ? functions_[f.index] : of_region(m, m[f].body));
  }
  for (int i = 0; i < v.region_count(); ++i)
    if (!of_region(m, v.region(i))) return false;
  return true;
}

bool purity::of_region(const ir::module& m, region_id r) const {
  for (op_id op : m[r].ops)
    if (!m.view(op).info().traits.terminator && !of_op(m, op)) return false;
  return true;
}

purity purity_known::compute(const ir::module& m) {
  purity known;
  const std::vector<function_id> all = m.functions();
  for (function_id f : all) known.functions_.resize(f.index + 1);
  for (bool more = true; more;) {
    more = false;
    for (auto f = all.rbegin(); f != all.rend(); ++f)  // callees come behind their callers as a rule
      if (!known.functions_[f->index] && known.of_region(m, m[*f].body)) known.functions_[f->index] = more = true;
  }
  return known;
}

}  // namespace tenon::fact
