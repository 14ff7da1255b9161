/// @file movement: ONNX operators that move elements: transpose, concat, split, slice, pad, tile, depth and space.
#pragma once

#include <algorithm>
#include <numeric>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline void transpose(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  std::vector<i64> permutation = cx.integers("perm");
  if (permutation.empty() && cx.has_rank(x)) {
    permutation.resize(static_cast<size_t>(cx.rank(x)));
    std::iota(permutation.rbegin(), permutation.rend(), 0);
  }
  cx.out(cx.transpose(x, permutation));
}

inline void concat(import_context& cx, const node&) {
  const import_context::values parts = cx.all_ins();
  const i64 axis = cx.opset() < 4 ? cx.i("axis", 1) : cx.i("axis");
  cx.out(cx.concat(parts, cx.has_rank(parts.front()) ? cx.axis(axis, cx.rank(parts.front())) : axis));
}

/// The extent of a dimension as a list of one integer.
inline value_id length_of(import_context& cx, value_id x, i64 axis) {
  return cx.slice(cx.shape_of(x), 0, axis, axis + 1);
}
/// Reshapes to extents that may be computed, each a list of one integer.
inline value_id reshape_to(import_context& cx, value_id v, const import_context::values& extents) {
  return cx.make(op::reshape{.shape = {}, .allow_zero = true}, {v, cx.concat(extents, 0)});
}

/// A dimension whose extent is not a number, in equal parts, of which the last one may be smaller.
inline void split_evenly(import_context& cx, value_id x, i64 axis, i64 parts) {
  const value_id each = cx.div(cx.add(length_of(cx, x, axis), cx.list({parts - 1})), cx.list({parts}));
  for (i64 k = 0; k < parts && k < cx.output_count(); ++k) {
    if (!cx.wants(static_cast<int>(k))) continue;
    const value_id end = k + 1 == parts ? cx.list({INT64_MAX}) : cx.mul(each, cx.list({k + 1}));
    cx.out(static_cast<int>(k), cx.make(op::slice{.starts = {}, .ends = {}, .axes = {axis}, .steps = {}},
                                        {x, cx.mul(each, cx.list({k})), end}));
  }
}

/// Sizes come from an attribute (operator sets 2 and 11), an input (1 and 13 on), or are equal parts.
inline void split(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const i64 axis = cx.axis(cx.i("axis", 0), cx.rank(x));
  std::vector<i64> sizes = cx.integers("split");
  if ((cx.opset() >= 13 || cx.opset() < 2) && cx.has(1)) sizes = cx.in_integers(1);
  const i64 parts = cx.output_count();
  if (const i64 wanted = cx.opset() >= 18 ? cx.i("num_outputs", parts) : parts; wanted != parts)
    cx.bad("num_outputs is " + std::to_string(wanted) + ", but the node has " + std::to_string(parts) + " outputs");
  const ir::dim extent = cx.dim(x, static_cast<int>(axis));
  if (sizes.empty()) {
    if (!extent.is_static()) return split_evenly(cx, x, axis, parts);
    // Since operator set 18 the last part may be smaller.
    const i64 each = (extent.extent() + parts - 1) / parts;
    for (i64 k = 0; k < parts; ++k) sizes.push_back(std::clamp<i64>(extent.extent() - k * each, 0, each));
  }
  if (static_cast<i64>(sizes.size()) < parts) cx.bad("there are more outputs than parts");
  i64 all = 0;
  for (const i64 size : sizes) {
    if (size < 0) cx.bad("a part of " + std::to_string(size) + " elements");
    all = checked_add(all, size);
  }
  if (!cx.require_equal(extent, all))
    cx.bad("the parts have " + std::to_string(all) + " elements, the dimension has " +
           ir::expression_of(cx.mod(), extent).text());
  i64 start = 0;
  for (int k = 0; k < parts; ++k) {
    const i64 size = sizes[static_cast<size_t>(k)];
    if (cx.wants(k)) cx.out(k, cx.slice(x, axis, start, start + size));
    start += size;
  }
}

/// Starts, ends and axes were attributes before operator set 10.
inline void slice(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  if (cx.opset() < 10)
    return cx.out(cx.make(
        op::slice{
            .starts = cx.integers("starts"), .ends = cx.integers("ends"), .axes = cx.integers("axes"), .steps = {}},
        {x}));
  cx.out(cx.make(op::slice{}, {x, cx.in_whole(1), cx.in_whole(2), cx.in_whole_or(3, {}), cx.in_whole_or(4, {})}));
}

/// An experiment of operator sets up to 9: data, starts, ends, axes.
inline void dynamic_slice(import_context& cx, const node&) {
  cx.out(cx.make(op::slice{}, {cx.in(0), cx.in_whole(1), cx.in_whole(2), cx.in_whole_or(3, {})}));
}

inline op::pad pad_of_mode(import_context& cx) {
  op::pad p;
  const std::string mode = cx.s("mode", "constant");
  if (mode == "reflect") p.mode = op::pad_mode::reflect;
  else if (mode == "edge") p.mode = op::pad_mode::edge;
  else if (mode == "wrap") p.mode = op::pad_mode::wrap;
  else if (mode != "constant") cx.bad("mode is '" + mode + "'");
  return p;
}
inline void pad_by_inputs(import_context& cx, value_id pads) {
  value_id fill = cx.in_or(2, {});
  if (fill && cx.has_rank(fill) && cx.rank(fill) > 0) fill = cx.reshape(fill, {});
  cx.out(cx.make(pad_of_mode(cx), {cx.in(0), pads, fill, cx.in_whole_or(3, {})}));
}
/// Pads were an attribute before operator set 11, and cover all dimensions unless `axes` (18) says which.
inline void pad(import_context& cx, const node&) {
  if (cx.opset() >= 11) return pad_by_inputs(cx, cx.in_whole(1));
  op::pad p = pad_of_mode(cx);
  const std::vector<i64> pads = cx.integers(cx.opset() < 2 ? "paddings" : "pads");
  if (pads.size() % 2 != 0) cx.bad("an odd number of pads");
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
  p.before.assign(pads.begin(), middle);
  p.after.assign(middle, pads.end());
  p.value = cx.f("value", 0.f);
  cx.out(cx.make(p, {cx.in(0)}));
}

/// Operator set 1 repeated one axis.
inline void tile(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  if (cx.opset() >= 6) return cx.out(cx.make(op::tile{}, {x, cx.in_whole(1)}));
  const std::vector<i64> times = cx.in_integers(1), axis = cx.in_integers(2);
  if (times.size() != 1 || axis.size() != 1 || times[0] < 0)
    cx.bad("tiles and axis must be one number each, tiles not negative");
  std::vector<i64> repeats(static_cast<size_t>(cx.rank(x)), 1);
  repeats[static_cast<size_t>(cx.axis(axis[0], cx.rank(x)))] = times[0];
  cx.out(cx.make(op::tile{.repeats = repeats}, {x}));
}

/// The extents of [N, C, H, W], each a list of one integer; the number of channels must be known.
struct image_shape {
  value_id batch, height, width;
  i64 channels;
};
inline image_shape image_of(import_context& cx, value_id x) {
  if (cx.rank(x) != 4) cx.bad("the input has " + std::to_string(cx.rank(x)) + " dimensions, not 4");
  if (!cx.dim(x, 1).is_static())
    cx.unknown("onnx.needs_constant", "the number of channels is not known",
               "give the shapes of the model's inputs in the import options");
  return {length_of(cx, x, 0), length_of(cx, x, 2), length_of(cx, x, 3), cx.dim(x, 1).extent()};
}

/// The side of a block; its square can be computed.
inline i64 block_side(import_context& cx) {
  const i64 b = cx.i("blocksize");
  if (b < 1 || b > INT32_MAX) cx.bad("blocksize is " + std::to_string(b));
  return b;
}

inline void depth_to_space(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const i64 b = block_side(cx);
  const auto [n, h, w, channels] = image_of(cx, x);
  if (channels % (b * b) != 0) cx.bad("the channels are no multiple of blocksize²");
  const std::string mode = cx.s("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") cx.bad("mode is '" + mode + "', not DCR or CRD");
  const bool crd = mode == "CRD";
  const value_id block = cx.list({b}), c = cx.list({channels / (b * b)});
  const value_id apart =
      crd ? reshape_to(cx, x, {n, c, block, block, h, w}) : reshape_to(cx, x, {n, block, block, c, h, w});
  const std::vector<i64> order = crd ? std::vector<i64>{0, 1, 4, 2, 5, 3} : std::vector<i64>{0, 3, 4, 1, 5, 2};
  cx.out(reshape_to(cx, cx.transpose(apart, order), {n, c, cx.mul(h, block), cx.mul(w, block)}));
}

inline void space_to_depth(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const i64 b = block_side(cx);
  const auto [n, h, w, channels] = image_of(cx, x);
  for (int d : {2, 3})
    if (!cx.require_multiple(cx.dim(x, d), b)) cx.bad("height and width are no multiples of the blocksize");
  const value_id block = cx.list({b}), rows = cx.div(h, block), columns = cx.div(w, block);
  const value_id apart = reshape_to(cx, x, {n, cx.list({channels}), rows, block, columns, block});
  cx.out(reshape_to(cx, cx.transpose(apart, {0, 3, 5, 1, 2, 4}),
                    {n, cx.list({checked_mul(channels, b * b)}), rows, columns}));
}

inline void trilu(import_context& cx, const node&) {
  cx.out(cx.make(op::trilu{.upper = cx.i("upper", 1) != 0}, {cx.in(0), cx.in_whole_or(1, {})}));
}

inline void eye_like(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  cx.out(cx.make(op::eye_like{.k = cx.i("k", 0), .type = cx.element_type("dtype", cx.elem(x))}, {x}));
}

inline void reverse_sequence(import_context& cx, const node&) {
  cx.out(cx.make(op::reverse_sequence{.batch_axis = cx.i("batch_axis", 1), .time_axis = cx.i("time_axis", 0)},
                 {cx.in(0), cx.in_whole(1)}));
}

/// Crops or pads with zeros around the center, along some axes; an odd one out comes off, or goes to, the end.
inline void center_crop_pad(import_context& cx, const node&) {
  value_id x = cx.in(0);
  value_id shape = cx.cast(cx.in_whole(1), dtype::i64);
  std::vector<i64> axes = cx.integers("axes");
  if (!cx.has_attribute("axes")) {
    axes.resize(static_cast<size_t>(cx.rank(x)));
    std::iota(axes.begin(), axes.end(), 0);
  }
  axes = cx.axes(axes, cx.rank(x));
  const i64 count = static_cast<i64>(axes.size());
  if (!cx.require_equal(cx.dim(shape, 0), count)) cx.bad("one size per axis is needed");
  shape = cx.reshape(shape, {count});
  const value_id zero = cx.list({0}), two = cx.list({2});
  const size_t rank = static_cast<size_t>(cx.rank(x));
  import_context::values pads(2 * rank, zero);
  for (size_t k = 0; k < axes.size(); ++k) {
    const value_id wanted = cx.slice(shape, 0, static_cast<i64>(k), static_cast<i64>(k) + 1),
                   extent = length_of(cx, x, axes[k]);
    const value_id missing = cx.maximum(cx.sub(wanted, extent), zero),
                   start = cx.div(cx.maximum(cx.sub(extent, wanted), zero), two);
    const value_id before = cx.div(missing, two);
    pads[static_cast<size_t>(axes[k])] = before;
    pads[rank + static_cast<size_t>(axes[k])] = cx.sub(missing, before);
    x = cx.make(op::slice{.starts = {}, .ends = {}, .axes = {axes[k]}, .steps = {}},
                {x, start, cx.add(start, cx.minimum(wanted, extent))});
  }
  cx.out(cx.make(op::pad{}, {x, cx.concat(pads, 0)}));
}

}  // namespace handlers

std::span<const registered_operator> families::movement() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"CenterCropPad", center_crop_pad, "", 18, 2, 1, "axes:is", "* i"},
      {"Concat", handlers::concat, "", 1, {1, arity::any}, 1, "axis:i", "*"},
      {"Concat", handlers::concat, "", 4, {1, arity::any}, 1, "axis:i!", "*"},
      {"DepthToSpace", depth_to_space, "", 1, 1, 1, "blocksize:i!", "*"},
      {"DepthToSpace", depth_to_space, "", 11, 1, 1, "blocksize:i! mode:s", "*"},
      {"DynamicSlice", dynamic_slice, "", 1, {3, 4}, 1, "", "* i"},
      {"EyeLike", eye_like, "", 9, 1, 1, "dtype:i k:i", "fib"},
      {"Pad", handlers::pad, "", 1, 1, 1, "mode:s paddings:is! value:f", "* i * i"},
      {"Pad", handlers::pad, "", 2, 1, 1, "mode:s pads:is! value:f", "* i * i"},
      {"Pad", handlers::pad, "", 11, {2, 3}, 1, "mode:s", "* i * i"},
      {"Pad", handlers::pad, "", 18, {2, 4}, 1, "mode:s", "* i * i"},
      {"ReverseSequence", reverse_sequence, "", 10, 2, 1, "batch_axis:i time_axis:i", "* i"},
      {"Slice", slice, "", 1, 1, 1, "axes:is ends:is! starts:is!", "* i"},
      {"Slice", slice, "", 10, {3, 5}, 1, "", "* i"},
      {"SpaceToDepth", space_to_depth, "", 1, 1, 1, "blocksize:i!", "*"},
      {"Split", split, "", 1, {1, 2}, {1, arity::any}, "axis:i split:is", "* i"},
      {"Split", split, "", 2, 1, {1, arity::any}, "axis:i split:is", "* i"},
      {"Split", split, "", 13, {1, 2}, {1, arity::any}, "axis:i", "* i"},
      {"Split", split, "", 18, {1, 2}, {1, arity::any}, "axis:i num_outputs:i", "* i"},
      {"Tile", tile, "", 1, 3, 1, "", "* fi f"},
      {"Tile", tile, "", 6, 2, 1, "", "* fi f"},
      {"Transpose", transpose, "", 1, 1, 1, "perm:is", "*"},
      {"Trilu", trilu, "", 14, {1, 2}, 1, "upper:i", "* i"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
