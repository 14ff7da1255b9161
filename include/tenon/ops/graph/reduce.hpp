/// @file reduce: ops that combine elements along axes: sums, extrema, their positions, softmax, running sums.
///
/// Axes count from the end when negative. No axes at all means every axis: `reduce_sum(f32[2,3])` is a scalar.
/// The axes may come as an operand (a constant, or known only when it runs) instead of the attribute.
#pragma once

#include <tenon/op.hpp>

namespace tenon::op {

namespace reduce_detail {
inline constexpr op_traits position_traits{.min_operands = 1, .max_operands = 1, .fusion = {.anchor = true}};
inline constexpr op_traits softmax_traits{.min_operands = 1,
                                          .max_operands = 1,
                                          .fusion = {.anchor = true, .reads = 3},
                                          .excess = {excess_precision::computes}};
inline constexpr op_traits running_traits{
    .min_operands = 1, .max_operands = 2, .fusion = {.anchor = true}, .excess = {excess_precision::computes}};
}  // namespace reduce_detail

enum class reduction : u8 { sum, product, minimum, maximum };
namespace reduce_detail {
constexpr op_traits traits_of(reduction kind) {
  const bool computes = kind == reduction::sum || kind == reduction::product;
  return {.min_operands = 1,
          .max_operands = 2,
          .fusion = {.anchor = true, .reads = 1},
          .excess = {computes ? excess_precision::computes : excess_precision::moves}};
}
}  // namespace reduce_detail

#define TENON_DEFINE_REDUCTION(op_name, how)                            \
  struct op_name {                                                      \
    static constexpr fixed_string name = #op_name;                      \
    static constexpr reduction kind = reduction::how;                   \
    static constexpr op_traits traits = reduce_detail::traits_of(kind); \
    std::vector<i64> axes;                                              \
    bool keep_dims = true;                                              \
    TENON_ATTRIBUTES(axes, keep_dims)                                   \
  };
/// `%r = reduce_sum(%x[, %axes]) {axes, keep_dims}`: integers wrap; no elements give 0.
TENON_DEFINE_REDUCTION(reduce_sum, sum)
/// `%r = reduce_prod(%x[, %axes]) {axes, keep_dims}`: no elements give 1.
TENON_DEFINE_REDUCTION(reduce_prod, product)
/// `%r = reduce_max(%x[, %axes]) {axes, keep_dims}`: NaN wins; no elements give -inf, the lowest integer, or false.
TENON_DEFINE_REDUCTION(reduce_max, maximum)
/// `%r = reduce_min(%x[, %axes]) {axes, keep_dims}`: NaN wins; no elements give +inf, the highest integer, or true.
TENON_DEFINE_REDUCTION(reduce_min, minimum)
#undef TENON_DEFINE_REDUCTION

/// `%r = arg_max(%x) {axis, keep_dims, select_last}`: i64 positions along one axis; the first NaN wins.
struct arg_max {
  static constexpr fixed_string name = "arg_max";
  static constexpr op_traits traits = reduce_detail::position_traits;
  static constexpr reduction kind = reduction::maximum;
  i64 axis = 0;
  bool keep_dims = true, select_last = false;
  TENON_ATTRIBUTES(axis, keep_dims, select_last)
};
/// `%r = arg_min(%x) {axis, keep_dims, select_last}`
struct arg_min {
  static constexpr fixed_string name = "arg_min";
  static constexpr op_traits traits = reduce_detail::position_traits;
  static constexpr reduction kind = reduction::minimum;
  i64 axis = 0;
  bool keep_dims = true, select_last = false;
  TENON_ATTRIBUTES(axis, keep_dims, select_last)
};

/// `%r = softmax(%x) {axis}`: exp(x - max) / sum(exp(x - max)) along the axis.
struct softmax {
  static constexpr fixed_string name = "softmax";
  static constexpr op_traits traits = reduce_detail::softmax_traits;
  static constexpr bool logarithm = false;
  i64 axis = -1;
  TENON_ATTRIBUTES(axis)
};
/// `%r = log_softmax(%x) {axis}`: x - max - log(sum(exp(x - max))) along the axis.
struct log_softmax {
  static constexpr fixed_string name = "log_softmax";
  static constexpr op_traits traits = reduce_detail::softmax_traits;
  static constexpr bool logarithm = true;
  i64 axis = -1;
  TENON_ATTRIBUTES(axis)
};

/// `%r = cumulative_sum(%x[, %axis]) {axis, exclusive, reverse}`: element i is the sum of elements 0 … i of the axis;
/// exclusive: of 0 … i - 1; reverse: from the end. An axis operand counts in place of the attribute.
struct cumulative_sum {
  static constexpr fixed_string name = "cumulative_sum";
  static constexpr op_traits traits = reduce_detail::running_traits;
  static constexpr reduction kind = reduction::sum;
  i64 axis = 0;
  bool exclusive = false, reverse = false;
  TENON_ATTRIBUTES(axis, exclusive, reverse)
};
/// `%r = cumulative_prod(%x[, %axis]) {axis, exclusive, reverse}`
struct cumulative_prod {
  static constexpr fixed_string name = "cumulative_prod";
  static constexpr op_traits traits = reduce_detail::running_traits;
  static constexpr reduction kind = reduction::product;
  i64 axis = 0;
  bool exclusive = false, reverse = false;
  TENON_ATTRIBUTES(axis, exclusive, reverse)
};

/// The families, as data: each has one type rule, one evaluation and one lowering.
namespace reduce_detail {
struct axes_reduction {
  reduction kind;
  const std::vector<i64>& axes;
  bool keep_dims;
};
struct position_search {
  reduction kind;
  i64 axis;
  bool keep_dims, last;
};
struct softmax_along {
  i64 axis;
  bool log;
};
struct running_reduction {
  reduction kind;
  i64 axis;
  bool exclusive, reverse;
};

template <class Op>
  requires requires(const Op& op) { Op::kind, op.axes, op.keep_dims; }
axes_reduction family_of(const Op& op) {
  return {Op::kind, op.axes, op.keep_dims};
}
template <class Op>
  requires requires(const Op& op) { Op::kind, op.axis, op.keep_dims, op.select_last; }
position_search family_of(const Op& op) {
  return {Op::kind, op.axis, op.keep_dims, op.select_last};
}
template <class Op>
  requires requires(const Op& op) { Op::logarithm, op.axis; }
softmax_along family_of(const Op& op) {
  return {op.axis, Op::logarithm};
}
template <class Op>
  requires requires(const Op& op) { Op::kind, op.axis, op.exclusive, op.reverse; }
running_reduction family_of(const Op& op) {
  return {Op::kind, op.axis, op.exclusive, op.reverse};
}

void infer(axes_reduction op, ir::infer_context& cx);
void infer(position_search op, ir::infer_context& cx);
void infer(softmax_along op, ir::infer_context& cx);
void infer(running_reduction op, ir::infer_context& cx);
void evaluate(axes_reduction op, eval_context& cx);
void evaluate(position_search op, eval_context& cx);
void evaluate(softmax_along op, eval_context& cx);
void evaluate(running_reduction op, eval_context& cx);
void lower(axes_reduction op, lower_context& cx);
void lower(position_search op, lower_context& cx);
void lower(softmax_along op, lower_context& cx);
void lower(running_reduction op, lower_context& cx);
bool move_transpose(std::vector<i64>& axes, bool keep_dims, std::vector<i64>& order);
bool move_transpose(i64& axis, bool keep_dims, std::vector<i64>& order);
}  // namespace reduce_detail

template <class Op>
concept combines_elements = requires(const Op& op) { reduce_detail::family_of(op); };

template <combines_elements Op>
void infer(const Op& op, ir::infer_context& cx) {
  reduce_detail::infer(reduce_detail::family_of(op), cx);
}
template <combines_elements Op>
void evaluate(const Op& op, eval_context& cx) {
  reduce_detail::evaluate(reduce_detail::family_of(op), cx);
}
template <combines_elements Op>
void lower(const Op& op, lower_context& cx) {
  reduce_detail::lower(reduce_detail::family_of(op), cx);
}

/// Where the axes are no operand.
template <combines_elements Op>
bool move_transpose(Op& op, std::vector<i64>& order, u32 given) {
  bool keep_dims = true;
  if constexpr (requires { op.keep_dims; }) keep_dims = op.keep_dims;
  if constexpr (requires { op.axes; }) return given == 1 && reduce_detail::move_transpose(op.axes, keep_dims, order);
  else return given == 1 && reduce_detail::move_transpose(op.axis, keep_dims, order);
}

bool simplify(const reduce_sum&, simplification&);
bool simplify(const reduce_max&, simplification&);
bool simplify(const reduce_min&, simplification&);

}  // namespace tenon::op
