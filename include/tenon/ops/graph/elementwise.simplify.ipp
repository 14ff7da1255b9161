/// @file elementwise.simplify.ipp: what elementwise ops can be replaced by (ops/simplification.hpp), beside their laws.
#pragma once

#include <cmath>
#include <optional>

#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/simplification.hpp>

namespace tenon::op {
namespace elementwise_detail {
using tenon::pattern;  // not the op

/// A new constant from each element of an old one, computed in f64 (exact for what it is used for) or i64.
template <class F>
tensor mapped(const tensor& t, F&& f) {
  tensor to(t.type(), t.shape());
  for (i64 i = 0; i < t.size(); ++i)
    if (is_float(t.type())) to.set_f64(i, f(t.at_f64(i)));
    else to.set_i64(i, static_cast<i64>(f(t.at_i64(i))));
  return to;
}

inline bool exact_reciprocal(const tensor& t) {
  if (t.type() != dtype::f32 && t.type() != dtype::f64) return false;
  const int most = t.type() == dtype::f32 ? 120 : 1000;  // away from subnormal numbers on both sides
  for (i64 i = 0; i < t.size(); ++i) {
    int exponent = 0;
    const double v = t.at_f64(i);
    if (!std::isfinite(v) || std::fabs(std::frexp(v, &exponent)) != 0.5 || exponent > most || exponent < -most)
      return false;
  }
  return t.size() != 0;
}

/// sub(x, c) -> add(x, -c), div(x, c) -> mul(x, 1 / c): add and mul have more rules.
struct sub_to_add {
  using match = pattern<op::sub, capture<"x", any>, capture<"c", tenon::constant>>;
  using emits = ops<op::constant, op::add>;
  static bool when(const auto& found) {
    const dtype t = found.template constant<"c">()->type();
    return found.template constant<"x">() == nullptr && (is_float(t) || is_signed_int(t));
  }
  static value_id replace(auto& found) {
    const tensor& c = *found.template constant<"c">();
    tensor negative = is_float(c.type()) ? mapped(c, [](auto e) { return -e; }) : mapped(c, [](auto e) {
      return static_cast<i64>(0 - static_cast<u64>(static_cast<i64>(e)));
    });
    const value_id n = found.make_constant(std::move(negative));
    return found.make(op::add{}, {found.template at<"x">(), n});
  }
};
struct div_to_mul {
  using match = pattern<op::div, capture<"x", any>, capture<"c", such_that<tenon::constant, exact_reciprocal>>>;
  using emits = ops<op::constant, op::mul>;
  static bool when(const auto& found) { return found.template constant<"x">() == nullptr; }
  static value_id replace(auto& found) {
    const value_id n =
        found.make_constant(mapped(*found.template constant<"c">(), [](auto e) { return 1 / static_cast<double>(e); }));
    return found.make(op::mul{}, {found.template at<"x">(), n});
  }
};

/// pow(x, 2) -> mul(x, x), pow(x, 3) -> mul(mul(x, x), x), for floats: there an intermediate result that is too large
/// stays so.
template <int N>
bool is_power_of(const tensor& exponent) {
  return is_all(exponent, N);
}
template <int N>
struct small_power {
  using match = pattern<op::pow, capture<"x", any>, capture<"n", such_that<tenon::constant, is_power_of<N>>>>;
  using emits = ops<op::mul>;
  static bool when(const auto& found) {
    return is_float(found.result_type().elem) &&
           keeps_shape(found.template type_of<"x">(), found.result_type(), *found.template constant<"n">());
  }
  static value_id replace(auto& found) {
    const value_id x = found.template at<"x">(), square = found.make(op::mul{}, {x, x});
    return N == 3 ? found.make(op::mul{}, {square, x}) : square;
  }
};
struct square : small_power<2> {};
struct cube : small_power<3> {};

/// Two numbers as one, where that keeps the rounding error small: neither step undoes the other.
inline std::optional<tensor> merged(const tensor& c, const tensor& d, bool sum) {
  if (c.type() != d.type()) return std::nullopt;
  tensor both(c.type(), d.rank() >= c.rank() ? d.shape() : c.shape());
  if (!is_float(c.type())) {
    const u64 a = static_cast<u64>(c.at_i64(0)), b = static_cast<u64>(d.at_i64(0));
    both.set_i64(0, static_cast<i64>(sum ? a + b : a * b));
    return both;
  }
  const double a = c.at_f64(0), b = d.at_f64(0);
  const bool alike = sum ? (a >= 0) == (b >= 0) : (std::fabs(a) >= 1) == (std::fabs(b) >= 1);
  if (!alike) return std::nullopt;
  both.set_f64(0, sum ? a + b : a * b);
  const double stored = both.at_f64(0);
  if (!std::isfinite(stored) || (!sum && std::fabs(stored) < 1e-30)) return std::nullopt;
  return both;
}
inline bool is_scalar(const tensor& t) { return t.size() == 1; }
/// (x + c) + d -> x + (c + d), (x * c) * d -> x * (c * d)
template <class Op>
struct merged_scalars {
  static constexpr bool sum = std::is_same_v<Op, op::add>;
  using scalar = such_that<tenon::constant, is_scalar>;
  using match =
      pattern<Op, capture<"inner", pattern<Op, capture<"x", any>, capture<"c", scalar>>>, capture<"d", scalar>>;
  using emits = ops<op::constant, Op>;
  static bool when(const auto& found) {
    const tensor &c = *found.template constant<"c">(), &d = *found.template constant<"d">();
    const ir::type& inner = found.template type_of<"inner">();
    return found.template used_once<"inner">() && keeps_shape(inner, found.result_type(), d) &&
           keeps_shape(found.template type_of<"x">(), inner, c) && merged(c, d, sum);
  }
  static value_id replace(auto& found) {
    const value_id both =
        found.make_constant(*merged(*found.template constant<"c">(), *found.template constant<"d">(), sum));
    return found.make(Op{}, {found.template at<"x">(), both});
  }
};
struct sum_of_sum : merged_scalars<op::add> {};
struct product_of_product : merged_scalars<op::mul> {};

/// where(true, a, b) -> a, where(false, a, b) -> b
template <class Pattern>
struct known_where {
  using match = Pattern;
  using emits = ops<>;
  static bool when(const auto& found) {
    return found.result_type().is_static() && found.template type_of<"taken">() == found.result_type();
  }
  static value_id replace(auto& found) { return found.template at<"taken">(); }
};
template <int Truth>
bool is_always(const tensor& condition) {
  return is_all(condition, Truth);
}
template <int Truth>
using always = such_that<tenon::constant, is_always<Truth>>;
struct where_true : known_where<pattern<op::where, always<1>, capture<"taken", any>, any>> {};
struct where_false : known_where<pattern<op::where, always<0>, any, capture<"taken", any>>> {};

/// Does every value of `from` exist in `to`?
constexpr bool is_exact(dtype from, dtype to) {
  if (from == to || from == dtype::boolean) return true;
  if (to == dtype::boolean || from == dtype::string || to == dtype::string) return false;
  if (is_narrow(to)) return false;
  if (is_narrow(from))
    return is_float(from) ? to <= dtype::f32 || (from != dtype::f8e8m0 && !is_own(from) && is_float(to))
                          : is_exact(compute_type(from), to);
  constexpr int digits[] = {53, 24, 11, 8, 63, 31, 15, 7, 64, 32, 16, 8, 1, 63};
  const int have = digits[static_cast<int>(from)], room = digits[static_cast<int>(to)];
  if (is_float(from))
    return is_float(to) && have <= room && !(from == dtype::bf16 && to == dtype::f16) &&
           !(from == dtype::f16 && to == dtype::bf16);
  if (is_float(to)) return have <= room && to != dtype::f16;
  return have <= room && (is_unsigned_int(from) || is_signed_int(to));
}

/// cast(x) -> x, to the type that x has
struct same_cast {
  using match = pattern<op::cast, capture<"x", any>>;
  using emits = ops<>;
  static bool when(const auto& found) {
    return found.template type_of<"x">().elem == found.root().template as<op::cast>().to;
  }
  static value_id replace(auto& found) { return found.template at<"x">(); }
};
/// cast(cast(x)) -> cast(x), or x, where the first one loses nothing
struct cast_of_cast {
  using match = pattern<op::cast, capture<"inner", pattern<op::cast, capture<"x", any>>>>;
  using emits = ops<op::cast>;
  static bool when(const auto& found) {
    const dtype from = found.template type_of<"x">().elem, through = found.template type_of<"inner">().elem,
                to = found.root().template as<op::cast>().to;
    const bool one_kind = (is_float(from) && is_float(through)) || (is_int(from) && is_int(through) && is_int(to));
    return is_exact(from, through) && (from == to || one_kind);
  }
  static value_id replace(auto& found) {
    const value_id x = found.template at<"x">();
    const dtype to = found.root().template as<op::cast>().to;
    return found.template type_of<"x">().elem == to ? x : found.make(op::cast{to}, {x});
  }
};

}  // namespace elementwise_detail

bool simplify(const sub&, simplification& r) { return r.apply<elementwise_detail::sub_to_add>(); }
bool simplify(const div&, simplification& r) { return r.apply<elementwise_detail::div_to_mul>(); }
bool simplify(const add&, simplification& r) { return r.apply<elementwise_detail::sum_of_sum>(); }
bool simplify(const mul&, simplification& r) { return r.apply<elementwise_detail::product_of_product>(); }
bool simplify(const pow&, simplification& r) { return r.apply<elementwise_detail::square, elementwise_detail::cube>(); }
bool simplify(const where&, simplification& r) {
  return r.apply<elementwise_detail::where_true, elementwise_detail::where_false>();
}
bool simplify(const cast&, simplification& r) {
  return r.apply<elementwise_detail::same_cast, elementwise_detail::cast_of_cast>();
}

}  // namespace tenon::op
