/// @file sums: in what reference evaluations add up: double for floats, 64-bit words that wrap for integers.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::op::detail {

template <class T>
using sum_of = std::conditional_t<std::is_integral_v<T>, u64, double>;

template <class T>
sum_of<T> to_sum(T v) {
  if constexpr (std::is_integral_v<T>) return static_cast<u64>(v);
  else return static_cast<double>(v);
}
template <class T>
T from_sum(sum_of<T> s) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(s);
  else return convert_element<T>(s);
}

/// Calls `f(T{})` for the numeric types; bool fails.
template <class Context, class F>
void visit_sums(const Context& cx, dtype t, F&& f) {
  if (t == dtype::boolean) cx.fail("bool operands");
  tenon::visit(t, [&]<class T>(T v) {
    if constexpr (!std::is_same_v<T, bool>) f(v);
  });
}

/// Calls `f(Sum{})` with what elements of t are added up in; bool fails. What takes the elements by `widened` is
/// compiled for the two sums and not for each element type.
template <class Context, class F>
void visit_kinds_of_sums(const Context& cx, dtype t, F&& f) {
  bool words = false;
  visit_sums(cx, t, [&]<class T>(T) { words = std::is_same_v<sum_of<T>, u64>; });
  if (words) f(u64{});
  else f(double{});
}

/// Writes `to.size()` elements, from linear index `first` on, as what they are added up in. Throws "tensor.type" where
/// that is another than Sum.
template <class Sum>
void widen(const tensor& t, i64 first, std::span<Sum> to) {
  tenon::visit(t.type(), [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool> && std::is_same_v<sum_of<T>, Sum>) {
      const T* from = t.data<T>().data() + first;
      for (size_t i = 0; i < to.size(); ++i) to[i] = to_sum(from[i]);
    } else {
      static_cast<void>(t.data<Sum>());  // throws
    }
  });
}
template <class Sum>
std::vector<Sum> widened(const tensor& t) {
  std::vector<Sum> r(static_cast<size_t>(t.size()));
  widen<Sum>(t, 0, r);
  return r;
}

/// Writes sums as the elements of a tensor, rounded or wrapped.
template <class Sum>
void narrow(std::span<const Sum> sums, tensor& to) {
  tenon::visit(to.type(), [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool> && std::is_same_v<sum_of<T>, Sum>) {
      T* elements = to.data<T>().data();
      for (size_t i = 0; i < sums.size(); ++i) elements[i] = from_sum<T>(sums[i]);
    }
  });
}

/// The result of the first operand's type and of this shape that `f(its elements, those of the result)` computes in
/// doubles; bool fails.
template <class Context, class F>
void result_in_doubles(Context& cx, const std::vector<i64>& shape, F&& f) {
  const tensor& x = cx.operand(0);
  if (x.type() == dtype::boolean) cx.fail("bool operands");
  const tensor from = x.cast(dtype::f64);
  tensor y(dtype::f64, shape);
  f(from.data<double>(), y.data<double>());
  cx.result(y.cast(x.type()));
}

}  // namespace tenon::op::detail
