/// @file dataflow.ipp: type rule of ops/graph/dataflow.hpp.
#pragma once

#include <tenon/ops/graph/dataflow.hpp>

namespace tenon::op {

void infer(const dataflow&, ir::infer_context& cx) {
  const op_id end = cx.region_count() > 0 ? cx.mod().terminator(cx.region(0)) : op_id{};
  if (!end) cx.fail("the region does not end with yield");
  for (value_id v : cx.mod().operands(end)) {
    if (!v) cx.fail("the region yields nothing where a value is needed");
    cx.result(cx.mod()[v].type);
  }
}

}  // namespace tenon::op
