/// @file shape: ONNX operators that read or change shapes only, and those that make constants.
#pragma once

#include <algorithm>

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline void constant(import_context& cx, const node& n) {
  if (cx.has_attribute("value")) return cx.out(cx.constant(to_tensor(cx.t("value"))));
  if (cx.has_attribute("value_float")) return cx.out(cx.constant(tensor::scalar(cx.f("value_float"))));
  if (cx.has_attribute("value_int")) return cx.out(cx.constant(tensor::scalar(cx.i("value_int"))));
  if (cx.has_attribute("value_ints")) return cx.out(cx.list(cx.integers("value_ints")));
  if (cx.has_attribute("value_floats")) {
    const std::vector<float> v = cx.floats("value_floats");
    return cx.out(cx.constant(tensor::from<float>({static_cast<i64>(v.size())}, std::span<const float>(v))));
  }
  if (cx.has_attribute("value_string")) return cx.out(cx.constant(string_tensor({}, {cx.s("value_string")})));
  if (cx.has_attribute("value_strings")) {
    const std::vector<std::string> v = cx.strings("value_strings");
    return cx.out(cx.constant(string_tensor({static_cast<i64>(v.size())}, std::span<const std::string>(v))));
  }
  if (const attribute* const a = cx.find("sparse_value"))
    if (!a->sparse_tensors.empty()) return cx.out(cx.constant(cx.dense(a->sparse_tensors.front())));
  cx.unsupported("a Constant with the attribute '" + (n.attributes.empty() ? "" : n.attributes.front().name) + "'");
}

inline void constant_of_shape(import_context& cx, const node&) {
  tensor value(dtype::f32, {1});
  if (cx.has_attribute("value")) value = to_tensor(cx.t("value"));
  if (value.size() != 1) cx.bad("the value must be one element, not " + value.describe());
  cx.out(cx.make(op::constant_of_shape{}, {cx.constant(value), cx.in_whole(0)}));
}

inline void shape(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  if (!cx.has_attribute("start") && !cx.has_attribute("end")) return cx.out(cx.shape_of(x));
  if (!cx.has_rank(x))
    return cx.out(cx.make(op::shape_of{.start = cx.i("start", 0), .end = cx.i("end", INT64_MAX)}, {x}));
  const i64 rank = cx.rank(x);
  const auto clamp = [&](i64 a) { return std::clamp<i64>(a < 0 ? a + rank : a, 0, rank); };
  const i64 start = clamp(cx.i("start", 0)), end = std::max(start, clamp(cx.i("end", rank)));
  std::vector<i64> extents;
  for (i64 d = start; d < end; ++d) {
    const ir::dim e = cx.dim(x, static_cast<int>(d));
    if (!e.is_static()) return cx.out(cx.make(op::shape_of{.start = start, .end = end}, {x}));
    extents.push_back(e.extent());
  }
  cx.out(cx.list(extents));
}

inline void size(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  if (cx.has_rank(x) && cx.type_of(x).is_static())
    return cx.out(cx.constant(tensor::scalar<i64>(cx.type_of(x).count())));
  cx.out(cx.make(op::count_of{}, {x}));
}

/// Before operator set 5 the shape was an attribute. 0 keeps the extent at its place unless `allowzero`.
inline void reshape(import_context& cx, const node&) {
  const value_id x = cx.in(0), to = cx.opset() < 5 ? cx.list(cx.integers("shape")) : cx.in(1);
  op::reshape r;
  r.allow_zero = cx.i("allowzero", 0) != 0;
  cx.out(cx.make(r, {x, to}));
}

inline void flatten(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const int rank = cx.rank(x);
  const i64 axis = cx.i("axis", 1);
  if (axis < -rank || axis > rank)
    cx.bad("axis " + std::to_string(axis) + " of " + std::to_string(rank) + " dimensions");
  cx.out(cx.flatten(x, axis < 0 ? axis + rank : axis));
}

/// Squeeze and Unsqueeze take their axes from an input since operator set 13.
inline bool read_axes(import_context& cx, std::vector<i64>& axes) {
  if (cx.opset() >= 13) {
    if (!cx.has(1)) return false;
    axes = cx.in_integers(1);
    return true;
  }
  axes = cx.integers("axes");
  return cx.has_attribute("axes");
}

inline void squeeze(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  std::vector<i64> axes;
  if (!read_axes(cx, axes)) {
    for (int d = 0; d < cx.rank(x); ++d) {
      const ir::dim e = cx.dim(x, d);
      if (!e.is_static())
        cx.unknown("onnx.needs_constant", "Squeeze without axes of dimensions that are not known",
                   "give the shapes of the model's inputs in the import options");
      if (e.extent() == 1) axes.push_back(d);
    }
  }
  cx.out(cx.squeeze(x, axes));
}

inline void unsqueeze(import_context& cx, const node&) {
  std::vector<i64> axes;
  if (!read_axes(cx, axes)) cx.bad("there are no axes");
  cx.out(cx.unsqueeze(cx.in(0), axes));
}

inline void expand(import_context& cx, const node&) { cx.out(cx.expand(cx.in(0), cx.in_whole(1))); }

inline void range(import_context& cx, const node&) {
  // Old exporters give numbers of shape [1].
  const auto number = [&](int i) {
    const value_id v = cx.in(i);
    return cx.has_rank(v) && cx.rank(v) == 1 ? cx.squeeze(v, {0}) : v;
  };
  cx.out(cx.make(op::range{}, {number(0), number(1), number(2)}));
}

}  // namespace handlers

std::span<const registered_operator> families::shape() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Constant", handlers::constant, "", 1, 0, 1, "value:t!"},
      {"Constant", handlers::constant, "", 11, 0, 1, "sparse_value:sp value:t"},
      {"Constant", handlers::constant, "", 12, 0, 1,
       "sparse_value:sp value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s "
       "value_strings:ss"},
      {"ConstantOfShape", constant_of_shape, "", 9, 1, 1, "value:t", "i"},
      {"Expand", expand, "", 8, 2, 1, "", "* i"},
      {"Flatten", flatten, "", 1, 1, 1, "axis:i", "*"},
      {"Range", range, "", 11, 3, 1, "", "fi"},
      {"Reshape", reshape, "", 1, 1, 1, "consumed_inputs:is shape:is", "* i"},
      {"Reshape", reshape, "", 5, 2, 1, "", "* i"},
      {"Reshape", reshape, "", 14, 2, 1, "allowzero:i", "* i"},
      {"Shape", handlers::shape, "", 1, 1, 1, "", "*"},
      {"Shape", handlers::shape, "", 15, 1, 1, "end:i start:i", "*"},
      {"Size", size, "", 1, 1, 1, "", "*"},
      {"Squeeze", squeeze, "", 1, 1, 1, "axes:is", "* i"},
      {"Squeeze", squeeze, "", 13, {1, 2}, 1, "", "* i"},
      {"Unsqueeze", unsqueeze, "", 1, 1, 1, "axes:is!", "* i"},
      {"Unsqueeze", unsqueeze, "", 13, 2, 1, "", "* i"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
