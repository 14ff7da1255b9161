/// @file sequence.ipp: type rules of ops/graph/sequence.hpp.
#pragma once

#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/sequence.hpp>

namespace tenon::op {
namespace sequence_detail {

inline ir::type sequence_type(ir::module& m, const ir::type& of) {
  ir::type t;
  t.kind = ir::type_kind::sequence;
  t.parts = {m.intern(of)};
  return t;
}
inline ir::type item_type(ir::infer_context& cx, int operand) {
  const ir::type& s = cx.operand(operand);
  if (s.kind != ir::type_kind::sequence) cx.fail("operand " + std::to_string(operand) + " is not a sequence");
  return cx.mod()[s.parts[0]];
}
inline void check_position(ir::infer_context& cx, int operand) {
  if (!cx.has(operand)) return;
  const ir::type& t = cx.operand(operand);
  if (!t.is_tensor() || !is_int(t.elem) || (t.is_static() && t.count() != 1))
    cx.fail("the position is not one integer");
}

}  // namespace sequence_detail

void infer(const sequence_empty& op, ir::infer_context& cx) {
  cx.result(sequence_detail::sequence_type(cx.mod(), ir::type::unranked_tensor(op.type)));
}
void infer(const sequence_of&, ir::infer_context& cx) {
  ir::type item = cx.operand(0);
  for (int i = 1; i < cx.operand_count(); ++i) item = join(cx.mod(), item, ir::type(cx.operand(i)));
  cx.result(sequence_detail::sequence_type(cx.mod(), item));
}
void infer(const sequence_at&, ir::infer_context& cx) {
  sequence_detail::check_position(cx, 1);
  cx.result(sequence_detail::item_type(cx, 0));
}
void infer(const sequence_insert&, ir::infer_context& cx) {
  sequence_detail::check_position(cx, 2);
  cx.result(sequence_detail::sequence_type(cx.mod(),
                                           join(cx.mod(), sequence_detail::item_type(cx, 0), ir::type(cx.operand(1)))));
}
void infer(const sequence_erase&, ir::infer_context& cx) {
  sequence_detail::check_position(cx, 1);
  cx.result(sequence_detail::sequence_type(cx.mod(), sequence_detail::item_type(cx, 0)));
}
void infer(const sequence_length&, ir::infer_context& cx) {
  sequence_detail::item_type(cx, 0);
  cx.result(ir::type::tensor(dtype::i64, {}));
}
void infer(const split_to_sequence& op, ir::infer_context& cx) {
  ir::type t = cx.operand(0);
  if (!t.is_tensor()) cx.fail("it splits tensors");
  if (t.ranked) {
    const size_t axis = static_cast<size_t>(cx.axis(op.axis, t.rank()));
    if (t.shape.empty()) cx.fail("a scalar has no axis to split");
    if (!cx.has(1)) {
      if (op.keep_dims) t.shape[axis] = ir::dim(1);
      else t.shape.erase(t.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    } else {
      t.shape[axis] = ir::dim::unknown();
    }
  }
  cx.result(sequence_detail::sequence_type(cx.mod(), t));
}
void infer(const concat_from_sequence& op, ir::infer_context& cx) {
  ir::type t = sequence_detail::item_type(cx, 0);
  if (!t.is_tensor()) cx.fail("it joins tensors");
  if (t.ranked) {
    if (op.new_axis) {
      const i64 axis = cx.axis(op.axis, t.rank() + 1);
      t.shape.insert(t.shape.begin() + axis, ir::dim::unknown());
    } else {
      if (t.shape.empty()) cx.fail("scalars have no axis to join along");
      t.shape[static_cast<size_t>(cx.axis(op.axis, t.rank()))] = ir::dim::unknown();
    }
  }
  cx.result(t);
}
void infer(const optional_has&, ir::infer_context& cx) { cx.result(ir::type::tensor(dtype::boolean, {})); }
void infer(const optional_get&, ir::infer_context& cx) {
  const ir::type& t = cx.operand(0);
  if (t.kind == ir::type_kind::optional) return cx.result(t.parts[0]);
  cx.result(ir::type(t));
}

}  // namespace tenon::op
