/// @file typed: a tensor of a graph whose element type and shape are in its C++ type.
#pragma once

#include <tenon/importers/graph/typed_rules.hpp>

#include <tenon/importers/graph.hpp>

namespace tenon::nn {

template <class T, dimension... D>
class typed;

namespace detail {
void check_typed(const variable& v, dtype t, const static_shape& s, const std::source_location& at);
std::vector<extent> extents_of(const static_shape& s);
/// A reshape from one shape to another one of as many elements.
variable reshaped_to(const operand& x, const static_shape& from, const static_shape& to);

template <op::domain D, class E>
constexpr typing taken(const typing& t) {
  return t.what != fault::none || op::takes(D, dtype_of<E>) ? t : misfit(fault::wrong_elements);
}

template <class T, static_shape S>
struct typed_of {
  template <size_t... I>
  static typed<T, S.dims[I]...> make(std::index_sequence<I...>);
  using type = decltype(make(std::make_index_sequence<S.rank>{}));
};
template <class T, typing Found>
using result_t = typename typed_of<T, Found.shape>::type;
template <class X>
struct parts;
template <class T, dimension... D>
struct parts<typed<T, D...>> {
  using element = T;
};
}  // namespace detail

template <class X>
concept typed_tensor = requires { typename detail::parts<X>::element; };

/// A tensor of a graph with its element type and shape.
template <class T, dimension... D>
class typed {
 public:
  using element = T;
  static constexpr static_shape shape{{D...}, sizeof...(D)};

  /// Error "graph.typed" where what is known of `v` is something else.
  explicit typed(const variable& v, std::source_location at = std::source_location::current()) : variable_(v) {
    detail::check_typed(v, dtype_of<T>, shape, at);
  }
  operator const variable&() const { return variable_; }
  const variable& get() const { return variable_; }

  /// One of two operands, and the line where they meet: operators have no room for it among their own parameters.
  struct located {
    located(const typed& t, std::source_location l = std::source_location::current()) : tensor(t), at(l) {}
    const typed& tensor;
    std::source_location at;
  };

#define TENON_TYPED_OPERATOR(symbol, function, words)                                              \
  template <typed_tensor Y, class F = typename Y::element,                                         \
            detail::typing Found = detail::taken<op::domain::number, T>(                           \
                detail::same_elements<words, T, F>(detail::broadcast(shape, Y::shape)))>           \
  friend auto operator symbol(located x, const Y& y) {                                             \
    meta::answer_t<detail::fits<words, Found, T, shape, F, Y::shape>>::accept();                   \
    return detail::result_t<T, Found>(function(operand(x.tensor.variable_, x.at), y.get()), x.at); \
  }                                                                                                \
  friend typed operator symbol(located x, double y) {                                              \
    meta::answer_t<detail::fits<words, of_numbers(), T, shape>>::accept();                         \
    return typed(function(operand(x.tensor.variable_, x.at), y), x.at);                            \
  }                                                                                                \
  friend typed operator symbol(double x, located y) {                                              \
    meta::answer_t<detail::fits<words, of_numbers(), T, shape>>::accept();                         \
    return typed(function(operand(x, y.at), y.tensor.variable_), y.at);                            \
  }
  TENON_TYPED_OPERATOR(+, add, "+")
  TENON_TYPED_OPERATOR(-, sub, "-")
  TENON_TYPED_OPERATOR(*, mul, "*")
  TENON_TYPED_OPERATOR(/, div, "/")
#undef TENON_TYPED_OPERATOR
  friend typed operator-(located x) {
    meta::answer_t<detail::fits<"-", of_numbers(), T, shape>>::accept();
    return typed(neg(operand(x.tensor.variable_, x.at)), x.at);
  }

 private:
  static constexpr detail::typing of_numbers() { return detail::taken<op::domain::number, T>(detail::of_shape(shape)); }
  variable variable_;
};

template <class T, dimension... D>
typed<T, D...> input(graph& g, const std::string& name, std::source_location at = std::source_location::current()) {
  return typed<T, D...>(g.input(name, dtype_of<T>, detail::extents_of(typed<T, D...>::shape), at), at);
}
template <class T, dimension... D>
typed<T, D...> constant(graph& g, tensor t, std::string name = {},
                        std::source_location at = std::source_location::current()) {
  return typed<T, D...>(g.constant(std::move(t), std::move(name), at), at);
}
template <class T, dimension... D>
typed<T, D...> as(const variable& v, std::source_location at = std::source_location::current()) {
  return typed<T, D...>(v, at);
}

}  // namespace tenon::nn
