/// @file elementwise.simplify.ipp: what elementwise ops can be replaced by (ops/simplification.hpp), beside their laws.
#pragma once

#include <cmath>

#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/simplification.hpp>

namespace tenon::op {
namespace elementwise_detail {

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

/// sub and div by constants as add and mul, which have more rules.
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

/// Powers of 2 and 3 as products, for floats: there an intermediate result that is too large stays so.
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

/// The one element of a constant operand of an add or mul, and the other operand.
struct with_scalar {
  value_id x;
  const tensor* c = nullptr;
};
inline with_scalar scalar_operand(const simplification& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  for (int i = 1; i >= 0; --i)
    if (const tensor* c = r.constant(v, i);
        c != nullptr && c->size() == 1 && keeps_shape(v.operand_type(1 - i), v.result_type(), *c))
      return {v.operand(1 - i), c};
  return {};
}

/// (x + c) + d, (x * c) * d. For floats only when neither step undoes the other: then the rounding error stays small.
template <class Op>
bool merge_scalars(simplification& r) {
  const with_scalar outer = scalar_operand(r, r.op());
  if (outer.c == nullptr) return false;
  const op_id inner_op = r.mod()[outer.x].definition;
  if (!inner_op || r.mod()[inner_op].info != &ir::info_of<Op> || !r.used_once(inner_op) ||
      !r.run_together(inner_op, r.op()))
    return false;
  const with_scalar inner = scalar_operand(r, inner_op);
  if (inner.c == nullptr || inner.c->type() != outer.c->type()) return false;
  constexpr bool sum = std::is_same_v<Op, op::add>;
  tensor merged(outer.c->type(), outer.c->rank() >= inner.c->rank() ? outer.c->shape() : inner.c->shape());
  if (is_float(merged.type())) {
    const double a = inner.c->at_f64(0), b = outer.c->at_f64(0), both = sum ? a + b : a * b;
    const bool alike = sum ? (a >= 0) == (b >= 0) : (std::fabs(a) >= 1) == (std::fabs(b) >= 1);
    if (!alike) return false;
    merged.set_f64(0, both);
    const double stored = merged.at_f64(0);
    if (!std::isfinite(stored) || (!sum && std::fabs(stored) < 1e-30)) return false;
  } else {
    const u64 a = static_cast<u64>(inner.c->at_i64(0)), b = static_cast<u64>(outer.c->at_i64(0));
    merged.set_i64(0, static_cast<i64>(sum ? a + b : a * b));
  }
  const value_id c = r.make_constant(std::move(merged));
  return r.replace(r.make(Op{}, {inner.x, c}));
}

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

}  // namespace elementwise_detail

bool simplify(const sub&, simplification& r) { return r.apply<elementwise_detail::sub_to_add>(); }
bool simplify(const div&, simplification& r) { return r.apply<elementwise_detail::div_to_mul>(); }
bool simplify(const add&, simplification& r) { return elementwise_detail::merge_scalars<add>(r); }
bool simplify(const mul&, simplification& r) { return elementwise_detail::merge_scalars<mul>(r); }
bool simplify(const pow&, simplification& r) {
  return r.apply<elementwise_detail::small_power<2>, elementwise_detail::small_power<3>>();
}

bool simplify(const where&, simplification& r) {
  const tensor* condition = r.known(0);
  if (condition == nullptr) return false;
  for (const int taken : {1, 2})
    if (is_all(*condition, taken == 1 ? 1 : 0) && r.view().result_type().is_static() &&
        r.view().operand_type(taken) == r.view().result_type())
      return r.replace(r.operand(taken));
  return false;
}

bool simplify(const cast& op, simplification& r) {
  if (r.view().operand_type(0).elem == op.to) return r.replace(r.operand(0));
  const op_id inner = r.defined_by<cast>(r.view(), 0);
  if (!inner) return false;
  const value_id x = r.mod().operand(inner, 0);
  const dtype from = r.mod().type_of(x).elem, through = r.view().operand_type(0).elem, to = op.to;
  const bool one_kind = (is_float(from) && is_float(through)) || (is_int(from) && is_int(through) && is_int(to));
  if (!elementwise_detail::is_exact(from, through) || (from != to && !one_kind)) return false;
  return r.replace(from == to ? x : r.make(cast{to}, {x}));
}

}  // namespace tenon::op
