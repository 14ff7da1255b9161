/// @file channels_last.ipp: the checker of facts/channels_last.hpp.
#pragma once

#include <tenon/core/error.hpp>
#include <tenon/facts/channels_last.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/contraction.hpp>

namespace tenon::fact {

void channels_last::check(const ir::module& m) {
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const ir::op_view v = m.view(op);
    const auto* c = v.get_if<op::conv>();
    if (c != nullptr && c->layout == op::data_layout::channels_first && v.operand_type(0).ranked &&
        v.operand_type(1).ranked)
      throw error("fact.channels_last", "conv: the channels come first", m.text(m[op].location), "run convert_layout");
  });
}

}  // namespace tenon::fact
