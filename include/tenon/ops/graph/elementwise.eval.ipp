/// @file elementwise.eval.ipp: the reference evaluation of elementwise ops.
///
/// Floats are computed in double and rounded once, integers in 64 bits and wrapped: see interpret/scalar.hpp.
#pragma once

#include <cmath>

#include <tenon/interpret/eval.hpp>
#include <tenon/interpret/scalar.hpp>
#include <tenon/ops/graph/elementwise.hpp>

namespace tenon::op {
namespace elementwise_detail {

/// The shape that the operands broadcast to.
inline std::vector<i64> broadcast_shape(const eval_context& cx, int n) {
  std::vector<i64> shape;
  for (int k = 0; k < n; ++k) {
    if (!cx.has(k)) cx.fail("operand " + std::to_string(k) + " is missing");
    const std::vector<i64>& s = cx.operand(k).shape();
    if (s.size() > shape.size()) shape.insert(shape.begin(), s.size() - shape.size(), 1);
    for (size_t d = 0; d < s.size(); ++d) {
      i64& e = shape[shape.size() - s.size() + d];
      if (e == 1) e = s[d];
      else if (s[d] != 1 && s[d] != e)
        cx.fail("extents " + std::to_string(e) + " and " + std::to_string(s[d]) + " do not broadcast");
    }
  }
  return shape;
}

/// For each element of `shape` in order, the linear index of the element that an operand broadcasts to it.
inline std::vector<i64> broadcast_indices(const std::vector<i64>& shape, const tensor& t) {
  std::vector<i64> strides(shape.size(), 0), at(shape.size(), 0);
  const std::vector<i64> own = row_major_strides(t.shape());
  const size_t skip = shape.size() - own.size();
  for (size_t d = 0; d < own.size(); ++d)
    if (t.shape()[d] != 1) strides[skip + d] = own[d];
  std::vector<i64> indices(static_cast<size_t>(element_count(shape)));
  i64 linear = 0;
  for (i64& index : indices) {
    index = linear;
    for (size_t d = shape.size(); d-- > 0;) {
      linear += strides[d];
      if (++at[d] < shape[d]) break;
      linear -= strides[d] * shape[d];
      at[d] = 0;
    }
  }
  return indices;
}

/// The tensor in the widest type of its kind: f64, i64 or u64.
inline tensor widened(const tensor& t) {
  return t.cast(is_float(t.type()) ? dtype::f64 : t.type() == dtype::u64 ? dtype::u64 : dtype::i64);
}

template <class Wide>
tensor apply_wide_tensors(loop::scalar_fn fn, int bits, const std::vector<i64>& shape, const tensor* operands, int n) {
  std::vector<i64> indices[2];
  std::span<const Wide> in[2];
  for (int k = 0; k < n; ++k) {
    in[k] = std::as_const(operands[k]).data<Wide>();
    if (operands[k].shape() != shape) indices[k] = broadcast_indices(shape, operands[k]);
  }
  const auto at = [&](int k, size_t i) {
    if (k >= n) return Wide{};
    return in[k][indices[k].empty() ? i : static_cast<size_t>(indices[k][i])];
  };
  tensor out(loop::gives_bool(fn) ? dtype::boolean : dtype_of<Wide>, shape);
  const size_t count = static_cast<size_t>(out.size());
  if (loop::gives_bool(fn)) {
    const auto o = out.data<bool>();
    for (size_t i = 0; i < count; ++i) o[i] = test_wide(fn, at(0, i), at(1, i));
  } else {
    const auto o = out.data<Wide>();
    for (size_t i = 0; i < count; ++i) o[i] = apply_wide(fn, at(0, i), at(1, i), Wide{}, bits);
  }
  return out;
}

/// A function of operands of one type, computed in `type` and returned as `result`, unless it gives bool.
inline tensor apply_tensors(loop::scalar_fn fn, dtype type, dtype result, const eval_context& cx) {
  const int n = loop::arity(fn);
  const std::vector<i64> shape = broadcast_shape(cx, n);
  tensor wide[2];
  for (int k = 0; k < n; ++k) wide[k] = widened(cx.operand(k).cast(type));
  const int bits = scalar_bits(type);
  const tensor r = is_float(type)       ? apply_wide_tensors<double>(fn, bits, shape, wide, n)
                   : type == dtype::u64 ? apply_wide_tensors<u64>(fn, bits, shape, wide, n)
                                        : apply_wide_tensors<i64>(fn, bits, shape, wide, n);
  return loop::gives_bool(fn) ? r : r.cast(result);
}

}  // namespace elementwise_detail

void evaluate_scalar_op(loop::scalar_fn fn, eval_context& cx) {
  for (int k = 0; k < loop::arity(fn); ++k) {
    if (!cx.has(k)) cx.fail("operand " + std::to_string(k) + " is missing");
    if (cx.operand(k).type() != cx.operand(0).type())
      cx.fail("the operands are " + cx.operand(0).describe() + " and " + cx.operand(k).describe(), "cast one of them");
  }
  const dtype t = cx.operand(0).type();
  cx.result(elementwise_detail::apply_tensors(fn, t, t, cx));
}

void evaluate(const pow&, eval_context& cx) {
  if (!cx.has(0) || !cx.has(1)) cx.fail("an operand is missing");
  const dtype base = cx.operand(0).type(), type = power_type(base, cx.operand(1).type());
  cx.result(elementwise_detail::apply_tensors(loop::scalar_fn::pow, type, base, cx));
}

void evaluate(const is_inf& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  tensor r(dtype::boolean, x.shape());
  const auto out = r.data<bool>();
  for (i64 i = 0; i < x.size(); ++i) {
    const double v = x.at_f64(i);
    out[static_cast<size_t>(i)] = std::isinf(v) && (v < 0 ? op.detect_negative : op.detect_positive);
  }
  cx.result(std::move(r));
}

void evaluate(const where&, eval_context& cx) {
  const std::vector<i64> shape = elementwise_detail::broadcast_shape(cx, 3);
  const tensor &condition = cx.operand(0), &a = cx.operand(1), &b = cx.operand(2);
  if (condition.type() != dtype::boolean) cx.fail("the condition is " + condition.describe() + ", not bool");
  if (a.type() != b.type()) cx.fail("the operands are " + a.describe() + " and " + b.describe(), "cast one of them");
  const std::vector<i64> at_condition = elementwise_detail::broadcast_indices(shape, condition);
  const std::vector<i64> at_a = elementwise_detail::broadcast_indices(shape, a);
  const std::vector<i64> at_b = elementwise_detail::broadcast_indices(shape, b);
  tensor r(a.type(), shape);
  const size_t size = static_cast<size_t>(tenon::size_of(a.type()));
  char* out = static_cast<char*>(r.data());
  for (size_t i = 0; i < at_a.size(); ++i) {
    const bool first = condition.at_i64(at_condition[i]) != 0;
    const char* from = static_cast<const char*>(first ? a.data() : b.data());
    std::memcpy(out + i * size, from + static_cast<size_t>(first ? at_a[i] : at_b[i]) * size, size);
  }
  cx.result(std::move(r));
}

void evaluate(const dequantize&, eval_context& cx) {
  const int n = cx.has(2) ? 3 : 2;
  const std::vector<i64> shape = elementwise_detail::broadcast_shape(cx, n);
  tensor r(dtype::f32, shape);
  const auto out = r.data<float>();
  std::vector<i64> at[3];
  for (int k = 0; k < n; ++k) at[k] = elementwise_detail::broadcast_indices(shape, cx.operand(k));
  for (size_t i = 0; i < out.size(); ++i) {
    const i64 zero = n == 3 ? cx.operand(2).at_i64(at[2][i]) : 0;
    out[i] =
        static_cast<float>(cx.operand(0).at_i64(at[0][i]) - zero) * static_cast<float>(cx.operand(1).at_f64(at[1][i]));
  }
  cx.result(std::move(r));
}

void evaluate(const cast& op, eval_context& cx) { cx.result(cx.operand(0).cast(op.to)); }

void evaluate(const bit_cast& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (tenon::size_of(x.type()) != tenon::size_of(op.to))
    cx.fail("elements of " + std::string(name_of(x.type())) + " and " + std::string(name_of(op.to)) +
            " have different sizes");
  tensor r(op.to, x.shape());
  if (x.size() != 0) std::memcpy(r.data(), x.data(), static_cast<size_t>(x.bytes()));
  cx.result(std::move(r));
}

}  // namespace tenon::op
