/// @file kept_inside.ipp: definitions of ir/kept_inside.hpp.
#pragma once

#include <unordered_set>

#include <tenon/ir/kept_inside.hpp>
#include <tenon/ir/walk.hpp>

namespace tenon::ir {
namespace detail {

inline op_id op_around(const module& m, op_id op) { return m[m[op].parent].parent; }

/// Is `v` one of the values that a region of `around` keeps, or a view of one? `seen`: those that were asked, and are
/// not.
inline bool is_kept_value(const module& m, op_id around, value_id v, std::unordered_set<u32>& seen) {
  const op_id op = v ? m[v].definition : op_id{};
  if (!op || !seen.insert(v.index).second) return false;
  op_id outer = op_around(m, op);
  while (outer && outer != around) outer = op_around(m, outer);
  if (!outer) return false;  // it was there before
  const op_info& info = *m[op].info;
  if ((static_cast<unsigned>(info.traits.effects) & m[around].info->region.keeps) != 0) return true;
  for (u32 i = 0; i < m[op].operand_count && i < 32; ++i)
    if ((info.aliases >> i & 1) != 0 && is_kept_value(m, around, m.operand(op, i), seen)) return true;
  for (u32 i = 0; i < m[op].region_count; ++i)
    if (const op_id end = m.terminator(m.region(op, static_cast<int>(i))))
      for (value_id inner : m.operands(end))
        if (is_kept_value(m, around, inner, seen)) return true;
  return false;
}

}  // namespace detail

value_id kept_value_handed_out(const module& m, op_id around) {
  if (m[around].info->region.keeps == ~0u) return {};  // what is computed there may well be its result
  std::unordered_set<u32> seen;
  for (u32 i = 0; i < m[around].region_count; ++i)
    if (const op_id end = m.terminator(m.region(around, static_cast<int>(i))))
      for (value_id v : m.operands(end))
        if (detail::is_kept_value(m, around, v, seen)) return v;
  return {};
}

std::map<u64, unsigned> keepers_in(const module& m, function_id f) {
  std::map<u64, unsigned> keepers;
  for_each_op(m, m[f].body, [&](op_id op) {
    if (const op_info& info = *m[op].info; info.region.keeps != 0) keepers.emplace(info.key, info.region.keeps);
  });
  return keepers;
}

kept_counts count_kept(const module& m, function_id f, const std::map<u64, unsigned>& keepers) {
  kept_counts counts;
  if (keepers.empty()) return counts;
  for_each_op(m, m[f].body, [&](op_id op) {
    const op_info& info = *m[op].info;
    for (const auto& [keeper, effects] : keepers) {
      if (effects == ~0u ? info.traits.terminator : (static_cast<unsigned>(info.traits.effects) & effects) == 0)
        continue;
      op_id around = detail::op_around(m, op);
      while (around && m[around].info->key != keeper) around = detail::op_around(m, around);
      kept_count& n = counts[keeper][info.key];
      ++(around ? n.inside : n.outside);
    }
  });
  return counts;
}

}  // namespace tenon::ir
