/// @file patches.ipp: the type rules of ops/graph/patches.hpp.
#pragma once

#include <tenon/ops/graph/index_rules.hpp>
#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>

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
      if constexpr (requires { cx.compute([](const extent_expr & e) { return e; }, x[2 + d]); })
        to.back() = cx.compute(
            [&](const extent_expr& e) { return (e - 1) * strides[d] + (kernel[d] - pads[d] - pads[n + d]); }, x[2 + d]);
      continue;
    }
    const i64 e = checked_add(checked_mul(x[2 + d].extent() - 1, strides[d]), kernel[d] - pads[d] - pads[n + d]);
    if (e < 0) cx.fail("the pads leave less than nothing");
    to.push_back(e);
  }
  return to;
}

/// Where a block may be put along one dimension of the image.
inline extent_expr positions_of(const extent_expr& image, i64 block, i64 stride, i64 dilation, i64 before, i64 after) {
  return floor_div(image + (before + after - checked_mul(dilation, block - 1) - 1), stride) + 1;
}
/// An image of symbolic extents, or columns of a symbolic number: a program asks whether they fit.
inline void require_positions(const ir::infer_context& cx, const col2im& op, ir::dim columns,
                              const std::optional<extents>& image, const std::optional<symbolic_list>& sizes,
                              const extents& block) {
  const size_t n = block.size();
  if (columns.is_unknown()) return;
  const extents strides = spatial_list(cx, op.strides, n, 1, 1, "strides"),
                dilations = spatial_list(cx, op.dilations, n, 1, 1, "dilations"),
                pads = spatial_list(cx, op.pads, 2 * n, 0, 0, "pads");
  extent_expr all = 1;
  for (size_t d = 0; d < n; ++d) {
    if (!image && !(*sizes)[d]) return;
    const extent_expr each = positions_of(image ? extent_expr((*image)[d]) : *(*sizes)[d], block[d], strides[d],
                                          dilations[d], pads[d], pads[n + d]);
    if (!each.is_constant()) cx.require_not_negative(each);
    all = all * (each.is_constant() ? extent_expr(std::max<i64>(each.constant(), 0)) : each);
  }
  cx.same(columns, cx.extent(all));
}

}  // namespace movement_detail

void infer(const max_unpool& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  const auto shape = movement_detail::list_of(cx, 2, op.shape);
  if (!x.ranked) return cx.result(x);
  std::vector<ir::dim> to = movement_detail::unpooled_dims(cx, op, x.shape);
  const std::vector<ir::dim> counted = to;
  if (!shape) {
    const auto sizes = symbolic_value(cx.mod(), cx.value(2));
    for (size_t d = 0; d < to.size(); ++d)
      to[d] = sizes && sizes->size() == to.size() ? movement_detail::dim_for(cx, (*sizes)[d]) : ir::dim::unknown();
  } else if (!shape->empty()) {
    movement_detail::checked_elements(cx, *shape, "the shape");
    to.assign(shape->begin(), shape->end());
  }
  if (to.size() != x.shape.size())
    cx.fail("a shape of " + std::to_string(to.size()) + " dimensions for " + std::to_string(x.rank()));
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d].is_unknown() || counted[d].is_unknown()) continue;
    if (to[d].is_static() && counted[d].is_static() && to[d].extent() < counted[d].extent())
      cx.fail("the extent " + std::to_string(to[d].extent()) + " does not hold the " +
              std::to_string(counted[d].extent()) + " that the indices count in");
    cx.require_not_negative(*cx.expression(to[d]) - *cx.expression(counted[d]));
  }
  const ir::type& indices = cx.operand(1);
  if (indices.ranked && indices.rank() != x.rank())
    cx.fail("indices of " + std::to_string(indices.rank()) + " dimensions for an operand of " +
            std::to_string(x.rank()));
  for (size_t d = 0; indices.ranked && d < x.shape.size(); ++d) {
    if (indices.shape[d].is_static() && x.shape[d].is_static() && indices.shape[d] != x.shape[d])
      cx.fail("the indices " + extents_text(indices) + " are not as many as the operand's elements " + extents_text(x));
    cx.same(indices.shape[d], x.shape[d]);
  }
  if (const tensor* given = cx.constant(1);
      given != nullptr && !cx.values_are_bound() && ir::type::tensor(x.elem, counted).is_static()) {
    const i64 size = ir::type::tensor(x.elem, counted).count();
    for (i64 i = 0; i < given->size(); ++i)
      if (given->at_i64(i) < 0 || given->at_i64(i) >= size)
        cx.fail("index " + std::to_string(given->at_i64(i)) + " (element " + std::to_string(i) +
                " of operand 1) is outside of " + std::to_string(size) + " elements");
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const col2im& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (x.ranked && x.rank() != 3) cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions, not three");
  const auto image = movement_detail::list_of(cx, 1, op.image_shape),
             block = movement_detail::list_of(cx, 2, op.block_shape);
  const auto sizes = image ? std::nullopt : symbolic_value(cx.mod(), cx.value(1));
  if (!image && !sizes) return cx.result(ir::type::unranked_tensor(x.elem));
  std::vector<ir::dim> to(2);
  if (x.ranked) to[0] = x.shape[0];
  if (block) {
    if (block->size() != (image ? image->size() : sizes->size()))
      cx.fail("image and block have different numbers of dimensions");
    const i64 size = movement_detail::checked_elements(cx, *block, "the block");
    if (x.ranked && x.shape[1].is_static()) {
      if (size == 0 || x.shape[1].extent() % size != 0)
        cx.fail(std::to_string(x.shape[1].extent()) + " rows are not blocks of " + std::to_string(size));
      to[1] = x.shape[1].extent() / size;
    } else if (x.ranked && size != 0 && !x.shape[1].is_unknown()) {
      to[1] = cx.extent(floor_div(*cx.expression(x.shape[1]), size));
      cx.same(x.shape[1], cx.product(to[1], size));
    }
    if (x.ranked) movement_detail::require_positions(cx, op, x.shape[2], image, sizes, *block);
  }
  if (!image)
    for (const auto& e : *sizes) to.push_back(movement_detail::dim_for(cx, e));
  else
    for (i64 e : movement_detail::spatial_list(cx, *image, image->size(), 0, 0, "image extents")) to.push_back(e);
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const roi_align& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), rois = cx.operand(1);
  if ((x.ranked && x.rank() != 4) || (rois.ranked && rois.rank() != 2))
    cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions and the regions " +
            std::to_string(rois.rank()));
  if (op.output_height < 0 || op.output_width < 0 || op.sampling_ratio < 0 || op.sampling_ratio > 4096)
    cx.fail("output_height, output_width or sampling_ratio are out of range");
  const ir::type& images = cx.operand(2);
  if (!is_int(images.elem) || (images.ranked && images.rank() != 1))
    cx.fail("the batch indices are not a list of integers");
  if (rois.ranked) {
    if (rois.shape[1].is_static() && rois.shape[1] != ir::dim(4))
      cx.fail("a region has " + std::to_string(rois.shape[1].extent()) + " numbers, not 4");
    cx.same(rois.shape[1], 4);
    if (images.ranked && rois.shape[0].is_static() && images.shape[0].is_static() && rois.shape[0] != images.shape[0])
      cx.fail(std::to_string(rois.shape[0].extent()) + " regions and " + std::to_string(images.shape[0].extent()) +
              " batch indices");
    if (images.ranked) cx.same(rois.shape[0], images.shape[0]);
  }
  if (x.ranked) movement_detail::check_indices(cx, 2, std::span(&x.shape[0], 1));
  for (size_t d = 0; d < x.shape.size(); ++d)
    if (x.shape[d] == ir::dim(0) && (d == 0 || d >= 2) && (!rois.ranked || rois.shape[0] != ir::dim(0)))
      cx.fail("there is no element to sample in " + extents_text(x));
  for (size_t d = 2; d < x.shape.size(); ++d)
    if (x.shape[d].is_symbol()) cx.require_not_negative(*cx.expression(x.shape[d]) - 1);  // something to sample
  if (x.ranked && x.shape[0].is_symbol()) cx.require_not_negative(*cx.expression(x.shape[0]) - 1);
  cx.result(ir::type::tensor(x.elem, {rois.ranked ? rois.shape[0] : ir::dim::unknown(),
                                      x.ranked ? x.shape[1] : ir::dim::unknown(), op.output_height, op.output_width}));
}

bool absorb(max_unpool& op, int operand, const tensor& value) {
  return operand == 2 && (!op.shape.empty() || (op.shape = movement_detail::integers_of(value), true));
}
bool absorb(col2im& op, int operand, const tensor& value) {
  if (operand != 1 && operand != 2) return false;
  std::vector<i64>& list = operand == 1 ? op.image_shape : op.block_shape;
  if (list.empty()) list = movement_detail::integers_of(value);
  return true;
}

}  // namespace tenon::op
