/// @file obstacle.ipp: definitions of ir/obstacle.hpp.
#pragma once

#include <algorithm>
#include <unordered_set>

#include <tenon/ir/module.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::ir {

std::string input_name(const function& f, size_t i) {
  return i < f.argument_names.size() ? f.argument_names[i] : std::to_string(i);
}

std::vector<input_need> needs_of(const module& m, function_id entry, std::vector<value_id> values) {
  const auto& arguments = m[m[entry].body].arguments;
  std::vector<input_need> needs;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (m.type_of(arguments[i]).is_tensor() && !m.type_of(arguments[i]).is_static())
      needs.push_back({input_name(m[entry], i), false});
  if (!needs.empty()) return needs;
  std::unordered_set<u32> seen;
  const auto is_size = [&](value_id v) {  // as the lists of integers are that say shapes and axes
    const type& t = m.type_of(v);
    return t.is_tensor() && t.ranked && t.rank() <= 1 && is_int(t.elem) && m.constant_value(v) == nullptr;
  };
  const auto add_operands = [&](op_id op) {
    const std::vector<value_id> all = m.operands(op);
    const bool sizes = std::any_of(all.begin(), all.end(), [&](value_id v) { return v && is_size(v); });
    for (value_id v : all)
      if (v && (!sizes || is_size(v))) values.push_back(v);
  };
  while (!values.empty()) {
    const value_id v = values.back();
    values.pop_back();
    if (!v || !seen.insert(v.index).second) continue;
    // An argument of a body has what the op around it is given, or what its terminator hands on.
    const op_id op = m[v].definition ? m[v].definition : m[m[v].owner].parent;
    if (!op) continue;
    add_operands(op);
    for (int r = 0; r < m.view(op).region_count(); ++r) for_each_op(m, m.region(op, r), add_operands);
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (m.type_of(arguments[i]).is_tensor() && seen.contains(arguments[i].index))
      needs.push_back({input_name(m[entry], i), true});
  return needs;
}

namespace detail {
/// The first entry that leads to a function by calls, if it is none itself.
inline function_id entry_of(const module& m, function_id inner) {
  const auto is_entry = [&](function_id f) { return m[f].entry && m[f].kind == function_kind::graph; };
  if (is_entry(inner)) return inner;
  for (function_id f : m.functions()) {
    if (!is_entry(f)) continue;
    std::vector<function_id> reached{f};
    for (size_t i = 0; i < reached.size(); ++i) {
      if (reached[i] == inner) return f;
      for_each_op(m, m[reached[i]].body, [&](op_id op) {
        const auto* c = m.view(op).get_if<op::call>();
        const function_id g = c != nullptr ? m.find_function(c->callee.name) : function_id{};
        if (g && std::find(reached.begin(), reached.end(), g) == reached.end()) reached.push_back(g);
      });
    }
  }
  return {};
}
}  // namespace detail

std::vector<input_need> needs_of(const module& m, const obstacle& o) {
  const function_id entry = detail::entry_of(m, o.function);
  if (!entry) return {};
  if (!o.op && o.function == entry) return needs_of(m, entry, {});
  if (o.function != entry) return needs_of(m, entry, m[m[entry].body].arguments);  // of a function that is called
  // What the op depends on; else, as of one that takes nothing, what says whether it runs.
  std::vector<input_need> needs = needs_of(m, entry, m.results(o.op));
  for (op_id around = m[m[o.op].parent].parent; around && needs.empty(); around = m[m[around].parent].parent)
    needs = needs_of(m, entry, m.operands(around));
  return needs;
}

}  // namespace tenon::ir
