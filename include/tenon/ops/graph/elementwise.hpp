/// @file elementwise: ops whose result element depends on the operands' elements at the same (broadcast) index only.
///
/// Most are one `loop::scalar_fn`; they differ in name, function and element types, so one table makes them, and one
/// rule, one evaluation and one lowering serve them all. Operands broadcast as in numpy and have one element type.
#pragma once

#include <tenon/op.hpp>
#include <tenon/ops/graph/elementwise_table.hpp>
#include <tenon/ops/loop/scalar_fn.hpp>

namespace tenon::op {

/// Which element types an elementwise op takes.
enum class domain : u8 {
  any,
  number,   ///< all but bool
  real,     ///< floats
  integer,  ///< integers, signed or not
  boolean,
};
constexpr bool takes(domain d, dtype t) {
  switch (d) {
    case domain::any: return true;
    case domain::number: return t != dtype::boolean;
    case domain::real: return is_float(t);
    case domain::integer: return is_int(t);
    case domain::boolean: return t == dtype::boolean;
  }
  return false;
}

/// An op that is one scalar function of its operands.
template <class Op>
concept scalar_op = requires {
  Op::fn;
  Op::takes;
};

namespace elementwise_detail {
inline constexpr op_traits unary_traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
inline constexpr op_traits binary_traits{.elementwise = true, .min_operands = 2, .max_operands = 2};
inline constexpr op_traits commutative_traits{
    .commutative = true, .elementwise = true, .min_operands = 2, .max_operands = 2};
constexpr op_traits with(op_traits t, bool cheap, algebra law = algebra::none) {
  t.fusion.cheap = cheap, t.law = law;
  return t;
}
constexpr excess_precision excess_of(loop::scalar_fn f, domain takes) {
  using enum loop::scalar_fn;
  if (!op::takes(takes, dtype::f16) || loop::gives_bool(f)) return excess_precision::none;
  if (f == abs || f == neg || f == min || f == max) return excess_precision::chooses;
  // These jump: what is a little less than an integer would be another one.
  if (f == sign || f == mod || f == fmod || f == floor || f == ceil || f == loop::scalar_fn::round || f == trunc)
    return excess_precision::none;
  return excess_precision::computes;
}
constexpr op_traits scalar_traits(op_traits t, loop::scalar_fn fn, domain takes, algebra law) {
  t.excess.form = excess_of(fn, takes);
  return with(t, is_cheap(fn), law);
}
}  // namespace elementwise_detail

#define TENON_DEFINE_ELEMENTWISE_OP(op_name, kind, function, types, law)                               \
  struct op_name {                                                                                     \
    static constexpr fixed_string name = #op_name;                                                     \
    static constexpr loop::scalar_fn fn = loop::scalar_fn::function;                                   \
    static constexpr domain takes = domain::types;                                                     \
    static constexpr op_traits traits =                                                                \
        elementwise_detail::scalar_traits(elementwise_detail::kind##_traits, fn, takes, algebra::law); \
  };
TENON_ELEMENTWISE_OPS(TENON_DEFINE_ELEMENTWISE_OP)
#undef TENON_DEFINE_ELEMENTWISE_OP

/// `%r = is_inf(%x)`: bool; either sign of infinity can be left out.
struct is_inf {
  static constexpr fixed_string name = "is_inf";
  static constexpr op_traits traits = elementwise_detail::unary_traits;
  bool detect_negative = true, detect_positive = true;
  TENON_ATTRIBUTES(detect_negative, detect_positive)
};
/// `%r = where(%condition, %a, %b)`: a where the bool condition holds, else b; all three broadcast.
struct where {
  static constexpr fixed_string name = "where";
  static constexpr op_traits traits{.elementwise = true,
                                    .min_operands = 3,
                                    .max_operands = 3,
                                    .fusion = {.cheap = true},
                                    .excess = {excess_precision::chooses}};
};
/// The floats that are computed in f32 and rounded when they are stored.
constexpr bool is_half(dtype t) { return t == dtype::f16 || t == dtype::bf16; }
/// `%r = cast(%x) {to, excess}`: as `convert_element` says (runtime/tensor.hpp). With `excess` it stands for the
/// element type of an operator's result and not for a conversion that the model asks for: what is f16 or bf16 there may
/// be held in f32 (passes/widen_halves.hpp).
struct cast {
  static constexpr fixed_string name = "cast";
  static constexpr op_traits traits = elementwise_detail::with(elementwise_detail::unary_traits, true);
  dtype to = dtype::f32;
  bool excess = false;
  TENON_ATTRIBUTES(to, excess)
};
/// `%r = bit_cast(%x) {to}`: the same bits as another element type of the same size; a view.
struct bit_cast {
  static constexpr fixed_string name = "bit_cast";
  static constexpr op_traits traits{.view = true, .min_operands = 1, .max_operands = 1};
  dtype to = dtype::f32;
  TENON_ATTRIBUTES(to)
};

/// `%r = dequantize(%x, %scale, %zero?)`: (x - zero) · scale in f32: x and zero are integers of up to 16 bits of one
/// type, the scale is f32, all broadcast. A name for what could be said by sub and mul, so that passes see what the
/// integers are.
struct dequantize {
  static constexpr fixed_string name = "dequantize";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 2, .max_operands = 3};
};

/// The type rule of all scalar ops.
void infer_scalar_op(loop::scalar_fn fn, domain takes, ir::infer_context& cx);
template <scalar_op Op>
void infer(const Op&, ir::infer_context& cx) {
  infer_scalar_op(Op::fn, Op::takes, cx);
}
/// Base and exponent may differ in type; the result has the base's.
void infer(const pow&, ir::infer_context&);
void infer(const is_inf&, ir::infer_context&);
void infer(const where&, ir::infer_context&);
void infer(const cast&, ir::infer_context&);
void infer(const bit_cast&, ir::infer_context&);
void infer(const dequantize&, ir::infer_context&);

void evaluate_scalar_op(loop::scalar_fn fn, eval_context& cx);
template <scalar_op Op>
void evaluate(const Op&, eval_context& cx) {
  evaluate_scalar_op(Op::fn, cx);
}
void evaluate(const pow&, eval_context&);
void evaluate(const is_inf&, eval_context&);
void evaluate(const where&, eval_context&);
void evaluate(const cast&, eval_context&);
void evaluate(const bit_cast&, eval_context&);
void evaluate(const dequantize&, eval_context&);

value_id scalar_op_element(loop::scalar_fn fn, element_context& cx, const index_list& at);
template <scalar_op Op>
value_id element(const Op&, element_context& cx, const index_list& at) {
  return scalar_op_element(Op::fn, cx, at);
}
value_id element(const pow&, element_context&, const index_list& at);
value_id element(const is_inf&, element_context&, const index_list& at);
value_id element(const where&, element_context&, const index_list& at);
value_id element(const cast&, element_context&, const index_list& at);
value_id element(const dequantize&, element_context&, const index_list& at);

bool simplify(const sub&, simplification&);
bool simplify(const div&, simplification&);
bool simplify(const add&, simplification&);
bool simplify(const mul&, simplification&);
bool simplify(const pow&, simplification&);
bool simplify(const where&, simplification&);
bool simplify(const cast&, simplification&);

/// The type in which a power is computed: a float base's own (with f64 if the exponent has it), i64 or f64 otherwise.
constexpr dtype power_type(dtype base, dtype exponent) {
  if (base == exponent) return base;
  if (is_float(base)) return exponent == dtype::f64 ? exponent : base;
  return is_float(exponent) ? dtype::f64 : dtype::i64;
}

}  // namespace tenon::op
