/// @file patches.ipp: the type rules of ops/graph/patches.hpp.
#pragma once

#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/patches.hpp>

namespace tenon::op {

namespace movement_detail {

/// A list with one number per spatial dimension; `fallback` where none is given.
template <class Context>
extents spatial_list(const Context& cx, const extents& list, size_t count, i64 fallback, i64 least, const char* what) {
  if (list.empty()) return extents(count, fallback);
  if (list.size() != count) cx.fail(std::to_string(list.size()) + " " + what + " and not " + std::to_string(count));
  for (i64 v : list)
    if (v < least || v > INT32_MAX) cx.fail(std::string(what) + " have " + std::to_string(v));
  return list;
}

/// The shape that max_unpool's indices count in.
template <class Context>
std::vector<ir::dim> unpooled_dims(const Context& cx, const max_unpool& op, const std::vector<ir::dim>& x) {
  if (x.size() < 3) cx.fail("the operand has " + std::to_string(x.size()) + " dimensions and no spatial one");
  const size_t n = x.size() - 2;
  const extents kernel = spatial_list(cx, op.kernel_shape, n, 1, 1, "kernel extents"),
                strides = spatial_list(cx, op.strides, n, 1, 1, "strides"),
                pads = spatial_list(cx, op.pads, 2 * n, 0, 0, "pads");
  std::vector<ir::dim> to(x.begin(), x.begin() + 2);
  for (size_t d = 0; d < n; ++d) {
    if (!x[2 + d].is_static()) {
      to.push_back(ir::dim::unknown());
      continue;
    }
    const i64 e = (x[2 + d].extent() - 1) * strides[d] + kernel[d] - pads[d] - pads[n + d];
    if (e < 0) cx.fail("the pads leave less than nothing");
    to.push_back(e);
  }
  return to;
}

}  // namespace movement_detail

TENON_INLINE void infer(const max_unpool& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  const auto shape = movement_detail::list_of(cx, 2, op.shape);
  if (!x.ranked) return cx.result(x);
  std::vector<ir::dim> to = movement_detail::unpooled_dims(cx, op, x.shape);
  if (!shape)
    to.assign(to.size(), ir::dim::unknown());
  else if (!shape->empty())
    to.assign(shape->begin(), shape->end());
  if (to.size() != x.shape.size())
    cx.fail("a shape of " + std::to_string(to.size()) + " dimensions for " + std::to_string(x.rank()));
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

TENON_INLINE void infer(const col2im& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (x.ranked && x.rank() != 3) cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions, not three");
  const auto image = movement_detail::list_of(cx, 1, op.image_shape),
             block = movement_detail::list_of(cx, 2, op.block_shape);
  if (!image) return cx.result(ir::type::unranked_tensor(x.elem));
  std::vector<ir::dim> to(2);
  if (x.ranked) to[0] = x.shape[0];
  if (block) {
    if (block->size() != image->size()) cx.fail("image and block have different numbers of dimensions");
    const i64 size = element_count(*block);
    if (x.ranked && x.shape[1].is_static()) {
      if (size == 0 || x.shape[1].extent() % size != 0)
        cx.fail(std::to_string(x.shape[1].extent()) + " rows are not blocks of " + std::to_string(size));
      to[1] = x.shape[1].extent() / size;
    }
  }
  for (i64 e : movement_detail::spatial_list(cx, *image, image->size(), 0, 0, "image extents")) to.push_back(e);
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

TENON_INLINE void infer(const roi_align& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), rois = cx.operand(1);
  if ((x.ranked && x.rank() != 4) || (rois.ranked && rois.rank() != 2))
    cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions and the regions " +
            std::to_string(rois.rank()));
  if (op.output_height < 0 || op.output_width < 0 || op.sampling_ratio < 0 || op.sampling_ratio > 4096)
    cx.fail("output_height, output_width or sampling_ratio are out of range");
  cx.result(ir::type::tensor(x.elem, {rois.ranked ? rois.shape[0] : ir::dim::unknown(),
                                      x.ranked ? x.shape[1] : ir::dim::unknown(), op.output_height, op.output_width}));
}

TENON_INLINE bool absorb(max_unpool& op, int operand, const tensor& value) {
  return operand == 2 && (!op.shape.empty() || (op.shape = movement_detail::integers_of(value), true));
}
TENON_INLINE bool absorb(col2im& op, int operand, const tensor& value) {
  if (operand != 1 && operand != 2) return false;
  std::vector<i64>& list = operand == 1 ? op.image_shape : op.block_shape;
  if (list.empty()) list = movement_detail::integers_of(value);
  return true;
}

}  // namespace tenon::op
