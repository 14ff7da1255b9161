/// @file resize.ipp: the type rules of ops/graph/resize.hpp.
#pragma once

#include <cmath>

#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/resize.hpp>
#include <tenon/ops/graph/resize_plan.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/ops/permutation.hpp>

namespace tenon::op {

namespace movement_detail {
/// floor(extent * scale): exact where the scale is a whole number or one over a power of two.
inline ir::dim scaled_extent(const ir::infer_context& cx, ir::dim d, float scale) {
  const float whole = std::round(scale), part = std::round(1 / scale);
  if (whole >= 1 && whole == scale)
    return cx.compute([&](const extent_expr& e) { return e * static_cast<i64>(whole); }, d);
  if (part >= 1 && part < 0x1p62f && 1 / part == scale && (static_cast<i64>(part) & (static_cast<i64>(part) - 1)) == 0)
    return cx.compute([&](const extent_expr& e) { return floor_div(e, static_cast<i64>(part)); }, d);
  return cx.compute([&](const extent_expr& e) { return floor_scaled(e, scale); }, d);
}
/// Something to sample is needed where the result has elements.
inline void require_elements(const ir::infer_context& cx, ir::dim from, ir::dim to) {
  if (from.is_symbol() && (!to.is_static() || to.extent() > 0)) cx.require_not_negative(*cx.expression(from) - 1);
}
}  // namespace movement_detail

void infer(const resize& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (!x.ranked) return cx.result(x);
  std::vector<ir::dim> to(x.shape.size());
  const auto request = movement_detail::resize_request_of(cx, op, to.size());
  if (request && x.is_static()) {
    const auto axes = movement_detail::resize_axes(cx, op, *request, x.extents());
    for (size_t d = 0; d < to.size(); ++d) to[d] = axes[d].out;
  } else if (request) {
    for (size_t d = 0; d < to.size(); ++d) {
      const bool fixed = request->size[d] >= 0 && op.keep_aspect_ratio == aspect_policy::stretch;
      if (fixed) to[d] = request->size[d], movement_detail::require_elements(cx, x.shape[d], to[d]);
      else if (request->size[d] < 0 && (request->scale[d] == 0 || request->scale[d] == 1.0f)) to[d] = x.shape[d];
      else if (request->size[d] < 0 && x.shape[d].is_static())
        to[d] = movement_detail::checked_extent(
            cx,
            static_cast<double>(static_cast<float>(x.shape[d].extent()) * request->scale[d] *
                                (request->end[d] - request->begin[d])),
            "the result");
      else if (request->size[d] < 0 && op.coordinates != coordinate_mode::tf_crop_and_resize)
        to[d] = movement_detail::scaled_extent(cx, x.shape[d], request->scale[d]);
    }
  } else if (cx.has(3) && op.keep_aspect_ratio == aspect_policy::stretch && op.axes.empty()) {
    const auto sizes = symbolic_value(cx.mod(), cx.value(3));
    for (size_t d = 0; sizes && sizes->size() == to.size() && d < to.size(); ++d)
      if (to[d] = movement_detail::dim_for(cx, (*sizes)[d]); !to[d].is_unknown() && to[d] != x.shape[d])
        movement_detail::require_elements(cx, x.shape[d], to[d]);
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const grid_sample& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0), grid = cx.operand(1);
  if (!is_float(grid.elem)) cx.fail("the grid is of " + std::string(name_of(grid.elem)) + ", not of floats");
  if (!x.ranked && !grid.ranked) return cx.result(ir::type::unranked_tensor(x.elem));
  const int rank = x.ranked ? x.rank() : grid.rank();
  if (rank < 3 || (grid.ranked && grid.rank() != rank))
    cx.fail("a grid of " + std::to_string(grid.rank()) + " dimensions for an operand of " + std::to_string(rank));
  std::vector<ir::dim> to(static_cast<size_t>(rank));
  if (x.ranked) to[0] = x.shape[0], to[1] = x.shape[1];
  for (size_t d = 2; op.padding != sample_padding::zeros && d < x.shape.size(); ++d) {
    if (x.shape[d] == ir::dim(0)) cx.fail("there is no element to sample in " + extents_text(x));
    movement_detail::require_elements(cx, x.shape[d], ir::dim(1));
  }
  if (grid.ranked) {
    const ir::dim d = grid.shape.back();
    if (d.is_static() && d.extent() != rank - 2)
      cx.fail("grid points of " + std::to_string(d.extent()) + " coordinates for " + std::to_string(rank - 2) +
              " spatial dimensions");
    cx.same(d, rank - 2);
    if (x.ranked && x.shape[0].is_static() && grid.shape[0].is_static() && x.shape[0] != grid.shape[0])
      cx.fail("batches of " + std::to_string(x.shape[0].extent()) + " and " + std::to_string(grid.shape[0].extent()));
    if (x.ranked) to[0] = cx.same(to[0], grid.shape[0]);
    for (size_t i = 2; i < to.size(); ++i) to[i] = grid.shape[i - 1];
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const affine_grid& op, ir::infer_context& cx) {
  const ir::type theta = cx.operand(0);
  if (theta.ranked && theta.rank() != 3)
    cx.fail("theta has " + std::to_string(theta.rank()) + " dimensions, not three");
  const auto fits = [&](ir::dim batch, i64 spatial) {
    const ir::dim want[3] = {batch, spatial, spatial + 1};
    for (size_t d = 0; theta.ranked && d < 3; ++d) {
      if (theta.shape[d].is_static() && want[d].is_static() && theta.shape[d] != want[d])
        cx.fail("theta has the shape " + extents_text(theta) + ", which does not fit the size of the result");
      cx.same(theta.shape[d], want[d]);
    }
  };
  const auto size = movement_detail::list_of(cx, 1, op.size);
  if (const auto sizes = size ? std::nullopt : symbolic_value(cx.mod(), cx.value(1)); sizes && sizes->size() >= 3) {
    std::vector<ir::dim> to{movement_detail::dim_for(cx, sizes->front())};
    for (size_t d = 2; d < sizes->size(); ++d) to.push_back(movement_detail::dim_for(cx, (*sizes)[d]));
    to.push_back(static_cast<i64>(sizes->size()) - 2);
    fits(to[0], static_cast<i64>(sizes->size()) - 2);
    return cx.result(ir::type::tensor(theta.elem, std::move(to)));
  }
  if (!size) return cx.result(movement_detail::computed_shape(cx, theta.elem, 1));
  if (size->size() < 3) cx.fail("the size " + shape_text(*size) + " has no spatial dimension");
  std::vector<ir::dim> to{(*size)[0]};
  for (size_t d = 2; d < size->size(); ++d) to.push_back((*size)[d]);
  to.push_back(static_cast<i64>(size->size()) - 2);
  for (ir::dim d : to)
    if (!d.is_static()) cx.fail("the size " + shape_text(*size) + " has a negative extent");
  fits(to[0], static_cast<i64>(size->size()) - 2);
  cx.result(ir::type::tensor(theta.elem, std::move(to)));
}

bool absorb(resize& op, int operand, const tensor& value) {
  if (operand == 3) {
    if (op.sizes.empty()) op.sizes = movement_detail::integers_of(value);
    return true;
  }
  if (operand != 1 && operand != 2) return false;
  std::vector<double>& list = operand == 1 ? op.roi : op.scales;
  if (list.empty())
    for (i64 i = 0; i < value.size(); ++i) list.push_back(value.at_f64(i));
  return true;
}
bool absorb(affine_grid& op, int operand, const tensor& value) {
  return operand == 1 && (!op.size.empty() || (op.size = movement_detail::integers_of(value), true));
}

bool move_transpose(resize& op, std::vector<i64>& order, u32 given) {
  if (given != 1 || (op.sizes.empty() && op.scales.empty())) return false;
  op.axes = permutations::moved_axes(op.axes, order.size(), order);
  return true;
}

}  // namespace tenon::op
