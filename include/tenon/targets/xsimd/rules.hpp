/// @file rules: for which ops `targets::xsimd` has kernels, why not for others, and which ops one kernel computes at
/// once. Others become loop nests, as on `cpu`, and run by targets/xsimd/nests.hpp.
///
/// Images have their channels last and are padded by ops of their own, as `convert_layout` leaves them. Extents are
/// numbers or symbols; those of weights and channels of images are numbers. Numbers are f32, conditions bool; what only
/// moves elements takes elements of 1, 2, 4 or 8 bytes.
#pragma once

#include <span>
#include <string_view>

#include <tenon/ir/module.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/loop/scalar_fn.hpp>
#include <tenon/passes/partition_for.hpp>

namespace tenon::xsimd_kernels {

/// Empty: there is a kernel.
std::string_view why_no_kernel(ir::op_view v);
inline bool has_kernel(ir::op_view v) { return why_no_kernel(v).empty(); }
/// A matrix product or a convolution, direct or by transformed tiles, which elementwise ops on its result may follow
/// within its step.
bool is_product(ir::op_view v);
/// Are ops that have kernels, in their order, what one kernel computes? One op; elementwise ops of one size, and
/// reshapes between them, whose last result alone is used by others; the same behind a product.
passes::joint one_step(const ir::module& m, std::span<const op_id> ops);

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
