/// @file image: ONNX operators that sample images, or put them together.
#pragma once

#include <algorithm>
#include <numeric>

#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/families/quantize.ipp>
#include <tenon/ops/graph/resize.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// The number of a name in a list of names.
template <class E, size_t N>
E named(import_context& cx, const char* attribute, const std::string& name,
        const std::array<std::string_view, N>& names) {
  for (size_t k = 0; k < N; ++k)
    if (names[k] == name) return static_cast<E>(k);
  cx.bad(std::string(attribute) + " is '" + name + "'");
}

/// The length of a list that an input gives; 0: it is left out.
inline ir::dim length_of(import_context& cx, int i) {
  if (!cx.has(i)) return 0;
  const ir::type& t = cx.type_of(cx.in(i));
  return t.is_tensor() && t.ranked && t.rank() == 1 ? t.shape[0] : ir::dim::unknown();
}
/// Of two lists the one that has elements, where the other one is left out or empty. What is empty only when the
/// program runs is a condition.
inline int one_of(import_context& cx, int a, int b, const char* names) {
  const ir::dim length_a = length_of(cx, a), length_b = length_of(cx, b);
  const auto given = [](ir::dim d) { return d.is_static() && d.extent() > 0; };
  if (length_a == ir::dim(0) && length_b != ir::dim(0)) return b;
  if (length_b == ir::dim(0) && length_a != ir::dim(0)) return a;
  if (given(length_a) == given(length_b)) {
    if (length_a.is_static()) cx.bad("one of " + std::string(names) + " must be given");
    cx.unknown("onnx.needs_constant", "which one of " + std::string(names) + " is empty is not known",
               "give the shapes of the model's inputs in the import options, or leave one of the two out");
  }
  const ir::dim other = given(length_a) ? length_b : length_a;
  if (!cx.require_equal(other, 0)) cx.bad("only one of " + std::string(names) + " may be given");
  return given(length_a) ? a : b;
}

/// Before operator set 11: samples at i / scale.
inline op::resize old_resize(import_context& cx) {
  op::resize r;
  const std::string mode = cx.s("mode", "nearest");
  r.mode = named<op::interpolation>(cx, "mode", mode == "bilinear" ? "linear" : mode, op::interpolation_names);
  r.coordinates = op::coordinate_mode::asymmetric;
  r.nearest = op::nearest_mode::floor;
  return r;
}

/// The nearest element was left open by Resize 10: as ONNX Runtime has it, the next one up where a dimension shrinks,
/// and the next one down where it grows.
inline void resize_10(import_context& cx) {
  op::resize grow = old_resize(cx);
  const value_id x = cx.in(0);
  const tensor* const scales = cx.constant_of(cx.in(1));
  if (!scales || grow.mode != op::interpolation::nearest) return cx.out(cx.make(grow, {x, value_id{}, cx.in(1)}));
  op::resize shrink = grow;
  shrink.nearest = op::nearest_mode::ceil;
  bool shrinks = false;
  for (i64 d = 0; d < scales->size(); ++d) {
    const double s = scales->at_f64(d);
    shrink.scales.push_back(std::min(s, 1.));
    grow.scales.push_back(std::max(s, 1.));
    shrinks = shrinks || s < 1;
  }
  cx.out(cx.make(grow, {shrinks ? cx.make(shrink, {x}) : x}));
}

/// Halves are rounded away from 0.
inline value_id rounded_to(import_context& cx, value_id y, dtype t) {
  const value_id half = cx.like(y, 0.5), up = cx.make(op::floor{}, {cx.add(y, half)}),
                 down = cx.make(op::ceil{}, {cx.sub(y, half)});
  const auto [low, high] = integer_range(cx, t);
  return cx.minimum(cx.maximum(cx.where(cx.less(y, cx.like(y, 0)), down, up), low), high);
}
/// Integers under a filter that is cubic or stretched are rounded and saturate after each axis, the last one first, as
/// in ONNX Runtime and in libraries for images; sums of two neighbours are truncated as casts are.
inline value_id resized_integers(import_context& cx, const op::resize& r, const import_context::values& operands) {
  const value_id x = operands[0];
  const dtype t = cx.elem(x);
  const value_id wide = cx.cast(x, size_of(t) < 4 ? dtype::f32 : dtype::f64);
  std::vector<i64> axes = cx.axes(r.axes, cx.rank(x));
  for (i64 d = 0; r.axes.empty() && d < cx.rank(x); ++d) axes.push_back(d);
  const bool by_scale = static_cast<bool>(operands[2]);
  const value_id numbers = operands[by_scale ? 2 : 3];
  std::vector<double> known;  // the constant may move while ops are written
  if (const tensor* const c = cx.constant_of(numbers))
    for (i64 k = 0; k < c->size(); ++k) known.push_back(c->at_f64(k));
  if (r.keep_aspect_ratio != op::aspect_policy::stretch || operands[1] ||
      (!known.empty() && known.size() != axes.size()))
    return cx.cast(rounded_to(cx, cx.make(r, {wide, operands[1], operands[2], operands[3]}), t), t);

  std::vector<size_t> order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return axes[a] > axes[b]; });
  value_id y = wide;
  for (const size_t k : order) {
    const ir::dim extent = cx.dim(x, static_cast<int>(axes[k]));
    const double same = by_scale ? 1 : extent.is_static() ? static_cast<double>(extent.extent()) : -1;
    if (!known.empty() && known[k] == same) continue;
    op::resize one = r;
    one.axes = {axes[k]};
    const value_id number = cx.slice(numbers, 0, static_cast<i64>(k), static_cast<i64>(k) + 1);
    y = rounded_to(cx, cx.make(one, {y, {}, by_scale ? number : value_id{}, by_scale ? value_id{} : number}), t);
  }
  return cx.cast(y, t);
}

inline void resize(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  if (cx.opset() < 11) return resize_10(cx);
  op::resize r;
  r.mode = named<op::interpolation>(cx, "mode", cx.s("mode", "nearest"), op::interpolation_names);
  r.coordinates =
      named<op::coordinate_mode>(cx, "coordinate_transformation_mode",
                                 cx.s("coordinate_transformation_mode", "half_pixel"), op::coordinate_mode_names);
  r.nearest =
      named<op::nearest_mode>(cx, "nearest_mode", cx.s("nearest_mode", "round_prefer_floor"), op::nearest_mode_names);
  r.keep_aspect_ratio = named<op::aspect_policy>(cx, "keep_aspect_ratio_policy",
                                                 cx.s("keep_aspect_ratio_policy", "stretch"), op::aspect_policy_names);
  r.axes = cx.integers("axes");
  r.antialias = cx.i("antialias", 0) != 0;
  r.exclude_outside = cx.i("exclude_outside", 0) != 0;
  r.cubic_coeff_a = cx.f("cubic_coeff_a", -0.75f);
  r.extrapolation_value = cx.f("extrapolation_value", 0.f);
  const bool crops = r.coordinates == op::coordinate_mode::tf_crop_and_resize;
  const value_id roi = crops && length_of(cx, 1) != ir::dim(0) ? cx.in(1) : value_id{};
  const bool scaled = one_of(cx, 2, 3, "scales and sizes") == 2;
  const import_context::values operands{x, roi, scaled ? cx.in(2) : value_id{}, scaled ? value_id{} : cx.in_whole(3)};
  const bool filters = r.mode == op::interpolation::cubic || (r.mode == op::interpolation::linear && r.antialias);
  const bool integers = is_int(cx.elem(x)) && size_of(cx.elem(x)) <= 4;
  cx.out(filters && integers ? resized_integers(cx, r, operands) : cx.make(r, operands));
}

/// Scales are an attribute up to operator set 8 (two numbers in set 1), and an input in 9.
inline void upsample(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  op::resize r = old_resize(cx);
  if (cx.opset() >= 9) return cx.out(cx.make(r, {x, value_id{}, cx.in(1)}));
  for (const float s : cx.floats("scales")) r.scales.push_back(s);
  if (r.scales.empty()) r.scales = {1, 1, cx.f("height_scale"), cx.f("width_scale")};
  cx.out(cx.make(r, {x}));
}

/// Modes were named after their form in two dimensions before operator set 20.
inline void grid_sample(import_context& cx, const node&) {
  std::string mode = cx.s("mode", "linear");
  if (mode == "bilinear" || mode == "bicubic") mode.erase(0, 2);
  op::grid_sample g;
  g.mode = named<op::interpolation>(cx, "mode", mode, op::interpolation_names);
  g.padding = named<op::sample_padding>(cx, "padding_mode", cx.s("padding_mode", "zeros"), op::sample_padding_names);
  g.align_corners = cx.i("align_corners", 0) != 0;
  cx.out(cx.make(g, {cx.in(0), cx.in(1)}));
}

inline void affine_grid(import_context& cx, const node&) {
  op::affine_grid g;
  g.align_corners = cx.i("align_corners", 0) != 0;
  cx.out(cx.make(g, {cx.in(0), cx.in(1)}));
}

/// Regions were aligned to the pixels' corners before operator set 16.
inline void roi_align(import_context& cx, const node&) {
  op::roi_align r;
  r.mode = named<op::roi_mode>(cx, "mode", cx.s("mode", "avg"), op::roi_mode_names);
  r.output_height = cx.i("output_height", 1);
  r.output_width = cx.i("output_width", 1);
  r.sampling_ratio = cx.i("sampling_ratio", 0);
  r.spatial_scale = cx.f("spatial_scale", 1.f);
  const std::string mode = cx.s("coordinate_transformation_mode", cx.opset() < 16 ? "output_half_pixel" : "half_pixel");
  if (mode != "half_pixel" && mode != "output_half_pixel") cx.bad("coordinate_transformation_mode is '" + mode + "'");
  r.half_pixel = mode == "half_pixel";
  cx.out(cx.make(r, {cx.in(0), cx.in(1), cx.in(2)}));
}

inline void col2im(import_context& cx, const node&) {
  const std::vector<i64> image = cx.in_integers(1), block = cx.in_integers(2);
  cx.out(cx.make(op::col2im{.image_shape = image,
                            .block_shape = block,
                            .dilations = cx.integers("dilations"),
                            .pads = cx.integers("pads"),
                            .strides = cx.integers("strides")},
                 {cx.in(0)}));
}

/// The largest element in each bin of a region. Bins are found in f32; their edges are rounded outward, and a bin
/// without elements gives 0.
inline void max_roi_pool(import_context& cx, const node&) {
  const value_id x = cx.in(0), rois = cx.cast(cx.in(1), dtype::f32);
  const std::vector<i64> bins = cx.integers("pooled_shape");
  if (bins.size() != 2 || cx.rank(x) != 4 || bins[0] < 1 || bins[1] < 1)
    cx.bad("an image of 4 dimensions and two numbers of bins are needed");
  const double scale = cx.f("spatial_scale", 1.f), infinity = std::numeric_limits<double>::infinity();
  const auto column = [&](i64 k) { return cx.slice(rois, 1, k, k + 1); };  // [rois, 1]
  const auto whole = [&](i64 k) { return cx.make(op::floor{}, {cx.add(cx.mul(column(k), scale), 0.5)}); };
  const auto numbers = [&](i64 n) {
    tensor t = cx.blank(dtype::f32, {n});
    for (i64 i = 0; i < n; ++i) t.set_i64(i, i);
    return cx.constant(t);
  };
  value_id y = cx.gather(x, cx.cast(cx.squeeze(column(0), {1}), dtype::i64), 0);
  const value_id lowest = cx.like(x, -infinity);
  for (const int d : {0, 1}) {  // rows, then columns
    const value_id extent = cx.squeeze(cx.slice(cx.shape_of(x), 0, 2 + d, 3 + d), {0});
    const value_id first = whole(2 - d), last = whole(4 - d);
    const value_id size = cx.maximum(cx.add(cx.sub(last, first), 1.), 1.);
    const value_id bin = numbers(bins[static_cast<size_t>(d)]);
    const value_id width = cx.div(size, cx.like(size, static_cast<double>(bins[static_cast<size_t>(d)])));
    const value_id low = cx.add(cx.make(op::floor{}, {cx.mul(bin, width)}), first);
    const value_id high = cx.add(cx.make(op::ceil{}, {cx.mul(cx.add(bin, 1.), width)}), first);
    const value_id at =
        cx.cast(cx.make(op::range{}, {cx.scalar(dtype::i64, 0), extent, cx.scalar(dtype::i64, 1)}), dtype::f32);
    const value_id inside = cx.make(op::logical_and{}, {cx.make(op::greater_equal{}, {at, cx.unsqueeze(low, {2})}),
                                                        cx.less(at, cx.unsqueeze(high, {2}))});  // [rois, bins, extent]
    const std::vector<i64> around = d == 0 ? std::vector<i64>{1, 4} : std::vector<i64>{1, 2};
    y = cx.reduce_max(cx.where(cx.unsqueeze(inside, around), cx.unsqueeze(y, {2 + d}), lowest), {3 + d}, false);
  }
  cx.out(cx.where(cx.equal(y, lowest), cx.like(y, 0), y));
}

inline void image_decoder(import_context& cx, const node&) {
  const std::string format = cx.s("pixel_format", "RGB");
  op::decode_image decode;
  if (format == "BGR") decode.pixels = op::pixel_format::bgr;
  else if (format == "Grayscale") decode.pixels = op::pixel_format::grayscale;
  else if (format != "RGB") cx.bad("pixel_format is '" + format + "'");
  cx.out(cx.make(decode, {cx.in(0)}));
}

}  // namespace handlers

std::span<const registered_operator> families::image() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"AffineGrid", affine_grid, "", 20, 2, 1, "align_corners:i", "f i"},
      {"Col2Im", col2im, "", 18, 3, 1, "dilations:is pads:is strides:is", "* i i"},
      {"GridSample", grid_sample, "", 16, 2, 1, "align_corners:i mode:s padding_mode:s", "* f"},
      {"ImageDecoder", image_decoder, "", 20, 1, 1, "pixel_format:s", "i"},
      {"MaxRoiPool", max_roi_pool, "", 1, 2, 1, "pooled_shape:is! spatial_scale:f", "f"},
      {"Resize", resize, "", 10, 2, 1, "mode:s", "* f f i"},
      {"Resize",
       resize,
       "",
       11,
       {3, 4},
       1,
       "coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f mode:s "
       "nearest_mode:s",
       "* f f i"},
      {"Resize",
       resize,
       "",
       13,
       {1, 4},
       1,
       "coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f mode:s "
       "nearest_mode:s",
       "* f f i"},
      {"Resize",
       resize,
       "",
       18,
       {1, 4},
       1,
       "antialias:i axes:is coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f "
       "keep_aspect_ratio_policy:s mode:s nearest_mode:s",
       "* f f i"},
      {"RoiAlign", roi_align, "", 10, 3, 1, "mode:s output_height:i output_width:i sampling_ratio:i spatial_scale:f",
       "f f i"},
      {"RoiAlign", roi_align, "", 16, 3, 1,
       "coordinate_transformation_mode:s mode:s output_height:i output_width:i sampling_ratio:i spatial_scale:f",
       "f f i"},
      {"Upsample", upsample, "", 1, 1, 1, "height_scale:f! mode:s width_scale:f!", "* f"},
      {"Upsample", upsample, "", 7, 1, 1, "mode:s scales:fs!", "* f"},
      {"Upsample", upsample, "", 9, 2, 1, "mode:s", "* f"},
      {"Upsample", nullptr, "", 10},
  };
  return table;
}

}  // namespace tenon::importers::onnx
