/// @file depthwise.lower.ipp: convolutions of each channel by itself, or of a few channels, for contraction.lower.ipp.
///
/// Neighbouring places of a row are computed together: each element of the image is loaded once for all of them, and
/// each weight once for all places, so that multiplications and not loads say how long it takes. Nothing is put around
/// the image. Rows outside of it are left out of the loop over taps; columns outside are known when the nests are
/// made, for blocks of places at the left and at the right have code of their own.
///
/// Where a group makes fewer channels than a vector has lanes, a vector holds those of several groups: each lane reads
/// one channel of its own group after the other. A contraction of each group by itself would leave lanes idle.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/window_lowering.hpp>

namespace tenon::op::detail {

/// Places of a row that are computed together: their sums and the weights of a row of taps stay in registers. A number
/// that divides the row is better than the largest.
inline i64 depthwise_block(i64 places, bool many_registers) {
  const i64 most = many_registers ? 10 : 8;
  for (i64 n = most; n >= most / 2; --n)
    if (places % n == 0) return n;
  return quotient_up(places, quotient_up(places, most));
}

/// Blocks of a row, in runs of those that the same code is for.
struct column_run {
  i64 first = 0;  ///< place
  i64 width = 0, blocks = 1;
  bool inside = true;  ///< all taps of all places read the image
};
inline std::vector<column_run> column_runs(const window& w, i64 width) {
  std::vector<column_run> runs;
  for (i64 at = 0; at < w.output; at += width) {
    column_run r{at, std::min(width, w.output - at)};
    for (i64 o = r.first; o < r.first + r.width; ++o)
      r.inside = r.inside && w.first_tap(o) == 0 && w.end_tap(o) == w.kernel;
    if (!runs.empty() && r.inside && runs.back().inside && runs.back().width == r.width) ++runs.back().blocks;
    else runs.push_back(r);
  }
  return runs;
}

/// Rows of places that a block of columns runs through before the next block: their part of the image stays in the
/// first-level cache, which whole rows do not fit into.
inline i64 depthwise_rows(const window& down, const window& across, i64 pixel_bytes) {
  constexpr i64 cache = 24 << 10, most = 16;
  if (down.reach() * across.input * pixel_bytes <= cache) return 1;
  for (i64 n = most; n >= 4; --n)
    if (down.output % n == 0) return n;
  return 1;
}

/// May `tile_depthwise` lower it? The extents are numbers, and few blocks have places whose taps leave the image.
inline bool suits_depthwise_tiles(const std::vector<placed_window>& windows, bool many_registers) {
  for (const placed_window& w : windows)
    if (!w.in.is_constant() || !w.out.is_constant() || w.output < 1) return false;
  const placed_window& across = windows.back();
  return across.kernel <= 16 && column_runs(across, depthwise_block(across.output, many_registers)).size() <= 4;
}

/// The channels of a convolution: each group makes `outputs` of the result's of `channels` of the image's.
struct channel_groups {
  i64 all_outputs, channels = 1, outputs = 1;
};

/// Are the channels that the lanes of a vector read, each of its own group, within as many elements as it has lanes?
inline bool suits_lanes(const channel_groups& g, i64 lanes) {
  return g.outputs <= lanes && lanes % g.outputs == 0 && (lanes / g.outputs - 1) * g.channels < lanes;
}

/// [N, s..., C], weights [k..., channels of a group, O]. Taps in the padding are left out.
inline void tile_depthwise(const std::vector<placed_window>& windows, const index_expr& batches,
                           const channel_groups& groups, dtype sum, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const dtype result = cx.result_type().elem;
  const bool many_registers = cx.lanes(dtype::f32) >= 16;
  const placed_window& across = windows.back();
  const std::vector<placed_window> outer(windows.begin(), windows.end() - 1);
  const std::vector<column_run> runs = column_runs(across, depthwise_block(across.output, many_registers));

  /// One block: n and the outer places, the first place of the row.
  const auto block = [&](const index_list& at, const column_run& run, const index_expr& first) {
    const index_list places(at.begin() + 1, at.end());
    const std::vector<tap_range> taps = taps_of(b, outer, places);
    // Output channel c, of image channels from `channel` on.
    const auto one = [&](const index_expr& c, const index_expr& channel) {
      const value_id init = cx.has(2) ? b.convert(cx.load(2, {c}), sum) : b.real(sum, 0);
      const auto row_of_taps = [&](const index_list& k, const index_expr& i, std::vector<value_id>& acc) {
        std::vector<value_id> weights;
        for (i64 tap = 0; tap < across.kernel; ++tap) {
          index_list at_w = k;
          at_w.insert(at_w.end(), {tap, i, c});
          weights.push_back(b.convert(cx.load(1, at_w), sum));
        }
        // Each element of the row that any place needs, once: it is `from` elements behind the first place's first.
        const i64 last = (run.width - 1) * across.stride + across.reach() - 1;
        for (i64 from = 0; from <= last; ++from) {
          value_id x;
          for (i64 j = 0; j < run.width; ++j) {
            const i64 behind = from - j * across.stride;
            if (behind < 0 || behind % across.dilation != 0) continue;
            const i64 tap = behind / across.dilation;
            if (tap >= across.kernel) continue;
            if (!run.inside && (tap < across.first_tap(run.first + j) || tap >= across.end_tap(run.first + j)))
              continue;
            if (!x) {
              index_list spatial = tap_places(outer, places, k);
              spatial.push_back(first * across.stride + (from - across.pad_begin));
              x = b.convert(cx.load(0, image_index(data_layout::channels_last, at[0], channel + i, spatial)), sum);
            }
            value_id& to = acc[static_cast<size_t>(j)];
            to = b.add(to, b.mul(x, weights[static_cast<size_t>(tap)]));
          }
        }
      };
      const std::vector<value_id> sums = reduce_taps(
          b, taps, std::vector<value_id>(static_cast<size_t>(run.width), init),
          [&](const index_list& k, std::vector<value_id>& acc) {
            if (groups.channels == 1) return row_of_taps(k, 0, acc);
            acc = b.reduce(0, groups.channels, acc,
                           [&](const index_expr& i, std::vector<value_id>& inner) { row_of_taps(k, i, inner); });
          });
      for (i64 j = 0; j < run.width; ++j) {
        index_list spatial = places;
        spatial.push_back(first + j);
        cx.store(b.convert(sums[static_cast<size_t>(j)], result), 0,
                 image_index(data_layout::channels_last, at[0], c, spatial));
      }
    };
    if (groups.channels == 1 && groups.outputs == 1)
      return b.for_(0, groups.all_outputs, [&](const index_expr& c) { one(c, c); });
    const i64 lanes = cx.lanes(sum), in_lanes = lanes / groups.outputs * groups.channels;
    for_blocks(b, groups.all_outputs, lanes,
               [&](const index_expr& together, const index_expr& begin, const index_expr& count) {
                 b.for_(0, count, [&](const index_expr& lane) {
                   one(begin + lane, together * in_lanes + b.floor_div(lane, groups.outputs) * groups.channels);
                 });
               });
  };
  const auto row_blocks = [&](const column_run& run, auto&& f) {
    if (run.blocks == 1) return f(index_expr(run.first));
    b.for_(0, run.blocks, [&](const index_expr& i) { f(i * run.width + run.first); });
  };

  index_list extents{batches};
  for (const placed_window& w : outer) extents.push_back(w.out);
  const i64 pixel = cx.operand_type(0).shape.back().extent() * tenon::size_of(cx.operand_type(0).elem);
  const i64 rows = outer.empty() ? 1 : depthwise_rows(outer.back(), across, pixel);
  if (rows > 1) extents.back() = outer.back().output / rows;
  b.nest(extents, [&](const index_list& at) {
    for (const column_run& run : runs)
      row_blocks(run, [&](const index_expr& first) {
        if (rows == 1) return block(at, run, first);
        b.for_(0, rows, [&](const index_expr& i) {
          index_list row = at;
          row.back() = at.back() * rows + i;
          block(row, run, first);
        });
      });
  });
}

}  // namespace tenon::op::detail
