/// @file plan_memory.ipp: definition of passes/plan_memory.hpp.
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/memory_planned.ipp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/runtime/arena.hpp>

namespace tenon {

void passes::plan_memory::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const device_memory device = cx.get<device_memory>();
  std::map<std::string, i64> arenas{{"", 0}};     // by memory space
  std::vector<ir::run_time_buffer> placed_later;  // of all functions: each has numbers of its own
  for (auto [f, ranges] : cx.analysis<fact::buffer_lives_known>(*this, m)) {
    std::unordered_map<u32, size_t> number;
    for (size_t i = 0; i < ranges.size(); ++i) number.emplace(ranges[i].alloc.index, i);

    const auto space = [&](size_t i) -> const std::string& { return m.type_of(m.result(ranges[i].alloc)).space; };

    // In place: join the ranges of a result and of an operand that ends where the result begins.
    std::vector<size_t> root(ranges.size());
    for (size_t i = 0; i < root.size(); ++i) root[i] = i;
    auto find = [&](size_t i) {
      while (root[i] != i) i = root[i];
      return i;
    };
    const auto& ops = m[m[f].body].ops;
    for (size_t at = 0; at < ops.size(); ++at) {
      const auto* call = m.view(ops[at]).get_if<op::call_dps>();
      if (call == nullptr || call->in_place.empty()) continue;
      const op_id result = fact::storage_of(m, m.operand(ops[at], static_cast<int>(call->inputs)));
      if (!result) continue;
      const size_t r = find(number.at(result.index));
      for (i64 operand : call->in_place) {
        const op_id o = fact::storage_of(m, m.operand(ops[at], static_cast<int>(operand)));
        if (!o) continue;
        const size_t q = find(number.at(o.index));
        if (space(q) != space(r)) continue;
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
      std::map<std::string, std::vector<size_t>> by_space;
      for (size_t i : roots) by_space[space(i)].push_back(i);
      for (const auto& [name, members] : by_space) {
        std::vector<buffer_life> lives;
        for (size_t i : members)
          lives.push_back({static_cast<i64>(ranges[i].first), static_cast<i64>(ranges[i].last), ranges[i].bytes});
        std::vector<i64> placed(lives.size());
        const memory_space* of_device = device.find(name);
        if (of_device == nullptr && !name.empty() && !device.spaces.empty())
          throw error("plan_memory.space",
                      "'" + m[f].name + "' has buffers in memory space '" + name + "', which the device does not have",
                      m.text(m[ranges[members[0]].alloc].location), "list it in the device's 'spaces'");
        const memory_space there = of_device ? *of_device : memory_space{name};
        i64& arena = arenas[name];
        arena = std::max(arena, place_buffers(lives, placed.data(), std::max<i64>(there.alignment, 1)));
        for (size_t k = 0; k < members.size(); ++k) offsets[members[k]] = placed[k];
        if (there.capacity != 0 && arena > there.capacity)
          throw error("plan_memory.capacity",
                      "memory space '" + name + "' holds " + std::to_string(there.capacity) +
                          " bytes, and the buffers of '" + m[f].name + "' that live at once need " +
                          std::to_string(arena),
                      m.text(m[ranges[members[0]].alloc].location), "tile the kernels that use it smaller");
      }
    } else {
      // The sizes are known when the program runs: it places them then, by the same rule. Its table has their offsets.
      const size_t before = placed_later.size();
      for (size_t k = 0; k < roots.size(); ++k) {
        const auto& r = ranges[roots[k]];
        if (!space(roots[k]).empty())
          throw error("plan_memory.space",
                      "a buffer in memory space '" + space(roots[k]) + "' has no size before the program runs",
                      m.text(m[r.alloc].location), "give the inputs their shapes");
        offsets[roots[k]] = -2 - static_cast<i64>(before + k);
        placed_later.push_back({static_cast<i64>(r.first), static_cast<i64>(r.last), r.size});
      }
    }
    for (size_t i = 0; i < ranges.size(); ++i) {
      const op::alloc a{offsets[find(i)]};
      m.set_attributes(ranges[i].alloc, m.intern_attributes(ir::info_of<op::alloc>, &a));
    }
  }
  m.build.memory.buffers = std::move(placed_later);
  for (const auto& [name, bytes] : arenas) m.build.memory.arenas.insert_or_assign(name, bytes);
}

}  // namespace tenon
