/// @file typed_operators: operators and layers on tensors whose shapes are in their types: what does not fit does not
/// compile (tenon-E080).
#pragma once

#include <tenon/importers/graph/typed.hpp>

namespace tenon::nn {
namespace detail {

template <class Op, class E>
using element_of = std::conditional_t<loop::gives_bool(Op::fn), bool, E>;
/// An operand, in a call that is looked up when a template is used: not all functions take as many.
template <class>
struct operand_type {
  using type = operand;
};
template <class X>
using operand_of = typename operand_type<X>::type;
/// Operands of one element type, but for powers.
template <class Op, class E, class F>
constexpr typing of_both(const typing& t) {
  return taken<Op::takes, E>(std::is_same_v<E, F> || std::is_same_v<Op, op::pow> ? t : misfit(fault::other_elements));
}

}  // namespace detail

// -- elementwise: one for each row of the table, of tensors that broadcast, or of a tensor and a number
#define TENON_TYPED_SCALAR_OP(name, ...)                                                                        \
  template <typed_tensor X, class E = typename X::element,                                                      \
            detail::typing Found = detail::taken<op::name::takes, E>(detail::of_shape(X::shape))>               \
    requires(loop::arity(op::name::fn) == 1)                                                                    \
  auto name(const X& x, std::source_location at = std::source_location::current()) {                            \
    meta::answer_t<detail::fits<#name, Found, E, X::shape>>::accept();                                          \
    return detail::result_t<detail::element_of<op::name, E>, Found>(name(detail::operand_of<X>(x, at)), at);    \
  }                                                                                                             \
  template <typed_tensor X, typed_tensor Y, class E = typename X::element, class F = typename Y::element,       \
            detail::typing Found = detail::of_both<op::name, E, F>(detail::broadcast(X::shape, Y::shape))>      \
    requires(loop::arity(op::name::fn) == 2)                                                                    \
  auto name(const X& x, const Y& y, std::source_location at = std::source_location::current()) {                \
    meta::answer_t<detail::fits<#name, Found, E, X::shape, F, Y::shape>>::accept();                             \
    return detail::result_t<detail::element_of<op::name, E>, Found>(                                            \
        name(detail::operand_of<X>(x, at), detail::operand_of<Y>(y, at)), at);                                  \
  }                                                                                                             \
  template <typed_tensor X, class E = typename X::element,                                                      \
            detail::typing Found = detail::taken<op::name::takes, E>(detail::of_shape(X::shape))>               \
    requires(loop::arity(op::name::fn) == 2)                                                                    \
  auto name(const X& x, double y, std::source_location at = std::source_location::current()) {                  \
    meta::answer_t<detail::fits<#name, Found, E, X::shape>>::accept();                                          \
    return detail::result_t<detail::element_of<op::name, E>, Found>(name(detail::operand_of<X>(x, at), y), at); \
  }                                                                                                             \
  template <typed_tensor X, class E = typename X::element,                                                      \
            detail::typing Found = detail::taken<op::name::takes, E>(detail::of_shape(X::shape))>               \
    requires(loop::arity(op::name::fn) == 2)                                                                    \
  auto name(double x, const X& y, std::source_location at = std::source_location::current()) {                  \
    meta::answer_t<detail::fits<#name, Found, E, X::shape>>::accept();                                          \
    return detail::result_t<detail::element_of<op::name, E>, Found>(name(detail::operand_of<X>(x, at), y), at); \
  }
TENON_ELEMENTWISE_OPS(TENON_TYPED_SCALAR_OP)
#undef TENON_TYPED_SCALAR_OP

#define TENON_TYPED_ACTIVATION(name, elements)                                                         \
  template <typed_tensor X, class E = typename X::element,                                             \
            detail::typing Found = detail::taken<op::domain::elements, E>(detail::of_shape(X::shape))> \
  X name(const X& x, std::source_location at = std::source_location::current()) {                      \
    meta::answer_t<detail::fits<#name, Found, E, X::shape>>::accept();                                 \
    return X(name(operand(x, at)), at);                                                                \
  }
TENON_TYPED_ACTIVATION(relu, number)
TENON_TYPED_ACTIVATION(gelu, real)
TENON_TYPED_ACTIVATION(gelu_tanh, real)
TENON_TYPED_ACTIVATION(silu, real)
TENON_TYPED_ACTIVATION(selu, real)
TENON_TYPED_ACTIVATION(softplus, real)
TENON_TYPED_ACTIVATION(softsign, real)
TENON_TYPED_ACTIVATION(mish, real)
TENON_TYPED_ACTIVATION(hard_swish, real)
TENON_TYPED_ACTIVATION(softmax, real)
TENON_TYPED_ACTIVATION(log_softmax, real)
#undef TENON_TYPED_ACTIVATION
#define TENON_TYPED_ACTIVATION(name, usual)                                                             \
  template <typed_tensor X, class E = typename X::element,                                              \
            detail::typing Found = detail::taken<op::domain::real, E>(detail::of_shape(X::shape))>      \
  X name(const X& x, double alpha = usual, std::source_location at = std::source_location::current()) { \
    meta::answer_t<detail::fits<#name, Found, E, X::shape>>::accept();                                  \
    return X(name(operand(x, at), alpha), at);                                                          \
  }
TENON_TYPED_ACTIVATION(leaky_relu, 0.01)
TENON_TYPED_ACTIVATION(elu, 1)
TENON_TYPED_ACTIVATION(celu, 1)
#undef TENON_TYPED_ACTIVATION
template <typed_tensor X>
X hard_sigmoid(const X& x, double alpha = 1. / 6, double beta = 0.5,
               std::source_location at = std::source_location::current()) {
  return X(hard_sigmoid(operand(x, at), alpha, beta), at);
}
template <typed_tensor X>
X clip(const X& x, double low, double high, std::source_location at = std::source_location::current()) {
  return X(clip(operand(x, at), low, high), at);
}
template <typed_tensor X, typed_tensor S, class E = typename X::element, class F = typename S::element,
          detail::typing Found = detail::same_elements<"prelu", E, F>(detail::broadcast(X::shape, S::shape))>
auto prelu(const X& x, const S& slope, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"prelu", Found, E, X::shape, F, S::shape>>::accept();
  return detail::result_t<E, Found>(prelu(operand(x, at), slope), at);
}
#define TENON_TYPED_ALONG(op)                                                   \
  template <i64 Axis, typed_tensor X, class E = typename X::element,            \
            detail::typing Found = detail::without(X::shape, Axis)>             \
  X op(const X& x, std::source_location at = std::source_location::current()) { \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept();            \
    return X(op(operand(x, at), Axis), at);                                     \
  }
TENON_TYPED_ALONG(softmax)
TENON_TYPED_ALONG(log_softmax)
#undef TENON_TYPED_ALONG
#define TENON_TYPED_CUMULATION(op)                                   \
  template <i64 Axis, typed_tensor X, class E = typename X::element, \
            detail::typing Found = detail::without(X::shape, Axis)>  \
  X op(const X& x, bool exclusive = false, bool reverse = false,     \
       std::source_location at = std::source_location::current()) {  \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept(); \
    return X(op(operand(x, at), Axis, exclusive, reverse), at);      \
  }
TENON_TYPED_CUMULATION(cumulative_sum)
TENON_TYPED_CUMULATION(cumulative_prod)
#undef TENON_TYPED_CUMULATION
template <typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::taken<op::domain::real, E>(detail::of_shape(X::shape))>
auto is_inf(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"is_inf", Found, E, X::shape>>::accept();
  return detail::result_t<bool, Found>(is_inf(operand(x, at)), at);
}

template <class To, typed_tensor X, detail::typing Found = detail::of_shape(X::shape)>
auto cast(const X& x, std::source_location at = std::source_location::current()) {
  return detail::result_t<To, Found>(cast(operand(x, at), dtype_of<To>), at);
}
template <typed_tensor C, typed_tensor X, typed_tensor Y, class E = typename X::element, class F = typename Y::element,
          detail::typing Both = detail::same_elements<"where", E, F>(detail::broadcast(X::shape, Y::shape)),
          detail::typing Found = Both.what != detail::fault::none ? Both : detail::broadcast(C::shape, Both.shape)>
auto where(const C& condition, const X& x, const Y& y, std::source_location at = std::source_location::current()) {
  constexpr detail::typing asked =
      std::is_same_v<typename C::element, bool> ? detail::of_shape(C::shape) : detail::misfit(detail::fault::no_bool);
  meta::answer_t<detail::first_wrong_t<detail::fits<"where", asked, typename C::element, C::shape>,
                                       detail::fits<"where", Both, E, X::shape, F, Y::shape>,
                                       detail::fits<"where", Found, bool, C::shape, E, Both.shape>>>::accept();
  return detail::result_t<E, Found>(where(operand(condition, at), operand(x, at), operand(y, at)), at);
}

/// The same with a number for one of both.
template <typed_tensor C, typed_tensor X, class E = typename X::element,
          detail::typing Found = std::is_same_v<typename C::element, bool> ? detail::broadcast(C::shape, X::shape)
                                                                           : detail::misfit(detail::fault::no_bool)>
auto where(const C& condition, const X& x, double y, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"where", Found, typename C::element, C::shape, E, X::shape>>::accept();
  return detail::result_t<E, Found>(where(operand(condition, at), operand(x, at), operand(y, at)), at);
}
template <typed_tensor C, typed_tensor Y, class E = typename Y::element,
          detail::typing Found = std::is_same_v<typename C::element, bool> ? detail::broadcast(C::shape, Y::shape)
                                                                           : detail::misfit(detail::fault::no_bool)>
auto where(const C& condition, double x, const Y& y, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"where", Found, typename C::element, C::shape, E, Y::shape>>::accept();
  return detail::result_t<E, Found>(where(operand(condition, at), operand(x, at), operand(y, at)), at);
}

// -- products
template <typed_tensor X, typed_tensor W, class E = typename X::element, class F = typename W::element,
          detail::typing Found = detail::same_elements<"matmul", E, F>(detail::product(X::shape, W::shape))>
auto matmul(const X& x, const W& w, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"matmul", Found, E, X::shape, F, W::shape>>::accept();
  return detail::result_t<E, Found>(matmul(operand(x, at), w), at);
}
template <typed_tensor X, typed_tensor W, class E = typename X::element, class F = typename W::element,
          detail::typing Found = detail::same_elements<"dense", E, F>(detail::product(X::shape, W::shape))>
auto dense(const X& x, const W& w, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"dense", Found, E, X::shape, F, W::shape>>::accept();
  return detail::result_t<E, Found>(dense(operand(x, at), w), at);
}
template <typed_tensor X, typed_tensor W, typed_tensor B, class E = typename X::element, class F = typename W::element,
          detail::typing Found = detail::same_elements<"dense", E, F>(detail::product(X::shape, W::shape)),
          detail::typing Biased = Found.what != detail::fault::none ? Found
                                                                    : detail::as_long_as_last(Found.shape, B::shape)>
auto dense(const X& x, const W& w, const B& b, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::first_wrong_t<detail::fits<"dense", Found, E, X::shape, F, W::shape>,
                                       detail::fits<"dense", Biased, E, Found.shape, F, B::shape>>>::accept();
  return detail::result_t<E, Found>(dense(operand(x, at), w, b), at);
}
namespace detail {
template <sliding How>
convolution convolution_of(size_t spatial) {
  return {std::vector<i64>(spatial, How.stride), std::vector<i64>(spatial, How.dilation),
          std::vector<i64>(2 * spatial, How.pad), How.group};
}
}  // namespace detail
/// x [N, C, spatial…], w [O, C / group, kernel…].
template <sliding How = sliding{}, typed_tensor X, typed_tensor W, class E = typename X::element,
          class F = typename W::element,
          detail::typing Found = detail::same_elements<"conv", E, F>(detail::convolved(X::shape, W::shape, How))>
auto conv(const X& x, const W& w, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"conv", Found, E, X::shape, F, W::shape>>::accept();
  return detail::result_t<E, Found>(conv(operand(x, at), w, detail::convolution_of<How>(X::shape.rank - 2)), at);
}
template <sliding How = sliding{}, typed_tensor X, typed_tensor W, typed_tensor B, class E = typename X::element,
          class F = typename W::element,
          detail::typing Found = detail::same_elements<"conv", E, F>(detail::convolved(X::shape, W::shape, How)),
          detail::typing Biased = Found.what != detail::fault::none ? Found : detail::by_channel(Found.shape, B::shape)>
auto conv(const X& x, const W& w, const B& b, std::source_location at = std::source_location::current()) {
  meta::answer_t<
      detail::first_wrong_t<detail::fits<"conv", Found, E, X::shape, F, W::shape>,
                            detail::fits<"conv", Biased, E, Found.shape, typename B::element, B::shape>>>::accept();
  return detail::result_t<E, Found>(conv(operand(x, at), w, b, detail::convolution_of<How>(X::shape.rank - 2)), at);
}

// -- images
#define TENON_TYPED_POOL(op)                                                                                     \
  template <pooling How = pooling{}, typed_tensor X, class E = typename X::element,                              \
            detail::typing Found = detail::pooled(X::shape, How)>                                                \
  auto op(const X& x, std::source_location at = std::source_location::current()) {                               \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept();                                             \
    constexpr size_t n = X::shape.rank - 2;                                                                      \
    const window w{                                                                                              \
        std::vector<i64>(n, How.kernel), std::vector<i64>(n, How.step()), {}, std::vector<i64>(2 * n, How.pad)}; \
    return detail::result_t<E, Found>(op(operand(x, at), w), at);                                                \
  }
TENON_TYPED_POOL(max_pool)
TENON_TYPED_POOL(average_pool)
#undef TENON_TYPED_POOL
#define TENON_TYPED_POOL(op)                                                                                    \
  template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::over_image(X::shape)> \
  auto op(const X& x, std::source_location at = std::source_location::current()) {                              \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept();                                            \
    return detail::result_t<E, Found>(op(operand(x, at)), at);                                                  \
  }
TENON_TYPED_POOL(global_average_pool)
TENON_TYPED_POOL(global_max_pool)
#undef TENON_TYPED_POOL
template <typed_tensor X, typed_tensor C, class E = typename X::element,
          detail::typing Found =
              detail::same_elements<"batch_norm", E, typename C::element>(detail::by_channel(X::shape, C::shape))>
X batch_norm(const X& x, const C& scale, const C& shift, const C& mean, const C& variance, double epsilon = 1e-5,
             std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"batch_norm", Found, E, X::shape, typename C::element, C::shape>>::accept();
  return X(batch_norm(operand(x, at), scale, shift, mean, variance, epsilon), at);
}

// -- sequences
template <typed_tensor X, typed_tensor S, class E = typename X::element,
          detail::typing Found =
              detail::same_elements<"layer_norm", E, typename S::element>(detail::as_long_as_last(X::shape, S::shape))>
X layer_norm(const X& x, const S& scale, const S& shift, double epsilon = 1e-5,
             std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"layer_norm", Found, E, X::shape, typename S::element, S::shape>>::accept();
  return X(layer_norm(operand(x, at), scale, shift, epsilon), at);
}
template <typed_tensor X, typed_tensor S, class E = typename X::element,
          detail::typing Found =
              detail::same_elements<"rms_norm", E, typename S::element>(detail::as_long_as_last(X::shape, S::shape))>
X rms_norm(const X& x, const S& scale, double epsilon = 1e-6,
           std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"rms_norm", Found, E, X::shape, typename S::element, S::shape>>::accept();
  return X(rms_norm(operand(x, at), scale, epsilon), at);
}
template <typed_tensor T, typed_tensor I, class E = typename T::element, class F = typename I::element,
          detail::typing Found = detail::rows_of(T::shape, I::shape, is_int(dtype_of<F>))>
auto embedding(const T& table, const I& indices, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"embedding", Found, E, T::shape, F, I::shape>>::accept();
  return detail::result_t<E, Found>(embedding(operand(table, at), indices), at);
}
template <typed_tensor Q, typed_tensor K, typed_tensor V, class E = typename Q::element,
          detail::typing Found = detail::same_elements<"attention", E, typename V::element>(
              detail::same_elements<"attention", E, typename K::element>(detail::attended(Q::shape, K::shape,
                                                                                          V::shape)))>
auto attention(const Q& q, const K& k, const V& v, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"attention", Found, E, K::shape, typename V::element, V::shape>>::accept();
  return detail::result_t<E, Found>(attention(operand(q, at), k, v), at);
}
template <i64 Heads, typed_tensor X, class E = typename X::element,
          detail::typing Found = detail::heads_split(X::shape, Heads)>
auto split_heads(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"split_heads", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(split_heads(operand(x, at), Heads), at);
}
template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::heads_merged(X::shape)>
auto merge_heads(const X& x, std::source_location at = std::source_location::current()) {
  meta::answer_t<detail::fits<"merge_heads", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(merge_heads(operand(x, at)), at);
}
template <class All, class Last>
struct typed_recurrent {
  All all;
  Last last;
};
template <class All, class Last>
struct typed_lstm {
  All all;
  Last last, cell;
};
#define TENON_TYPED_RECURRENT(op, gates, ...)                                                                          \
  template <typed_tensor X, typed_tensor W, typed_tensor R, typed_tensor B, class E = typename X::element,             \
            detail::typing Found =                                                                                     \
                detail::same_elements<#op, E, typename W::element>(detail::same_elements<#op, E, typename R::element>( \
                    detail::recurring(X::shape, W::shape, R::shape, B::shape, gates)))>                                \
  auto op(const X& x, const W& w, const R& r, const B& b, const recurrent& how = {},                                   \
          std::source_location at = std::source_location::current()) {                                                 \
    meta::answer_t<detail::fits<#op, Found, E, X::shape, typename R::element, R::shape>>::accept();                    \
    using all = detail::result_t<E, Found>;                                                                            \
    constexpr detail::typing final_state = detail::without(Found.shape, -2);                                           \
    using last = detail::result_t<E, final_state>;                                                                     \
    const auto made = op(operand(x, at), w, r, b, how);                                                                \
    return __VA_ARGS__;                                                                                                \
  }
TENON_TYPED_RECURRENT(rnn, 1, typed_recurrent<all, last>{all(made.all, at), last(made.last, at)})
TENON_TYPED_RECURRENT(gru, 3, typed_recurrent<all, last>{all(made.all, at), last(made.last, at)})
TENON_TYPED_RECURRENT(lstm, 4, typed_lstm<all, last>{all(made.all, at), last(made.last, at), last(made.cell, at)})
#undef TENON_TYPED_RECURRENT

// -- reductions: `reduce_sum<1>(x)`; `reduce_sum<1, true>(x)` keeps the dimension, of 1
#define TENON_TYPED_REDUCTION(op)                                                       \
  template <i64 Axis, bool Keep = false, typed_tensor X, class E = typename X::element, \
            detail::typing Found = detail::reduced(X::shape, Axis, Keep)>               \
  auto op(const X& x, std::source_location at = std::source_location::current()) {      \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept();                    \
    return detail::result_t<E, Found>(op(operand(x, at), {Axis}, Keep), at);            \
  }
TENON_TYPED_REDUCTION(reduce_sum)
TENON_TYPED_REDUCTION(reduce_prod)
TENON_TYPED_REDUCTION(reduce_mean)
TENON_TYPED_REDUCTION(reduce_max)
TENON_TYPED_REDUCTION(reduce_min)
#undef TENON_TYPED_REDUCTION
#define TENON_TYPED_POSITION(op)                                                        \
  template <i64 Axis, bool Keep = false, typed_tensor X, class E = typename X::element, \
            detail::typing Found = detail::reduced(X::shape, Axis, Keep)>               \
  auto op(const X& x, std::source_location at = std::source_location::current()) {      \
    meta::answer_t<detail::fits<#op, Found, E, X::shape>>::accept();                    \
    return detail::result_t<i64, Found>(op(operand(x, at), Axis, Keep), at);            \
  }
TENON_TYPED_POSITION(arg_max)
TENON_TYPED_POSITION(arg_min)
#undef TENON_TYPED_POSITION

}  // namespace tenon::nn
