/// @file pool.ipp: shape and type rules of ops/graph/pool.hpp.
#pragma once

#include <tenon/ops/graph/pool.hpp>

namespace tenon::op {

namespace detail {

template <class Op>
ir::type pool_type(const Op& op, const ir::infer_context& cx) {
  const ir::type& x = cx.operand(0);
  if (!x.is_tensor()) cx.fail("operand 0 is not a tensor");
  const size_t spatial = op.kernel.size();
  if (spatial < 1 || spatial > 3) cx.fail("the kernel has " + std::to_string(spatial) + " dimensions, expected 1 to 3");
  for (i64 k : op.kernel)
    if (k < 1 || k > (i64{1} << 31)) cx.fail("the kernel has an extent of " + std::to_string(k));
  if (!checked_count(op.kernel)) cx.fail("the kernel has more than 2^58 elements");
  check_window_lists(cx, spatial, op.strides, op.dilations, op.pads);
  if (!x.ranked) return ir::type::tensor(x.elem, std::vector<ir::dim>(spatial + 2));
  if (x.shape.size() != spatial + 2)
    cx.fail("the image has " + std::to_string(x.rank()) + " dimensions, the kernel " + std::to_string(spatial));
  ir::type r = x;
  const std::vector<window> w = make_windows(op.kernel, op.strides, op.dilations, op.pads);
  const size_t first = spatial_axis(op.layout);
  for (size_t i = 0; i < spatial; ++i) r.shape[first + i] = window_dim(cx, x.shape[first + i], w[i], op.ceil_mode);
  return r;
}

}  // namespace detail

void infer(const max_pool& op, ir::infer_context& cx) {
  ir::type r = detail::pool_type(op, cx);
  if (r.elem == dtype::boolean) cx.fail("the operand is bool");
  cx.result(r);
  if (!op.indices) return;
  r.elem = dtype::i64;
  cx.result(r);
}

void infer(const average_pool& op, ir::infer_context& cx) {
  const ir::type r = detail::pool_type(op, cx);
  if (!is_float(r.elem)) cx.fail("the operand is " + std::string(name_of(r.elem)) + ", expected a float type");
  cx.result(r);
}

void infer(const lp_pool& op, ir::infer_context& cx) {
  const ir::type r = detail::pool_type(op, cx);
  if (!is_float(r.elem)) cx.fail("the operand is " + std::string(name_of(r.elem)) + ", expected a float type");
  if (op.p < 1) cx.fail("p is " + std::to_string(op.p));
  cx.result(r);
}

bool move_transpose(max_pool& op, std::vector<i64>& order, u32) { return put_channels_last(op.layout, order); }
bool move_transpose(average_pool& op, std::vector<i64>& order, u32) { return put_channels_last(op.layout, order); }
bool move_transpose(lp_pool& op, std::vector<i64>& order, u32) { return put_channels_last(op.layout, order); }

}  // namespace tenon::op
