/// @file carried: what functions that write a body take and give: a tensor, or an array, pair or tuple of them.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/importers/graph/variable.hpp>
#include <tenon/meta/fixed_string.hpp>

namespace tenon::nn::detail {

/// How a T lists its tensors, and is made of a list again: `next` points at the first that is its own. `untyped` is the
/// same without types of tensors.
template <class T>
struct carried;
template <>
struct carried<variable> {
  using untyped = variable;
  static constexpr size_t size = 1;
  static void list(const variable& v, std::vector<variable>& to) { to.push_back(v); }
  static variable make(const variable*& next, const std::source_location&) { return *next++; }
};
template <class T, class... Parts>
struct carried_parts {
  static constexpr size_t size = (0 + ... + carried<Parts>::size);
  static void list(const T& v, std::vector<variable>& to) {
    std::apply([&](const Parts&... part) { (carried<Parts>::list(part, to), ...); }, v);
  }
  static T make([[maybe_unused]] const variable*& next, [[maybe_unused]] const std::source_location& at) {
    return T{carried<Parts>::make(next, at)...};  // in a list: from left to right
  }
};
template <class... Parts>
struct carried<std::tuple<Parts...>> : carried_parts<std::tuple<Parts...>, Parts...> {
  using untyped = std::tuple<typename carried<Parts>::untyped...>;
};
template <class A, class B>
struct carried<std::pair<A, B>> : carried_parts<std::pair<A, B>, A, B> {
  using untyped = std::pair<typename carried<A>::untyped, typename carried<B>::untyped>;
};
template <class T, size_t N>
struct carried<std::array<T, N>> {
  using untyped = std::array<typename carried<T>::untyped, N>;
  static constexpr size_t size = N * carried<T>::size;
  static void list(const std::array<T, N>& v, std::vector<variable>& to) {
    for (const T& part : v) carried<T>::list(part, to);
  }
  static std::array<T, N> make(const variable*& next, const std::source_location& at) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return std::array<T, N>{(static_cast<void>(I), carried<T>::make(next, at))...};
    }(std::make_index_sequence<N>{});
  }
};

template <class T>
concept carries = requires { carried<T>::size; };

template <class T>
std::vector<variable> listed(const T& v) {
  std::vector<variable> r;
  carried<T>::list(v, r);
  return r;
}
template <class T>
T unlisted(const std::vector<variable>& list, const std::source_location& at) {
  const variable* next = list.data();
  return carried<T>::make(next, at);
}

/// What a body gives, as what it has to be. Where both say their types, they are one type, or it does not compile
/// (importers/typed_graph.hpp).
template <fixed_string What, class T, class Given>
struct becomes {
  static T make(const Given& v, const std::source_location&) { return static_cast<T>(v); }
};
template <fixed_string What, class... To, class... Parts>
  requires(sizeof...(To) == sizeof...(Parts))
struct becomes<What, std::tuple<To...>, std::tuple<Parts...>> {
  static std::tuple<To...> make(const std::tuple<Parts...>& v, const std::source_location& at) {
    return std::apply(
        [&](const Parts&... part) { return std::tuple<To...>{becomes<What, To, Parts>::make(part, at)...}; }, v);
  }
};
template <fixed_string What, class A, class B, class C, class D>
struct becomes<What, std::pair<A, B>, std::pair<C, D>> {
  static std::pair<A, B> make(const std::pair<C, D>& v, const std::source_location& at) {
    return {becomes<What, A, C>::make(v.first, at), becomes<What, B, D>::make(v.second, at)};
  }
};

/// A rule on a condition that says its type (importers/typed_graph.hpp).
template <fixed_string What, class C>
struct condition_rule {
  static constexpr void accept() {}
};
/// A rule on what is scanned, and on what is stacked.
template <class X, class Y, i64 Axis>
struct scan_rule {
  static constexpr void accept() {}
};
/// What a scan's body sees of an X, and what an array of Y along X's axis is.
template <class X, i64 Axis>
struct cut {
  using part = X;
};
template <class... X, i64 Axis>
struct cut<std::tuple<X...>, Axis> {
  using part = std::tuple<typename cut<X, Axis>::part...>;
};
template <class X, class Y, i64 Axis>
struct cut<std::pair<X, Y>, Axis> {
  using part = std::pair<typename cut<X, Axis>::part, typename cut<Y, Axis>::part>;
};
template <class X, size_t N, i64 Axis>
struct cut<std::array<X, N>, Axis> {
  using part = std::array<typename cut<X, Axis>::part, N>;
};
template <class Y, class X, i64 Axis>
struct stacked {
  using type = Y;
};
template <class... Y, class X, i64 Axis>
struct stacked<std::tuple<Y...>, X, Axis> {
  using type = std::tuple<typename stacked<Y, X, Axis>::type...>;
};
template <class Y, class Z, class X, i64 Axis>
struct stacked<std::pair<Y, Z>, X, Axis> {
  using type = std::pair<typename stacked<Y, X, Axis>::type, typename stacked<Z, X, Axis>::type>;
};
template <class Y, size_t N, class X, i64 Axis>
struct stacked<std::array<Y, N>, X, Axis> {
  using type = std::array<typename stacked<Y, X, Axis>::type, N>;
};

}  // namespace tenon::nn::detail
