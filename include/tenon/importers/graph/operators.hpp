/// @file operators: what a graph computes, as functions of its tensors. Operands broadcast as in numpy.
#pragma once

#include <source_location>
#include <vector>

#include <tenon/importers/graph/variable.hpp>
#include <tenon/ops/graph/elementwise.hpp>

namespace tenon::nn {

// -- elementwise: one function for each row of the table: exp(x), maximum(a, b), less(a, b) …
#define TENON_NN_unary(name) variable name(operand x);
#define TENON_NN_binary(name) variable name(operand a, operand b);
#define TENON_NN_commutative(name) variable name(operand a, operand b);
#define TENON_NN_DECLARE(name, kind, ...) TENON_NN_##kind(name)
TENON_ELEMENTWISE_OPS(TENON_NN_DECLARE)
#undef TENON_NN_DECLARE
#undef TENON_NN_commutative
#undef TENON_NN_binary
#undef TENON_NN_unary
variable where(operand condition, operand a, operand b);
variable cast(operand x, dtype to);

// -- activations
variable relu(operand x);
variable leaky_relu(operand x, double slope = 0.01);
variable gelu(operand x);  ///< exact: x · (1 + erf(x / √2)) / 2
variable silu(operand x);  ///< x · sigmoid(x)
variable clip(operand x, double low, double high);
variable softmax(operand x, i64 axis = -1);
variable log_softmax(operand x, i64 axis = -1);

// -- shapes. A dimension of -1 follows from the others, 0 is the operand's own.
variable reshape(operand x, std::vector<i64> shape);
variable flatten(operand x);  ///< [N, …] to [N, the rest]
variable transpose(operand x, std::vector<i64> permutation = {});
variable concat(const std::vector<variable>& parts, i64 axis,
                std::source_location at = std::source_location::current());
/// Elements [start, end) along one axis; negative positions count from the end.
variable slice(operand x, i64 axis, i64 start, i64 end, i64 step = 1);
variable gather(operand x, operand indices, i64 axis = 0);
variable embedding(operand table, operand indices);  ///< rows of [rows, width]

// -- reductions; no axes: all of them
variable reduce_sum(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_mean(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_max(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_min(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable arg_max(operand x, i64 axis = -1, bool keep_dims = false);

}  // namespace tenon::nn
