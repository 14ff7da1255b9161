/// @file references: which functions an op names, and which functions the entries reach.
#pragma once

#include <algorithm>

#include <tenon/ir/walk.hpp>

namespace tenon::passes {
/// The functions that a function's ops name in their attributes, each once, in order.
inline std::vector<function_id> referenced_functions(const ir::module& m, function_id f) {
  std::vector<function_id> found;
  ir::for_each_op(m, m[f].body, [&](op_id op) {
    const ir::op_node& n = m[op];
    for (const ir::attribute& a : n.info->attributes())
      a.visit(m.attributes(n.attributes), [&](const ir::function_ref& named) {
        const function_id g = m.find_function(named.name);
        if (g && std::find(found.begin(), found.end(), g) == found.end()) found.push_back(g);
      });
  });
  return found;
}

/// Removes functions that no entry reaches; none if there is no entry.
inline void erase_unreachable_functions(ir::module& m) {
  std::vector<function_id> reached;
  for (function_id f : m.functions())
    if (m[f].entry) reached.push_back(f);
  if (reached.empty()) return;
  for (size_t i = 0; i < reached.size(); ++i)
    for (function_id g : referenced_functions(m, reached[i]))
      if (std::find(reached.begin(), reached.end(), g) == reached.end()) reached.push_back(g);
  for (function_id f : m.functions())
    if (std::find(reached.begin(), reached.end(), f) == reached.end()) m.erase_function(f);
}

}  // namespace tenon::passes
