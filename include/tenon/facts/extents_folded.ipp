/// @file extents_folded.ipp: the checker of facts/extents_folded.hpp.
#pragma once

#include <tenon/core/error.hpp>
#include <tenon/facts/extents_folded.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>

namespace tenon::fact {

void extents_folded::check(const ir::module& m) {
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (op::extents_computed(m, op))
      throw error("fact.extents_folded",
                  std::string(m.view(op).name()) + ": its result follows from the inputs' extents, and is computed",
                  m.text(m[op].location), "run fold_extents");
  });
}

}  // namespace tenon::fact
