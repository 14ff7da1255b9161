/// @file conv_window: kernel, strides, dilations and pads of ONNX convolutions and pools.
///
/// What `auto_pad` stands for is computed here: numbers where the spatial extents are, or the stride is 1.
#pragma once

#include <optional>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx::handlers {

/// Lists of a windowed operator, one number per spatial dimension (pads: two).
struct window_lists {
  std::vector<i64> kernel, strides, dilations, pads;
  size_t spatial() const { return kernel.size(); }
  i64 reach(size_t d) const { return (kernel[d] - 1) * dilations[d] + 1; }
};

inline i64 spatial_extent(import_context& cx, value_id x, size_t d) {
  const ir::dim e = cx.dim(x, static_cast<int>(d) + 2);
  if (!e.is_static())
    cx.unknown("onnx.needs_constant", "automatic padding of a dimension that is not known",
               "give the shapes of the model's inputs in the import options");
  return e.extent();
}

inline window_lists read_window(import_context& cx, value_id x, std::vector<i64> kernel) {
  window_lists w{std::move(kernel), cx.integers("strides"), cx.integers("dilations"), cx.integers("pads")};
  const size_t n = w.spatial();
  if (cx.rank(x) != static_cast<int>(n) + 2)
    cx.bad("a kernel of " + std::to_string(n) + " dimensions for an input of " + std::to_string(cx.rank(x)));
  if (w.strides.empty()) w.strides.assign(n, 1);
  if (w.dilations.empty()) w.dilations.assign(n, 1);
  if (w.strides.size() != n || w.dilations.size() != n || (!w.pads.empty() && w.pads.size() != 2 * n))
    cx.bad("strides, dilations or pads do not fit the kernel's number of dimensions");
  for (size_t d = 0; d < n; ++d)
    if (w.kernel[d] < 1 || w.strides[d] < 1 || w.dilations[d] < 1 || w.kernel[d] > INT32_MAX ||
        w.strides[d] > INT32_MAX || w.dilations[d] > INT32_MAX)
      cx.bad("kernel, strides and dilations must be positive");
  return w;
}

/// Pads x along spatial dimension d by what `auto_pad` asks for, which depends on its extent when strides are above 1.
inline value_id pad_for_windows(import_context& cx, value_id x, size_t d, const window_lists& w, bool upper,
                                double fill) {
  const value_id n = cx.slice(cx.shape_of(x), 0, static_cast<i64>(d) + 2, static_cast<i64>(d) + 3),
                 stride = cx.list({w.strides[d]});
  const value_id windows = cx.div(cx.add(n, cx.list({w.strides[d] - 1})), stride);
  const value_id reached = cx.add(cx.mul(cx.sub(windows, cx.list({1})), stride), cx.list({w.reach(d)}));
  const value_id total = cx.maximum(cx.sub(reached, n), cx.list({0})), less = cx.div(total, cx.list({2})),
                 more = cx.sub(total, less);
  op::pad p;
  p.value = fill;
  p.axes = {static_cast<i64>(d) + 2};
  return cx.make(p, {x, upper ? cx.concat({less, more}, 0) : cx.concat({more, less}, 0)});
}

/// Pads for `auto_pad` of convolutions and pools. Where they depend on an extent that is no number, x itself is padded
/// with `fill`; without one that is an error.
inline void set_auto_pads(import_context& cx, value_id& x, window_lists& w, std::optional<double> fill = {}) {
  const std::string mode = cx.s("auto_pad", "NOTSET");
  const size_t n = w.spatial();
  if (mode == "NOTSET" || mode.empty()) {
    if (w.pads.empty()) w.pads.assign(2 * n, 0);
    return;
  }
  w.pads.assign(2 * n, 0);
  if (mode == "VALID") return;
  if (mode != "SAME_UPPER" && mode != "SAME_LOWER") cx.bad("auto_pad is '" + mode + "'");
  for (size_t d = 0; d < n; ++d) {
    if (!cx.dim(x, static_cast<int>(d) + 2).is_static() && w.strides[d] != 1 && fill) {
      x = pad_for_windows(cx, x, d, w, mode == "SAME_UPPER", *fill);
      continue;
    }
    // With a stride of 1 there are as many windows as elements, however many these are.
    const i64 in = w.strides[d] == 1 ? 1 : spatial_extent(cx, x, d), windows = (in + w.strides[d] - 1) / w.strides[d];
    const i64 total = std::max<i64>((windows - 1) * w.strides[d] + w.reach(d) - in, 0);
    w.pads[d] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    w.pads[n + d] = total - w.pads[d];
  }
}

/// The kernel's extents: the attribute, or what follows the first two dimensions of the weight. The attribute's are
/// asked of a weight whose extents are open.
inline std::vector<i64> kernel_of_weight(import_context& cx, value_id w) {
  const bool is_said = cx.has_attribute("kernel_shape");
  const std::vector<i64> said = is_said ? cx.integers("kernel_shape") : std::vector<i64>();
  std::vector<i64> kernel;
  for (int d = 2; d < cx.rank(w); ++d) {
    const ir::dim e = cx.dim(w, d);
    const size_t at = kernel.size();
    if (e.is_static()) kernel.push_back(e.extent());
    else if (!is_said) cx.unsupported("a kernel whose shape is not known");
    else kernel.push_back(at < said.size() ? said[at] : -1);
    if (e.is_symbol() && at < said.size() && !cx.require_equal(e, said[at]))
      cx.bad("kernel_shape is " + shape_text(said) + ", which no weight has for this model's sizes");
  }
  if (is_said && said != kernel)
    cx.bad("kernel_shape is " + shape_text(said) + ", the weight's is " + shape_text(kernel));
  return kernel;
}

}  // namespace tenon::importers::onnx::handlers
