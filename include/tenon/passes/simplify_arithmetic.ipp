/// @file simplify_arithmetic.ipp: the identities of elementwise ops, for passes/simplify.ipp.
#pragma once

#include <cmath>
#include <limits>

#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/passes/rewriter.hpp>
#include <tenon/passes/simplify.hpp>

namespace tenon::passes::simplifying {

using rewriting = rewriter<simplify::emits>;

enum class neutral : u8 { none, zero, one, lowest, highest };

/// What leaves the first operand as it is when it is the second one.
inline neutral neutral_of(const ir::op_info& info) {
  using ir::info_of;
  if (&info == &info_of<op::add> || &info == &info_of<op::sub> || &info == &info_of<op::logical_or> ||
      &info == &info_of<op::logical_xor> || &info == &info_of<op::bit_or> || &info == &info_of<op::bit_xor> ||
      &info == &info_of<op::shift_left> || &info == &info_of<op::shift_right>)
    return neutral::zero;
  if (&info == &info_of<op::mul> || &info == &info_of<op::div> || &info == &info_of<op::pow> ||
      &info == &info_of<op::logical_and>)
    return neutral::one;
  if (&info == &info_of<op::maximum>) return neutral::lowest;
  if (&info == &info_of<op::minimum>) return neutral::highest;
  return neutral::none;
}

inline bool is_neutral(neutral n, const tensor& t) {
  if (n == neutral::none) return false;
  if (n == neutral::zero || n == neutral::one) return is_all(t, n == neutral::one ? 1 : 0);
  const bool low = n == neutral::lowest;
  if (is_float(t.type())) {
    const double infinity = std::numeric_limits<double>::infinity();
    return is_all(t, low ? -infinity : infinity);
  }
  return visit(t.type(), [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      for (T v : t.data<T>())
        if (v != (low ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max())) return false;
      return t.size() != 0;
    } else {
      return false;
    }
  });
}

inline bool drop_neutral(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  const neutral n = neutral_of(v.info());
  if (n == neutral::none) return false;
  for (int c = 1; c >= (v.info().traits.commutative ? 0 : 1); --c) {
    const tensor* t = r.constant(v, c);
    if (t == nullptr || !keeps_shape(v.operand_type(1 - c), v.result_type(), *t) || !is_neutral(n, *t)) continue;
    return r.replace(op, v.operand(1 - c));
  }
  return false;
}

template <class Op>
bool cancel_twice(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  if (!v.is<Op>()) return false;
  const op_id inner = r.defined_by<Op>(v, 0);
  return inner && r.replace(op, r.mod().operand(inner, 0));
}

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
inline bool to_add_or_mul(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  const tensor* c = v.is<op::sub>() || v.is<op::div>() ? r.constant(v, 1) : nullptr;
  if (c == nullptr || r.constant(v, 0) != nullptr) return false;
  const value_id x = v.operand(0);
  if (v.is<op::sub>()) {
    if (!is_float(c->type()) && !is_signed_int(c->type())) return false;
    tensor negative = is_float(c->type()) ? mapped(*c, [](auto e) { return -e; }) : mapped(*c, [](auto e) {
      return static_cast<i64>(0 - static_cast<u64>(static_cast<i64>(e)));
    });
    const value_id n = r.constant_before(op, std::move(negative));
    return r.replace(op, r.make_before(op, op::add{}, {x, n}));
  }
  if (!exact_reciprocal(*c)) return false;
  const value_id n = r.constant_before(op, mapped(*c, [](auto e) { return 1 / static_cast<double>(e); }));
  return r.replace(op, r.make_before(op, op::mul{}, {x, n}));
}

/// The one element of a constant operand of an add or mul, and the other operand.
struct with_scalar {
  value_id x;
  const tensor* c = nullptr;
};
inline with_scalar scalar_operand(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  for (int i = 1; i >= 0; --i)
    if (const tensor* c = r.constant(v, i);
        c != nullptr && c->size() == 1 && keeps_shape(v.operand_type(1 - i), v.result_type(), *c))
      return {v.operand(1 - i), c};
  return {};
}

/// (x + c) + d, (x * c) * d. For floats only when neither step undoes the other: then the rounding error stays small.
template <class Op>
bool merge_scalars(rewriting& r, op_id op) {
  if (!r.mod().view(op).is<Op>()) return false;
  const with_scalar outer = scalar_operand(r, op);
  if (outer.c == nullptr) return false;
  const op_id inner_op = r.mod()[outer.x].definition;
  if (!inner_op || r.mod()[inner_op].info != &ir::info_of<Op> || !r.used_once(inner_op) ||
      !r.run_together(inner_op, op))
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
  const value_id c = r.constant_before(op, std::move(merged));
  return r.replace(op, r.make_before(op, Op{}, {inner.x, c}));
}

/// Powers of 2 and 3 as products, for floats: there an intermediate result that is too large stays so.
inline bool small_power(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  const tensor* e = v.is<op::pow>() ? r.constant(v, 1) : nullptr;
  if (e == nullptr || !is_float(v.result_type().elem) || !keeps_shape(v.operand_type(0), v.result_type(), *e))
    return false;
  if (!is_all(*e, 2) && !is_all(*e, 3)) return false;
  const bool cube = is_all(*e, 3);
  const value_id x = v.operand(0), square = r.make_before(op, op::mul{}, {x, x});
  return r.replace(op, cube ? r.make_before(op, op::mul{}, {square, x}) : square);
}

inline bool known_where(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  const tensor* c = v.is<op::where>() ? r.constant(v, 0) : nullptr;
  if (c == nullptr) return false;
  for (const int taken : {1, 2})
    if (is_all(*c, taken == 1 ? 1 : 0) && v.result_type().is_static() && v.operand_type(taken) == v.result_type())
      return r.replace(op, v.operand(taken));
  return false;
}

/// Does every value of `from` exist in `to`?
constexpr bool is_exact(dtype from, dtype to) {
  if (from == to || from == dtype::boolean) return true;
  if (to == dtype::boolean || from == dtype::string || to == dtype::string) return false;
  if (is_narrow(to)) return false;
  if (is_narrow(from))
    return is_float(from) ? to <= dtype::f32 || (from != dtype::f8e8m0 && is_float(to))
                          : is_exact(compute_type(from), to);
  constexpr int digits[] = {53, 24, 11, 8, 63, 31, 15, 7, 64, 32, 16, 8, 1, 63};
  const int have = digits[static_cast<int>(from)], room = digits[static_cast<int>(to)];
  if (is_float(from))
    return is_float(to) && have <= room && !(from == dtype::bf16 && to == dtype::f16) &&
           !(from == dtype::f16 && to == dtype::bf16);
  if (is_float(to)) return have <= room && to != dtype::f16;
  return have <= room && (is_unsigned_int(from) || is_signed_int(to));
}

inline bool simplify_cast(rewriting& r, op_id op) {
  const ir::op_view v = r.mod().view(op);
  const auto* cast = v.get_if<op::cast>();
  if (cast == nullptr) return false;
  if (v.operand_type(0).elem == cast->to) return r.replace(op, v.operand(0));
  const op_id inner = r.defined_by<op::cast>(v, 0);
  if (!inner) return false;
  const value_id x = r.mod().operand(inner, 0);
  const dtype from = r.mod().type_of(x).elem, through = v.operand_type(0).elem, to = cast->to;
  const bool one_kind = (is_float(from) && is_float(through)) || (is_int(from) && is_int(through) && is_int(to));
  if (!is_exact(from, through) || (from != to && !one_kind)) return false;
  return r.replace(op, from == to ? x : r.make_before(op, op::cast{to}, {x}));
}

inline bool simplify_arithmetic(rewriting& r, op_id op) {
  return drop_neutral(r, op) || cancel_twice<op::neg>(r, op) || cancel_twice<op::logical_not>(r, op) ||
         cancel_twice<op::bit_not>(r, op) || to_add_or_mul(r, op) || merge_scalars<op::add>(r, op) ||
         merge_scalars<op::mul>(r, op) || small_power(r, op) || known_where(r, op) || simplify_cast(r, op);
}

}  // namespace tenon::passes::simplifying
