/// @file shapes_known.ipp: the checker of facts/shapes_known.hpp.
#pragma once

#include <tenon/facts/shapes_known.hpp>
#include <tenon/ir/refine.hpp>

namespace tenon::fact {

void shapes_known::check(const ir::module& m) {
  ir::module copy = m;
  if (!ir::refine_types(copy)) return;
  for (size_t i = 0; i < m.value_count(); ++i) {
    const value_id v(i);
    if (m[v].type == copy[v].type) continue;
    const op_id op = m[v].definition;
    if (op && m.alive(op))
      throw error("fact.shapes_known", std::string(m.view(op).name()) + ": its type rule says more than its type does",
                  m.text(m[op].location), "run infer_shapes");
  }
  throw error("fact.shapes_known", "the result types of a function do not agree with its body", {}, "run infer_shapes");
}

}  // namespace tenon::fact
