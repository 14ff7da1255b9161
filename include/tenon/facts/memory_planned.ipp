/// @file memory_planned.ipp: the lives of buffers, and the proof that those which meet do not overlap.
#pragma once

#include <algorithm>
#include <unordered_map>

#include <tenon/core/checked.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/ir/dims.hpp>

namespace tenon {
namespace detail {

/// The life of an allocated buffer, in positions of a function's ops.
struct live_range {
  op_id alloc;
  i64 bytes = 0;  ///< -1: `size` says it when the program runs
  std::string size;
  size_t first = 0, last = 0;  ///< from the first op that uses it to the last one
  bool used = false;
};

/// The buffer whose storage a value is, through views; none for arguments and constants.
inline op_id storage_of(const ir::module& m, value_id v) {
  while (m.definition_info(v) == &ir::info_of<op::view_buffer>) v = m.operand(m[v].definition, 0);
  return m.definition_info(v) == &ir::info_of<op::alloc> ? m[v].definition : op_id{};
}

inline std::vector<live_range> live_ranges(const ir::module& m, region_id body) {
  std::vector<live_range> ranges;
  std::unordered_map<u32, size_t> number;
  const auto& ops = m[body].ops;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (m.view(ops[i]).is<op::alloc>()) {
      number.emplace(ops[i].index, ranges.size());
      const ir::type& t = m.view(ops[i]).result_type();
      const extent_expr size = ir::count_of(m, t) * extent_expr(size_of(t.elem));
      ranges.push_back({ops[i], size.is_constant() ? size.constant() : -1, size.text(), i, i});
      continue;
    }
    if (m.view(ops[i]).is<op::view_buffer>()) continue;  // a view alone touches nothing
    for (value_id v : m.operands(ops[i])) {
      const op_id a = v ? storage_of(m, v) : op_id{};  // absent operands have none
      if (!a) continue;
      live_range& r = ranges[number.at(a.index)];
      if (!r.used) r.first = i, r.used = true;
      r.last = i;
    }
  }
  return ranges;
}

/// May a call's first result take the storage of buffer `from`? Only if every operand in that storage is read at the
/// written index only: another operand may be a view of the same buffer.
inline bool may_share(const ir::module& m, op_id op, op_id from, op_id result) {
  const auto* call = m.view(op).get_if<op::call_dps>();
  if (call == nullptr || storage_of(m, m.operand(op, static_cast<int>(call->inputs))) != result) return false;
  bool reads = false;
  for (int i = 0; i < static_cast<int>(call->inputs); ++i) {
    if (storage_of(m, m.operand(op, i)) != from) continue;
    if (std::find(call->in_place.begin(), call->in_place.end(), i) == call->in_place.end()) return false;
    reads = true;
  }
  return reads;
}

}  // namespace detail

void fact::memory_planned::check(const ir::module& m) {
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph)) continue;
    const auto ranges = tenon::detail::live_ranges(m, m[f].body);
    auto offset = [&](const tenon::detail::live_range& r) { return m.view(r.alloc).as<op::alloc>().offset; };
    for (const auto& a : ranges) {
      if (offset(a) < -1) continue;  // placed when the program runs
      if (offset(a) < 0)
        throw error("fact.memory_planned", "a buffer has no place in the arena", m.text(m[a.alloc].location),
                    "run plan_memory");
      const std::string& space = m.type_of(m.result(a.alloc)).space;
      if (const auto arena = m.build.memory.arena(space);
          arena && a.bytes >= 0 && checked_add(offset(a), a.bytes) > *arena)
        throw error("fact.memory_planned",
                    "a buffer ends behind the arena, which has " + std::to_string(*arena) + " bytes",
                    m.text(m[a.alloc].location), "run plan_memory");
      for (const auto& b : ranges) {
        if (m.type_of(m.result(a.alloc)).space != m.type_of(m.result(b.alloc)).space) continue;
        if (a.alloc == b.alloc || a.last < b.first || b.last < a.first || offset(b) < -1) continue;
        const auto& ops = m[m[f].body].ops;
        const bool one_place =
            offset(a) == offset(b) && a.bytes == b.bytes;  // else it is read elsewhere than it is written
        if (one_place && a.last == b.first && tenon::detail::may_share(m, ops[a.last], a.alloc, b.alloc)) continue;
        if (one_place && b.last == a.first && tenon::detail::may_share(m, ops[b.last], b.alloc, a.alloc)) continue;
        if (offset(a) < offset(b) + b.bytes && offset(b) < offset(a) + a.bytes)
          throw error("fact.memory_planned", "two buffers that live at once overlap", m.text(m[a.alloc].location));
      }
    }
  }
}

}  // namespace tenon
