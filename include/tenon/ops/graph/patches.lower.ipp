/// @file patches.lower.ipp: definitions of ops/graph/patches.lower.hpp.
#pragma once

#include <limits>

#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/patches.ipp>
#include <tenon/ops/graph/patches.lower.hpp>

namespace tenon::op {

TENON_INLINE void lower(const max_unpool& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.operand_type(0).elem;
  const movement_detail::lowering_view view{cx};
  std::vector<i64> counted;
  for (ir::dim d : movement_detail::unpooled_dims(view, op, cx.operand_type(0).shape)) counted.push_back(d.extent());
  const i64 size = element_count(counted);
  const value_id out = cx.result_buffer(0);
  b.nest(cx.result_type().extents(), [&](const index_list& at) { b.store(b.integer(t, 0), out, at); });
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
  extents image, block, strides, dilations, pads, positions;
  dtype wide;

  value_id sum(size_t d, const index_list& at, const index_expr& row, const index_expr& column, value_id inside,
               value_id acc) const {
    if (d == image.size()) {
      const value_id v = b.convert(cx.load(0, {at[0], row, clamped(b, column, element_count(positions))}), wide);
      return b.add(acc, b.select(inside, v, b.integer(wide, 0)));
    }
    return b.reduce(0, block[d], {acc}, [&](index_expr k, std::vector<value_id>& carried) {
      const index_expr reached = at[2 + d] + pads[d] - k * dilations[d];
      const index_expr position = strides[d] == 1 ? reached : b.floor_div(reached, strides[d]);
      value_id here = b.apply(scalar_fn::bit_and, {b.less(-1, position), b.less(position, positions[d])});
      if (strides[d] != 1) here = b.apply(scalar_fn::bit_and, {here, b.equal(b.floor_mod(reached, strides[d]), 0)});
      carried[0] = sum(d + 1, at, row * block[d] + k, column * positions[d] + position,
                       b.apply(scalar_fn::bit_and, {inside, here}), carried[0]);
    })[0];
  }
};

}  // namespace movement_detail

TENON_INLINE void lower(const col2im& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const movement_detail::lowering_view view{cx};
  const std::vector<i64> image = view.known(movement_detail::list_of(view, 1, op.image_shape), "the image's shape is"),
                         block = view.known(movement_detail::list_of(view, 2, op.block_shape), "the block's shape is");
  const size_t n = image.size();
  const dtype t = cx.operand_type(0).elem;
  movement_detail::col2im_sum s{b,
                                cx,
                                image,
                                block,
                                movement_detail::spatial_list(view, op.strides, n, 1, 1, "strides"),
                                movement_detail::spatial_list(view, op.dilations, n, 1, 1, "dilations"),
                                movement_detail::spatial_list(view, op.pads, 2 * n, 0, 0, "pads"),
                                {},
                                movement_detail::wide_type(t)};
  for (size_t d = 0; d < n; ++d) {
    const i64 reach = image[d] + s.pads[d] + s.pads[n + d] - s.dilations[d] * (block[d] - 1) - 1;
    s.positions.push_back(reach < 0 ? 0 : reach / s.strides[d] + 1);
  }
  if (const i64 given = cx.operand_type(0).shape[2].extent(); element_count(s.positions) != given)
    cx.fail("the image " + shape_text(image) + " has not " + std::to_string(given) + " positions");
  b.nest(cx.result_type().extents(), [&](const index_list& at) {
    const value_id sum = s.sum(0, at, at[1], index_expr(0), b.integer(dtype::boolean, 1), b.integer(s.wide, 0));
    cx.store(b.convert(sum, t), 0, at);
  });
}

TENON_INLINE void lower(const roi_align& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.operand_type(0).elem, f = dtype::f64;
  const auto& image_shape = cx.operand_type(0).shape;
  const i64 extent[2] = {image_shape[2].extent(), image_shape[3].extent()}, bins[2] = {op.output_height, op.output_width};
  if (extent[0] == 0 || extent[1] == 0) cx.fail("there is no element to sample");
  const auto number = [&](double v) { return b.real(f, v); };
  const auto real = [&](const index_expr& i) { return b.convert(b.index(i), f); };
  const double shift = op.half_pixel ? 0.5 : 0;
  b.nest(cx.result_type().extents(), [&](const index_list& at) {
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
        const value_id n = b.apply(scalar_fn::ceil, {b.min(b.max(bin[d], number(0)), number(4096))});
        samples[d] = b.convert(n, dtype::index);
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
            scalar_fn::bit_or, {b.apply(scalar_fn::lt, {p, number(-1)}),
                                b.apply(scalar_fn::gt, {p, number(static_cast<double>(extent[d]))})});
        outside = d == 0 ? beyond : b.apply(scalar_fn::bit_or, {outside, beyond});
        const value_id near = b.min(b.max(p, number(0)), number(static_cast<double>(extent[d] - 1)));
        low[d] = movement_detail::clamped(b, b.convert(near, dtype::index), extent[d]);
        high[d] = b.min(low[d] + 1, extent[d] - 1);
        rest[d] = b.sub(near, real(low[d]));
      }
      for (int corner = 0; corner < 4; ++corner) {
        const bool down = corner >= 2, right = corner % 2 == 1;
        const auto weight = [&](int d, bool far) { return far ? rest[d] : b.sub(number(1), rest[d]); };
        const value_id x = b.convert(
            cx.load(0, {image, at[1], down ? high[0] : low[0], right ? high[1] : low[1]}), f);
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
    if (average)
      r = b.div(r, b.max(count, number(1)));
    else
      r = b.select(b.apply(scalar_fn::lt, {count, number(1)}), number(0), r);
    cx.store(b.convert(r, t), 0, at);
  });
}

}  // namespace tenon::op
