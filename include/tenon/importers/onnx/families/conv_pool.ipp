/// @file conv_pool: ONNX convolutions and pools.
///
/// Paddings that `output_shape` stands for are computed here, for which spatial extents must be known.
#pragma once

#include <numeric>

#include <tenon/importers/onnx/conv_window.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline value_id convolution(import_context& cx, value_id x, value_id w) {
  window_lists l = read_window(cx, x, kernel_of_weight(cx, w));
  set_auto_pads(cx, x, l, 0.);
  return cx.make(op::conv{.strides = l.strides, .dilations = l.dilations, .pads = l.pads, .group = cx.i("group", 1)},
                 {x, w, cx.in_or(2, {})});
}
inline void conv(import_context& cx, const node&) { cx.out(convolution(cx, cx.in(0), cx.in(1))); }

/// Pads that make the output's extents `output_shape`, or input * stride for SAME paddings.
inline void set_transpose_pads(import_context& cx, value_id x, window_lists& w, std::vector<i64>& extra) {
  const size_t n = w.spatial();
  const std::string mode = cx.s("auto_pad", "NOTSET");
  std::vector<i64> shape = cx.integers("output_shape");
  if (shape.size() > n) shape.erase(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(n));
  if (shape.empty() && mode != "SAME_UPPER" && mode != "SAME_LOWER") {
    if (w.pads.empty() || mode == "VALID") w.pads.assign(2 * n, 0);
    return;
  }
  if (!shape.empty() && shape.size() != n) cx.bad("output_shape does not fit the kernel's number of dimensions");
  w.pads.assign(2 * n, 0);
  for (size_t d = 0; d < n; ++d) {
    const i64 in = spatial_extent(cx, x, d), wanted = shape.empty() ? checked_mul(in, w.strides[d]) : shape[d];
    if (wanted < 0) cx.bad("output_shape is " + shape_text(shape));
    const i64 total =
        checked_sub(checked_add(checked_mul(in - 1, w.strides[d]), checked_add(extra[d], w.reach(d))), wanted);
    if (total < 0) {
      extra[d] = checked_sub(extra[d], total);
      continue;
    }
    w.pads[d] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    w.pads[n + d] = total - w.pads[d];
  }
}

/// `pads`: in place of the attribute's.
inline value_id transposed(import_context& cx, value_id bias, const std::optional<std::vector<i64>>& pads = {}) {
  const value_id x = cx.in(0), w = cx.in(1);
  window_lists l = read_window(cx, x, kernel_of_weight(cx, w));
  if (pads) l.pads = *pads;
  if (!l.pads.empty() && l.pads.size() != 2 * l.spatial())
    cx.bad("there are " + std::to_string(l.pads.size()) + " pads for " + std::to_string(l.spatial()) + " dimensions");
  std::vector<i64> extra = cx.integers("output_padding");
  if (extra.empty()) extra.assign(l.spatial(), 0);
  if (extra.size() != l.spatial()) cx.bad("output_padding does not fit the kernel's number of dimensions");
  // It chooses between the inputs' extents that give one output's; more would be rows that no input reaches.
  for (size_t d = 0; d < extra.size(); ++d)
    if (extra[d] < 0 || extra[d] >= std::max(l.strides[d], l.dilations[d]))
      cx.bad("output_padding is " + shape_text(extra) + ", and must be less than the strides " + shape_text(l.strides) +
             " or dilations " + shape_text(l.dilations));
  set_transpose_pads(cx, x, l, extra);
  return cx.make(op::conv_transpose{.strides = l.strides,
                                    .dilations = l.dilations,
                                    .pads = l.pads,
                                    .output_padding = extra,
                                    .group = cx.i("group", 1)},
                 {x, w, bias});
}
inline void conv_transpose(import_context& cx, const node&) { cx.out(transposed(cx, cx.in_or(2, {}))); }

inline window_lists pool_window(import_context& cx, value_id& x, std::optional<double> fill = {}) {
  const std::vector<i64> kernel = cx.integers("kernel_shape");
  if (kernel.empty()) cx.bad("attribute 'kernel_shape' is missing");
  window_lists l = read_window(cx, x, kernel);
  set_auto_pads(cx, x, l, fill);
  return l;
}

inline void max_pool(import_context& cx, const node&) {
  value_id x = cx.in(0);
  const bool filled = is_float(cx.elem(x)) && !cx.wants(1);  // the least value is never the greatest
  const window_lists l =
      pool_window(cx, x, filled ? std::optional(-std::numeric_limits<double>::infinity()) : std::nullopt);
  const import_context::values y = cx.make_all(op::max_pool{.kernel = l.kernel,
                                                            .strides = l.strides,
                                                            .dilations = l.dilations,
                                                            .pads = l.pads,
                                                            .ceil_mode = cx.i("ceil_mode", 0) != 0,
                                                            .indices = cx.wants(1),
                                                            .column_major = cx.i("storage_order", 0) != 0},
                                               {x});
  cx.out(0, y[0]);
  if (cx.wants(1)) cx.out(1, y[1]);
}

inline value_id averaged(import_context& cx, value_id x) {
  const window_lists l = pool_window(cx, x);
  return cx.make(op::average_pool{.kernel = l.kernel,
                                  .strides = l.strides,
                                  .dilations = l.dilations,
                                  .pads = l.pads,
                                  .ceil_mode = cx.i("ceil_mode", 0) != 0,
                                  .count_include_pad = cx.i("count_include_pad", 0) != 0},
                 {x});
}
inline void average_pool(import_context& cx, const node&) { cx.out(averaged(cx, cx.in(0))); }

/// p was a float in operator set 1.
inline i64 norm_power(import_context& cx) {
  const attribute* const a = cx.find("p");
  const i64 p = a && a->type == attribute::type_t::float_ ? convert_element<i64>(a->f) : cx.i("p", 2);
  if (p < 1) cx.bad("the norm's p is " + std::to_string(p));
  return p;
}

inline void lp_pool(import_context& cx, const node&) {
  value_id x = cx.in(0);
  const window_lists l = pool_window(cx, x, 0.);
  cx.out(cx.make(op::lp_pool{.kernel = l.kernel,
                             .strides = l.strides,
                             .dilations = l.dilations,
                             .pads = l.pads,
                             .ceil_mode = cx.i("ceil_mode", 0) != 0,
                             .p = norm_power(cx)},
                 {x}));
}

inline std::vector<i64> spatial_axes(import_context& cx, value_id x) {
  if (cx.rank(x) < 3) cx.bad("an image has at least 3 dimensions");
  std::vector<i64> axes(static_cast<size_t>(cx.rank(x)) - 2);
  std::iota(axes.begin(), axes.end(), 2);
  return axes;
}
inline void global_average_pool(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.reduce_mean(x, spatial_axes(cx, x)));
}
inline void global_max_pool(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.reduce_max(x, spatial_axes(cx, x)));
}
inline void global_lp_pool(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const double p = static_cast<double>(norm_power(cx));
  const value_id powers = cx.make(op::pow{}, {cx.make(op::abs{}, {x}), cx.like(x, p)});
  cx.out(cx.make(op::pow{}, {cx.reduce_sum(powers, spatial_axes(cx, x)), cx.like(x, 1 / p)}));
}

/// Where a deformable kernel reads: [batch, offset groups, taps, positions] of each dimension, in f32 or wider.
/// `to`: how many positions each dimension has, as numbers of the run.
inline value_id deformed_places(import_context& cx, const window_lists& l, const std::vector<value_id>& to,
                                value_id offsets, size_t d) {
  const i64 taps = element_count(l.kernel), at = static_cast<i64>(d);
  const dtype t = cx.elem(offsets);
  tensor of_taps = cx.blank(t, {taps, 1});
  i64 tap_stride = 1;
  for (size_t k = d + 1; k < l.spatial(); ++k) tap_stride *= l.kernel[k];
  for (i64 k = 0; k < taps; ++k)
    of_taps.set_f64(k, static_cast<double>(k / tap_stride % l.kernel[d] * l.dilations[d] - l.pads[d]));
  value_id of_positions =
      cx.cast(cx.mul(cx.make(op::range{}, {cx.scalar(dtype::i64, 0), to[d], cx.scalar(dtype::i64, 1)}),
                     cx.like(to[d], static_cast<double>(l.strides[d]))),
              t);
  std::vector<i64> others;
  writer::values extents;
  for (size_t k = 0; k < l.spatial(); ++k) {
    if (k != d) others.push_back(static_cast<i64>(k));
    extents.push_back(cx.reshape(to[k], {1}));
  }
  if (!others.empty()) of_positions = cx.unsqueeze(of_positions, others);
  of_positions = cx.reshape(cx.expand(of_positions, cx.concat(extents, 0)), {-1});
  const value_id mine = cx.squeeze(cx.slice(offsets, 3, at, at + 1), {3});
  return cx.add(mine, cx.add(cx.constant(of_taps), of_positions));
}

/// Each tap of the kernel reads at its place plus an offset of its own, between the elements around (zeros outside).
/// What is read makes columns, whose product with the kernels is the result.
inline void deform_conv(import_context& cx, const node&) {
  const value_id x = cx.in(0), w = cx.in(1);
  window_lists l = read_window(cx, x, kernel_of_weight(cx, w));
  if (l.pads.empty()) l.pads.assign(2 * l.spatial(), 0);
  const size_t n = l.spatial();
  if (n > 8) cx.unsupported("DeformConv of more than 8 spatial dimensions");  // each step is taken for 2^n corners
  const i64 groups = cx.i("group", 1), offset_groups = cx.i("offset_group", 1), taps = element_count(l.kernel);
  if (!cx.type_of(w).is_static() || !cx.dim(x, 1).is_static())
    cx.unknown("onnx.needs_constant", "DeformConv of channels or weights of a shape that is not known",
               "give the shapes of the model's inputs in the import options");
  const i64 channels = cx.dim(x, 1).extent(), outputs = cx.dim(w, 0).extent();
  if (groups < 1 || offset_groups < 1 || channels % groups != 0 || channels % offset_groups != 0 ||
      outputs % groups != 0)
    cx.bad("the channels do not divide into the groups");
  std::vector<value_id> to;   // the result's extents, as numbers of the run
  std::vector<i64> known_to;  // those that are known
  for (size_t d = 0; d < n; ++d) {
    if (l.pads[d] < 0 || l.pads[n + d] < 0) cx.bad("pads are " + shape_text(l.pads));
    const i64 beside = checked_sub(checked_add(l.pads[d], l.pads[n + d]), l.reach(d));
    const ir::dim in = cx.dim(x, static_cast<int>(d) + 2);
    if (in.is_static()) {
      const i64 room = checked_add(in.extent(), beside);
      if (room < 0 || in.extent() < 1) cx.bad("the kernel is larger than the image");
      known_to.push_back(room / l.strides[d] + 1);
      to.push_back(cx.scalar(dtype::i64, static_cast<double>(known_to.back())));
    } else {  // none where the image is smaller than the kernel
      const value_id most =
          cx.add(cx.count(x, {static_cast<i64>(d) + 2}, dtype::i64), static_cast<double>(beside + l.strides[d]));
      to.push_back(cx.div(cx.maximum(most, 0.), cx.like(most, static_cast<double>(l.strides[d]))));
    }
  }
  cx.require_room(dtype::f32, known_to);
  // What a list says of a batch and of positions that only the run knows: as they are, and what is left.
  const bool sized = cx.type_of(x).is_static();
  const i64 batch = sized ? cx.dim(x, 0).extent() : 0, positions = sized ? element_count(known_to) : -1;
  const i64 reads = sized ? checked_mul(taps, positions) : -1;
  if (sized) cx.require_room(dtype::f32, {taps, positions});
  const dtype t = cx.elem(x), wide = compute_type(t);
  const value_id offsets =
      cx.reshape(cx.cast(cx.in(2), wide), {batch, offset_groups, taps, static_cast<i64>(n), positions});
  std::vector<value_id> low, rest;
  for (size_t d = 0; d < n; ++d) {
    const value_id place = deformed_places(cx, l, to, offsets, d);
    low.push_back(cx.make(op::floor{}, {place}));
    rest.push_back(cx.sub(place, low.back()));
  }
  const i64 shared = channels / offset_groups;
  i64 pixels = sized ? 1 : -1;
  for (size_t d = 0; sized && d < n; ++d) pixels *= cx.dim(x, static_cast<int>(d) + 2).extent();
  const value_id images = cx.reshape(cx.cast(x, wide), {batch, offset_groups, shared, pixels});
  value_id sampled{};
  for (size_t corner = 0; corner < (size_t{1} << n); ++corner) {
    value_id weight{}, index{};
    for (size_t d = 0; d < n; ++d) {
      const bool high = (corner >> d & 1) != 0;
      const value_id at = high ? cx.add(low[d], 1.) : low[d];
      const value_id inside = cx.make(op::logical_and{}, {cx.make(op::greater_equal{}, {at, cx.like(at, 0)}),
                                                          cx.less(at, cx.count(x, {static_cast<i64>(d) + 2}, wide))});
      const value_id part = cx.where(inside, high ? rest[d] : cx.sub(cx.like(at, 1), rest[d]), cx.like(at, 0));
      weight = weight ? cx.mul(weight, part) : part;
      const value_id place = cx.cast(cx.where(inside, at, cx.like(at, 0)), dtype::i64);
      index = index ? cx.add(cx.mul(index, cx.count(x, {static_cast<i64>(d) + 2}, dtype::i64)), place) : place;
    }
    const std::vector<i64> flat{batch, offset_groups, 1, reads};
    const value_id wanted = cx.expand(cx.reshape(index, flat), cx.list({1, 1, shared, 1}));
    const value_id read = cx.mul(cx.make(op::gather_elements{.axis = 3}, {images, wanted}), cx.reshape(weight, flat));
    sampled = sampled ? cx.add(sampled, read) : read;
  }
  if (cx.has(4)) {
    const value_id mask = cx.reshape(cx.cast(cx.in(4), wide), {batch, offset_groups, 1, reads});
    sampled = cx.mul(sampled, mask);
  }
  const value_id columns = cx.reshape(sampled, {batch, groups, channels / groups * taps, positions});
  const value_id kernels = cx.reshape(cx.cast(w, wide), {groups, outputs / groups, channels / groups * taps});
  writer::values shape{cx.list({batch, outputs})};
  for (value_id extent : to) shape.push_back(cx.reshape(extent, {1}));
  value_id y = cx.make(op::reshape{}, {cx.matmul(kernels, columns), cx.concat(shape, 0)});
  if (cx.has(3)) {
    std::vector<i64> trailing;
    for (size_t d = 1; d <= n; ++d) trailing.push_back(static_cast<i64>(d));
    y = cx.add(y, cx.unsqueeze(cx.cast(cx.in(3), wide), trailing));
  }
  cx.out(cx.cast(y, t));
}

/// Values go where the indices of MaxPool say, into zeros of the shape that the pool had as input; `output_shape`
/// appends zeros to that.
inline void max_unpool(import_context& cx, const node&) {
  const value_id x = cx.in(0), at = cx.in(1);
  if (cx.has_rank(x) && cx.has_rank(at)) {
    std::vector<i64> same;
    for (const ir::dim d : cx.type_of(x).shape) same.push_back(d.is_static() ? d.extent() : -1);
    cx.require_shape(1, same);
  }
  const window_lists l = read_window(cx, x, cx.integers("kernel_shape"));
  const size_t n = l.spatial();
  const std::vector<i64> pads = l.pads.empty() ? std::vector<i64>(2 * n) : l.pads;
  const value_id given = cx.shape_of(x), one = cx.list({1});
  import_context::values extents{cx.slice(given, 0, 0, 2)};
  for (size_t d = 0; d < n; ++d) {
    const i64 axis = static_cast<i64>(d) + 2, more = checked_sub(checked_sub(l.kernel[d], pads[d]), pads[n + d]);
    extents.push_back(
        cx.add(cx.mul(cx.sub(cx.slice(given, 0, axis, axis + 1), one), cx.list({l.strides[d]})), cx.list({more})));
  }
  const value_id shape = cx.concat(extents, 0);
  std::vector<i64> known;
  if (const tensor* const s = cx.constant_of(shape))
    for (i64 d = 0; d < s->size(); ++d) known.push_back(s->at_i64(d));
  if (!known.empty()) {
    const std::optional<i64> room = checked_count(known);
    if (!room) cx.bad("the result's shape is " + shape_text(known));
    const tensor* const indices = cx.options().constants.empty() ? cx.constant_of(at) : nullptr;  // else it may be data
    for (i64 k = 0; indices && k < indices->size(); ++k)
      if (const i64 i = indices->at_i64(k); i < 0 || i >= *room)
        cx.bad("index " + std::to_string(i) + " is outside of a result of " + std::to_string(*room) + " elements");
  }
  const value_id zeros = cx.make(op::constant_of_shape{},
                                 {cx.like(x, 0), cx.make(op::reduce_prod{.axes = {0}, .keep_dims = true}, {shape})});
  const value_id flat = cx.make(op::scatter_elements{}, {zeros, cx.reshape(at, {-1}), cx.reshape(x, {-1})});
  value_id y = cx.make(op::reshape{.shape = {}, .allow_zero = true}, {flat, shape});
  if (cx.has(2)) {
    if (!cx.require_equal(cx.dim(cx.in(2), 0), static_cast<i64>(n) + 2))
      cx.bad("output_shape does not fit the input's number of dimensions");
    std::vector<i64> wanted;
    if (cx.in_integers(2, wanted) && wanted.size() == known.size())
      for (size_t d = 0; d < wanted.size(); ++d)
        if (wanted[d] < known[d])
          cx.bad("output_shape " + shape_text(wanted) + " is smaller than the result's shape " + shape_text(known));
    const value_id none = cx.list(std::vector<i64>(n + 2, 0));
    y = cx.make(op::pad{}, {y, cx.concat({none, cx.sub(cx.in(2), shape)}, 0)});
  }
  cx.out(y);
}

}  // namespace handlers

std::span<const registered_operator> families::conv_pool() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"AveragePool", average_pool, "", 1, 1, 1, "auto_pad:s kernel_shape:is! pads:is strides:is", "f"},
      {"AveragePool", average_pool, "", 7, 1, 1, "auto_pad:s count_include_pad:i kernel_shape:is! pads:is strides:is",
       "f"},
      {"AveragePool", average_pool, "", 10, 1, 1,
       "auto_pad:s ceil_mode:i count_include_pad:i kernel_shape:is! pads:is strides:is", "f"},
      {"AveragePool", average_pool, "", 19, 1, 1,
       "auto_pad:s ceil_mode:i count_include_pad:i dilations:is kernel_shape:is! pads:is strides:is", "f"},
      {"Conv", conv, "", 1, {2, 3}, 1, "auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is", "f"},
      {"ConvTranspose",
       conv_transpose,
       "",
       1,
       {2, 3},
       1,
       "auto_pad:s dilations:is group:i kernel_shape:is output_padding:is output_shape:is pads:is strides:is",
       "f"},
      {"DeformConv",
       deform_conv,
       "",
       19,
       {3, 5},
       1,
       "dilations:is group:i kernel_shape:is offset_group:i pads:is strides:is",
       "f"},
      {"GlobalAveragePool", global_average_pool, "", 1, 1, 1, "", "f"},
      {"GlobalLpPool", global_lp_pool, "", 1, 1, 1, "p:f", "f"},
      {"GlobalLpPool", global_lp_pool, "", 2, 1, 1, "p:i", "f"},
      {"GlobalMaxPool", global_max_pool, "", 1, 1, 1, "", "f"},
      {"LpPool", lp_pool, "", 1, 1, 1, "auto_pad:s kernel_shape:is p:f pads:is strides:is", "f"},
      {"LpPool", lp_pool, "", 2, 1, 1, "auto_pad:s kernel_shape:is! p:i pads:is strides:is", "f"},
      {"LpPool", lp_pool, "", 18, 1, 1, "auto_pad:s ceil_mode:i dilations:is kernel_shape:is! p:i pads:is strides:is",
       "f"},
      {"MaxPool", max_pool, "", 1, 1, 1, "auto_pad:s kernel_shape:is! pads:is strides:is", "fi"},
      {"MaxPool", max_pool, "", 8, 1, {1, 2}, "auto_pad:s kernel_shape:is! pads:is storage_order:i strides:is", "fi"},
      {"MaxPool",
       max_pool,
       "",
       10,
       1,
       {1, 2},
       "auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is storage_order:i strides:is",
       "fi"},
      {"MaxUnpool", max_unpool, "", 9, {2, 3}, 1, "kernel_shape:is! pads:is strides:is", "f i"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
