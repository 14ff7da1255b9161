/// @file window_lowering: loops over the taps of a window that read the input, so that no access needs a guard.
#pragma once

#include <tenon/ops/graph/window.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op::detail {

/// A window between extents that may be symbols.
struct placed_window : window {
  index_expr in = 1, out = 1;
  bool ends = true;  ///< no window reads after the input
  bool ends_inside() const { return ends; }
};

/// Bounds of the taps of output `o` that read the input; constant where no window leaves the input.
struct tap_range {
  index_expr lo, hi;
};
inline tap_range taps_of(ir::loop_builder& b, const placed_window& w, const index_expr& o) {
  const auto divided = [&](const index_expr& e) { return w.dilation == 1 ? e : b.floor_div(e, w.dilation); };
  tap_range r{0, w.kernel};
  if (!w.starts_inside()) r.lo = b.max(0, divided(index_expr(w.pad_begin + w.dilation - 1) - o * w.stride));
  if (!w.ends_inside()) r.hi = b.min(w.kernel, divided(w.in + (w.pad_begin + w.dilation - 1) - o * w.stride));
  return r;
}
inline std::vector<tap_range> taps_of(ir::loop_builder& b, const std::vector<placed_window>& w, const index_list& o) {
  std::vector<tap_range> r;
  for (size_t d = 0; d < w.size(); ++d) r.push_back(taps_of(b, w[d], o[d]));
  return r;
}

/// Where tap k of output o reads.
inline index_expr tap_place(const window& w, const index_expr& o, const index_expr& k) {
  return o * w.stride + k * w.dilation - w.pad_begin;
}
inline index_list tap_places(const std::vector<placed_window>& w, const index_list& o, const index_list& k) {
  index_list r;
  for (size_t d = 0; d < w.size(); ++d) r.push_back(tap_place(w[d], o[d], k[d]));
  return r;
}

/// Nested loops over tap ranges that carry values: f(k, carried). Returns the last carried values.
template <class F>
std::vector<value_id> reduce_taps(ir::loop_builder& b, const std::vector<tap_range>& taps, std::vector<value_id> init,
                                  F&& f) {
  index_list k;
  const auto go = [&](const auto& self, std::vector<value_id> carried) -> std::vector<value_id> {
    if (k.size() == taps.size()) {
      f(static_cast<const index_list&>(k), carried);
      return carried;
    }
    const tap_range& t = taps[k.size()];
    if (t.lo.is_constant() && t.hi.is_constant() && t.hi.constant() - t.lo.constant() == 1) {
      k.push_back(t.lo);
      carried = self(self, std::move(carried));
      k.pop_back();
      return carried;
    }
    return b.reduce(t.lo, t.hi, std::move(carried), [&](const index_expr& i, std::vector<value_id>& inner) {
      k.push_back(i);
      inner = self(self, inner);
      k.pop_back();
    });
  };
  return go(go, std::move(init));
}

/// The index of an image element.
inline index_list image_index(data_layout l, const index_expr& n, const index_expr& c, const index_list& spatial) {
  index_list r{n};
  if (l == data_layout::channels_first) r.push_back(c);
  r.insert(r.end(), spatial.begin(), spatial.end());
  if (l == data_layout::channels_last) r.push_back(c);
  return r;
}

/// Blocks of `width` neighbours of `count`, and the rest: f(block, first element of it, elements of it).
template <class F>
void for_blocks(ir::loop_builder& b, const index_expr& extent, i64 width, F&& f,
                const loop::for_loop& how = {.independent = true}) {
  if (!extent.is_constant()) {
    const index_expr blocks = b.floor_div(extent, width);
    b.for_(0, blocks, [&](const index_expr& j) { f(j, j * width, index_expr(width)); }, how);
    const index_expr rest = b.floor_mod(extent, width);
    b.if_(
        b.less(0, rest), [&] { return f(blocks, blocks * width, rest), std::vector<value_id>{}; },
        [] { return std::vector<value_id>{}; });
    return;
  }
  const i64 count = extent.constant();
  const i64 full = count / width;
  if (full == 1) f(index_expr(0), index_expr(0), width);
  if (full > 1) b.for_(0, full, [&](const index_expr& j) { f(j, j * width, width); }, how);
  if (count % width != 0) f(index_expr(full), index_expr(full * width), count % width);
}

/// The windows of a pool or convolution between its types.
inline std::vector<placed_window> placed_windows(const std::vector<window>& given, data_layout l, const ir::type x,
                                                 const ir::type y, lower_context& cx) {
  const size_t first = spatial_axis(l);
  std::vector<placed_window> w;
  for (size_t d = 0; d < given.size(); ++d) {
    placed_window p;
    static_cast<window&>(p) = given[d];
    const ir::dim in = x.shape[first + d], out = y.shape[first + d];
    p.in = cx.extent(in), p.out = cx.extent(out);
    if (in.is_static() && out.is_static()) {
      p.input = in.extent(), p.output = out.extent();
      p.ends = static_cast<const window&>(p).ends_inside();
    } else {
      p.ends = p.pad_end <= 0;  // the number of windows was rounded down
    }
    w.push_back(p);
  }
  return w;
}

}  // namespace tenon::op::detail
