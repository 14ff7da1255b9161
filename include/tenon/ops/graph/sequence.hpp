/// @file sequence: sequences of values, and optionals: lists and "perhaps" of the graph level. They run on the host.
///
/// A negative position counts from the end. One out of range is an error when it runs.
#pragma once

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `sequence_empty()`: no tensors of an element type.
struct sequence_empty {
  static constexpr fixed_string name = "sequence_empty";
  static constexpr op_traits traits{.max_operands = 0};
  dtype type = dtype::f32;
  TENON_ATTRIBUTES(type)
};
/// `sequence_of(x...)`: these values in order.
struct sequence_of {
  static constexpr fixed_string name = "sequence_of";
  static constexpr op_traits traits{.min_operands = 1};
};
/// `sequence_at(s, position)`.
struct sequence_at {
  static constexpr fixed_string name = "sequence_at";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2};
};
/// `sequence_insert(s, x, position?)`: x before the position; without one, at the end.
struct sequence_insert {
  static constexpr fixed_string name = "sequence_insert";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 3};
};
/// `sequence_erase(s, position?)`: without the value at the position; without one, the last.
struct sequence_erase {
  static constexpr fixed_string name = "sequence_erase";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2};
};
/// `sequence_length(s)`: i64 of rank 0.
struct sequence_length {
  static constexpr fixed_string name = "sequence_length";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
/// `split_to_sequence(x, sizes?)`: the parts of x along an axis: of these sizes; all of one size but perhaps the last,
/// when `sizes` has rank 0; of size 1 without `sizes`, the axis then left out unless it is kept.
struct split_to_sequence {
  static constexpr fixed_string name = "split_to_sequence";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 2};
  i64 axis = 0;
  bool keep_dims = true;
  TENON_ATTRIBUTES(axis, keep_dims)
};
/// `concat_from_sequence(s)`: its tensors joined along an axis, a new one if so said.
struct concat_from_sequence {
  static constexpr fixed_string name = "concat_from_sequence";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  i64 axis = 0;
  bool new_axis = false;
  TENON_ATTRIBUTES(axis, new_axis)
};

/// `optional_of(x?)`: an optional with this element, or without; the result type says what it may hold.
struct optional_of {
  static constexpr fixed_string name = "optional_of";
  static constexpr op_traits traits{.max_operands = 1};
};
/// `optional_has(o?)`: bool of rank 0: is there an element? A value that is no optional is its own element.
struct optional_has {
  static constexpr fixed_string name = "optional_has";
  static constexpr op_traits traits{.max_operands = 1};
};
/// `optional_get(o)`: its element; an error when there is none.
struct optional_get {
  static constexpr fixed_string name = "optional_get";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};

void infer(const sequence_empty&, ir::infer_context&);
void infer(const sequence_of&, ir::infer_context&);
void infer(const sequence_at&, ir::infer_context&);
void infer(const sequence_insert&, ir::infer_context&);
void infer(const sequence_erase&, ir::infer_context&);
void infer(const sequence_length&, ir::infer_context&);
void infer(const split_to_sequence&, ir::infer_context&);
void infer(const concat_from_sequence&, ir::infer_context&);
void infer(const optional_has&, ir::infer_context&);
void infer(const optional_get&, ir::infer_context&);

void evaluate(const sequence_empty&, value_context&);
void evaluate(const sequence_of&, value_context&);
void evaluate(const sequence_at&, value_context&);
void evaluate(const sequence_insert&, value_context&);
void evaluate(const sequence_erase&, value_context&);
void evaluate(const sequence_length&, value_context&);
void evaluate(const split_to_sequence&, value_context&);
void evaluate(const concat_from_sequence&, value_context&);
void evaluate(const optional_of&, value_context&);
void evaluate(const optional_has&, value_context&);
void evaluate(const optional_get&, value_context&);

}  // namespace tenon::op
