/// @file microsoft_tensors: com.microsoft's operators that move, find and sample elements.
#pragma once

#include <limits>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/image.ipp>
#include <tenon/importers/onnx/families/indexing.ipp>
#include <tenon/importers/onnx/families/matmul.ipp>
#include <tenon/importers/onnx/families/movement.ipp>

namespace tenon::importers::onnx {
namespace handlers {

/// Pads are a list, or its only row.
inline void microsoft_pad(import_context& cx, const node&) { pad_by_inputs(cx, cx.reshape(cx.in_whole(1), {-1})); }

/// Windows of `size` elements along a dimension, each `step` behind the one before; their elements come last.
inline void unfold_tensor(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const i64 axis = cx.axis(cx.i("dim", -1), cx.rank(x)), size = cx.i("size"), step = cx.i("step", 1);
  if (size < 1 || step < 1) cx.bad("size and step must be positive");
  const ir::dim extent = cx.dim(x, static_cast<int>(axis));
  if (!cx.require_at_least(extent, size)) cx.bad("a window is larger than the dimension");
  const auto number = [&](i64 n) { return cx.scalar(dtype::i64, static_cast<double>(n)); };
  const value_id last = cx.sub(cx.count(x, {axis}, dtype::i64), number(size - 1));  // behind the last first element
  const value_id first = cx.make(op::range{}, {number(0), last, number(step)});
  const value_id within = cx.make(op::range{}, {number(0), number(size), number(1)});
  const value_id windows = cx.gather(x, cx.add(cx.unsqueeze(first, {1}), within), axis);
  std::vector<i64> order;
  for (i64 d = 0; d < cx.rank(windows); ++d)
    if (d != axis + 1) order.push_back(d);
  order.push_back(axis + 1);
  cx.out(cx.transpose(windows, order));
}

/// Elements in the order in which they first come; where each input element is among them; and how many there are.
inline void microsoft_unique(import_context& cx, const node&) {
  const import_context::values all = cx.make_all(op::unique{.axis = 0, .flatten = true, .sorted = false}, {cx.in(0)});
  cx.out(0, all[0]);
  cx.out(1, all[2]);
  cx.out(2, all[3]);
}

/// Whether no element of any input is infinite or NaN, or one of the two.
inline void is_all_finite(import_context& cx, const node&) {
  const bool infinities = cx.i("isnan_only", 0) == 0, nans = cx.i("isinf_only", 0) == 0;
  if (!infinities && !nans) cx.bad("isinf_only and isnan_only exclude each other");
  value_id found = cx.scalar(dtype::i64, 0);
  const auto count = [&](value_id which) {
    std::vector<i64> all;
    for (i64 d = 0; d < cx.rank(which); ++d) all.push_back(d);
    found = cx.add(found, cx.reduce_sum(cx.cast(which, dtype::i64), all, false));
  };
  for (int k = 0; k < cx.input_count(); ++k) {
    if (infinities) count(cx.make(op::is_inf{}, {cx.in(k)}));
    if (nans) count(cx.make(op::is_nan{}, {cx.in(k)}));
  }
  cx.out(cx.equal(found, cx.like(found, 0)));
}

/// A token has no chance, -infinity, where it and the tokens before it would be `ngram_size` that came before.
inline void ngram_repeat_block(import_context& cx, const node&) {
  const value_id tokens = cx.cast(cx.in(0), dtype::i64), scores = cx.in(1);
  const i64 n = cx.i("ngram_size");
  if (n < 1) cx.bad("ngram_size is " + std::to_string(n));
  if (cx.rank(tokens) != 2 || cx.rank(scores) != 2) cx.bad("tokens and scores of two dimensions are needed");
  const auto number = [&](i64 k) { return cx.scalar(dtype::i64, static_cast<double>(k)); };
  const auto counted = [&](value_id end) { return cx.make(op::range{}, {number(0), end, number(1)}); };
  const value_id length = cx.count(tokens, {1}, dtype::i64), within = counted(number(n));
  const value_id starts = cx.unsqueeze(counted(cx.sub(length, number(n - 1))), {1});
  const value_id before = cx.gather(tokens, cx.add(starts, within), 1);  // [batch, places, n]
  // Of fewer tokens there is no place to compare with, whatever is taken here.
  const value_id at = cx.maximum(cx.add(cx.sub(length, number(n - 1)), counted(number(n - 1))), 0.);
  const value_id last = cx.unsqueeze(cx.gather(tokens, at, 1), {1});
  const value_id same = cx.equal(cx.slice(before, 2, 0, n - 1), last);
  const value_id others = cx.reduce_sum(cx.cast(cx.make(op::logical_not{}, {same}), dtype::i64), {2});
  const value_id repeats = cx.equal(others, cx.like(others, 0));  // [batch, places, 1]
  const value_id next = cx.equal(cx.slice(before, 2, n - 1, n), counted(cx.count(scores, {1}, dtype::i64)));
  const value_id times = cx.reduce_sum(cx.cast(cx.make(op::logical_and{}, {repeats, next}), dtype::i64), {1}, false);
  const value_id never = cx.like(scores, -std::numeric_limits<double>::infinity());
  cx.out(cx.where(cx.greater(times, cx.like(times, 0)), never, scores));
}

/// Of each element's bytes: as it is, or as the i32 of the same bits.
inline void murmur_hash(import_context& cx, const node&) {
  const value_id hash = cx.make(op::murmur_hash{.seed = cx.i("seed", 0)}, {cx.in(0)});
  cx.out(cx.i("positive", 1) != 0 ? hash : cx.make(op::bit_cast{.to = dtype::i32}, {hash}));
}

inline void matmul_integer_16(import_context& cx, const node&) {
  cx.out(cx.matmul(cx.cast(cx.in(0), dtype::i32), cx.cast(cx.in(1), dtype::i32)));
}

/// Regions [y1, x1, y2, x2] of images, whose height and width count as 1, each sampled at the same number of points
/// from edge to edge (in the middle, where it is one). A point outside of the image has a value of its own.
inline void crop_and_resize(import_context& cx, const node&) {
  const value_id x = cx.in(0), rois = cx.cast(cx.in(1), compute_type(cx.elem(x)));
  const std::vector<i64> size = cx.in_integers(3);
  if (cx.rank(x) != 4 || size.size() != 2 || size[0] < 1 || size[1] < 1)
    cx.bad("an image of 4 dimensions and two sizes are needed");
  cx.require_shape(1, {-1, 4});
  cx.require_room(dtype::f32, size);
  const std::string mode = cx.s("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest") cx.bad("mode is '" + mode + "'");
  value_id outside{};
  const auto along = [&](i64 d) {  // 0: rows, 1: columns; [regions, points], from -1 to 1 across the image
    const i64 points = size[static_cast<size_t>(d)];
    const value_id from = cx.slice(rois, 1, d, d + 1), to = cx.slice(rois, 1, d + 2, d + 3);
    const value_id last = cx.add(cx.count(x, {d + 2}, cx.elem(rois)), -1.);
    value_id place = cx.mul(cx.mul(cx.add(from, to), 0.5), last);
    if (points > 1) {
      tensor numbers = cx.blank(cx.elem(rois), {points});
      for (i64 k = 0; k < points; ++k) numbers.set_f64(k, static_cast<double>(k));
      const value_id apart = cx.div(cx.mul(cx.sub(to, from), last), cx.like(last, static_cast<double>(points - 1)));
      place = cx.add(cx.mul(from, last), cx.mul(apart, cx.constant(numbers)));
    }
    const value_id out = cx.make(op::logical_or{}, {cx.less(place, cx.like(place, 0)), cx.greater(place, last)});
    const value_id apart = cx.unsqueeze(out, d == 0 ? std::vector<i64>{1, 3} : std::vector<i64>{1, 2});
    outside = outside ? cx.make(op::logical_or{}, {outside, apart}) : apart;
    if (mode == "nearest") place = cx.make(op::floor{}, {cx.add(place, 0.5)});
    return cx.add(cx.div(cx.mul(place, 2.), cx.maximum(last, 1.)), -1.);
  };
  const value_id rows = cx.unsqueeze(along(0), {2}), columns = cx.unsqueeze(along(1), {1});
  const value_id none = cx.mul(cx.add(rows, columns), 0.);
  const value_id grid = cx.concat({cx.unsqueeze(cx.add(columns, none), {3}), cx.unsqueeze(cx.add(rows, none), {3})}, 3);
  op::grid_sample g;
  g.mode = mode == "nearest" ? op::interpolation::nearest : op::interpolation::linear;
  g.padding = op::sample_padding::border;
  g.align_corners = true;
  const value_id images = cx.gather(x, cx.cast(cx.in(2), dtype::i64), 0);
  const value_id y = cx.make(g, {images, cx.cast(grid, cx.elem(x))});
  cx.out(cx.where(outside, cx.like(y, double{cx.f("extrapolation_value", 0.f)}), y));
}

}  // namespace handlers

}  // namespace tenon::importers::onnx
