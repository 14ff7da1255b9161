/// @file plan_memory.ipp: definition of passes/plan_memory.hpp.
#pragma once

#include <algorithm>

#include <tenon/facts/memory_planned.ipp>
#include <tenon/passes/plan_memory.hpp>

namespace tenon {

TENON_INLINE void passes::plan_memory::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  i64 arena = 0;
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph)) continue;
    const region_id body = m[f].body;
    std::vector<tenon::detail::live_range> ranges = tenon::detail::live_ranges(m, body);
    std::unordered_map<u32, size_t> number;
    for (size_t i = 0; i < ranges.size(); ++i) number.emplace(ranges[i].alloc.index, i);

    // In place: join the ranges of a result and of an operand that ends where the result begins.
    std::vector<size_t> root(ranges.size());
    for (size_t i = 0; i < root.size(); ++i) root[i] = i;
    auto find = [&](size_t i) {
      while (root[i] != i) i = root[i];
      return i;
    };
    const auto& ops = m[body].ops;
    for (size_t at = 0; at < ops.size(); ++at) {
      const auto* call = m.view(ops[at]).get_if<op::call_dps>();
      if (call == nullptr || call->in_place.empty()) continue;
      const op_id result = tenon::detail::storage_of(m, m.operand(ops[at], static_cast<int>(call->inputs)));
      if (!result) continue;
      const size_t r = find(number.at(result.index));
      for (i64 operand : call->in_place) {
        const op_id o = tenon::detail::storage_of(m, m.operand(ops[at], static_cast<int>(operand)));
        if (!o) continue;
        const size_t q = find(number.at(o.index));
        if (q == r || ranges[q].last != at || ranges[r].first != at || ranges[q].bytes != ranges[r].bytes) continue;
        if (!tenon::detail::may_share(m, ops[at], o, result)) continue;
        root[r] = q;
        ranges[q].last = ranges[r].last;
        break;
      }
    }

    std::vector<size_t> order;
    for (size_t i = 0; i < ranges.size(); ++i)
      if (root[i] == i) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return ranges[a].bytes > ranges[b].bytes || (ranges[a].bytes == ranges[b].bytes && a < b);
    });
    struct placed {
      size_t range;
      i64 offset, end;
    };
    std::vector<placed> done;
    std::vector<i64> offsets(ranges.size(), 0);
    for (size_t i : order) {
      const i64 size = (std::max<i64>(ranges[i].bytes, 1) + tenon::detail::arena_alignment - 1) / tenon::detail::arena_alignment * tenon::detail::arena_alignment;
      i64 offset = 0;
      for (const placed& p : done)  // by offset: the first gap that is large enough
        if (ranges[p.range].first <= ranges[i].last && ranges[i].first <= ranges[p.range].last) {
          if (p.offset >= offset + size) break;
          offset = std::max(offset, p.end);
        }
      offsets[i] = offset;
      const auto where = std::find_if(done.begin(), done.end(), [&](const placed& p) { return p.offset > offset; });
      done.insert(where, {i, offset, offset + size});
      arena = std::max(arena, offset + size);
    }
    for (size_t i = 0; i < ranges.size(); ++i) {
      const op::alloc a{offsets[find(i)]};
      m.set_attributes(ranges[i].alloc, m.intern_attributes(ir::info_of<op::alloc>, &a));
    }
  }
  m.metadata["arena_bytes"] = std::to_string(arena);
}

}  // namespace tenon
