/// @file sums: in what reference evaluations add up: double for floats, 64-bit words that wrap for integers.
#pragma once

#include <type_traits>

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

}  // namespace tenon::op::detail
