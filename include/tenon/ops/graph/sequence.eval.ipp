/// @file sequence.eval.ipp: evaluations of ops/graph/sequence.hpp.
#pragma once

#include <cstring>

#include <tenon/core/checked.hpp>
#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/sequence.hpp>

namespace tenon::op {
namespace sequence_detail {

/// A position in [-count, last] as one in [0, last].
inline size_t position(value_context& cx, int operand, i64 count, i64 last) {
  const i64 p = cx.integer(operand);
  if (p < -count || p > last) cx.fail("position " + std::to_string(p) + " of a sequence of " + std::to_string(count));
  return static_cast<size_t>(p < 0 ? p + count : p);
}

inline size_t axis_of(const value_context& cx, i64 axis, size_t rank) {
  const i64 n = static_cast<i64>(rank);
  if (axis < -n || axis >= n) cx.fail("axis " + std::to_string(axis) + " of " + std::to_string(rank) + " dimensions");
  return static_cast<size_t>(axis < 0 ? axis + n : axis);
}

/// Bytes before, along and behind an axis.
struct blocks {
  i64 outer = 1, inner;
  blocks(const tensor& t, const std::vector<i64>& shape, size_t axis) : inner(size_of(t.type())) {
    for (size_t d = 0; d < axis; ++d) outer *= shape[d];
    for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  }
};

}  // namespace sequence_detail

void evaluate(const sequence_empty&, value_context& cx) { cx.result(value::sequence({})); }

void evaluate(const sequence_of&, value_context& cx) {
  value::list items;
  for (int i = 0; i < cx.operand_count(); ++i) items.push_back(cx.take(i));
  cx.result(value::sequence(std::move(items)));
}

void evaluate(const sequence_at&, value_context& cx) {
  const auto& items = cx.operand(0).items();
  const i64 n = static_cast<i64>(items.size());
  cx.result(items[sequence_detail::position(cx, 1, n, n - 1)]);
}

void evaluate(const sequence_insert&, value_context& cx) {
  value s = cx.take(0);
  const i64 n = static_cast<i64>(s.items().size());
  const size_t at = cx.has(2) ? sequence_detail::position(cx, 2, n, n) : static_cast<size_t>(n);
  value::list& items = s.own_items();
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), cx.take(1));
  cx.result(std::move(s));
}

void evaluate(const sequence_erase&, value_context& cx) {
  value s = cx.take(0);
  const i64 n = static_cast<i64>(s.items().size());
  if (n == 0) cx.fail("the sequence is empty");
  const size_t at = cx.has(1) ? sequence_detail::position(cx, 1, n, n - 1) : static_cast<size_t>(n - 1);
  value::list& items = s.own_items();
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  cx.result(std::move(s));
}

void evaluate(const sequence_length&, value_context& cx) {
  cx.result(tensor::scalar<i64>(static_cast<i64>(cx.operand(0).items().size())));
}

void evaluate(const split_to_sequence& op, value_context& cx) {
  const tensor& x = cx.operand(0).as_tensor();
  const size_t axis = sequence_detail::axis_of(cx, op.axis, x.shape().size());
  const i64 extent = x.shape()[axis];
  std::vector<i64> sizes;
  if (!cx.has(1) || cx.operand(1).as_tensor().rank() == 0) {
    const i64 each = cx.has(1) ? cx.integer(1) : 1;
    if (each <= 0) cx.fail("parts of size " + std::to_string(each));
    for (i64 at = 0; at < extent; at += each) sizes.push_back(std::min(each, extent - at));
  } else {
    const tensor& given = cx.operand(1).as_tensor();
    i64 sum = 0;
    for (i64 i = 0; i < given.size(); ++i) {
      sizes.push_back(given.at_i64(i));
      if (sizes.back() < 0 || sizes.back() > extent) cx.fail("a part of size " + std::to_string(sizes.back()));
      sum = checked_add(sum, sizes.back());
    }
    if (sum != extent)
      cx.fail("parts of " + std::to_string(sum) + " in all, of an extent of " + std::to_string(extent));
  }
  const sequence_detail::blocks b(x, x.shape(), axis);
  const char* from = static_cast<const char*>(x.data());
  value::list parts;
  i64 start = 0;
  for (const i64 size : sizes) {
    std::vector<i64> shape = x.shape();
    shape[axis] = size;
    tensor part(x.type(), shape);
    char* to = static_cast<char*>(part.data());
    if (part.size() != 0)
      for (i64 o = 0; o < b.outer; ++o)
        std::memcpy(to + o * size * b.inner, from + (o * extent + start) * b.inner,
                    static_cast<size_t>(size * b.inner));
    start += size;
    if (!cx.has(1) && !op.keep_dims) {
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
      part = part.reshaped(shape);
    }
    parts.emplace_back(std::move(part));
  }
  cx.result(value::sequence(std::move(parts)));
}

void evaluate(const concat_from_sequence& op, value_context& cx) {
  const auto& items = cx.operand(0).items();
  if (items.empty()) cx.fail("the sequence is empty, so the shape of the result is not known");
  const tensor& first = items[0].as_tensor();
  const size_t axis = sequence_detail::axis_of(cx, op.axis, first.shape().size() + (op.new_axis ? 1 : 0));
  std::vector<std::vector<i64>> shapes;
  std::vector<i64> all;
  for (const value& v : items) {
    std::vector<i64> shape = v.as_tensor().shape();
    if (op.new_axis) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    bool fits = v.as_tensor().type() == first.type() && (all.empty() || shape.size() == all.size());
    for (size_t d = 0; fits && d < all.size(); ++d) fits = d == axis || shape[d] == all[d];
    if (!fits) cx.fail(v.describe() + " cannot be joined to " + items[0].describe());
    if (all.empty()) all = shape;
    else all[axis] = checked_add(all[axis], shape[axis]);
    shapes.push_back(std::move(shape));
  }
  tensor r(first.type(), all);
  const sequence_detail::blocks b(first, all, axis);
  char* to = static_cast<char*>(r.data());
  i64 start = 0;
  for (size_t k = 0; k < items.size(); ++k) {
    const i64 size = shapes[k][axis];
    const char* from = static_cast<const char*>(items[k].as_tensor().data());
    if (size * b.inner * b.outer != 0)
      for (i64 o = 0; o < b.outer; ++o)
        std::memcpy(to + (o * all[axis] + start) * b.inner, from + o * size * b.inner,
                    static_cast<size_t>(size * b.inner));
    start += size;
  }
  cx.result(std::move(r));
}

void evaluate(const optional_of&, value_context& cx) { cx.result(cx.has(0) ? cx.take(0) : value()); }
void evaluate(const optional_has&, value_context& cx) {
  cx.result(tensor::scalar<bool>(cx.has(0) && !cx.operand(0).is_nothing()));
}
void evaluate(const optional_get&, value_context& cx) {
  if (cx.operand(0).is_nothing()) cx.fail("the optional has no element");
  cx.result(cx.take(0));
}

}  // namespace tenon::op
