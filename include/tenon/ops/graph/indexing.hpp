/// @file indexing: ops whose operands hold indices, and ops that make indices: gather, scatter, top_k, one_hot, unique.
///
/// Indices are of any integer type; a negative one counts from the end. A constant that is out of range is an error of
/// the type rule. One that is data is the same on every target: what is read there is the nearest element, or zero
/// where the operand has no element at all; an update of a scatter is left out. Never is memory read or written that is
/// not the operand's.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `gather(x, indices)`: x's dimension `axis` is replaced by the dimensions of `indices`. With `panel` > 0, axis 0 of a
/// table [columns, K] whose transpose is a packed weight, which x is: [ceil(columns / panel), K, panel] (pack_panels).
struct gather {
  static constexpr fixed_string name = "gather";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .excess = {excess_precision::moves}};
  i64 axis = 0, panel = 0, columns = 0;
  TENON_ATTRIBUTES(axis, panel, columns)
};

/// `gather_elements(x, indices)`: r[i, j, …] = x[i, indices[i, j, …], …] for axis 1.
struct gather_elements {
  static constexpr fixed_string name = "gather_elements";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .excess = {excess_precision::moves}};
  i64 axis = 0;
  TENON_ATTRIBUTES(axis)
};

/// `gather_nd(x, indices)`: the last dimension of `indices` is an index into the dimensions of x after the batch.
struct gather_nd {
  static constexpr fixed_string name = "gather_nd";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .excess = {excess_precision::moves}};
  i64 batch_dims = 0;
  TENON_ATTRIBUTES(batch_dims)
};

enum class scatter_reduction : u8 { none, add, mul, max, min };
inline constexpr std::array<std::string_view, 5> scatter_reduction_names{"none", "add", "mul", "max", "min"};
constexpr const auto& enumerator_names(scatter_reduction) { return scatter_reduction_names; }

/// `scatter_elements(x, indices, updates)`: the inverse of gather_elements on a copy of x; in order of the updates.
struct scatter_elements {
  static constexpr fixed_string name = "scatter_elements";
  static constexpr op_traits traits{.min_operands = 3, .max_operands = 3, .excess = {excess_precision::moves}};
  i64 axis = 0;
  scatter_reduction reduction = scatter_reduction::none;
  TENON_ATTRIBUTES(axis, reduction)
};

/// `scatter_nd(x, indices, updates)`: the inverse of gather_nd on a copy of x; in order of the updates.
struct scatter_nd {
  static constexpr fixed_string name = "scatter_nd";
  static constexpr op_traits traits{.min_operands = 3, .max_operands = 3, .excess = {excess_precision::moves}};
  scatter_reduction reduction = scatter_reduction::none;
  TENON_ATTRIBUTES(reduction)
};

/// `values, indices = top_k(x, k?)`: the k largest (or smallest) along an axis, best first; of equals the one with the
/// lower index first. The attribute k counts unless it is negative.
struct top_k {
  static constexpr fixed_string name = "top_k";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2, .results = 2};
  i64 k = -1;
  i64 axis = -1;
  bool largest = true, sorted = true;
  TENON_ATTRIBUTES(k, axis, largest, sorted)
};

/// `one_hot(indices, depth?, values)`: a new dimension at `axis` with values[1] at the index, values[0] elsewhere and
/// where the index is out of range. The attribute depth counts unless it is negative.
struct one_hot {
  static constexpr fixed_string name = "one_hot";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 3};
  i64 axis = -1;
  i64 depth = -1;
  TENON_ATTRIBUTES(axis, depth)
};

/// The indices of the nonzero elements: i64[rank, count], in row-major order.
struct non_zero {
  static constexpr fixed_string name = "non_zero";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};

/// `compress(x, condition)`: the parts along an axis (or the elements, when flattened) where the condition is true.
struct compress {
  static constexpr fixed_string name = "compress";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2};
  i64 axis = 0;
  bool flatten = false;
  TENON_ATTRIBUTES(axis, flatten)
};

/// `values, first, inverse, counts = unique(x)`: the different elements (or parts along an axis), ascending when
/// sorted, else in order of their first occurrence.
struct unique {
  static constexpr fixed_string name = "unique";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = 4};
  i64 axis = 0;
  bool flatten = true, sorted = true;
  TENON_ATTRIBUTES(axis, flatten, sorted)
};

/// `non_max_suppression(boxes[n, k, 4], scores[n, c, k], most?, iou_threshold?, score_threshold?)`: i64[count, 3], rows
/// (n, c, k) of the boxes kept: by falling score, each that overlaps no box kept before by more than the threshold.
struct non_max_suppression {
  static constexpr fixed_string name = "non_max_suppression";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 5};
  bool center_size = false;  ///< boxes are [x, y, width, height], not two corners [y, x, y, x]
  TENON_ATTRIBUTES(center_size)
};

void infer(const gather&, ir::infer_context&);
void infer(const gather_elements&, ir::infer_context&);
void infer(const gather_nd&, ir::infer_context&);
void infer(const scatter_elements&, ir::infer_context&);
void infer(const scatter_nd&, ir::infer_context&);
void infer(const top_k&, ir::infer_context&);
void infer(const one_hot&, ir::infer_context&);
void infer(const non_zero&, ir::infer_context&);
void infer(const compress&, ir::infer_context&);
void infer(const unique&, ir::infer_context&);
void infer(const non_max_suppression&, ir::infer_context&);

void evaluate(const gather&, eval_context&);
void evaluate(const gather_elements&, eval_context&);
void evaluate(const gather_nd&, eval_context&);
void evaluate(const scatter_elements&, eval_context&);
void evaluate(const scatter_nd&, eval_context&);
void evaluate(const top_k&, eval_context&);
void evaluate(const one_hot&, eval_context&);
void evaluate(const non_zero&, eval_context&);
void evaluate(const compress&, eval_context&);
void evaluate(const unique&, eval_context&);
void evaluate(const non_max_suppression&, eval_context&);

value_id element(const gather&, element_context&, const index_list& at);
value_id element(const gather_elements&, element_context&, const index_list& at);
value_id element(const gather_nd&, element_context&, const index_list& at);
value_id element(const one_hot&, element_context&, const index_list& at);
void lower(const scatter_elements&, lower_context&);
void lower(const scatter_nd&, lower_context&);
/// O(n + k sqrt(n)) for few of a row, O(n + k log k) otherwise; O(k n) for few of rows that stand side by side.
void lower(const top_k&, lower_context&);

/// Takes the constant value of an optional operand into the attributes. True: the operand is not needed any more.
bool absorb(top_k&, int operand, const tensor& value);
bool absorb(one_hot&, int operand, const tensor& value);

}  // namespace tenon::op
