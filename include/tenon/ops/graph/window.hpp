/// @file window: the geometry that convolutions and pools share: layouts, window extents, where windows leave the
/// input.
///
/// A window of `kernel` taps, `dilation` apart, starts at output * stride - pad_begin of the input. Tap k of output o
/// reads input o * stride - pad_begin + k * dilation; what lies outside of the input counts as padding.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <tenon/core/checked.hpp>
#include <tenon/ir/infer.hpp>
#include <tenon/ops/permutation.hpp>

namespace tenon::op {

/// Where the channels of an image are: [N, C, spatial...] or [N, spatial..., C].
enum class data_layout : u8 { channels_first, channels_last };
inline constexpr std::array<std::string_view, 2> data_layout_names{"channels_first", "channels_last"};
constexpr const auto& enumerator_names(data_layout) { return data_layout_names; }

/// What `move_transpose` is of an op with a layout, on images that are transposed to have their channels first.
inline bool put_channels_last(data_layout& layout, const std::vector<i64>& order) {
  if (layout != data_layout::channels_first || order != permutations::channels_to_first(order.size())) return false;
  layout = data_layout::channels_last;
  return true;
}

/// a / b rounded up; a is not negative, b is positive.
constexpr i64 quotient_up(i64 a, i64 b) { return a / b + (a % b != 0 ? 1 : 0); }

/// One spatial dimension of a windowed op.
struct window {
  i64 input = 1, output = 1;
  i64 kernel = 1, stride = 1, dilation = 1;
  i64 pad_begin = 0, pad_end = 0;

  /// Throws "extent.overflow".
  constexpr i64 reach() const { return checked_add(checked_mul(kernel - 1, dilation), 1); }
  /// No window reads before the input, or after it.
  bool starts_inside() const { return pad_begin <= 0; }
  bool ends_inside() const { return (output - 1) * stride - pad_begin + reach() <= input; }
  /// The taps of output o that read the input: [first_tap, end_tap).
  i64 first_tap(i64 o) const {
    const i64 before = pad_begin - o * stride;
    return before <= 0 ? 0 : std::min(kernel, (before + dilation - 1) / dilation);
  }
  i64 end_tap(i64 o) const {
    const i64 room = input + pad_begin - o * stride;
    return room <= 0 ? 0 : std::min(kernel, (room + dilation - 1) / dilation);
  }
};

/// Number of windows over `input` elements; with `ceil_mode` also a last one that overhangs, by less than a stride, as
/// long as it starts inside of the input or its leading padding. Zero when no window fits.
constexpr i64 window_count(i64 input, const window& w, bool ceil_mode = false) {
  const i64 room = input + w.pad_begin + w.pad_end - w.reach();
  if (room <= (ceil_mode ? -w.stride : -1)) return 0;
  i64 n = (ceil_mode ? (room + w.stride - 1) / w.stride : room / w.stride) + 1;
  if (ceil_mode && (n - 1) * w.stride >= input + w.pad_begin) --n;
  return n;
}

/// The windows of all spatial dimensions; empty lists stand for strides and dilations of 1 and for no padding.
inline std::vector<window> make_windows(const std::vector<i64>& kernel, const std::vector<i64>& strides,
                                        const std::vector<i64>& dilations, const std::vector<i64>& pads) {
  const size_t n = kernel.size();
  std::vector<window> w(n);
  for (size_t i = 0; i < n; ++i) {
    w[i].kernel = kernel[i];
    if (!strides.empty()) w[i].stride = strides[i];
    if (!dilations.empty()) w[i].dilation = dilations[i];
    if (!pads.empty()) w[i].pad_begin = pads[i], w[i].pad_end = pads[n + i];
  }
  return w;
}

/// Throws through `cx.fail` unless the lists fit a number of spatial dimensions.
template <class Context>
void check_window_lists(const Context& cx, size_t spatial, const std::vector<i64>& strides,
                        const std::vector<i64>& dilations, const std::vector<i64>& pads) {
  const auto count = [&](const char* what, const std::vector<i64>& v, size_t expected, i64 least) {
    if (v.empty()) return;
    if (v.size() != expected)
      cx.fail(std::to_string(v.size()) + " " + what + " for " + std::to_string(spatial) + " spatial dimensions");
    for (i64 x : v)
      if (x < least || x > (i64{1} << 40)) cx.fail(std::string(what) + " has the value " + std::to_string(x));
  };
  count("strides", strides, spatial, 1);
  count("dilations", dilations, spatial, 1);
  count("pads", pads, 2 * spatial, -(i64{1} << 40));
}

/// The extent of a windowed dimension of the result.
inline ir::dim window_dim(const ir::infer_context& cx, ir::dim input, const window& w, bool ceil_mode = false) {
  if (w.stride == 1 && w.pad_begin + w.pad_end == w.reach() - 1) return input;
  if (!input.is_static()) {
    if (input.is_unknown() || (ceil_mode && w.pad_end > w.reach())) return ir::dim::unknown();
    const extent_expr n = *cx.expression(input), room = n + (w.pad_begin + w.pad_end - w.reach());
    cx.require_not_negative(ceil_mode ? room + (w.stride - 1) : room);
    if (!ceil_mode) return cx.extent(floor_div(room, w.stride) + 1);
    return cx.extent(tenon::minimum(ceil_div(room, w.stride), floor_div(n + (w.pad_begin - 1), w.stride)) + 1);
  }
  const i64 n = window_count(input.extent(), w, ceil_mode);
  if (n <= 0 && input.extent() > 0)
    cx.fail("a window of " + std::to_string(w.reach()) + " elements does not fit into " +
            std::to_string(input.extent()) + " with padding " + std::to_string(w.pad_begin) + " and " +
            std::to_string(w.pad_end));
  return std::max<i64>(n, 0);
}

/// Dimension of the channels, and the first spatial one.
constexpr size_t channel_axis(data_layout l, size_t rank) { return l == data_layout::channels_first ? 1 : rank - 1; }
constexpr size_t spatial_axis(data_layout l) { return l == data_layout::channels_first ? 2 : 1; }

/// The type in which sums are kept: f32 for the 16-bit floats, else the type itself.
constexpr dtype sum_type(dtype t) { return compute_type(t); }

}  // namespace tenon::op
