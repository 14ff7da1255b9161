/// @file typed_control: control flow and functions of tensors whose shapes are in their types.
///
///     const auto block = g.function("block", {"x", "w"}, [](nn::typed<float, "n", 8> x, nn::typed<float, 8, 8> w) {
///       return relu(matmul(x, w));
///     });
///     const auto y = block(block(x, w), w);        // x is a typed<float, "N", 8>, and so is y
///
/// Bodies that do not keep the type of their state, branches that differ and calls that do not fit do not compile
/// (tenon-E080). What bodies give may be untyped: then it is checked when the graph is written.
#pragma once

#include <tenon/importers/graph/typed_movement.hpp>

namespace tenon::nn {
namespace detail {

template <class T, dimension... D>
struct carried<typed<T, D...>> {
  using untyped = variable;
  static constexpr size_t size = 1;
  static void list(const typed<T, D...>& v, std::vector<variable>& to) { to.push_back(v); }
  static typed<T, D...> make(const variable*& next, const std::source_location& at) {
    return typed<T, D...>(*next++, at);
  }
};

template <fixed_string What, typed_tensor T, typed_tensor Given>
struct becomes<What, T, Given> {
  static constexpr bool other_extents =
      std::is_same_v<typename T::element, typename Given::element> && T::shape.rank == Given::shape.rank;
  static constexpr typing found = std::is_same_v<T, Given>          ? of_shape(T::shape)
                                  : What == fixed_string("if_else") ? misfit(fault::other_branch)
                                  : other_extents                   ? misfit(fault::growing_state)
                                                                    : misfit(fault::other_state);
  static T make(const Given& v, const std::source_location& at) {
    meta::answer_t<fits<What, found, typename T::element, T::shape, typename Given::element, Given::shape>>::accept();
    return T(v.get(), at);
  }
};
template <fixed_string What, typed_tensor T>
struct becomes<What, T, variable> {
  static T make(const variable& v, const std::source_location& at) { return T(v, at); }
};

template <fixed_string What, typed_tensor C>
struct condition_rule<What, C> {
  static constexpr typing found =
      std::is_same_v<typename C::element, bool> && is_one(C::shape) ? of_shape(C::shape) : misfit(fault::no_bool);
  static constexpr void accept() { meta::answer_t<fits<What, found, typename C::element, C::shape>>::accept(); }
};

template <typed_tensor X, i64 Axis>
struct cut<X, Axis> {
  static constexpr typing found = without(X::shape, Axis);
  using part = result_t<typename X::element, found>;
};
/// How many parts there are: of a list, those of the first.
template <class X, i64 Axis>
struct parts_of;
template <typed_tensor X, i64 Axis>
struct parts_of<X, Axis> {
  static constexpr bool known = true;
  static constexpr dimension count =
      axis_in(X::shape, Axis) == X::shape.rank ? dimension{} : X::shape[axis_in(X::shape, Axis)];
};
template <i64 Axis>
struct parts_of<variable, Axis> {
  static constexpr bool known = false;
};
template <class X, class... More, i64 Axis>
struct parts_of<std::tuple<X, More...>, Axis> : parts_of<X, Axis> {};
template <class X, class Y, i64 Axis>
struct parts_of<std::pair<X, Y>, Axis> : parts_of<X, Axis> {};
template <class X, size_t N, i64 Axis>
struct parts_of<std::array<X, N>, Axis> : parts_of<X, Axis> {};

template <typed_tensor Y, class X, i64 Axis>
  requires parts_of<X, Axis>::known
struct stacked<Y, X, Axis> {
  static constexpr typing found = in_front(Y::shape, Axis, parts_of<X, Axis>::count);
  using type = result_t<typename Y::element, found>;
};
template <typed_tensor Y, class X, i64 Axis>
  requires(!parts_of<X, Axis>::known)
struct stacked<Y, X, Axis> {
  using type = variable;
};

template <typed_tensor X, i64 Axis>
using has_parts = fits<"scan", without(X::shape, Axis), typename X::element, X::shape>;
template <typed_tensor X, i64 Axis>
struct scan_rule<X, void, Axis> {
  static constexpr void accept() { meta::answer_t<has_parts<X, Axis>>::accept(); }
};
template <typed_tensor X, typed_tensor Y, i64 Axis>
constexpr typing as_many_parts() {
  return parts_of<X, Axis>::count == parts_of<Y, Axis>::count
             ? of_shape(X::shape)
             : misfit(fault::other_length_of_parts, parts_of<X, Axis>::count, parts_of<Y, Axis>::count);
}
template <typed_tensor X, typed_tensor... More, i64 Axis>
struct scan_rule<std::tuple<X, More...>, void, Axis> {
  static constexpr void accept() {
    meta::answer_t<first_wrong_t<has_parts<X, Axis>, has_parts<More, Axis>...,
                                 fits<"scan", as_many_parts<X, More, Axis>(), typename X::element, X::shape,
                                      typename More::element, More::shape>...>>::accept();
  }
};
template <typed_tensor X, typed_tensor Y, i64 Axis>
struct scan_rule<std::pair<X, Y>, void, Axis> : scan_rule<std::tuple<X, Y>, void, Axis> {};
template <typed_tensor X, size_t N, i64 Axis>
struct scan_rule<std::array<X, N>, void, Axis> : scan_rule<X, void, Axis> {};
template <class X, typed_tensor Y, i64 Axis>
struct scan_rule<X, Y, Axis> {
  static constexpr void accept() {
    meta::answer_t<fits<"scan", in_front(Y::shape, Axis, 1), typename Y::element, Y::shape>>::accept();
  }
};

// -- functions --------------------------------------------------------------------------------------------------------

/// What the names of a function's extents are where it is called.
struct bindings {
  dimension from[64]{}, to[64]{};
  size_t count = 0;

  constexpr const dimension* find(const dimension& d) const {
    for (size_t i = 0; i < count; ++i)
      if (from[i] == d) return &to[i];
    return nullptr;
  }
  constexpr dimension operator()(const dimension& d) const {
    const dimension* const known = d.is_number() ? nullptr : find(d);
    return known ? *known : d;
  }
};
constexpr typing bind(bindings& b, const static_shape& said, const static_shape& is) {
  if (said.rank != is.rank) return misfit(fault::other_argument);
  for (size_t i = 0; i < said.rank; ++i) {
    if (said[i].is_number()) {
      if (!(said[i] == is[i])) return misfit(fault::other_argument, said[i], is[i]);
    } else if (const dimension* const known = b.find(said[i])) {
      if (!(*known == is[i])) return misfit(fault::other_name, *known, is[i]);
    } else if (b.count < 64) {
      b.from[b.count] = said[i], b.to[b.count++] = is[i];
    }
  }
  return of_shape(is);
}
/// Of the first parameters: `found` is what the last of them is.
struct bound {
  bindings names{};
  typing found{};
};
template <class... P, class... A>
constexpr bound bound_by(size_t first, std::tuple<P...>*, std::tuple<A...>*) {
  bound b;
  size_t i = 0;
  const auto one = [&](const static_shape& said, const static_shape& is, bool same) {
    if (i++ < first) b.found = same ? bind(b.names, said, is) : misfit(fault::other_argument);
  };
  (one(P::shape, A::shape, std::is_same_v<typename P::element, typename A::element>), ...);
  return b;
}
/// The number of the first argument that does not fit, else of the last one.
template <class... P, class... A>
constexpr size_t first_misfit(std::tuple<P...>* said, std::tuple<A...>* is) {
  size_t i = 0;
  while (i + 1 < sizeof...(P) && bound_by(i + 1, said, is).found.what == fault::none) ++i;
  return i;
}

/// A result of a function, as its caller says it.
template <class R, bindings B>
struct at_call {
  using type = R;
};
template <class T, dimension... D, bindings B>
struct at_call<typed<T, D...>, B> {
  using type = typed<T, B(D)...>;
};
template <class... R, bindings B>
struct at_call<std::tuple<R...>, B> {
  using type = std::tuple<typename at_call<R, B>::type...>;
};
template <class R, class S, bindings B>
struct at_call<std::pair<R, S>, B> {
  using type = std::pair<typename at_call<R, B>::type, typename at_call<S, B>::type>;
};
template <class R, size_t N, bindings B>
struct at_call<std::array<R, N>, B> {
  using type = std::array<typename at_call<R, B>::type, N>;
};
}  // namespace detail

/// A function of a graph that takes P… and gives R: its arguments may have other extents where P… have names.
template <class R, class... P>
class typed_function {
 public:
  const std::string& name() const { return name_; }
  // The line of a call is behind its arguments, so each number of them has a function of its own; and no macro makes
  // them, of which compilers would speak above a sentence.
  template <class A>
    requires(sizeof...(P) == 1)
  auto operator()(const A& a, std::source_location at = std::source_location::current()) const {
    return call(at, a);
  }
  template <class A, class B>
    requires(sizeof...(P) == 2)
  auto operator()(const A& a, const B& b, std::source_location at = std::source_location::current()) const {
    return call(at, a, b);
  }
  template <class A, class B, class C>
    requires(sizeof...(P) == 3)
  auto operator()(const A& a, const B& b, const C& c, std::source_location at = std::source_location::current()) const {
    return call(at, a, b, c);
  }
  template <class A, class B, class C, class D>
    requires(sizeof...(P) == 4)
  auto operator()(const A& a, const B& b, const C& c, const D& d,
                  std::source_location at = std::source_location::current()) const {
    return call(at, a, b, c, d);
  }
  template <class A, class B, class C, class D, class E>
    requires(sizeof...(P) == 5)
  auto operator()(const A& a, const B& b, const C& c, const D& d, const E& e,
                  std::source_location at = std::source_location::current()) const {
    return call(at, a, b, c, d, e);
  }
  template <class A, class B, class C, class D, class E, class F>
    requires(sizeof...(P) == 6)
  auto operator()(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f,
                  std::source_location at = std::source_location::current()) const {
    return call(at, a, b, c, d, e, f);
  }

 private:
  template <class>
  friend struct detail::typed_definition;
  typed_function(graph& g, std::string name) : graph_(&g), name_(std::move(name)) {}

  template <class... A>
  auto call(const std::source_location& at, const A&... given) const {
    static_assert((typed_tensor<A> && ...), "a typed function takes typed tensors: nn::as<float, \"N\", 8>(x)");
    using parameters = std::tuple<P...>;
    using arguments = std::tuple<A...>;
    constexpr parameters* said = nullptr;
    constexpr arguments* are = nullptr;
    constexpr size_t last = detail::first_misfit(said, are);
    constexpr detail::typing found = detail::bound_by(last + 1, said, are).found;
    using parameter = std::tuple_element_t<last, parameters>;
    using argument = std::tuple_element_t<last, arguments>;
    meta::answer_t<detail::fits<"call", found, typename parameter::element, parameter::shape,
                                typename argument::element, argument::shape>>::accept();
    constexpr detail::bindings names = detail::bound_by(sizeof...(P), said, are).names;
    using result = typename detail::at_call<R, names>::type;
    return detail::unlisted<result>(graph_->call(name_, {operand(given, at)...}, at), at);
  }

  graph* graph_;
  std::string name_;
};

namespace detail {

/// The parameters of a function object that has one operator().
template <class F>
struct signature : signature<decltype(&F::operator())> {};
template <class F, class R, class... P>
struct signature<R (F::*)(P...) const> {
  using parameters = std::tuple<std::remove_cvref_t<P>...>;
};
template <class F, class R, class... P>
struct signature<R (F::*)(P...)> : signature<R (F::*)(P...) const> {};

template <class F>
struct typed_definition {
  template <size_t N>
  static auto write(graph& g, const std::string& name, const char* const (&names)[N], F& body,
                    const std::source_location& at) {
    return write(g, name, names, body, at, static_cast<typename signature<F>::parameters*>(nullptr));
  }

 private:
  template <size_t N, class... P>
  static auto write(graph& g, const std::string& name, const char* const (&names)[N], F& body,
                    const std::source_location& at, std::tuple<P...>*) {
    static_assert(sizeof...(P) == N, "a function has a name for each parameter of its body");
    static_assert((typed_tensor<P> && ...), "the parameters of the body are typed tensors: nn::typed<float, \"n\", 8>");
    size_t next = 0;
    const parameter_type parameters[] = {{names[next++], dtype_of<typename P::element>, extents_of(P::shape)}...};
    graph::defining d(g, name, parameters, at);
    const auto results = std::apply(body, unlisted<std::tuple<P...>>(d.arguments(), at));
    d.write(listed(results));
    return typed_function<std::remove_cv_t<decltype(results)>, P...>(g, d.name());
  }
};

}  // namespace detail
}  // namespace tenon::nn
