/// @file plan_memory.ipp: definition of passes/plan_memory.hpp.
#pragma once

#include <algorithm>

#include <tenon/facts/memory_planned.ipp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/runtime/arena.hpp>

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
        if (q == r || ranges[q].last != at || ranges[r].first != at || ranges[q].size != ranges[r].size) continue;
        if (!tenon::detail::may_share(m, ops[at], o, result)) continue;
        root[r] = q;
        ranges[q].last = ranges[r].last;
        break;
      }
    }

    const bool sized = std::all_of(ranges.begin(), ranges.end(), [](const auto& r) { return r.bytes >= 0; });
    std::vector<size_t> roots;
    for (size_t i = 0; i < ranges.size(); ++i)
      if (root[i] == i) roots.push_back(i);
    std::vector<i64> offsets(ranges.size(), 0);
    if (sized) {
      std::vector<buffer_life> lives;
      for (size_t i : roots) lives.push_back({static_cast<i64>(ranges[i].first), static_cast<i64>(ranges[i].last), ranges[i].bytes});
      std::vector<i64> placed(lives.size());
      arena = std::max(arena, place_buffers(lives, placed.data()));
      for (size_t k = 0; k < roots.size(); ++k) offsets[roots[k]] = placed[k];
    } else {
      // The sizes are known when the program runs: it places them then, by the same rule. Its table has their offsets.
      std::string& lives = m.metadata["run_time_buffers"];
      lives.clear();
      for (size_t k = 0; k < roots.size(); ++k) {
        const auto& r = ranges[roots[k]];
        offsets[roots[k]] = -2 - static_cast<i64>(k);
        lives += std::to_string(r.first) + ":" + std::to_string(r.last) + ":" + r.size + ";";
      }
    }
    for (size_t i = 0; i < ranges.size(); ++i) {
      const op::alloc a{offsets[find(i)]};
      m.set_attributes(ranges[i].alloc, m.intern_attributes(ir::info_of<op::alloc>, &a));
    }
  }
  m.metadata["arena_bytes"] = std::to_string(arena);
}

}  // namespace tenon
