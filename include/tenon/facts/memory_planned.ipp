/// @file memory_planned.ipp: the proof that buffers whose lives meet do not overlap.
#pragma once

#include <algorithm>

#include <tenon/core/checked.hpp>
#include <tenon/facts/buffer_lives_known.hpp>
#include <tenon/facts/memory_planned.hpp>

namespace tenon {
namespace detail {

/// May a call's first result take the storage of buffer `from`? Only if every operand in that storage is read at the
/// written index only: another operand may be a view of the same buffer.
inline bool may_share(const ir::module& m, op_id op, op_id from, op_id result) {
  const auto* call = m.view(op).get_if<op::call_dps>();
  if (call == nullptr || fact::storage_of(m, m.operand(op, static_cast<int>(call->inputs))) != result) return false;
  bool reads = false;
  for (int i = 0; i < static_cast<int>(call->inputs); ++i) {
    const std::vector<op_id> storages = fact::storages_of(m, m.operand(op, i));
    if (std::find(storages.begin(), storages.end(), from) == storages.end()) continue;
    if (std::find(call->in_place.begin(), call->in_place.end(), i) == call->in_place.end()) return false;
    reads = true;
  }
  return reads;
}

}  // namespace detail

void fact::memory_planned::check(const ir::module& m) {
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph)) continue;
    const auto ranges = live_ranges(m, m[f].body);
    auto offset = [&](const live_range& r) { return m.view(r.alloc).as<op::alloc>().offset; };
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
