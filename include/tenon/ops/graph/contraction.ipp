/// @file contraction.ipp: shape and type rules of ops/graph/contraction.hpp.
#pragma once

#include <algorithm>
#include <numeric>

#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/narrow_weight.hpp>
#include <tenon/ops/weight_panels.hpp>

namespace tenon::op {

namespace detail {

/// The result's type: that of the operands, if they have one numeric type, or i32 for bytes.
inline dtype contraction_type(const ir::infer_context& cx, bool bytes = true) {
  const bool mixed = bytes && is_byte_product(cx.operand(0).elem, cx.operand(1).elem);
  const bool narrow = is_narrow_weight(cx.operand(0).elem, cx.operand(1).elem);
  for (int i = 0; i < cx.operand_count(); ++i) {
    if (!cx.has(i)) continue;
    const ir::type& t = cx.operand(i);
    if (!t.is_tensor()) cx.fail("operand " + std::to_string(i) + " is not a tensor");
    if (t.elem == dtype::boolean) cx.fail("operand " + std::to_string(i) + " is bool", "cast it to a numeric type");
    if (narrow && i == 1) continue;
    if (t.elem != (mixed && i > 0 ? i == 1 ? dtype::i8 : dtype::i32 : cx.operand(0).elem))
      cx.fail("operands of " + std::string(name_of(cx.operand(0).elem)) + " and " + std::string(name_of(t.elem)),
              "cast one of them");
  }
  return mixed ? dtype::i32 : cx.operand(0).elem;
}

inline void require_equal(const ir::infer_context& cx, const char* what, ir::dim a, ir::dim b) {
  if (a.is_static() && b.is_static() && a != b)
    cx.fail(std::string(what) + ": " + std::to_string(a.extent()) + " and " + std::to_string(b.extent()));
  if (!a.is_unknown() && !b.is_unknown()) cx.same(a, b);
}

}  // namespace detail

void infer(const matmul& op, ir::infer_context& cx) {
  const dtype t = detail::contraction_type(cx);
  const ir::type &a = cx.operand(0), &b = cx.operand(1);
  if (!a.ranked || !b.ranked) return cx.result(ir::type::unranked_tensor(t));
  std::vector<ir::dim> x = a.shape, y = b.shape;
  if (x.empty() || y.empty()) cx.fail("an operand has no dimensions", "use mul for scalars");
  if (op.panel > 0) {
    if (op.interleave > 1 && (y.size() < 4 || y.back() != ir::dim(op.interleave)))
      cx.fail("an interleaved operand does not end in " + std::to_string(op.interleave));
    y = without_interleave(op.interleave, y);
    if (y.size() < 3) cx.fail("a packed operand has " + std::to_string(y.size()) + " dimensions, it needs 3");
    if (op.columns <= 0) cx.fail("a packed operand needs the attribute columns");
    detail::require_equal(cx, "width of the panels", y.back(), op.panel);
    detail::require_equal(cx, "number of panels", y[y.size() - 3], quotient_up(op.columns, op.panel));
    y.erase(y.end() - 3);
    y.back() = op.columns;
  }
  const bool row = x.size() == 1, column = y.size() == 1;
  if (row) x.insert(x.begin(), ir::dim(1));
  if (column) y.push_back(ir::dim(1));
  detail::require_equal(cx, "columns of a and rows of b differ", x.back(), y[y.size() - 2]);
  std::vector<ir::dim> r = cx.broadcast({x.begin(), x.end() - 2}, {y.begin(), y.end() - 2});
  if (!row) r.push_back(x[x.size() - 2]);
  if (!column) r.push_back(y.back());
  cx.result(ir::type::tensor(t, std::move(r)));
}

std::vector<ir::dim> without_interleave(i64 interleave, std::vector<ir::dim> packed) {
  if (interleave <= 1 || packed.size() < 3) return packed;
  packed.pop_back();
  ir::dim& k = packed[packed.size() - 2];
  if (k.is_static()) k = ir::dim(checked_mul(k.extent(), interleave));
  return packed;
}

conv_weight_dims weight_dims(const conv& c, const std::vector<ir::dim>& weight) {
  if (c.panel > 0) return {1, weight.size() - 2, ir::dim(c.columns)};
  if (c.layout == data_layout::channels_last) return {0, weight.size() - 2, weight.back()};
  return {2, 1, weight[0]};
}

conv_weight_dims weight_dims(const conv_transpose& c, const std::vector<ir::dim>& weight) {
  if (c.panel > 0) return {1, weight.size() - 2, ir::dim(c.columns)};
  if (c.layout == data_layout::channels_last) return {0, weight.size() - 2, weight.back()};
  return {2, 0, weight[1]};
}

namespace detail {

inline std::vector<output_phase> phases_of(const window& w, i64 output_padding) {
  const i64 common = std::gcd(w.stride, w.dilation), step = w.stride / common;
  std::vector<output_phase> r;
  for (i64 p = 0; p < w.stride; ++p) {
    // Output p + t * stride takes tap k from where input * stride + k * dilation = place + t * stride.
    const i64 place = p + w.pad_begin;
    i64 k = 0;
    while (k < step && (place - k * w.dilation) % w.stride != 0) ++k;
    output_phase o{.first = p, .tap_step = step, .input_step = w.dilation / common};
    if (k < std::min(step, w.kernel))
      o.tap = k, o.taps = quotient_up(w.kernel - k, step), o.input = (place - k * w.dilation) / w.stride;
    const i64 room = w.reach() + output_padding - w.pad_begin - w.pad_end - 1 - p;
    o.more = room / w.stride - (room % w.stride < 0 ? 1 : 0);
    output_phase* last = r.empty() ? nullptr : &r.back();
    if (last != nullptr && last->taps == o.taps && last->more == o.more && last->input == o.input &&
        (o.taps == 0 || o.tap == last->tap + last->residues))
      ++last->residues;
    else r.push_back(o);
  }
  return r;
}

}  // namespace detail

std::vector<std::vector<output_phase>> output_phases(const conv_transpose& c, const std::vector<ir::dim>& weight) {
  constexpr size_t most = 64;
  constexpr i64 widest = 2048;  // residues of one stride: those that are alike are one shape
  const conv_weight_dims at = weight_dims(c, weight);
  const size_t spatial = weight.size() - (c.panel > 0 ? 3 : 2);
  std::vector<i64> kernel;
  for (size_t d = 0; d < spatial; ++d) kernel.push_back(weight[at.taps + d].extent());
  const std::vector<window> windows = make_windows(kernel, c.strides, c.dilations, c.pads);
  std::vector<std::vector<output_phase>> r;
  size_t shapes = 1;
  for (size_t d = 0; d < spatial; ++d) {
    if (windows[d].stride > widest) return {};
    r.push_back(detail::phases_of(windows[d], c.output_padding.empty() ? 0 : c.output_padding[d]));
    if ((shapes *= r.back().size()) > most) return {};
  }
  return r;
}

namespace detail {
/// The number of spatial dimensions of a convolution's image and weight; checks what says how it is done.
template <class Op>
size_t checked_spatial(const Op& op, const ir::type& x, const ir::type& w, ir::infer_context& cx) {
  const int packed = op.panel > 0 ? 1 : 0;
  const int rank = x.ranked ? x.rank() : w.rank() - packed;
  if (rank < 3 || rank > 5) cx.fail("the image has " + std::to_string(rank) + " dimensions, expected 3 to 5");
  if (w.ranked && w.rank() != rank + packed)
    cx.fail("the weight has " + std::to_string(w.rank()) + " dimensions, expected " + std::to_string(rank + packed));
  const size_t spatial = static_cast<size_t>(rank) - 2;
  check_window_lists(cx, spatial, op.strides, op.dilations, op.pads);
  if (op.group < 1) cx.fail("group is " + std::to_string(op.group));
  if (packed && (op.layout != data_layout::channels_last || op.group != 1 || op.columns <= 0))
    cx.fail("packed weights need channels_last, one group and the attribute columns");
  return spatial;
}
template <class Op>
void check_panels(const Op& op, const ir::type& w, ir::infer_context& cx) {
  if (op.panel <= 0) return;
  require_equal(cx, "width of the panels", w.shape.back(), op.panel);
  require_equal(cx, "number of panels", w.shape[0], quotient_up(op.columns, op.panel));
}
}  // namespace detail

void infer(const conv& op, ir::infer_context& cx) {
  const dtype t = detail::contraction_type(cx);
  const ir::type& x = cx.operand(0);
  ir::type w = cx.operand(1);
  if (op.interleave > 1 && w.ranked && (op.panel == 0 || w.shape.empty() || w.shape.back() != ir::dim(op.interleave)))
    cx.fail("an interleaved weight does not end in " + std::to_string(op.interleave));
  w.shape = without_interleave(op.interleave, w.shape);
  if (!x.ranked && !w.ranked) return cx.result(ir::type::unranked_tensor(t));
  const size_t spatial = detail::checked_spatial(op, x, w, cx);
  std::vector<ir::dim> r(spatial + 2);
  if (!x.ranked) return cx.result(ir::type::tensor(t, std::move(r)));
  const size_t channels = channel_axis(op.layout, r.size()), first = spatial_axis(op.layout);
  r[0] = x.shape[0];
  if (!w.ranked) return cx.result(ir::type::tensor(t, std::move(r)));
  const conv_weight_dims at = weight_dims(op, w.shape);
  const ir::dim c = x.shape[channels], cg = w.shape[at.channels];
  if (c.is_static() && cg.is_static() && c.extent() != checked_mul(cg.extent(), op.group))
    cx.fail("the image has " + std::to_string(c.extent()) + " channels, the weight is for " +
            std::to_string(cg.extent()) + " in each of " + std::to_string(op.group) + " groups");
  if (!c.is_unknown() && !cg.is_unknown()) cx.same(c, cx.product(cg, op.group));
  if (at.outputs.is_static() && at.outputs.extent() % op.group != 0)
    cx.fail(std::to_string(at.outputs.extent()) + " output channels in " + std::to_string(op.group) + " groups");
  detail::check_panels(op, w, cx);
  if (cx.has(2) && cx.operand(2).ranked) {
    if (cx.operand(2).rank() != 1) cx.fail("the bias has " + std::to_string(cx.operand(2).rank()) + " dimensions");
    detail::require_equal(cx, "output channels of weight and bias differ", at.outputs, cx.operand(2).shape[0]);
  }
  r[channels] = at.outputs;
  for (size_t i = 0; i < spatial; ++i) {
    if (!w.shape[at.taps + i].is_static()) continue;
    std::vector<i64> kernel(spatial, 1);
    kernel[i] = w.shape[at.taps + i].extent();
    r[first + i] = window_dim(cx, x.shape[first + i], make_windows(kernel, op.strides, op.dilations, op.pads)[i]);
  }
  cx.result(ir::type::tensor(t, std::move(r)));
}

void infer(const conv_transpose& op, ir::infer_context& cx) {
  const dtype t = detail::contraction_type(cx, false);
  const ir::type &x = cx.operand(0), &w = cx.operand(1);
  if (!x.ranked && !w.ranked) return cx.result(ir::type::unranked_tensor(t));
  const size_t spatial = detail::checked_spatial(op, x, w, cx);
  if (!op.output_padding.empty() && op.output_padding.size() != spatial)
    cx.fail(std::to_string(op.output_padding.size()) + " output paddings for " + std::to_string(spatial) +
            " spatial dimensions");
  for (i64 p : op.output_padding)
    if (p < 0 || p > (i64{1} << 40)) cx.fail("output_padding has the value " + std::to_string(p));
  std::vector<ir::dim> r(spatial + 2);
  if (!x.ranked || !w.ranked) return cx.result(ir::type::tensor(t, std::move(r)));
  const size_t channels = channel_axis(op.layout, r.size()), first = spatial_axis(op.layout);
  const conv_weight_dims at = weight_dims(op, w.shape);
  detail::require_equal(cx, "channels of image and weight differ", x.shape[channels], w.shape[at.channels]);
  if (x.shape[channels].is_static() && x.shape[channels].extent() % op.group != 0)
    cx.fail(std::to_string(x.shape[channels].extent()) + " channels in " + std::to_string(op.group) + " groups");
  detail::check_panels(op, w, cx);
  r[0] = x.shape[0];
  if (at.outputs.is_static()) r[channels] = checked_mul(at.outputs.extent(), op.group);
  if (cx.has(2) && cx.operand(2).ranked) {
    if (cx.operand(2).rank() != 1) cx.fail("the bias has " + std::to_string(cx.operand(2).rank()) + " dimensions");
    detail::require_equal(cx, "output channels of weight and bias differ", r[channels], cx.operand(2).shape[0]);
  }
  for (size_t i = 0; i < spatial; ++i) {
    const ir::dim in = x.shape[first + i], k = w.shape[at.taps + i];
    if (in.is_unknown() || !k.is_static()) continue;
    std::vector<i64> kernel(spatial, 1);
    kernel[i] = k.extent();
    const window v = make_windows(kernel, op.strides, op.dilations, op.pads)[i];
    const i64 extra = op.output_padding.empty() ? 0 : op.output_padding[i];
    const extent_expr n =
        (*cx.expression(in) - 1) * v.stride + (checked_add(v.reach(), extra) - v.pad_begin - v.pad_end);
    if (n.is_constant() && n.constant() <= 0) cx.fail("the result would have extent " + n.text());
    cx.require_not_negative(n - 1);
    r[first + i] = cx.extent(n);
  }
  cx.result(ir::type::tensor(t, std::move(r)));
}

void infer(const pack_panels& op, ir::infer_context& cx) {
  const ir::type& w = cx.operand(0);
  if (op.panel < 1) cx.fail("panel is " + std::to_string(op.panel));
  if (!w.ranked) return cx.result(ir::type::unranked_tensor(w.elem));
  if (w.shape.empty()) cx.fail("the operand has no dimensions");
  std::vector<ir::dim> r{w.shape.back().is_static() ? ir::dim(quotient_up(w.shape.back().extent(), op.panel))
                                                    : ir::dim()};
  r.insert(r.end(), w.shape.begin(), w.shape.end() - 1);
  r.push_back(op.panel);
  if (op.interleave > 1) {
    ir::dim& k = r[r.size() - 2];
    if (r.size() < 3 || (k.is_static() && k.extent() % op.interleave != 0))
      cx.fail("the last of K is not a multiple of " + std::to_string(op.interleave));
    if (k.is_static()) k = ir::dim(k.extent() / op.interleave);
    r.push_back(op.interleave);
  }
  cx.result(ir::type::tensor(w.elem, std::move(r)));
}

namespace detail {
/// Products of bytes are added up several at once. Their depth is a multiple of 4 (passes/use_byte_products).
inline i64 neighbours(const weight_panels& w) {
  const ir::type &x = w.operand_type(0), &weight = w.operand_type(1);
  return is_byte_product(x.elem, weight.elem) ? w.interleave(weight.shape[weight.shape.size() - 2].extent()) : 1;
}
/// The weight of a convolution, which has as many rows as `image` has pixels.
template <class Op>
bool use_panels_of_taps(Op& op, weight_panels& w, const ir::type& image) {
  const ir::type& weight = w.operand_type(1);
  if (op.panel != 0 || op.layout != data_layout::channels_last || op.group != 1 || !weight.is_static()) return false;
  op.columns = weight.shape.back().extent();
  op.panel = w.width(weight.elem, op.columns, w.rows(image, 1));
  return true;
}
}  // namespace detail

bool use_panels(matmul& op, weight_panels& w) {
  const ir::type& weight = w.operand_type(1);
  if (op.panel != 0 || !weight.is_static() || weight.rank() != 2) return false;
  if (weight.shape[1].extent() < 2) return w.compute(1), false;
  op.columns = weight.shape[1].extent();
  op.panel = w.width(weight.elem, op.columns, w.rows(w.operand_type(0)));
  op.interleave = detail::neighbours(w);
  w.pack(1, op.panel, op.interleave);
  return true;
}
bool use_panels(conv& op, weight_panels& w) {
  if (!std::all_of(op.pads.begin(), op.pads.end(), [](i64 pad) { return pad == 0; }) ||
      !detail::use_panels_of_taps(op, w, w.result_type()))
    return false;
  op.interleave = detail::neighbours(w);
  w.pack(1, op.panel, op.interleave);
  return true;
}
/// A phase of it has about as many rows as the image.
bool use_panels(conv_transpose& op, weight_panels& w) {
  if (!detail::use_panels_of_taps(op, w, w.operand_type(0)) || op.columns < 2) return false;
  w.pack(1, op.panel);
  return true;
}

}  // namespace tenon::op
