/// @file typed_graph: tensors of a graph whose element type and shape are in their C++ type: operators that do not fit
/// do not compile.
///
///     nn::graph g;
///     const auto x = nn::input<float, "N", 784>(g, "x");                  // nn::typed<float, "N", 784>
///     const auto h = relu(dense(x, nn::constant<float, 784, 128>(g, w1)));
///     const auto y = dense(h, nn::constant<float, 100, 10>(g, w2));       // tenon-E080: … 128 and 100
///
/// A dimension is a number or a name; extents of one name are equal. A typed tensor goes wherever a `variable` does,
/// and `nn::as<float, "N", 10>(v)` is the way back, checked when the graph is written. Cost: no op more than untyped
/// code.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that compilers print above a sentence is short

#include <tenon/importers/graph.hpp>

namespace tenon::nn {

/// An extent in a type: a number, or a name of up to 15 characters.
struct dimension {
  i64 number = 0;
  char name[16]{};

  constexpr dimension() = default;
  constexpr dimension(i64 n) : number(n) {}
  constexpr dimension(int n) : number(n) {}
  template <size_t N>
    requires(N <= 16)
  constexpr dimension(const char (&text)[N]) {
    for (size_t i = 0; i < N; ++i) name[i] = text[i];
  }
  constexpr bool is_number() const { return name[0] == 0; }
  friend constexpr bool operator==(const dimension&, const dimension&) = default;
};

/// A shape as a value at compile time.
struct static_shape {
  static constexpr size_t most = 8;
  dimension dims[most]{};
  size_t rank = 0;

  constexpr const dimension& operator[](size_t i) const { return dims[i]; }
  constexpr void add(dimension d) { dims[rank++] = d; }
};

namespace detail {
template <class T>
consteval label name_of_element() {
  constexpr dtype t = dtype_of<T>;
  using enum dtype;
  constexpr const char* names[] = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"};
  constexpr dtype all[] = {f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8};
  for (size_t i = 0; i < std::size(all); ++i)
    if (all[i] == t) return {names[i], std::char_traits<char>::length(names[i])};
  return t == boolean ? label{"bool", 4} : label{"other", 5};
}
constexpr meta::phrase& say(meta::phrase& s, const dimension& d) {
  return d.is_number() ? s << static_cast<size_t>(d.number) : s << d.name;
}
template <class T>
constexpr meta::phrase& say(meta::phrase& s, const static_shape& shape) {
  s << name_of_element<T>() << "[";
  for (size_t i = 0; i < shape.rank; ++i) {
    if (i) s << ", ";
    say(s, shape[i]);
  }
  return s << "]";
}

enum class fault : u8 {
  none,
  no_broadcast,
  few_dimensions,
  columns_and_rows,
  no_list,
  other_length,
  no_axis,
  open_extents,
  no_dimension,
  no_matrix,
  no_image,
  open_channels,
  other_channels,
  open_image,
  large_kernel,
  other_elements,
};
constexpr const char* words(fault f) {
  switch (f) {
    case fault::none: return "";
    case fault::no_broadcast: return "do not broadcast";
    case fault::few_dimensions: return "have no product: both need two dimensions or more";
    case fault::columns_and_rows: return "have no product: columns of the first and rows of the second differ";
    case fault::no_list: return "do not fit: the second needs one dimension, the last of the first";
    case fault::other_length: return "do not fit: the last dimensions differ";
    case fault::no_axis: return "has no such axis";
    case fault::open_extents: return "cannot be flattened: all extents but the first need to be numbers";
    case fault::no_dimension: return "cannot be flattened: it has no dimension";
    case fault::no_matrix: return "has fewer than two dimensions to exchange";
    case fault::no_image: return "have no convolution: image and weight need the same rank, 3 or more";
    case fault::open_channels: return "have no convolution: numbers of channels need to be numbers";
    case fault::other_channels: return "have no convolution: channels of the image and of the weight differ";
    case fault::open_image: return "have no typed convolution: spatial extents need to be numbers";
    case fault::large_kernel: return "have no convolution: the kernel is larger than the image";
    case fault::other_elements: return "have different element types: cast one of them";
  }
  return "";
}

/// What a type rule finds: a shape, or what does not fit.
struct typing {
  static_shape shape{};
  fault what = fault::none;
  dimension a{}, b{};  ///< the extents that differ, for faults that name them
  bool differ = false;
};
constexpr typing misfit(fault what) {
  typing t;
  t.what = what;
  return t;
}
constexpr typing misfit(fault what, dimension a, dimension b) {
  typing t = misfit(what);
  t.a = a, t.b = b, t.differ = true;
  return t;
}

/// numpy's rule.
constexpr typing broadcast(const static_shape& a, const static_shape& b) {
  typing t;
  t.shape.rank = a.rank > b.rank ? a.rank : b.rank;
  for (size_t i = 0; i < t.shape.rank; ++i) {
    const dimension x = i < a.rank ? a[a.rank - 1 - i] : dimension(1),
                    y = i < b.rank ? b[b.rank - 1 - i] : dimension(1);
    if (!(x == y) && !(x == dimension(1)) && !(y == dimension(1))) return misfit(fault::no_broadcast, x, y);
    t.shape.dims[t.shape.rank - 1 - i] = x == dimension(1) ? y : x;
  }
  return t;
}
constexpr typing product(const static_shape& a, const static_shape& b) {
  if (a.rank < 2 || b.rank < 2) return misfit(fault::few_dimensions);
  if (!(a[a.rank - 1] == b[b.rank - 2])) return misfit(fault::columns_and_rows, a[a.rank - 1], b[b.rank - 2]);
  static_shape x = a, y = b;
  x.rank -= 2, y.rank -= 2;
  typing t = broadcast(x, y);
  if (t.what == fault::none) t.shape.add(a[a.rank - 2]), t.shape.add(b[b.rank - 1]);
  return t;
}
constexpr typing as_long_as_last(const static_shape& a, const static_shape& b) {
  if (a.rank == 0 || b.rank != 1) return misfit(fault::no_list);
  if (!(a[a.rank - 1] == b[0])) return misfit(fault::other_length, a[a.rank - 1], b[0]);
  typing t;
  t.shape = a;
  return t;
}
constexpr typing without(const static_shape& a, i64 axis) {
  const i64 at = axis < 0 ? axis + static_cast<i64>(a.rank) : axis;
  if (at < 0 || at >= static_cast<i64>(a.rank)) return misfit(fault::no_axis);
  typing t;
  for (size_t i = 0; i < a.rank; ++i)
    if (static_cast<i64>(i) != at) t.shape.add(a[i]);
  return t;
}
constexpr typing flat(const static_shape& a) {
  i64 n = 1;
  for (size_t i = 1; i < a.rank; ++i) {
    if (!a[i].is_number()) return misfit(fault::open_extents);
    n *= a[i].number;
  }
  if (a.rank == 0) return misfit(fault::no_dimension);
  typing t;
  t.shape.add(a[0]), t.shape.add(n);
  return t;
}
constexpr typing swapped(const static_shape& a) {
  if (a.rank < 2) return misfit(fault::no_matrix);
  typing t;
  t.shape = a;
  t.shape.dims[a.rank - 2] = a[a.rank - 1], t.shape.dims[a.rank - 1] = a[a.rank - 2];
  return t;
}
}  // namespace detail

/// How a typed convolution moves: the same in every spatial dimension.
struct sliding {
  i64 stride = 1, pad = 0, dilation = 1, group = 1;
};

namespace detail {
constexpr typing convolved(const static_shape& x, const static_shape& w, sliding how) {
  if (x.rank < 3 || w.rank != x.rank) return misfit(fault::no_image);
  if (!x[1].is_number() || !w[0].is_number() || !w[1].is_number()) return misfit(fault::open_channels);
  if (x[1].number != w[1].number * how.group) return misfit(fault::other_channels, x[1], w[1].number * how.group);
  typing t;
  t.shape.add(x[0]), t.shape.add(w[0]);
  for (size_t d = 2; d < x.rank; ++d) {
    if (!x[d].is_number() || !w[d].is_number()) return misfit(fault::open_image);
    const i64 room = x[d].number + 2 * how.pad - ((w[d].number - 1) * how.dilation + 1);
    if (room < 0) return misfit(fault::large_kernel, x[d], w[d]);
    t.shape.add(room / how.stride + 1);
  }
  return t;
}

/// The rejection: "tenon-E080: 'dense': f32[N, 784] and f32[100, 10] have no product: … differ: 784 and 100".
template <fixed_string Op, typing Found, class A, static_shape X, class B = void, static_shape Y = static_shape{}>
struct fits {
  static constexpr bool ok = Found.what == fault::none;
  static consteval meta::phrase say() {
    meta::phrase s;
    detail::say<A>((s << "tenon-E080: ").quoted(Op) << ": ", X);
    if constexpr (!std::is_void_v<B>) detail::say<B>(s << " and ", Y);
    s << " " << words(Found.what);
    if (Found.differ) detail::say(detail::say(s << ": ", Found.a) << " and ", Found.b);
    return s;
  }
};
template <fixed_string Op, class A, class B>
constexpr typing same_elements(typing t) {
  return std::is_same_v<A, B> ? t : misfit(fault::other_elements);
}
}  // namespace detail

namespace detail {
  void check_typed(const variable& v, dtype t, const static_shape& s, const std::source_location& at);
}  // namespace detail

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

 private:
  variable variable_;
};

namespace detail {
std::vector<extent> extents_of(const static_shape& s);
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

#define TENON_TYPED_UNARY(op)                                                   \
  template <typed_tensor X>                                                     \
  X op(const X& x, std::source_location at = std::source_location::current()) { \
    return X(op(operand(x.get(), at)), at);                                     \
  }
TENON_TYPED_UNARY(relu)
TENON_TYPED_UNARY(gelu)
TENON_TYPED_UNARY(silu)
TENON_TYPED_UNARY(softmax)
TENON_TYPED_UNARY(log_softmax)
TENON_TYPED_UNARY(exp)
TENON_TYPED_UNARY(log)
TENON_TYPED_UNARY(sqrt)
TENON_TYPED_UNARY(tanh)
TENON_TYPED_UNARY(sigmoid)
TENON_TYPED_UNARY(abs)
TENON_TYPED_UNARY(neg)
#undef TENON_TYPED_UNARY

// Elementwise, of two tensors that broadcast, or of a tensor and a number.
#define TENON_TYPED_BINARY(op, words)                                                                         \
  template <typed_tensor X, typed_tensor Y, class E = typename X::element, class F = typename Y::element,     \
            detail::typing Found = detail::same_elements<words, E, F>(detail::broadcast(X::shape, Y::shape))> \
  auto op(const X& x, const Y& y) {                                                                           \
    meta::told_t<detail::fits<words, Found, E, X::shape, F, Y::shape>>::accept();                             \
    return detail::result_t<E, Found>(op(x.get(), y.get()));                                                  \
  }                                                                                                           \
  template <typed_tensor X>                                                                                   \
  X op(const X& x, double y) {                                                                                \
    return X(op(x.get(), y));                                                                                 \
  }                                                                                                           \
  template <typed_tensor X>                                                                                   \
  X op(double x, const X& y) {                                                                                \
    return X(op(x, y.get()));                                                                                 \
  }
TENON_TYPED_BINARY(operator+, "+")
TENON_TYPED_BINARY(operator-, "-")
TENON_TYPED_BINARY(operator*, "*")
TENON_TYPED_BINARY(operator/, "/")
TENON_TYPED_BINARY(maximum, "maximum")
TENON_TYPED_BINARY(minimum, "minimum")
#undef TENON_TYPED_BINARY

template <typed_tensor X, typed_tensor W, class E = typename X::element, class F = typename W::element,
          detail::typing Found = detail::same_elements<"matmul", E, F>(detail::product(X::shape, W::shape))>
auto matmul(const X& x, const W& w, std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"matmul", Found, E, X::shape, F, W::shape>>::accept();
  return detail::result_t<E, Found>(matmul(operand(x.get(), at), w.get()), at);
}
template <typed_tensor X, typed_tensor W, class E = typename X::element, class F = typename W::element,
          detail::typing Found = detail::same_elements<"dense", E, F>(detail::product(X::shape, W::shape))>
auto dense(const X& x, const W& w, std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"dense", Found, E, X::shape, F, W::shape>>::accept();
  return detail::result_t<E, Found>(dense(operand(x.get(), at), w.get()), at);
}
template <typed_tensor X, typed_tensor W, typed_tensor B, class E = typename X::element, class F = typename W::element,
          detail::typing Found = detail::same_elements<"dense", E, F>(detail::product(X::shape, W::shape)),
          detail::typing Biased = Found.what != detail::fault::none ? Found
                                                                    : detail::as_long_as_last(Found.shape, B::shape)>
auto dense(const X& x, const W& w, const B& b, std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"dense", Found, E, X::shape, F, W::shape>>::accept();
  meta::told_t<detail::fits<"dense", Biased, E, Found.shape, F, B::shape>>::accept();
  return detail::result_t<E, Found>(dense(operand(x.get(), at), w.get(), b.get()), at);
}
/// x [N, C, spatial…], w [O, C / group, kernel…].
template <sliding How = sliding{}, typed_tensor X, typed_tensor W, class E = typename X::element,
          class F = typename W::element,
          detail::typing Found = detail::same_elements<"conv", E, F>(detail::convolved(X::shape, W::shape, How))>
auto conv(const X& x, const W& w, std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"conv", Found, E, X::shape, F, W::shape>>::accept();
  constexpr size_t n = X::shape.rank - 2;
  const convolution how{std::vector<i64>(n, How.stride), std::vector<i64>(n, How.dilation),
                        std::vector<i64>(2 * n, How.pad), How.group};
  return detail::result_t<E, Found>(conv(operand(x.get(), at), w.get(), how), at);
}
template <typed_tensor X, typed_tensor S, class E = typename X::element,
          detail::typing Found = detail::as_long_as_last(X::shape, S::shape)>
X layer_norm(const X& x, const S& scale, const S& shift, double epsilon = 1e-5,
             std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"layer_norm", Found, E, X::shape, typename S::element, S::shape>>::accept();
  return X(layer_norm(operand(x.get(), at), scale.get(), shift.get(), epsilon), at);
}

// One operand.
#define TENON_TYPED_REDUCTION(op)                                                   \
  template <i64 Axis, typed_tensor X, class E = typename X::element,                \
            detail::typing Found = detail::without(X::shape, Axis)>                 \
  auto op(const X& x, std::source_location at = std::source_location::current()) {  \
    meta::told_t<detail::fits<#op, Found, E, X::shape>>::accept();                  \
    return detail::result_t<E, Found>(op(operand(x.get(), at), {Axis}, false), at); \
  }
TENON_TYPED_REDUCTION(reduce_sum)
TENON_TYPED_REDUCTION(reduce_mean)
TENON_TYPED_REDUCTION(reduce_max)
TENON_TYPED_REDUCTION(reduce_min)
#undef TENON_TYPED_REDUCTION

template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::flat(X::shape)>
auto flatten(const X& x, std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"flatten", Found, E, X::shape>>::accept();
  return detail::result_t<E, Found>(flatten(operand(x.get(), at)), at);
}
/// The last two dimensions exchanged.
template <typed_tensor X, class E = typename X::element, detail::typing Found = detail::swapped(X::shape)>
auto transpose(const X& x, std::source_location at = std::source_location::current()) {
  meta::told_t<detail::fits<"transpose", Found, E, X::shape>>::accept();
  std::vector<i64> order;
  for (size_t i = 0; i < X::shape.rank; ++i) order.push_back(static_cast<i64>(i));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return detail::result_t<E, Found>(transpose(operand(x.get(), at), order), at);
}

}  // namespace tenon::nn
