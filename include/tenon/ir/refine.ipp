/// @file refine.ipp: definitions of ir/refine.hpp.
#pragma once

#include <tenon/ir/called_extents.hpp>
#include <tenon/ir/condition_scope.hpp>
#include <tenon/ir/placed.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>

namespace tenon::ir {
namespace detail {

inline bool set_refined(module& m, value_id v, type_id found, std::string_view what, location_id at) {
  if (found == m[v].type) return false;
  const type_id t = m.intern(meet(m, m.type_of(v), m[found], what, at));
  if (t == m[v].type) return false;
  m.set_type(v, t);
  return true;
}

inline bool refine_region(module& m, region_id r);

/// The arguments of a region from what is given to them: the last `given.size()` ones.
inline bool refine_arguments(module& m, region_id r, std::span<const value_id> given, op_id op) {
  const std::vector<value_id> arguments = m[r].arguments;
  bool changed = false;
  if (arguments.size() != given.size()) return false;
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i])
      changed |= set_refined(m, arguments[i], m[given[i]].type, "an argument of its region", m[op].location);
  return changed;
}

inline bool refine_from_values(module& m, op_id op, std::span<const value_id> values,
                               const called_extents* call = nullptr) {
  bool changed = false;
  const auto results = m.results(op);
  for (size_t i = 0; i < results.size() && i < values.size(); ++i) {
    const type_id found = call ? call->at_call(m, m[values[i]].type) : m[values[i]].type;
    changed |= set_refined(m, results[i], found, m.view(op).name(), m[op].location);
  }
  return changed;
}

inline bool refine_closure(module& m, op_id op) {
  const region_id body = m.region(op);
  bool changed = refine_region(m, body);
  type t = m.type_of(m.result(op));
  const op_id end = m.terminator(body);
  if (t.kind != type_kind::function || !end) return changed;
  const auto results = m.operands(end);
  if (t.parts.size() != t.split + results.size()) return changed;
  for (size_t i = 0; i < results.size(); ++i) t.parts[t.split + i] = m[results[i]].type;
  const type_id now = m.intern(t);
  if (now == m[m.result(op)].type) return changed;
  m.set_type(m.result(op), now);
  return true;
}

inline bool refine_region(module& m, region_id r) {
  bool changed = false;
  const std::vector<op_id> ops = m[r].ops;
  for (op_id op : ops) changed |= refine_op(m, op);
  return changed;
}

inline bool refine_function(module& m, function_id f, std::vector<char>& state) {
  if (state[f.index] != 0) return false;
  state[f.index] = 1;
  bool changed = false;
  const std::vector<op_id> ops = m[m[f].body].ops;
  for (op_id op : ops)
    if (const auto* call = m.view(op).get_if<op::call>())
      if (const function_id callee = m.find_function(call->callee.name); callee && m[callee].here(function_kind::graph))
        changed |= refine_function(m, callee, state);
  changed |= refine_region(m, m[f].body);
  const op_id end = m.terminator(m[f].body);
  if (!end) return changed;
  std::vector<type_id> results;
  for (value_id v : m.operands(end)) results.push_back(v ? m[v].type : type_id{});
  if (m[f].result_types != results) m[f].result_types = std::move(results), changed = true;
  return changed;
}

}  // namespace detail

type meet(const module& m, const type& now, const type& found, std::string_view what, location_id at) {
  const auto contradict = [&](const std::string& how) {
    throw error("ir.refine", std::string(what) + ": " + how, m.text(at));
  };
  if (now.kind != type_kind::tensor || found.kind != type_kind::tensor)
    return found.kind == type_kind::none ? now : found;
  if (now.elem != found.elem)
    contradict("its type is known to have elements of " + std::string(name_of(now.elem)) +
               ", and now follows to be of " + std::string(name_of(found.elem)));
  if (!now.ranked || !found.ranked) return found.ranked ? found : now;
  if (now.shape.size() != found.shape.size())
    contradict("it is known to have " + std::to_string(now.shape.size()) + " dimensions, and now follows to have " +
               std::to_string(found.shape.size()));
  type r = found;
  for (size_t d = 0; d < r.shape.size(); ++d) {
    const dim a = now.shape[d], b = found.shape[d];
    if (a.is_static() && b.is_static() && a != b)
      contradict("dimension " + std::to_string(d) + " is known to be " + std::to_string(a.extent()) +
                 ", and now follows to be " + std::to_string(b.extent()));
    if (a.is_static() || b.is_unknown()) r.shape[d] = a;
  }
  return r;
}

bool refine_op(module& m, op_id op) {
  const op_view v = m.view(op);
  const op_info& info = v.info();
  const auto operands = m.operands(op);
  if (v.is<op::fused>()) {
    bool changed = detail::refine_arguments(m, v.region(), operands, op);
    changed |= detail::refine_region(m, v.region());
    return detail::refine_from_values(m, op, m.operands(m.terminator(v.region()))) || changed;
  }
  if (v.is<op::closure>()) return detail::refine_closure(m, op);
  if (const auto* call = v.get_if<op::call>()) {
    const function_id f = m.find_function(call->callee.name);
    const op_id end = f ? m.terminator(m[f].body) : op_id{};
    if (!end || static_cast<int>(m[end].operand_count) != v.result_count()) return false;
    const called_extents here(m, m[f].body, operands);
    return detail::refine_from_values(m, op, m.operands(end), &here);
  }
  if (v.is<op::call_closure>()) {
    const type t = v.operand_type(0);
    bool changed = false;
    if (t.kind == type_kind::function && t.parts.size() == t.split + static_cast<size_t>(v.result_count()))
      for (int i = 0; i < v.result_count(); ++i)
        changed |=
            detail::set_refined(m, v.result(i), t.parts[t.split + static_cast<size_t>(i)], info.name, v.location());
    return changed;
  }
  bool changed = false;
  std::vector<region_id> regions;
  for (int i = 0; i < v.region_count(); ++i) {
    regions.push_back(v.region(i));
    changed |= detail::refine_region(m, regions.back());
  }
  if (info.infer == nullptr) return changed;
  const condition_scope scope(m, m[op].parent);
  infer_context cx(m, info, operands, regions, v.location());
  infer_placed(m, info, m.attributes(m[op].attributes), cx, operands, v.location());
  const std::span<const type_id> found = cx.results();
  for (int i = 0; i < v.result_count() && static_cast<size_t>(i) < found.size(); ++i)
    changed |= detail::set_refined(m, v.result(i), found[static_cast<size_t>(i)], info.name, v.location());
  return changed;
}

namespace detail {
/// A type of the same rank whose extents are unknown.
inline type_id of_unknown_extents(module& m, type_id id) {
  if (!id || !m[id].is_tensor() || !m[id].ranked) return id;
  type t = m[id];
  t.shape.assign(t.shape.size(), dim::unknown());
  return m.intern(t);
}
}  // namespace detail

void forget_extents(module& m, function_id f) {
  for_each_op(m, m[f].body, [&](op_id op) {
    if (m.view(op).is<op::constant>()) return;
    for (value_id v : m.results(op)) m.set_type(v, detail::of_unknown_extents(m, m[v].type));
  });
  for (type_id& t : m[f].result_types) t = detail::of_unknown_extents(m, t);
}

bool refine_types(module& m) {
  std::vector<char> state(m.functions().empty() ? 0 : m.functions().back().index + 1);
  bool changed = false;
  for (function_id f : m.functions())
    if (m[f].here(function_kind::graph)) changed |= detail::refine_function(m, f, state);
  return changed;
}

}  // namespace tenon::ir
