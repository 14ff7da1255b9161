/// @file patches.eval.ipp: reference evaluations of ops/graph/patches.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/graph/patches.ipp>

namespace tenon::op {

void evaluate(const max_unpool& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &indices = cx.operand(1);
  if (indices.shape() != x.shape())
    cx.fail("the indices " + indices.describe() + " are not as many as " + x.describe());
  std::vector<i64> counted;
  for (ir::dim d : movement_detail::unpooled_dims(cx, op, {x.shape().begin(), x.shape().end()}))
    counted.push_back(d.extent());
  std::vector<i64> to = *movement_detail::list_of(cx, 2, op.shape);
  if (to.empty()) to = counted;
  bool fits = to.size() == counted.size();
  for (size_t d = 0; fits && d < to.size(); ++d) fits = to[d] >= counted[d];
  if (!fits) cx.fail("the shape " + shape_text(to) + " does not hold " + shape_text(counted));
  tensor r(x.type(), to);
  const i64 size = element_count(counted);
  for (i64 i = 0; i < x.size(); ++i) {
    i64 left = indices.at_i64(i);
    if (left < 0 || left >= size) continue;
    std::vector<i64> at(to.size());
    for (size_t d = to.size(); d-- > 0; left /= counted[d]) at[d] = left % counted[d];
    movement_detail::copy_elements(r, movement_detail::linear_index(at, to), x, i);
  }
  cx.result(std::move(r));
}

void evaluate(const col2im& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const std::vector<i64> image = *movement_detail::list_of(cx, 1, op.image_shape),
                         block = *movement_detail::list_of(cx, 2, op.block_shape);
  const size_t n = image.size();
  const std::vector<i64> strides = movement_detail::spatial_list(cx, op.strides, n, 1, 1, "strides"),
                         dilations = movement_detail::spatial_list(cx, op.dilations, n, 1, 1, "dilations"),
                         pads = movement_detail::spatial_list(cx, op.pads, 2 * n, 0, 0, "pads");
  const i64 block_size = movement_detail::checked_elements(cx, block, "the block");
  movement_detail::checked_elements(cx, image, "the image");
  if (x.rank() != 3 || block.size() != n || block_size == 0 || x.shape()[1] % block_size != 0)
    cx.fail(x.describe() + " is not made of blocks " + shape_text(block));
  std::vector<i64> positions, to{x.shape()[0], x.shape()[1] / block_size};
  for (size_t d = 0; d < n; ++d) {
    const i64 reach = image[d] + pads[d] + pads[n + d] - checked_mul(dilations[d], block[d] - 1) - 1;
    positions.push_back(reach < 0 ? 0 : reach / strides[d] + 1);
    to.push_back(image[d]);
  }
  const i64 count = element_count(positions);
  if (count != x.shape()[2])
    cx.fail(x.describe() + " has not the " + std::to_string(count) + " positions of the image " + shape_text(image));
  tensor r(x.type(), to);
  movement_detail::each_index({to[0], to[1]}, [&](const std::vector<i64>& outer, i64 which) {
    movement_detail::each_index(block, [&](const std::vector<i64>& in_block, i64 row) {
      movement_detail::each_index(positions, [&](const std::vector<i64>& position, i64 column) {
        std::vector<i64> at = outer;
        for (size_t d = 0; d < n; ++d) {
          at.push_back(position[d] * strides[d] - pads[d] + in_block[d] * dilations[d]);
          if (at.back() < 0 || at.back() >= image[d]) return;
        }
        const i64 k = movement_detail::linear_index(at, to), from = (which * block_size + row) * count + column;
        if (is_float(x.type())) r.set_f64(k, r.at_f64(k) + x.at_f64(from));
        else r.set_i64(k, r.at_i64(k) + x.at_i64(from));
      });
    });
  });
  cx.result(std::move(r));
}

void evaluate(const roi_align& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &rois = cx.operand(1), &batch = cx.operand(2);
  if (x.rank() != 4 || rois.rank() != 2 || rois.shape()[1] != 4 || batch.size() != rois.shape()[0])
    cx.fail(rois.describe() + " regions and " + batch.describe() + " batch indices do not fit " + x.describe());
  const i64 height = x.shape()[2], width = x.shape()[3];
  if ((height == 0 || width == 0 || x.shape()[0] == 0) && rois.size() != 0)
    cx.fail("there is no element to sample in " + x.describe());
  tensor r(x.type(), {rois.shape()[0], x.shape()[1], op.output_height, op.output_width});
  const double shift = op.half_pixel ? 0.5 : 0;
  movement_detail::each_index(r.shape(), [&](const std::vector<i64>& at, i64 k) {
    const i64 image = movement_detail::nearest_element(batch.at_i64(at[0]), x.shape()[0]);
    double start[2], bin[2];
    i64 samples[2];
    for (int d = 0; d < 2; ++d) {  // 0: y, 1: x
      start[d] = rois.at_f64(at[0] * 4 + 1 - d) * op.spatial_scale - shift;
      double size = rois.at_f64(at[0] * 4 + 3 - d) * op.spatial_scale - shift - start[d];
      if (!op.half_pixel) size = std::max(size, 1.0);
      bin[d] = size / static_cast<double>(d == 0 ? op.output_height : op.output_width);
      // A region that is not a number has no samples, and one that is too large no more than it can.
      samples[d] = op.sampling_ratio > 0 ? op.sampling_ratio
                   : bin[d] > 0          ? static_cast<i64>(std::ceil(std::min(bin[d], 4096.0)))
                                         : 0;
    }
    double sum = 0, most = 0;
    bool first = true;
    for (i64 iy = 0; iy < samples[0]; ++iy)
      for (i64 ix = 0; ix < samples[1]; ++ix) {
        const i64 sample[2] = {iy, ix}, extent[2] = {height, width};
        i64 low[2] = {0, 0}, high[2] = {0, 0};
        double rest[2] = {0, 0};
        bool outside = false;
        for (int d = 0; d < 2; ++d) {
          double p = start[d] + static_cast<double>(at[static_cast<size_t>(2 + d)]) * bin[d] +
                     (static_cast<double>(sample[d]) + 0.5) * bin[d] / static_cast<double>(samples[d]);
          outside = outside || p < -1 || p > static_cast<double>(extent[d]);
          p = std::clamp(p, 0.0, static_cast<double>(std::max<i64>(extent[d] - 1, 0)));
          low[d] = p > 0 ? static_cast<i64>(p) : 0;  // it may be NaN
          high[d] = std::min(low[d] + 1, extent[d] - 1);
          rest[d] = p - static_cast<double>(low[d]);
        }
        for (int corner = 0; corner < 4; ++corner) {
          const bool down = corner >= 2, right = corner % 2 == 1;
          const double w = (down ? rest[0] : 1 - rest[0]) * (right ? rest[1] : 1 - rest[1]);
          const std::vector<i64> from{image, at[1], down ? high[0] : low[0], right ? high[1] : low[1]};
          const double v = outside ? 0 : w * x.at_f64(movement_detail::linear_index(from, x.shape()));
          sum += v;
          if (first || v > most || (v != v && most == most)) most = v;  // NaN is the greatest
          first = false;
        }
      }
    const double count = static_cast<double>(std::max<i64>(samples[0] * samples[1], 1));
    r.set_f64(k, op.mode == roi_mode::avg ? sum / count : most);
  });
  cx.result(std::move(r));
}

}  // namespace tenon::op
