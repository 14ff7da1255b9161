/// @file movement: ops that move elements without changing them: views, permutations, parts, repetitions, padding.
///
/// A list that shapes the result is an attribute when it is known, and an optional operand when it is computed: the
/// operand counts where the attribute is empty. `absorb` turns a constant operand into the attribute.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `reshape(x, shape?)`: row-major elements with another shape; one -1 is computed; 0 keeps the operand's extent
/// unless `allow_zero`.
struct reshape {
  static constexpr fixed_string name = "reshape";
  static constexpr op_traits traits{
      .view = true, .min_operands = 1, .max_operands = 2, .excess = {excess_precision::moves}};
  std::vector<i64> shape;
  bool allow_zero = false;
  TENON_ATTRIBUTES(shape, allow_zero)
};

/// Result dimension d is operand dimension permutation[d]; an empty permutation reverses the dimensions.
struct transpose {
  static constexpr fixed_string name = "transpose";
  static constexpr op_traits traits{
      .min_operands = 1, .max_operands = 1, .fusion = {.moves = true}, .excess = {excess_precision::moves}};
  std::vector<i64> permutation;
  TENON_ATTRIBUTES(permutation)
};

/// `expand(x, shape?)`: broadcasts the operand with `shape`; where that has 1, the operand's extent stays.
struct expand {
  static constexpr fixed_string name = "expand";
  static constexpr op_traits traits{
      .min_operands = 1, .max_operands = 2, .fusion = {.moves = true}, .excess = {excess_precision::moves}};
  std::vector<i64> shape;
  TENON_ATTRIBUTES(shape)
};

/// `slice(x, starts?, ends?, axes?, steps?)`: python's x[start:end:step] along `axes` (empty: the first ones);
/// empty steps are 1; starts and ends are clamped to the extent.
struct slice {
  static constexpr fixed_string name = "slice";
  static constexpr op_traits traits{
      .min_operands = 1, .max_operands = 5, .fusion = {.moves = true}, .excess = {excess_precision::moves}};
  std::vector<i64> starts{}, ends{}, axes{}, steps{};
  TENON_ATTRIBUTES(starts, ends, axes, steps)
};

/// Joins any number of tensors along an axis.
struct concat {
  static constexpr fixed_string name = "concat";
  static constexpr op_traits traits{
      .min_operands = 1, .fusion = {.anchor = true, .reads = 1}, .excess = {excess_precision::moves}};
  i64 axis = 0;
  TENON_ATTRIBUTES(axis)
};

enum class pad_mode : u8 { constant, reflect, edge, wrap };
inline constexpr std::array<std::string_view, 4> pad_mode_names{"constant", "reflect", "edge", "wrap"};
constexpr const auto& enumerator_names(pad_mode) { return pad_mode_names; }

/// `pad(x, pads?, value?, axes?)`: `before` and `after` elements more along each of `axes` (empty: all); negative
/// numbers crop, and the rest of the operand is what reflect, edge and wrap see. The operand `pads` has all of
/// `before`, then all of `after`. The operand `value` counts before the attribute.
struct pad {
  static constexpr fixed_string name = "pad";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 4, .excess = {excess_precision::moves}};
  pad_mode mode = pad_mode::constant;
  std::vector<i64> before{}, after{};
  double value = 0;
  std::vector<i64> axes{};
  TENON_ATTRIBUTES(mode, before, after, value, axes)
};

/// `tile(x, repeats?)`: the operand repeated along each dimension.
struct tile {
  static constexpr fixed_string name = "tile";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2, .excess = {excess_precision::moves}};
  std::vector<i64> repeats;
  TENON_ATTRIBUTES(repeats)
};

/// `range(start, limit, delta)`: scalars of one type; start + i * delta for 0 <= i < ceil((limit - start) / delta).
struct range {
  static constexpr fixed_string name = "range";
  static constexpr op_traits traits{.min_operands = 3, .max_operands = 3};
};

/// The extents [start, end) of the operand as i64; both may be negative and are clamped.
struct shape_of {
  static constexpr fixed_string name = "shape_of";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .fusion = {.alone = true}};
  i64 start = 0, end = INT64_MAX;
  TENON_ATTRIBUTES(start, end)
};

/// `extents_of() {values = ["batch", "2*n+1"]}`: expressions of the module's symbols as integers: a list, or a scalar.
struct extents_of {
  static constexpr fixed_string name = "extents_of";
  static constexpr op_traits traits{.max_operands = 0, .fusion = {.alone = true}};
  std::vector<std::string> values;
  dtype type = dtype::i64;
  bool scalar = false;
  TENON_ATTRIBUTES(values, type, scalar)
};

/// The number of elements of the operand: an i64 scalar.
struct count_of {
  static constexpr fixed_string name = "count_of";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .fusion = {.alone = true}};
};

/// `trilu(x, k?)`: keeps the upper (column - row >= k) or lower (column - row <= k) triangle of the last two
/// dimensions, zero elsewhere. The operand k counts before the attribute.
struct trilu {
  static constexpr fixed_string name = "trilu";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2, .excess = {excess_precision::moves}};
  bool upper = true;
  i64 k = 0;
  TENON_ATTRIBUTES(upper, k)
};

/// Ones where column - row == k of a matrix with the operand's shape; `type` is `index` for the operand's own.
struct eye_like {
  static constexpr fixed_string name = "eye_like";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  i64 k = 0;
  dtype type = dtype::index;
  TENON_ATTRIBUTES(k, type)
};

/// `constant_of_shape(value, shape?)`: the one element of `value` everywhere.
struct constant_of_shape {
  static constexpr fixed_string name = "constant_of_shape";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2};
  std::vector<i64> shape;
  TENON_ATTRIBUTES(shape)
};

/// `reverse_sequence(x, lengths)`: for batch entry b, reverses the first lengths[b] elements along the time axis. A
/// length that is data and beyond the axis reads the nearest element where there is none.
struct reverse_sequence {
  static constexpr fixed_string name = "reverse_sequence";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .excess = {excess_precision::moves}};
  i64 batch_axis = 1, time_axis = 0;
  TENON_ATTRIBUTES(batch_axis, time_axis)
};

void infer(const reshape&, ir::infer_context&);
void infer(const transpose&, ir::infer_context&);
void infer(const expand&, ir::infer_context&);
void infer(const slice&, ir::infer_context&);
void infer(const concat&, ir::infer_context&);
void infer(const pad&, ir::infer_context&);
void infer(const tile&, ir::infer_context&);
void infer(const range&, ir::infer_context&);
void infer(const shape_of&, ir::infer_context&);
void infer(const extents_of&, ir::infer_context&);
void infer(const count_of&, ir::infer_context&);
void infer(const trilu&, ir::infer_context&);
void infer(const eye_like&, ir::infer_context&);
void infer(const constant_of_shape&, ir::infer_context&);
void infer(const reverse_sequence&, ir::infer_context&);

void evaluate(const reshape&, eval_context&);
void evaluate(const transpose&, eval_context&);
void evaluate(const expand&, eval_context&);
void evaluate(const slice&, eval_context&);
void evaluate(const concat&, eval_context&);
void evaluate(const pad&, eval_context&);
void evaluate(const tile&, eval_context&);
void evaluate(const range&, eval_context&);
void evaluate(const shape_of&, eval_context&);
void evaluate(const extents_of&, eval_context&);
void evaluate(const count_of&, eval_context&);
void evaluate(const trilu&, eval_context&);
void evaluate(const eye_like&, eval_context&);
void evaluate(const constant_of_shape&, eval_context&);
void evaluate(const reverse_sequence&, eval_context&);

value_id element(const reshape&, element_context&, const index_list& at);
value_id element(const transpose&, element_context&, const index_list& at);
value_id element(const expand&, element_context&, const index_list& at);
value_id element(const slice&, element_context&, const index_list& at);
/// One nest per operand: choosing among operands per element would read them all.
void lower(const concat&, lower_context&);
value_id element(const pad&, element_context&, const index_list& at);
value_id element(const tile&, element_context&, const index_list& at);
void lower(const tile&, lower_context&);
value_id element(const range&, element_context&, const index_list& at);
value_id element(const shape_of&, element_context&, const index_list& at);
value_id element(const extents_of&, element_context&, const index_list& at);
value_id element(const count_of&, element_context&, const index_list& at);
value_id element(const trilu&, element_context&, const index_list& at);
value_id element(const eye_like&, element_context&, const index_list& at);
value_id element(const constant_of_shape&, element_context&, const index_list& at);
value_id element(const reverse_sequence&, element_context&, const index_list& at);

bool move_transpose(slice&, std::vector<i64>& order, u32 given);
bool move_transpose(pad&, std::vector<i64>& order, u32 given);

/// Takes the constant value of an optional operand into the attributes. True: the operand is not needed any more.
bool absorb(reshape&, int operand, const tensor& value);
bool absorb(expand&, int operand, const tensor& value);
bool absorb(slice&, int operand, const tensor& value);
bool absorb(pad&, int operand, const tensor& value);
bool absorb(tile&, int operand, const tensor& value);
bool absorb(trilu&, int operand, const tensor& value);
bool absorb(constant_of_shape&, int operand, const tensor& value);

bool simplify(const reshape&, simplification&);
bool simplify(const transpose&, simplification&);
bool simplify(const expand&, simplification&);
bool simplify(const slice&, simplification&);
bool simplify(const concat&, simplification&);
bool simplify(const pad&, simplification&);
bool simplify(const tile&, simplification&);

/// The value when the operand's type alone says it; false when it does not.
bool value_from_type(const shape_of&, const ir::type& operand, tensor& value);
bool value_from_type(const count_of&, const ir::type& operand, tensor& value);

}  // namespace tenon::op
