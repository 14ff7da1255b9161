/// @file normalization.ipp: shape and type rules of ops/graph/normalization.hpp.
#pragma once

#include <tenon/ops/graph/normalization.hpp>

namespace tenon::op {

void infer(const lrn& op, ir::infer_context& cx) {
  const ir::type& x = cx.operand(0);
  if (!x.is_tensor() || !is_float(x.elem)) cx.fail("the operand is not a tensor of a float type");
  if (x.ranked && x.rank() < 2) cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions, it needs 2");
  if (op.size < 1) cx.fail("size is " + std::to_string(op.size));
  cx.result(x);
}

bool move_transpose(lrn& op, std::vector<i64>& order, u32) { return put_channels_last(op.layout, order); }

}  // namespace tenon::op
