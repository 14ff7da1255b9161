/// @file patches.lower.ipp: max_unpool, col2im and roi_align at loop level.
///
/// Each result of col2im is a sum over the block elements that reach it: nothing is written twice. The coordinates of
/// roi_align are computed in f64, as in the evaluation: a number of samples is rounded from them.
#pragma once

#include <limits>

#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/graph/patches.ipp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace movement_detail {

/// See unpooled_dims.
inline index_list unpooled_extents(const max_unpool& op, lower_context& cx) {
  const lowering_view view{cx};
  const ir::type x = cx.operand_type(0);
  const size_t n = x.shape.size() - 2;
  const extents kernel = spatial_list(view, op.kernel_shape, n, 1, 1, "kernel extents"),
                strides = spatial_list(view, op.strides, n, 1, 1, "strides"),
                pads = spatial_list(view, op.pads, 2 * n, 0, 0, "pads");
  index_list r{cx.extent(x.shape[0]), cx.extent(x.shape[1])};
  for (size_t d = 0; d < n; ++d)
    r.push_back((cx.extent(x.shape[2 + d]) - 1) * strides[d] + (kernel[d] - pads[d] - pads[n + d]));
  return r;
}

}  // namespace movement_detail

void lower(const max_unpool& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.operand_type(0).elem;
  const index_list counted = movement_detail::unpooled_extents(op, cx);
  index_expr size = 1;
  for (const index_expr& e : counted) size = b.times(size, e);
  const value_id out = cx.result_buffer(0);
  b.nest(cx.extents(cx.result_type()), [&](const index_list& at) { b.store(b.integer(t, 0), out, at); });
  index_list at;
  movement_detail::mixed_nest(
      b, cx.extents(cx.operand_type(0)), at, [](size_t) { return false; },  // equal indices: the last one counts
      [&](const index_list& from) {
        const index_expr which = b.convert(cx.load(1, from), dtype::index);
        const value_id inside = b.apply(scalar_fn::bit_and, {b.less(-1, which), b.less(which, size)});
        b.if_(
            inside,
            [&] {
              index_list to(counted.size(), index_expr(0));
              index_expr left = which;
              for (size_t d = counted.size(); d-- > 0;) {
                to[d] = d == 0 ? left : b.floor_mod(left, counted[d]);
                left = d == 0 ? left : b.floor_div(left, counted[d]);
              }
              b.store(cx.load(0, from), out, to);
              return std::vector<value_id>{};
            },
            [] { return std::vector<value_id>{}; });
      });
}

namespace movement_detail {

/// Sums what the elements of a block, from dimension d on, put at one place of the image.
struct col2im_sum {
  ir::loop_builder& b;
  lower_context& cx;
  extents block, strides, dilations, pads;
  index_list positions;
  dtype wide;

  value_id sum(size_t d, const index_list& at, const index_expr& row, const index_expr& column, value_id inside,
               value_id acc) const {
    if (d == block.size()) {
      const value_id v = b.convert(cx.load(0, {at[0], row, clamped(b, column, cx.extent(0, 2))}), wide);
      return b.add(acc, b.select(inside, v, b.integer(wide, 0)));
    }
    return b.reduce(0, block[d], {acc}, [&](index_expr k, std::vector<value_id>& carried) {
      const index_expr reached = at[2 + d] + pads[d] - k * dilations[d];
      const index_expr position = strides[d] == 1 ? reached : b.floor_div(reached, strides[d]);
      value_id here = b.apply(scalar_fn::bit_and, {b.less(-1, position), b.less(position, positions[d])});
      if (strides[d] != 1) here = b.apply(scalar_fn::bit_and, {here, b.equal(b.floor_mod(reached, strides[d]), 0)});
      carried[0] = sum(d + 1, at, row * block[d] + k, b.times(column, positions[d]) + position,
                       b.apply(scalar_fn::bit_and, {inside, here}), carried[0]);
    })[0];
  }
};

}  // namespace movement_detail

void lower(const col2im& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const movement_detail::lowering_view view{cx};
  const ir::type y = cx.result_type();
  const std::vector<i64> block = view.known(movement_detail::list_of(view, 2, op.block_shape), "the block's shape is");
  const size_t n = block.size();
  const dtype t = cx.operand_type(0).elem;
  movement_detail::col2im_sum s{b,
                                cx,
                                block,
                                movement_detail::spatial_list(view, op.strides, n, 1, 1, "strides"),
                                movement_detail::spatial_list(view, op.dilations, n, 1, 1, "dilations"),
                                movement_detail::spatial_list(view, op.pads, 2 * n, 0, 0, "pads"),
                                {},
                                movement_detail::wide_type(t)};
  extent_expr positions = 1;
  for (size_t d = 0; d < n; ++d) {
    const extent_expr each = movement_detail::positions_of(cx.expression(y.shape[2 + d]), block[d], s.strides[d],
                                                           s.dilations[d], s.pads[d], s.pads[n + d]);
    positions = positions * each;
    s.positions.push_back(each.is_constant() ? index_expr(std::max<i64>(each.constant(), 0)) : cx.value(each));
  }
  if (const ir::dim given = cx.operand_type(0).shape[2];
      given.is_static() && positions.is_constant() && positions.constant() != given.extent())
    cx.fail("the image has " + positions.text() + " positions, not " + std::to_string(given.extent()));
  b.nest(cx.extents(y), [&](const index_list& at) {
    const value_id sum = s.sum(0, at, at[1], index_expr(0), b.integer(dtype::boolean, 1), b.integer(s.wide, 0));
    cx.store(b.convert(sum, t), 0, at);
  });
}

void lower(const roi_align& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.operand_type(0).elem, f = dtype::f64;
  const index_expr extent[2] = {cx.extent(0, 2), cx.extent(0, 3)};
  const i64 bins[2] = {op.output_height, op.output_width};
  if (extent[0] == 0 || extent[1] == 0) cx.fail("there is no element to sample");
  const auto number = [&](double v) { return b.real(f, v); };
  const auto real = [&](const index_expr& i) { return b.convert(b.index(i), f); };
  const double shift = op.half_pixel ? 0.5 : 0;
  b.nest(cx.extents(cx.result_type()), [&](const index_list& at) {
    const index_expr image = movement_detail::wrapped(b, cx.load(2, {at[0]}), cx.extent(0, 0));
    value_id start[2], bin[2];
    index_expr samples[2];
    for (int d = 0; d < 2; ++d) {  // 0: y, 1: x
      const auto corner = [&](i64 k) {
        const value_id v = b.convert(cx.load(1, {at[0], index_expr(k)}), f);
        return b.sub(b.mul(v, number(op.spatial_scale)), number(shift));
      };
      start[d] = corner(1 - d);
      value_id size = b.sub(corner(3 - d), start[d]);
      if (!op.half_pixel) size = b.max(size, number(1));
      bin[d] = b.div(size, number(static_cast<double>(bins[d])));
      samples[d] = op.sampling_ratio;
      if (op.sampling_ratio == 0) {
        const value_id some = b.apply(scalar_fn::gt, {bin[d], number(0)});  // not so for NaN
        const value_id n = b.apply(scalar_fn::ceil, {b.min(bin[d], number(4096))});
        samples[d] = b.convert(b.select(some, n, number(0)), dtype::index);
      }
    }
    const auto sampled = [&](index_expr iy, index_expr ix, std::vector<value_id>& carried) {
      const index_expr which[2] = {iy, ix};
      index_expr low[2], high[2];
      value_id rest[2], outside{};
      for (int d = 0; d < 2; ++d) {
        const value_id step = b.div(b.mul(b.add(real(which[d]), number(0.5)), bin[d]), real(samples[d]));
        const value_id p = b.add(b.add(start[d], b.mul(real(at[static_cast<size_t>(2 + d)]), bin[d])), step);
        const value_id beyond = b.apply(
            scalar_fn::bit_or, {b.apply(scalar_fn::lt, {p, number(-1)}), b.apply(scalar_fn::gt, {p, real(extent[d])})});
        outside = d == 0 ? beyond : b.apply(scalar_fn::bit_or, {outside, beyond});
        const value_id near = b.min(b.max(p, number(0)), real(extent[d] - 1));
        low[d] = movement_detail::clamped(b, b.convert(near, dtype::index), extent[d]);
        high[d] = b.min(low[d] + 1, extent[d] - 1);
        rest[d] = b.sub(near, real(low[d]));
      }
      for (int corner = 0; corner < 4; ++corner) {
        const bool down = corner >= 2, right = corner % 2 == 1;
        const auto weight = [&](int d, bool far) { return far ? rest[d] : b.sub(number(1), rest[d]); };
        const value_id x = b.convert(cx.load(0, {image, at[1], down ? high[0] : low[0], right ? high[1] : low[1]}), f);
        const value_id v = b.select(outside, number(0), b.mul(b.mul(weight(0, down), weight(1, right)), x));
        carried[0] = op.mode == roi_mode::avg ? b.add(carried[0], v) : b.max(carried[0], v);
      }
    };
    const bool average = op.mode == roi_mode::avg;
    const value_id first = number(average ? 0 : -std::numeric_limits<double>::infinity());
    value_id r = b.reduce(0, samples[0], {first}, [&](index_expr iy, std::vector<value_id>& rows) {
      rows = b.reduce(0, samples[1], rows, [&](index_expr ix, std::vector<value_id>& c) { sampled(iy, ix, c); });
    })[0];
    const value_id count = b.mul(real(samples[0]), real(samples[1]));
    if (average) r = b.div(r, b.max(count, number(1)));
    else r = b.select(b.apply(scalar_fn::lt, {count, number(1)}), number(0), r);
    cx.store(b.convert(r, t), 0, at);
  });
}

}  // namespace tenon::op
