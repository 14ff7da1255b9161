/// @file contraction.eval.ipp: reference evaluation of matrix products and convolutions; sums are kept in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/ops/graph/narrow_weight.hpp>
#include <tenon/ops/graph/sums.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon::op {

namespace detail {

/// Spatial dimensions as three, the missing leading ones being of extent 1.
using window3 = std::array<window, 3>;
inline window3 three(const std::vector<window>& w) {
  window3 r;
  for (size_t i = 0; i < w.size(); ++i) r[3 - w.size() + i] = w[i];
  return r;
}

/// Distance between neighbours along each part of an image or a weight.
struct image_strides {
  i64 batch = 0, channel = 0;
  std::array<i64, 3> spatial{};
};
inline image_strides strides_of(std::span<const i64> shape, data_layout l) {
  const std::vector<i64> s = row_major_strides(shape);
  const size_t n = shape.size() - 2;
  image_strides r{s[0], s[channel_axis(l, shape.size())], {}};
  for (size_t i = 0; i < n; ++i) r.spatial[3 - n + i] = s[spatial_axis(l) + i];
  return r;
}

/// Offset of output channel o in a weight: panels of `panel` neighbours.
struct column_strides {
  i64 panel = 1, outer = 0, inner = 0;
  i64 at(i64 o) const { return o / panel * outer + o % panel * inner; }
};

/// Distances in a convolution's weight: between taps, input channels and output channels, which unpacked weights of
/// channels first have at dimension `outputs`.
struct weight_strides {
  std::array<i64, 3> taps{};
  i64 channel = 0;
  column_strides outputs;
};
template <class Op>
weight_strides weight_strides_of(const Op& op, const tensor& w, const conv_weight_dims& at, size_t outputs) {
  const std::vector<i64> s = row_major_strides(w.shape());
  const size_t spatial = w.shape().size() - (op.panel > 0 ? 3 : 2);
  weight_strides r{{}, s[at.channels], {1, s[outputs], 0}};
  for (size_t i = 0; i < spatial; ++i) r.taps[3 - spatial + i] = s[at.taps + i];
  if (op.layout == data_layout::channels_last) r.outputs = {1, 1, 0};
  if (op.panel > 0) r.outputs = {op.panel, s[0], 1};
  return r;
}

/// Packed weights without interleaving: [..., K / 4, panel, 4] as [..., K, panel].
inline tensor deinterleaved(const eval_context& cx, const tensor& w, i64 interleave) {
  if (interleave <= 1) return w;
  std::vector<i64> shape = w.shape();
  if (shape.size() < 4 || shape.back() != interleave) cx.fail("the interleaved operand has shape " + shape_text(shape));
  shape.pop_back();
  const i64 panel = shape.back(), groups = shape[shape.size() - 2];
  shape[shape.size() - 2] *= interleave;
  tensor r(w.type(), shape);
  const size_t width = static_cast<size_t>(tenon::size_of(w.type()));
  char* to = static_cast<char*>(r.data());
  const char* from = static_cast<const char*>(w.data());
  const i64 outer = panel * groups * interleave == 0 ? 0 : w.size() / (panel * groups * interleave);
  for (i64 o = 0; o < outer; ++o)
    for (i64 g = 0; g < groups; ++g)
      for (i64 p = 0; p < panel; ++p)
        for (i64 i = 0; i < interleave; ++i, from += width)
          std::memcpy(to + static_cast<size_t>(((o * groups + g) * interleave + i) * panel + p) * width, from, width);
  return r;
}

/// Padding is zeros, which matters only for weights that are infinite or NaN: then it is made explicit.
inline tensor padded_image(const tensor& x, std::span<window> windows, size_t first) {
  std::vector<i64> shape = x.shape();
  std::vector<i64> before(shape.size(), 0);
  for (size_t i = 0; i < windows.size(); ++i) {
    window& w = windows[i];
    before[first + i] = std::max<i64>(w.pad_begin, 0);
    w.input = shape[first + i] += before[first + i] + std::max<i64>(w.pad_end, 0);
    w.pad_begin = std::min<i64>(w.pad_begin, 0), w.pad_end = std::min<i64>(w.pad_end, 0);
  }
  return movement_detail::moved(x, shape, [&](const std::vector<i64>& at) {
    std::vector<i64> from = at;
    for (size_t d = 0; d < from.size(); ++d)
      if ((from[d] -= before[d]) < 0 || from[d] >= x.shape()[d]) return i64{-1};
    return movement_detail::linear_index(from, x.shape());
  });
}

/// An operand in the type of the sums, when the operands are bytes; a narrow weight in that of the image.
inline tensor as_sum(const eval_context& cx, const tensor& t) {
  const dtype a = cx.operand(0).type(), b = cx.operand(1).type();
  return is_byte_product(a, b) ? t.cast(dtype::i32) : is_narrow_weight(a, b) && t.type() == b ? t.cast(a) : t;
}

/// The third operand, where there is one: a number of type t for each output channel.
inline void check_bias(const eval_context& cx, dtype t, i64 outputs) {
  if (cx.has(2) && (cx.operand(2).size() != outputs || cx.operand(2).type() != t))
    cx.fail("a bias " + cx.operand(2).describe());
}

}  // namespace detail

void evaluate(const matmul& op, eval_context& cx) {
  const tensor a = detail::as_sum(cx, cx.operand(0));
  const tensor b = detail::as_sum(cx, detail::deinterleaved(cx, cx.operand(1), op.interleave));
  std::vector<i64> x = a.shape(), y = b.shape();
  if (a.type() != b.type()) cx.fail("operands of different types");
  if (x.empty() || y.empty()) cx.fail("an operand has no dimensions");
  if (op.panel > 0) {
    if (y.size() < 3 || y.back() != op.panel || y[y.size() - 3] != quotient_up(op.columns, op.panel))
      cx.fail("the packed operand has shape " + shape_text(y));
    y.erase(y.end() - 3);
    y.back() = op.columns;
  }
  const bool row = x.size() == 1, column = y.size() == 1;
  if (row) x.insert(x.begin(), 1);
  if (column) y.push_back(1);
  const i64 rows = x[x.size() - 2], depth = x.back(), columns = y.back();
  if (y[y.size() - 2] != depth) cx.fail("shapes " + shape_text(a.shape()) + " and " + shape_text(b.shape()));
  const size_t batch_rank = std::max(x.size(), y.size()) - 2;
  std::vector<i64> batch(batch_rank, 1);
  const auto extent = [&](const std::vector<i64>& s, size_t d) {
    const size_t skip = batch_rank - (s.size() - 2);
    return d < skip ? i64{1} : s[d - skip];
  };
  for (size_t d = 0; d < batch_rank; ++d) {
    const i64 p = extent(x, d), q = extent(y, d);
    if (p != q && p != 1 && q != 1) cx.fail("shapes " + shape_text(a.shape()) + " and " + shape_text(b.shape()));
    batch[d] = p == 1 ? q : p;
  }
  std::vector<i64> shape = batch;
  if (!row) shape.push_back(rows);
  if (!column) shape.push_back(columns);
  tensor r(a.type(), shape);
  const i64 panel = op.panel > 0 ? op.panel : columns;
  const i64 b_matrix = op.panel > 0 ? quotient_up(columns, panel) * depth * panel : depth * columns;
  detail::visit_kinds_of_sums(cx, a.type(), [&]<class Sum>(Sum) {
    constexpr i64 most_columns = 64;  // at once: their part of b stays in a cache
    const std::vector<Sum> from = detail::widened<Sum>(a);
    std::vector<Sum> sums(static_cast<size_t>(r.size()));
    std::vector<Sum> part(static_cast<size_t>(depth * std::min(most_columns, panel)));
    Sum* to = sums.data();
    const i64 batches = element_count(batch);
    for (i64 n = 0; n < batches; ++n, to += rows * columns) {
      i64 ia = 0, ib = 0, rest = n, sa = 1, sb = 1;
      for (size_t d = batch_rank; d-- > 0;) {
        const i64 i = rest % batch[d];
        rest /= batch[d];
        if (extent(x, d) != 1) ia += i * sa;
        if (extent(y, d) != 1) ib += i * sb;
        sa *= extent(x, d), sb *= extent(y, d);
      }
      for (i64 j = 0, count = 0; j < columns; j += count) {
        count = std::min({most_columns, panel - j % panel, columns - j});
        for (i64 k = 0; k < depth; ++k)
          detail::widen<Sum>(b, ib * b_matrix + (j / panel * depth + k) * panel + j % panel,
                             {part.data() + k * count, static_cast<size_t>(count)});
        for (i64 i = 0; i < rows; ++i) {  // each sum in the order of k
          const Sum* u = from.data() + (ia * rows + i) * depth;
          Sum* s = to + i * columns + j;
          for (i64 k = 0; k < depth; ++k)
            for (i64 c = 0; c < count; ++c) s[c] += u[k] * part[static_cast<size_t>(k * count + c)];
        }
      }
    }
    detail::narrow<Sum>(sums, r);
  });
  cx.result(std::move(r));
}

void evaluate(const conv& op, eval_context& cx) {
  tensor x = detail::as_sum(cx, cx.operand(0));
  const tensor w = detail::as_sum(cx, detail::deinterleaved(cx, cx.operand(1), op.interleave));
  const size_t rank = x.shape().size(), packed = op.panel > 0 ? 1 : 0;
  if (rank < 3 || rank > 5 || w.shape().size() != rank + packed)
    cx.fail("shapes " + shape_text(x.shape()) + " and " + shape_text(w.shape()));
  const size_t spatial = rank - 2;
  check_window_lists(cx, spatial, op.strides, op.dilations, op.pads);
  if (x.type() != w.type()) cx.fail("operands of different types");
  if (op.group < 1) cx.fail("group is " + std::to_string(op.group));
  const std::vector<ir::dim> dims(w.shape().begin(), w.shape().end());
  const conv_weight_dims at = weight_dims(op, dims);
  const i64 outputs = at.outputs.extent(), channels = w.shape()[at.channels], group = op.group;
  const size_t first = spatial_axis(op.layout);
  if (x.shape()[channel_axis(op.layout, rank)] != checked_mul(channels, group) || outputs % group != 0 ||
      (packed && (op.layout != data_layout::channels_last || group != 1 || w.shape().back() != op.panel ||
                  w.shape()[0] * op.panel < outputs)))
    cx.fail("shapes " + shape_text(x.shape()) + " and " + shape_text(w.shape()) + " with group " +
            std::to_string(group));
  const auto taps = w.shape().begin() + static_cast<std::ptrdiff_t>(at.taps);
  std::vector<window> windows =
      make_windows({taps, taps + static_cast<std::ptrdiff_t>(spatial)}, op.strides, op.dilations, op.pads);
  std::vector<i64> shape = x.shape();
  shape[channel_axis(op.layout, rank)] = outputs;
  for (size_t i = 0; i < spatial; ++i) {
    windows[i].input = x.shape()[first + i];
    shape[first + i] = windows[i].output = window_count(windows[i].input, windows[i]);
  }
  tensor y(x.type(), shape);
  if (std::any_of(op.pads.begin(), op.pads.end(), [](i64 p) { return p > 0; }) && !all_finite(w))
    x = detail::padded_image(x, windows, first);
  const detail::window3 v = detail::three(windows);
  const detail::image_strides sx = detail::strides_of(x.shape(), op.layout), sy = detail::strides_of(shape, op.layout);
  const auto [sw, swc, swo] = detail::weight_strides_of(op, w, at, 0);
  const i64 per_group = outputs / group;
  detail::check_bias(cx, x.type(), outputs);
  detail::visit_kinds_of_sums(cx, x.type(), [&]<class Sum>(Sum) {
    const std::vector<Sum> image = detail::widened<Sum>(x), weight = detail::widened<Sum>(w);
    const std::vector<Sum> bias = cx.has(2) ? detail::widened<Sum>(cx.operand(2)) : std::vector<Sum>();
    std::vector<Sum> sums(static_cast<size_t>(y.size()));
    for (i64 n = 0; n < shape[0]; ++n)
      for (i64 o = 0; o < outputs; ++o)
        for (i64 o0 = 0; o0 < v[0].output; ++o0)
          for (i64 o1 = 0; o1 < v[1].output; ++o1)
            for (i64 o2 = 0; o2 < v[2].output; ++o2) {
              Sum s = bias.empty() ? Sum{} : bias[static_cast<size_t>(o)];
              for (i64 k0 = v[0].first_tap(o0); k0 < v[0].end_tap(o0); ++k0)
                for (i64 k1 = v[1].first_tap(o1); k1 < v[1].end_tap(o1); ++k1)
                  for (i64 k2 = v[2].first_tap(o2); k2 < v[2].end_tap(o2); ++k2) {
                    const i64 i0 = o0 * v[0].stride - v[0].pad_begin + k0 * v[0].dilation;
                    const i64 i1 = o1 * v[1].stride - v[1].pad_begin + k1 * v[1].dilation;
                    const i64 i2 = o2 * v[2].stride - v[2].pad_begin + k2 * v[2].dilation;
                    const Sum* p = image.data() + n * sx.batch + o / per_group * channels * sx.channel +
                                   i0 * sx.spatial[0] + i1 * sx.spatial[1] + i2 * sx.spatial[2];
                    const Sum* q = weight.data() + swo.at(o) + k0 * sw[0] + k1 * sw[1] + k2 * sw[2];
                    for (i64 c = 0; c < channels; ++c) s += p[c * sx.channel] * q[c * swc];
                  }
              sums[static_cast<size_t>(n * sy.batch + o * sy.channel + o0 * sy.spatial[0] + o1 * sy.spatial[1] +
                                       o2 * sy.spatial[2])] = s;
            }
    detail::narrow<Sum>(sums, y);
  });
  cx.result(std::move(y));
}

void evaluate(const conv_transpose& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const tensor w = detail::as_sum(cx, cx.operand(1));
  const size_t rank = x.shape().size(), packed = op.panel > 0 ? 1 : 0;
  const auto refuse = [&] {
    cx.fail("operands " + x.describe() + " and " + w.describe() + " with group " + std::to_string(op.group));
  };
  if (rank < 3 || rank > 5 || w.shape().size() != rank + packed || op.group < 1 || x.type() != w.type()) refuse();
  const conv_weight_dims at = weight_dims(op, {w.shape().begin(), w.shape().end()});
  const size_t channel = channel_axis(op.layout, rank), first = spatial_axis(op.layout);
  const i64 all_channels = x.shape()[channel], per_group = at.outputs.extent(), channels = all_channels / op.group;
  if (w.shape()[at.channels] != all_channels || all_channels % op.group != 0 ||
      (packed && (op.layout != data_layout::channels_last || op.group != 1 || w.shape().back() != op.panel ||
                  w.shape()[0] * op.panel < per_group)))
    refuse();
  const size_t spatial = rank - 2;
  check_window_lists(cx, spatial, op.strides, op.dilations, op.pads);
  const auto taps = w.shape().begin() + static_cast<std::ptrdiff_t>(at.taps);
  std::vector<window> windows =
      make_windows({taps, taps + static_cast<std::ptrdiff_t>(spatial)}, op.strides, op.dilations, op.pads);
  std::vector<i64> shape = x.shape();
  shape[channel] = checked_mul(per_group, op.group);
  for (size_t i = 0; i < spatial; ++i) {
    window& v = windows[i];
    v.input = x.shape()[first + i];
    const i64 extra = op.output_padding.empty() ? 0 : op.output_padding[i];
    v.output = checked_add(checked_mul(v.input - 1, v.stride), checked_add(v.reach(), extra) - v.pad_begin - v.pad_end);
    if (v.output < 0) cx.fail("the result would have extent " + std::to_string(v.output));
    shape[first + i] = v.output;
  }
  const detail::window3 v = detail::three(windows);
  tensor y(x.type(), shape);
  const detail::image_strides sx = detail::strides_of(x.shape(), op.layout), sy = detail::strides_of(shape, op.layout);
  const auto [sw, swc, swo] = detail::weight_strides_of(op, w, at, 1);
  const i64 outputs = shape[channel];
  detail::check_bias(cx, x.type(), outputs);
  detail::visit_kinds_of_sums(cx, x.type(), [&]<class Sum>(Sum) {
    const std::vector<Sum> image = detail::widened<Sum>(x), weight = detail::widened<Sum>(w);
    std::vector<Sum> acc(static_cast<size_t>(y.size()));
    if (cx.has(2)) {
      const std::vector<Sum> bias = detail::widened<Sum>(cx.operand(2));
      for (size_t i = 0; i < acc.size(); ++i)
        acc[i] = bias[static_cast<size_t>(static_cast<i64>(i) / sy.channel % outputs)];
    }
    for (i64 n = 0; n < shape[0]; ++n)
      for (i64 o = 0; o < outputs; ++o) {
        Sum* py = acc.data() + n * sy.batch + o * sy.channel;
        const i64 g = o / per_group;
        for (i64 c = g * channels; c < (g + 1) * channels; ++c)
          for (i64 i0 = 0; i0 < v[0].input; ++i0)
            for (i64 i1 = 0; i1 < v[1].input; ++i1)
              for (i64 i2 = 0; i2 < v[2].input; ++i2) {
                const Sum value = image[static_cast<size_t>(n * sx.batch + c * sx.channel + i0 * sx.spatial[0] +
                                                            i1 * sx.spatial[1] + i2 * sx.spatial[2])];
                const Sum* q = weight.data() + c * swc + swo.at(o % per_group);
                for (i64 k0 = 0; k0 < v[0].kernel; ++k0)
                  for (i64 k1 = 0; k1 < v[1].kernel; ++k1)
                    for (i64 k2 = 0; k2 < v[2].kernel; ++k2) {
                      const i64 o0 = i0 * v[0].stride - v[0].pad_begin + k0 * v[0].dilation;
                      const i64 o1 = i1 * v[1].stride - v[1].pad_begin + k1 * v[1].dilation;
                      const i64 o2 = i2 * v[2].stride - v[2].pad_begin + k2 * v[2].dilation;
                      if (o0 < 0 || o0 >= v[0].output || o1 < 0 || o1 >= v[1].output || o2 < 0 || o2 >= v[2].output)
                        continue;
                      py[o0 * sy.spatial[0] + o1 * sy.spatial[1] + o2 * sy.spatial[2]] +=
                          value * q[k0 * sw[0] + k1 * sw[1] + k2 * sw[2]];
                    }
              }
      }
    detail::narrow<Sum>(acc, y);
  });
  cx.result(std::move(y));
}

void evaluate(const pack_panels& op, eval_context& cx) {
  const tensor& w = cx.operand(0);
  if (op.panel < 1 || w.rank() < 1) cx.fail("operand " + w.describe() + " with panel " + std::to_string(op.panel));
  const i64 q = op.interleave;
  if (q <= 1) {
    moved_elements moved(w);
    moved.pack(op.panel);
    return cx.result(moved.result());
  }
  const i64 columns = w.shape().back(), panels = quotient_up(columns, op.panel);
  std::vector<i64> shape{panels};
  shape.insert(shape.end(), w.shape().begin(), w.shape().end() - 1);
  const i64 rows = element_count({w.shape().data(), w.shape().size() - 1});
  if (w.rank() < 2 || shape.back() % q != 0) cx.fail("operand " + w.describe() + " cannot be interleaved");
  shape.back() /= q;
  shape.push_back(op.panel), shape.push_back(q);
  tensor r(w.type(), shape);
  tenon::visit(w.type(), [&]<class T>(T) {
    const auto from = w.data<T>();
    const auto to = r.data<T>();
    const auto pack = [&](i64 begin, i64 end) {
      for (i64 p = begin; p < end; ++p)
        for (i64 k = 0; k < rows; ++k) {
          const i64 first = p * op.panel, n = std::min(op.panel, columns - first);
          for (i64 j = 0; j < n; ++j)
            to[static_cast<size_t>((p * rows + k / q * q) * op.panel + j * q + k % q)] =
                from[static_cast<size_t>(k * columns + first + j)];
        }
    };
    constexpr i64 least_elements = 1 << 16;  // worth a thread
    if (w.size() > 0) parallel_for(panels, least_elements / std::max<i64>(rows * op.panel, 1) + 1, pack);
  });
  cx.result(std::move(r));
}

}  // namespace tenon::op
