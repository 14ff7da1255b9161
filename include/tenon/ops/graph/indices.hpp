/// @file indices: the index arithmetic that type rules, evaluations and lowerings of data movement share.
///
/// A context is an infer_context, an eval_context or an element_context: `list_of` reads a list from the attribute, or
/// else from the operand if its value is known there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/checked.hpp>
#include <tenon/ir/type.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::op::movement_detail {

using extents = std::vector<i64>;

inline extents integers_of(const tensor& t) {
  extents r;
  for (i64 i = 0; i < t.size(); ++i) r.push_back(t.at_i64(i));
  return r;
}

/// The value of an operand where the context knows it, else null.
template <class Context> const tensor* value_of(const Context& cx, int i) {
  if constexpr (requires { cx.result_count(); }) return cx.has(i) ? &cx.operand(i) : nullptr;
  else return cx.has(i) ? cx.constant(i) : nullptr;
}

/// The attribute unless it is empty, else the operand's integers; nothing when those are not known yet.
template <class Context> std::optional<extents> list_of(const Context& cx, int i, const extents& attribute) {
  if (!attribute.empty() || !cx.has(i)) return attribute;
  const tensor* t = value_of(cx, i);
  if (t == nullptr) return std::nullopt;
  return integers_of(*t);
}

/// An axis in [-rank, rank) as a number in [0, rank), or -1 when it is out of range.
inline i64 wrapped_axis(i64 axis, size_t rank) {
  const i64 n = static_cast<i64>(rank);
  if (axis < -n || axis >= n) return -1;
  return axis < 0 ? axis + n : axis;
}

/// The different axes of a list as numbers in [0, rank); `fallback` axes from the first one when it is empty.
template <class Context> extents checked_axes(const Context& cx, const extents& axes, size_t fallback, size_t rank) {
  extents r;
  if (axes.empty())
    for (size_t d = 0; d < fallback; ++d) r.push_back(static_cast<i64>(d));
  for (i64 a : axes) r.push_back(wrapped_axis(a, rank));
  for (size_t i = 0; i < r.size(); ++i) {
    if (r[i] < 0 || r[i] >= static_cast<i64>(rank))
      cx.fail("axis " + std::to_string(axes.empty() ? r[i] : axes[i]) + " is outside of the " + std::to_string(rank) +
              " dimensions of the operand");
    for (size_t k = 0; k < i; ++k)
      if (r[k] == r[i]) cx.fail("axis " + std::to_string(r[i]) + " is given twice");
  }
  return r;
}

/// The element of n > 0 that an index which is data stands for: a negative one counts from the end, and one that is out
/// of range is the nearest element. See ops/graph/indexing.hpp.
inline i64 nearest_element(i64 index, i64 n) { return std::clamp<i64>(index < 0 ? index + n : index, 0, n - 1); }

/// Elements start, start + step, … of one dimension; `count` of them.
struct span_of_axis {
  i64 start = 0, step = 1, count = 0;
};
/// ONNX Slice: negative bounds count from the end, then all are clamped to what can be reached.
inline span_of_axis clamped_span(i64 extent, i64 start, i64 end, i64 step) {
  constexpr i64 most = i64{1} << 62;
  step = std::clamp(step, -most, most);
  if (start < 0) start += extent;
  if (end < 0) end += extent;
  start =
      step > 0 ? std::clamp<i64>(start, 0, extent) : std::clamp<i64>(start, std::min<i64>(0, extent - 1), extent - 1);
  end = step > 0 ? std::clamp<i64>(end, 0, extent) : std::clamp<i64>(end, -1, std::max<i64>(-1, extent - 1));
  i64 count = 0;
  if (step > 0 && end > start) count = (end - start - 1) / step + 1;
  if (step < 0 && start > end) count = (start - end - 1) / -step + 1;
  return {start, step, extent == 0 ? 0 : count};
}

/// floor(x) of what was computed in floating point as an extent: infinities, NaN and what no tensor can have are
/// refused.
template <class Context> i64 checked_extent(const Context& cx, double x, const char* what) {
  if (!(x >= 0 && x <= static_cast<double>(max_elements)))
    cx.fail(std::string(what) + " would have an extent of " + std::to_string(x));
  return static_cast<i64>(std::floor(x));
}

/// ceil((limit - start) / delta), at least 0; for any context that can `fail`.
template <class Context>
i64 range_count(const Context& cx, const tensor& start, const tensor& limit, const tensor& delta) {
  const auto too_long = [&](const std::string& n) { cx.fail("a range of " + n + " elements is too long"); };
  if (is_float(start.type())) {
    const double a = start.at_f64(0), b = limit.at_f64(0), d = delta.at_f64(0);
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(d))
      cx.fail(
          "start, limit and delta are " + std::to_string(a) + ", " + std::to_string(b) + " and " + std::to_string(d),
          "they must be finite");
    if (d == 0) cx.fail("delta is 0");
    const double n = std::ceil((b - a) / d);
    if (!(n < static_cast<double>(max_elements))) too_long(std::to_string(n));
    return n > 0 ? static_cast<i64>(n) : 0;
  }
  const i64 a = start.at_i64(0), b = limit.at_i64(0), d = delta.at_i64(0);
  if (d == 0) cx.fail("delta is 0");
  if (d > 0 ? b <= a : b >= a) return 0;
  const u64 far = d > 0 ? static_cast<u64>(b) - static_cast<u64>(a) : static_cast<u64>(a) - static_cast<u64>(b);
  const u64 step = d > 0 ? static_cast<u64>(d) : u64{0} - static_cast<u64>(d);
  const u64 n = (far - 1) / step + 1;
  if (n > static_cast<u64>(max_elements)) too_long(std::to_string(n));
  return static_cast<i64>(n);
}

/// The number of elements of a shape that a model asks for, for any context that can `fail`.
template <class Context> i64 checked_elements(const Context& cx, const extents& shape, const char* what) {
  const auto n = checked_count(shape);
  if (!n) cx.fail(std::string(what) + " " + shape_text(shape) + " has more than 2^58 elements, or a negative extent");
  return *n;
}

/// Calls f(at, number) for every index of a shape, in row-major order.
template <class F> void each_index(const extents& shape, F&& f) {
  const i64 n = element_count(shape);
  extents at(shape.size(), 0);
  for (i64 k = 0; k < n; ++k) {
    f(std::as_const(at), k);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}

/// The linear index of a row-major tensor of this shape.
inline i64 linear_index(const extents& at, const extents& shape) {
  i64 k = 0;
  for (size_t d = 0; d < shape.size(); ++d) k = k * shape[d] + at[d];
  return k;
}

inline void copy_elements(tensor& to, i64 to_index, const tensor& from, i64 from_index, i64 count = 1) {
  const size_t size = static_cast<size_t>(size_of(from.type()));
  if (count > 0)
    std::memcpy(static_cast<char*>(to.data()) + static_cast<size_t>(to_index) * size,
                static_cast<const char*>(from.data()) + static_cast<size_t>(from_index) * size,
                static_cast<size_t>(count) * size);
}

/// The tensor whose element at each index is x's element number `source(index)`; where that is negative, the one
/// element of `fill`, or zero.
template <class F> tensor moved(const tensor& x, extents shape, F&& source, const tensor* fill = nullptr) {
  tensor r(x.type(), shape);
  each_index(shape, [&](const extents& at, i64 k) {
    const i64 from = source(at);
    if (from >= 0) copy_elements(r, k, x, from);
    else if (fill != nullptr) copy_elements(r, k, *fill, 0);
  });
  return r;
}

}  // namespace tenon::op::movement_detail
