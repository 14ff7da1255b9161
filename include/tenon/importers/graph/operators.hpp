/// @file operators: what a graph computes, as functions of its tensors. Operands broadcast as in numpy.
#pragma once

#include <array>
#include <source_location>
#include <utility>
#include <vector>

#include <tenon/importers/graph/variable.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/graph/resize.hpp>

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
variable bit_cast(operand x, dtype to);  ///< the same bits as another element type of the same size
variable is_inf(operand x);
variable dequantize(operand x, operand scale);  ///< (x - zero) · scale in f32, of integers
variable dequantize(operand x, operand scale, operand zero);

// -- activations
variable relu(operand x);
variable leaky_relu(operand x, double slope = 0.01);
variable gelu(operand x);                    ///< exact: x · (1 + erf(x / √2)) / 2
variable silu(operand x);                    ///< x · sigmoid(x)
variable gelu_tanh(operand x);               ///< x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))) / 2
variable elu(operand x, double alpha = 1);   ///< alpha · (exp(x) - 1) below 0
variable celu(operand x, double alpha = 1);  ///< alpha · (exp(x / alpha) - 1) below 0
variable selu(operand x);                    ///< 1.0507 · elu(x, 1.6733)
variable prelu(operand x, operand slope);    ///< slope · x below 0
variable softplus(operand x);                ///< log(1 + exp(x))
variable softsign(operand x);                ///< x / (1 + |x|)
variable mish(operand x);                    ///< x · tanh(softplus(x))
variable hard_sigmoid(operand x, double alpha = 1. / 6, double beta = 0.5);  ///< alpha · x + beta within [0, 1]
variable hard_swish(operand x);                                              ///< x · hard_sigmoid(x)
variable clip(operand x, double low, double high);
variable softmax(operand x, i64 axis = -1);
variable log_softmax(operand x, i64 axis = -1);

// -- shapes. A dimension of -1 follows from the others, 0 is the operand's own.
variable reshape(operand x, std::vector<i64> shape);
variable reshape(operand x, const variable& shape);    ///< integers of one dimension
variable flatten(operand x);                           ///< [N, …] to [N, the rest]
variable squeeze(operand x, std::vector<i64> axes);    ///< without dimensions of 1. Error "graph.axis"
variable unsqueeze(operand x, std::vector<i64> axes);  ///< with dimensions of 1 there. Error "graph.axis"
variable transpose(operand x, std::vector<i64> permutation = {});
variable expand(operand x, std::vector<i64> shape);  ///< broadcasts with `shape`; its ones leave the operand's extent
variable expand(operand x, const variable& shape);
variable tile(operand x, std::vector<i64> repeats);  ///< so often along each dimension
/// So many elements more before and after each dimension, or fewer.
variable pad(operand x, std::vector<i64> before, std::vector<i64> after, double value = 0);
variable pad(operand x, std::vector<i64> before, std::vector<i64> after, op::pad_mode mode);
variable concat(const std::vector<variable>& parts, i64 axis,
                std::source_location at = std::source_location::current());
/// Joined along a new dimension.
variable stack(const std::vector<variable>& parts, i64 axis = 0,
               std::source_location at = std::source_location::current());
/// The parts of these sizes along an axis. Error "graph.split" where they are not all of it.
std::vector<variable> split(operand x, const std::vector<i64>& sizes, i64 axis = 0);
/// Elements [start, end) along one axis; negative positions count from the end.
variable slice(operand x, i64 axis, i64 start, i64 end, i64 step = 1);
variable shape_of(operand x);             ///< i64 of one dimension
variable extent_of(operand x, i64 axis);  ///< one i64
/// start, start + step, … before `limit`: one of them at least is a tensor, of one element.
variable range(operand start, operand limit, operand step = 1);
variable triu(operand x, i64 k = 0);      ///< 0 where column - row < k
variable tril(operand x, i64 k = 0);      ///< 0 where column - row > k
variable eye_like(operand x, i64 k = 0);  ///< 1 where column - row = k, else 0
/// Of each batch entry b, the first lengths[b] elements along the time axis are reversed.
variable reverse_sequence(operand x, operand lengths, i64 batch_axis = 1, i64 time_axis = 0);

// -- elements by their indices, which may be negative: they count from the end
variable gather(operand x, operand indices, i64 axis = 0);
variable embedding(operand table, operand indices);  ///< rows of [rows, width]
variable gather_elements(operand x, operand indices, i64 axis = 0);
variable gather_nd(operand x, operand indices, i64 batch_dims = 0);
variable scatter_elements(operand x, operand indices, operand updates, i64 axis = 0,
                          op::scatter_reduction how = op::scatter_reduction::none);
variable scatter_nd(operand x, operand indices, operand updates,
                    op::scatter_reduction how = op::scatter_reduction::none);
/// A new dimension of `depth` at `axis`: 1 at the index, else 0, in `type`.
variable one_hot(operand indices, i64 depth, i64 axis = -1, dtype type = dtype::f32);
/// The k largest, or smallest, along an axis, best first, and where they are.
std::pair<variable, variable> top_k(operand x, i64 k, i64 axis = -1, bool largest = true);
variable non_zero(operand x);                                   ///< [rank, count]
variable compress(operand x, operand condition, i64 axis = 0);  ///< the parts where the condition is true
std::array<variable, 4> unique(operand x, bool sorted = true);  ///< elements, first places, inverse, counts
/// boxes [n, k, 4], scores [n, c, k]: rows (n, c, k) of the boxes kept, at most `most` of each class.
variable non_max_suppression(operand boxes, operand scores, i64 most, double iou_threshold = 0.5,
                             double score_threshold = -1e30);

// -- reductions; no axes: all of them
variable reduce_sum(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_prod(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_mean(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_max(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_min(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable arg_max(operand x, i64 axis = -1, bool keep_dims = false);
variable arg_min(operand x, i64 axis = -1, bool keep_dims = false);
variable cumulative_sum(operand x, i64 axis = -1, bool exclusive = false, bool reverse = false);
variable cumulative_prod(operand x, i64 axis = -1, bool exclusive = false, bool reverse = false);

// -- square matrices, [..., n, n]
variable determinant(operand x);  ///< [...]
variable inverse(operand x);      ///< of a singular one, elements are infinite or NaN

// -- images: `resize(x, {.mode = op::interpolation::linear, .scales = {1, 1, 2, 2}})`
variable resize(operand x, const op::resize& how);
variable grid_sample(operand x, operand grid, const op::grid_sample& how = {});
variable roi_align(operand x, operand rois, operand batch_indices, const op::roi_align& how = {});
variable col2im(operand x, const op::col2im& how);  ///< windows back to images: where they meet they add
variable max_unpool(operand x, operand indices, const op::max_unpool& how);  ///< of max_pool_with_indices
variable affine_grid(operand theta, std::vector<i64> size, bool align_corners = false);

}  // namespace tenon::nn
