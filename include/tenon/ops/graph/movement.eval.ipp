/// @file movement.eval.ipp: reference evaluations of ops/graph/movement.hpp: elements are copied, rows of them where
/// they lie so.
#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>

namespace tenon::op {

namespace movement_detail {

inline extents broadcast_extents(const eval_context& cx, const extents& a, const extents& b) {
  extents r(std::max(a.size(), b.size()));
  for (size_t i = 0; i < r.size(); ++i) {
    const i64 x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      cx.fail("the shapes " + shape_text(a) + " and " + shape_text(b) + " do not broadcast");
    r[r.size() - 1 - i] = x == 1 ? y : x;
  }
  return r;
}

/// Element `at` of the result is the one at `offset` and the sum of at[d] * steps[d] in x.
inline tensor strided(const tensor& x, const extents& shape, i64 offset, const extents& steps) {
  tensor y(x.type(), shape);
  const int width = size_of(x.type());
  if (y.size() > 0) gather_strided(y.data(), static_cast<const char*>(x.data()) + offset * width, shape, steps, width);
  return y;
}

inline i64 checked_scalar(const eval_context& cx, int i) {
  if (cx.operand(i).size() != 1)
    cx.fail("operand " + std::to_string(i) + " has " + std::to_string(cx.operand(i).size()) + " elements, not one");
  return cx.operand(i).at_i64(0);
}

}  // namespace movement_detail

void evaluate(const reshape& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const ir::type from = ir::type::tensor(x.type(), movement_detail::dims_of(x.shape()));
  std::vector<i64> to;
  for (ir::dim d : movement_detail::reshaped_dims(cx, from, *movement_detail::list_of(cx, 1, op.shape), op.allow_zero))
    to.push_back(d.extent());
  cx.result(x.reshaped(std::move(to)));
}

void evaluate(const transpose& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const size_t rank = x.shape().size();
  const auto permutation = movement_detail::full_permutation(op, rank);
  movement_detail::check_permutation(cx, permutation, rank);
  moved_elements moved(x);
  moved.transpose(permutation);
  cx.result(moved.result());
}

void evaluate(const expand& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const std::vector<i64> to =
      movement_detail::broadcast_extents(cx, x.shape(), *movement_detail::list_of(cx, 1, op.shape));
  const size_t skip = to.size() - x.shape().size();
  const std::vector<i64> strides = row_major_strides(x.shape());
  std::vector<i64> steps(to.size(), 0);
  for (size_t d = 0; d < strides.size(); ++d)
    if (x.shape()[d] != 1) steps[skip + d] = strides[d];
  cx.result(movement_detail::strided(x, to, 0, steps));
}

void evaluate(const slice& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const auto s = movement_detail::slices_of(cx, op, x.shape().size());
  std::vector<i64> to = x.shape(), steps = row_major_strides(to);
  i64 offset = 0;
  for (size_t d = 0; d < to.size(); ++d) {
    const auto& p = s->parts[d];
    if (!p.cut) continue;
    const movement_detail::span_of_axis span = movement_detail::clamped_span(to[d], p.start, p.end, p.step);
    to[d] = span.count;
    if (span.count > 0) offset += span.start * steps[d];
    steps[d] = span.count > 1 ? steps[d] * span.step : 0;  // a step that none takes may be any
  }
  cx.result(movement_detail::strided(x, to, offset, steps));
}

void evaluate(const concat& op, eval_context& cx) {
  const tensor& first = cx.operand(0);
  const i64 axis = movement_detail::wrapped_axis(op.axis, first.shape().size());
  if (axis < 0) cx.fail("axis " + std::to_string(op.axis) + " is outside of " + first.describe());
  const size_t a = static_cast<size_t>(axis);
  std::vector<i64> to = first.shape();
  to[a] = 0;
  for (int i = 0; i < cx.operand_count(); ++i) {
    const tensor& x = cx.operand(i);
    bool fits = x.type() == first.type() && x.rank() == first.rank();
    for (size_t d = 0; fits && d < to.size(); ++d) fits = d == a || x.shape()[d] == to[d];
    if (!fits)
      cx.fail(x.describe() + " cannot be joined with " + first.describe() + " along axis " + std::to_string(a));
    to[a] = checked_add(to[a], x.shape()[a]);
  }
  tensor r(first.type(), to);
  i64 outer = 1, inner = 1, offset = 0;
  for (size_t d = 0; d < to.size(); ++d) (d < a ? outer : inner) *= d == a ? 1 : to[d];
  for (int i = 0; i < cx.operand_count(); ++i) {
    const tensor& x = cx.operand(i);
    const i64 run = x.shape()[a] * inner;
    for (i64 o = 0; run != 0 && o < outer; ++o)
      movement_detail::copy_elements(r, o * to[a] * inner + offset * inner, x, o * run, run);
    offset += x.shape()[a];
  }
  cx.result(std::move(r));
}

void evaluate(const pad& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const auto p = movement_detail::padding_of(cx, op, x.shape().size());
  tensor fill(x.type(), {});
  if (cx.has(2)) {
    movement_detail::checked_scalar(cx, 2);
    fill = cx.operand(2).cast(x.type());
  } else {
    fill.set_f64(0, op.value);
  }
  std::vector<i64> to, crop, rest;
  for (size_t d = 0; d < x.shape().size(); ++d) {
    to.push_back(movement_detail::padded_extent(cx, op.mode, x.shape()[d], p->before[d], p->after[d]));
    crop.push_back(std::max<i64>(-p->before[d], 0));
    rest.push_back(x.shape()[d] - crop[d] - std::max<i64>(-p->after[d], 0));
  }
  cx.result(movement_detail::moved(
      x, to,
      [&](const std::vector<i64>& at) {
        std::vector<i64> from(at.size());
        for (size_t d = 0; d < at.size(); ++d) {
          const i64 i = movement_detail::padded_from(op.mode, at[d] - std::max<i64>(p->before[d], 0), rest[d]);
          if (i < 0) return i64{-1};
          from[d] = crop[d] + i;
        }
        return movement_detail::linear_index(from, x.shape());
      },
      &fill));
}

void evaluate(const tile& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const std::vector<i64> repeats = *movement_detail::list_of(cx, 1, op.repeats);
  std::vector<i64> to = x.shape();
  if (!repeats.empty() && repeats.size() != to.size())
    cx.fail(std::to_string(repeats.size()) + " repeats for " + x.describe());
  for (size_t d = 0; d < repeats.size(); ++d) {
    if (repeats[d] < 0 || repeats[d] > (i64{1} << 48))
      cx.fail("cannot repeat " + std::to_string(repeats[d]) + " times");
    element_count(std::vector<i64>{to[d], repeats[d]});  // throws when the product is not an extent
    to[d] *= repeats[d];
  }
  const std::vector<i64> strides = row_major_strides(x.shape());
  std::vector<i64> shape, steps;  // each dimension in two: which copy, and where in it
  for (size_t d = 0; d < to.size(); ++d) {
    shape.insert(shape.end(), {repeats.empty() ? 1 : repeats[d], x.shape()[d]});
    steps.insert(steps.end(), {0, strides[d]});
  }
  cx.result(movement_detail::strided(x, shape, 0, steps).reshaped(to));
}

void evaluate(const range&, eval_context& cx) {
  const tensor &start = cx.operand(0), &limit = cx.operand(1), &delta = cx.operand(2);
  for (int i = 0; i < 3; ++i) movement_detail::checked_scalar(cx, i);
  const i64 n = movement_detail::range_count(cx, start, limit, delta);
  tensor r(start.type(), {n});
  visit(start.type(), [&]<class T>(T) {
    const std::span<T> out = r.data<T>();
    const T a = start.data<T>()[0], d = delta.data<T>()[0];
    for (i64 i = 0; i < n; ++i) {
      if constexpr (std::same_as<T, half> || std::same_as<T, bfloat16>)
        out[static_cast<size_t>(i)] = T(static_cast<float>(a) + static_cast<float>(i) * static_cast<float>(d));
      else if constexpr (std::floating_point<T>) out[static_cast<size_t>(i)] = a + static_cast<T>(i) * d;
      else
        out[static_cast<size_t>(i)] = static_cast<T>(static_cast<u64>(a) + static_cast<u64>(i) * static_cast<u64>(d));
    }
  });
  cx.result(std::move(r));
}

void evaluate(const extents_of& op, eval_context& cx) {
  tensor r(op.type,
           op.scalar ? movement_detail::extents{} : movement_detail::extents{static_cast<i64>(op.values.size())});
  for (size_t i = 0; i < op.values.size(); ++i) {
    const auto e = extent_expr::parse(op.values[i]);
    if (!e || !e->is_constant())
      cx.fail("'" + op.values[i] + "' is not a number yet", "bind the symbols: ir::bind_symbols");
    r.set_i64(static_cast<i64>(i), e->constant());
  }
  cx.result(std::move(r));
}

void evaluate(const shape_of& op, eval_context& cx) {
  tensor r;
  value_from_type(op, ir::type::tensor(dtype::f32, movement_detail::dims_of(cx.operand(0).shape())), r);
  cx.result(std::move(r));
}

void evaluate(const count_of&, eval_context& cx) { cx.result(tensor::scalar<i64>(cx.operand(0).size())); }

void evaluate(const trilu& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (x.rank() < 2) cx.fail(x.describe() + " is not a matrix");
  const i64 k = cx.has(1) ? movement_detail::checked_scalar(cx, 1) : op.k;
  cx.result(movement_detail::moved(x, x.shape(), [&](const std::vector<i64>& at) {
    const i64 distance = at[at.size() - 1] - at[at.size() - 2];
    return (op.upper ? distance >= k : distance <= k) ? movement_detail::linear_index(at, x.shape()) : i64{-1};
  }));
}

void evaluate(const eye_like& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (x.rank() != 2) cx.fail(x.describe() + " is not a matrix");
  tensor one(op.type == dtype::index ? x.type() : op.type, {});
  one.set_i64(0, 1);
  cx.result(movement_detail::moved(
      one, x.shape(), [&](const std::vector<i64>& at) { return at[1] - at[0] == op.k ? i64{0} : i64{-1}; }));
}

void evaluate(const constant_of_shape& op, eval_context& cx) {
  const tensor& value = cx.operand(0);
  if (value.size() != 1) cx.fail("the value has " + std::to_string(value.size()) + " elements, not one");
  const std::vector<i64> to = *movement_detail::list_of(cx, 1, op.shape);
  cx.result(movement_detail::strided(value, to, 0, std::vector<i64>(to.size(), 0)));
}

void evaluate(const reverse_sequence& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &lengths = cx.operand(1);
  const i64 b = movement_detail::wrapped_axis(op.batch_axis, x.shape().size()),
            t = movement_detail::wrapped_axis(op.time_axis, x.shape().size());
  if (b < 0 || t < 0 || b == t || lengths.size() != x.shape()[static_cast<size_t>(b)])
    cx.fail(lengths.describe() + " lengths do not fit batch axis " + std::to_string(op.batch_axis) + " and time axis " +
            std::to_string(op.time_axis) + " of " + x.describe());
  cx.result(movement_detail::moved(x, x.shape(), [&](std::vector<i64> at) {
    const i64 n = lengths.at_i64(at[static_cast<size_t>(b)]);
    i64& time = at[static_cast<size_t>(t)];
    if (time < n) time = std::clamp<i64>(n - 1 - time, 0, x.shape()[static_cast<size_t>(t)] - 1);
    return movement_detail::linear_index(at, x.shape());
  }));
}

}  // namespace tenon::op
