/// @file elementwise_table: the ops that are one scalar function, a row each: what declares, lists or defines them all
/// reads them here.
#pragma once

// clang-format off
// op(name, kind of traits, scalar function, element types, law)
#define TENON_ELEMENTWISE_OPS(op)                                     \
  op(abs, unary, abs, number, idempotent)                             \
  op(neg, unary, neg, number, involution)                             \
  op(sign, unary, sign, number, idempotent)                           \
  op(exp, unary, exp, real, none)                                     \
  op(log, unary, log, real, none)                                     \
  op(sqrt, unary, sqrt, real, none)                                   \
  op(rsqrt, unary, rsqrt, real, none)                                 \
  op(reciprocal, unary, reciprocal, real, none)                       \
  op(tanh, unary, tanh, real, none)                                   \
  op(sigmoid, unary, sigmoid, real, none)                             \
  op(erf, unary, erf, real, none)                                     \
  op(sin, unary, sin, real, none)                                     \
  op(cos, unary, cos, real, none)                                     \
  op(tan, unary, tan, real, none)                                     \
  op(asin, unary, asin, real, none)                                   \
  op(acos, unary, acos, real, none)                                   \
  op(atan, unary, atan, real, none)                                   \
  op(sinh, unary, sinh, real, none)                                   \
  op(cosh, unary, cosh, real, none)                                   \
  op(asinh, unary, asinh, real, none)                                 \
  op(acosh, unary, acosh, real, none)                                 \
  op(atanh, unary, atanh, real, none)                                 \
  op(floor, unary, floor, real, idempotent)                           \
  op(ceil, unary, ceil, real, idempotent)                             \
  op(round, unary, round, real, idempotent)                           \
  op(trunc, unary, trunc, real, idempotent)                           \
  op(log1p, unary, log1p, real, none)                                 \
  op(expm1, unary, expm1, real, none)                                 \
  op(is_nan, unary, is_nan, real, none)                               \
  op(logical_not, unary, bit_not, boolean, involution)                \
  op(bit_not, unary, bit_not, integer, involution)                    \
  op(add, commutative, add, number, zero_is_neutral)                  \
  op(sub, binary, sub, number, zero_is_neutral)                       \
  op(mul, commutative, mul, number, one_is_neutral)                   \
  op(div, binary, div, number, one_is_neutral)                        \
  op(pow, binary, pow, number, one_is_neutral)                        \
  op(mod, binary, mod, number, none)                                  \
  op(fmod, binary, fmod, number, none)                                \
  op(minimum, commutative, min, number, highest_is_neutral)           \
  op(maximum, commutative, max, number, lowest_is_neutral)            \
  op(equal, commutative, eq, any, none)                               \
  op(not_equal, commutative, ne, any, none)                           \
  op(less, binary, lt, number, none)                                  \
  op(less_equal, binary, le, number, none)                            \
  op(greater, binary, gt, number, none)                               \
  op(greater_equal, binary, ge, number, none)                         \
  op(logical_and, commutative, bit_and, boolean, one_is_neutral)      \
  op(logical_or, commutative, bit_or, boolean, zero_is_neutral)       \
  op(logical_xor, commutative, bit_xor, boolean, zero_is_neutral)     \
  op(bit_and, commutative, bit_and, integer, none)                    \
  op(bit_or, commutative, bit_or, integer, zero_is_neutral)           \
  op(bit_xor, commutative, bit_xor, integer, zero_is_neutral)         \
  op(shift_left, binary, shift_left, integer, zero_is_neutral)        \
  op(shift_right, binary, shift_right, integer, zero_is_neutral)
// clang-format on
