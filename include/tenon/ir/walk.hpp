/// @file walk: visits ops in program order; the visitor may erase the visited op and insert before it.
#pragma once

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Calls `f(op_id)` for each op of a region, and first for the ops of its own regions when `Nested`.
template <bool Nested = true, class F>
void for_each_op(const module& m, region_id r, F&& f) {
  const std::vector<op_id> ops = m[r].ops;  // a copy: the visitor may change the region
  for (op_id op : ops) {
    if (!m.alive(op)) continue;
    if constexpr (Nested)
      for (u32 i = 0; i < m[op].region_count; ++i) for_each_op<true>(m, m.region(op, static_cast<int>(i)), f);
    if (m.alive(op)) f(op);
  }
}

/// Calls `f(op_id)` for each op of each living function of a kind that is in the module's phase, not ahead of it.
template <class F>
void for_each_op(const module& m, function_kind kind, F&& f) {
  for (function_id fn : m.functions())
    if (m[fn].here(kind)) for_each_op(m, m[fn].body, f);
}
template <class F>
void for_each_op(const module& m, F&& f) {
  for (function_id fn : m.functions()) for_each_op(m, m[fn].body, f);
}

}  // namespace tenon::ir
