/// @file references: which functions an op names, and which functions the entries reach.
#pragma once

#include <unordered_set>
#include <vector>

#include <tenon/ir/walk.hpp>

namespace tenon::ir {
/// The functions that a function's ops name in their attributes, each once, in order.
inline std::vector<function_id> referenced_functions(const module& m, function_id f) {
  std::vector<function_id> found;
  std::unordered_set<u32> seen;
  for_each_op(m, m[f].body, [&](op_id op) {
    const op_node& n = m[op];
    for (const attribute& a : n.info->attributes())
      a.visit(m.attributes(n.attributes), [&](const function_ref& named) {
        const function_id g = m.find_function(named.name);
        if (g && seen.insert(g.index).second) found.push_back(g);
      });
  });
  return found;
}

/// Removes functions that no entry reaches; none if there is no entry.
inline void erase_unreachable_functions(module& m) {
  std::vector<function_id> reached;
  for (function_id f : m.functions())
    if (m[f].entry) reached.push_back(f);
  if (reached.empty()) return;
  std::unordered_set<u32> seen;
  for (function_id f : reached) seen.insert(f.index);
  for (size_t i = 0; i < reached.size(); ++i)
    for (function_id g : referenced_functions(m, reached[i]))
      if (seen.insert(g.index).second) reached.push_back(g);
  for (function_id f : m.functions())
    if (!seen.contains(f.index)) m.erase_function(f);
}

}  // namespace tenon::ir
