/// @file rules: for which ops `targets::xsimd` has kernels, why not for others, and which of these run as loop nests.
///
/// Images have their channels last and are padded by ops of their own, as `convert_layout` leaves them. Shapes are
/// static. Numbers are f32, conditions bool; what only moves elements takes elements of 1, 2, 4 or 8 bytes.
#pragma once

#include <string_view>

#include <tenon/ir/module.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/loop/scalar_fn.hpp>

namespace tenon::xsimd_kernels {

/// Empty: there is a kernel.
std::string_view why_no_kernel(ir::op_view v);
inline bool has_kernel(ir::op_view v) { return why_no_kernel(v).empty(); }
/// Does it run as loop nests (targets/xsimd/lowered_op.hpp)? As much work as lowering the op.
bool can_be_lowered(const ir::module& m, op_id op);

/// What `kernel_table::elementwise` computes, beside `where` and casts to f32.
using unary_ops = ops<op::abs, op::neg, op::exp, op::log, op::sqrt, op::rsqrt, op::reciprocal, op::tanh, op::sigmoid,
                      op::erf, op::floor, op::ceil, op::round, op::trunc, op::logical_not>;
using binary_ops = ops<op::add, op::sub, op::mul, op::div, op::minimum, op::maximum, op::less, op::less_equal,
                       op::greater, op::greater_equal, op::equal, op::not_equal, op::logical_and, op::logical_or>;

/// Elementwise ops that a chain takes, and the function that each is; a cast is the maximum of a number and itself.
bool is_elementwise(ir::op_view v, loop::scalar_fn& fn);

/// Axes (some, or all if none are named) as [outer, n, inner]; false if they are not neighbours.
bool as_rows(const std::vector<i64>& shape, std::vector<i64> axes, i64& outer, i64& n, i64& inner);

}  // namespace tenon::xsimd_kernels
