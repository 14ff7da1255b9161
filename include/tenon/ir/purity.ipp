/// @file purity.ipp: definitions of ir/purity.hpp.
#pragma once

#include <unordered_map>
#include <utility>

#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/purity.hpp>
#include <tenon/ir/walk.hpp>
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
    return f ? m[f].purity != function_purity::impure : called_artifact(m, op) != nullptr;
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

std::vector<std::vector<size_t>> dependences(const module& m, std::span<const op_id> ops, const purity& pure) {
  std::unordered_map<u32, size_t> number;
  for (size_t i = 0; i < ops.size(); ++i) number.emplace(ops[i].index, i);
  std::vector<std::vector<size_t>> all(ops.size());
  size_t last_effect = ops.size();
  std::vector<size_t> added_to(ops.size(), ops.size());  // each, to which op last: no op stands twice in a list
  for (size_t i = 0; i < ops.size(); ++i) {
    const auto add = [&](size_t d) {
      if (d != i && std::exchange(added_to[d], i) != i) all[i].push_back(d);
    };
    const auto add_operands = [&](op_id user) {
      for (value_id v : m.operands(user))
        if (const op_id d = v ? m[v].definition : op_id{})
          if (const auto it = number.find(d.index); it != number.end()) add(it->second);
    };
    add_operands(ops[i]);
    for (u32 r = 0; r < m[ops[i]].region_count; ++r)
      for_each_op(m, m.region(ops[i], static_cast<int>(r)), add_operands);
    if (pure.of_op(m, ops[i])) continue;
    if (last_effect != ops.size()) add(last_effect);
    last_effect = i;
  }
  return all;
}

}  // namespace tenon::ir
