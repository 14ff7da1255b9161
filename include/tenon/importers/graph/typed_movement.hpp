/// @file typed_movement: operators that move elements, on tensors whose shapes are in their types.
///
///     const auto [first, rest] = nn::split<1, 3, 5>(x);     // x is a typed<float, "N", 8>
///     const auto y = nn::stack<0>(std::array{first, nn::slice<1, 2, 5>(rest)});      // typed<float, 2, "N", 3>
#pragma once

#include <array>
#include <tuple>

#include <tenon/importers/graph/typed_operators.hpp>

namespace tenon::nn {

template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::flat(X::shape)>
auto flatten(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"flatten", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(flatten(operand(x, at)), at);
}
/// The last two dimensions exchanged.
template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::swapped(X::shape)>
auto transpose(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"transpose", Found, E, X::shape>>::accept();
  std::vector<i64> order;
  for (size_t i = 0; i < X::shape.rank; ++i) order.push_back(static_cast<i64>(i));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return detail::result_t<E, Found>(transpose(operand(x, at), order), at);
}
/// Dimension d of the result is the operand's Order[d].
template <i64 First, i64... Order, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::permuted(X::shape, static_shape{{First, Order...}, 1 + sizeof...(Order)})>
auto transpose(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"transpose", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(transpose(operand(x, at), {First, Order...}), at);
}
/// `reshape<"N", 4, 7>(x)`: of as many elements, and with the same names.
template <dimension First, dimension... D, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::as_shape(X::shape, static_shape{{First, D...}, 1 + sizeof...(D)})>
auto reshape(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"reshape", Found, E, X::shape>>::accept();
  const operand from(x, at);
  return detail::result_t<E, Found>(detail::reshaped_to(from, X::shape, Found.shape), at);
}
template <i64 Axis, typed_tensor X, typed_tensor Y, class E = typename X::element, class F = typename Y::element,
          detail::typing Found = detail::same_elements<"concat", E, F>(detail::joined(X::shape, Y::shape, Axis))>
auto concat(const X& x, const Y& y, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"concat", Found, E, X::shape, F, Y::shape>>::accept();
  return detail::result_t<E, Found>(concat({x.get(), y.get()}, Axis, at), at);
}
/// Elements [Start, End) along an axis.
template <i64 Axis, i64 Start, i64 End, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::part_of(X::shape, Axis, Start, End)>
auto slice(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"slice", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(slice(operand(x, at), Axis, Start, End), at);
}
/// Several of one type, one behind the other, or along a new dimension.
template <i64 Axis, typed_tensor X, size_t N, class E = typename X::element,
          detail::typing Found = detail::joined_list(X::shape, Axis, N)>
auto concat(const std::array<X, N>& list, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"concat", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(concat(std::vector<variable>(list.begin(), list.end()), Axis, at), at);
}
template <i64 Axis, typed_tensor X, size_t N, class E = typename X::element,
          detail::typing Found = detail::in_front(X::shape, Axis, static_cast<i64>(N))>
auto stack(const std::array<X, N>& list, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"stack", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(stack(std::vector<variable>(list.begin(), list.end()), Axis, at), at);
}
namespace detail {
template <class X, i64 Axis, i64 Size>
struct part_along {
  static constexpr typing found = part_of(X::shape, Axis, 0, Size);
  static auto make(const variable*& next, const std::source_location& at) {
    return result_t<typename X::element, found>(*next++, at);
  }
};
}  // namespace detail
/// The parts of these sizes, which are all of it, as a tuple.
template <i64 Axis, i64... Sizes, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::divided(X::shape, Axis, (0 + ... + Sizes))>
  requires(sizeof...(Sizes) > 0)
auto split(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"split", Found, E, X::shape>>::accept();
  const std::vector<variable> parts = split(operand(x, at), {Sizes...}, Axis);
  const variable* next = parts.data();
  return std::tuple{detail::part_along<X, Axis, Sizes>::make(next, at)...};  // in a list: from left to right
}
template <i64 Axis, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::squeezed(X::shape, Axis)>
auto squeeze(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"squeeze", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(squeeze(operand(x, at), {Axis}), at);
}
template <i64 Axis, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::in_front(X::shape, Axis, 1)>
auto unsqueeze(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"unsqueeze", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(unsqueeze(operand(x, at), {Axis}), at);
}
/// `expand<4, "N">(x)`: extents of 1, and dimensions in front, become what is said.
template <dimension First, dimension... D, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::expanded(X::shape, static_shape{{First, D...}, 1 + sizeof...(D)})>
auto expand(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"expand", Found, E, X::shape>>::accept();
  std::vector<i64> to;  // a 1 leaves the operand's extent
  for (size_t i = 0; i < Found.shape.rank; ++i) to.push_back(Found.shape[i].is_number() ? Found.shape[i].number : 1);
  return detail::result_t<E, Found>(expand(operand(x, at), to), at);
}
/// `tile<1, 2>(x)`: so often along each dimension.
template <i64 First, i64... Times, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::repeated(X::shape, static_shape{{First, Times...}, 1 + sizeof...(Times)})>
auto tile(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"tile", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(tile(operand(x, at), {First, Times...}), at);
}
/// So many elements more before and after, or fewer, along one axis.
template <i64 Axis, i64 Before, i64 After, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::longer(X::shape, Axis, Before + After)>
auto pad(const X& x, double value = 0, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"pad", Found, E, X::shape>>::accept();
  std::vector<i64> before(X::shape.rank), after(X::shape.rank);
  before[detail::axis_in(X::shape, Axis)] = Before, after[detail::axis_in(X::shape, Axis)] = After;
  return detail::result_t<E, Found>(pad(operand(x, at), before, after, value), at);
}
/// What is below the k-th diagonal, or above it, is 0.
#define TENON_TYPED_TRIANGLE(op)                                                                               \
  template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::of_matrix(X::shape)> \
  X op(const X& x, i64 k = 0, std::source_location at = std::source_location::current()) {                     \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept();                                           \
    return X(op(operand(x, at), k), at);                                                                       \
  }
TENON_TYPED_TRIANGLE(triu)
TENON_TYPED_TRIANGLE(tril)
#undef TENON_TYPED_TRIANGLE

// -- elements by their indices
template <i64 Axis, typed_tensor X, typed_tensor I, class E = typename X::element, class F = typename I::element,
          detail::typing Found = detail::picked(X::shape, Axis, I::shape, is_int(dtype_of<F>))>
auto gather(const X& x, const I& indices, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"gather", Found, E, X::shape, F, I::shape>>::accept();
  return detail::result_t<E, Found>(gather(operand(x, at), indices, Axis), at);
}
/// A new last dimension: 1 at the index, else 0.
template <i64 Depth, typed_tensor I, class F = typename I::element,
          detail::typing Found = detail::last_added(I::shape, Depth, is_int(dtype_of<F>))>
auto one_hot(const I& indices, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"one_hot", Found, F, I::shape>>::accept();
  return detail::result_t<float, Found>(one_hot(operand(indices, at), Depth), at);
}
/// The k largest, or smallest, along an axis, best first, and where they are.
template <i64 K, i64 Axis = -1, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::best_of(X::shape, Axis, K)>
auto top_k(const X& x, bool largest = true, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"top_k", Found, E, X::shape>>::accept();
  const auto [values, places] = top_k(operand(x, at), K, Axis, largest);
  return std::pair{detail::result_t<E, Found>(values, at), detail::result_t<i64, Found>(places, at)};
}

}  // namespace tenon::nn
