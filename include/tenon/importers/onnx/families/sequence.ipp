/// @file sequence: ONNX operators on sequences and optionals.
#pragma once

#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/families/control.ipp>

namespace tenon::importers::onnx {
namespace handlers {

inline void sequence_empty(import_context& cx, const node&) {
  cx.out(cx.make(op::sequence_empty{.type = cx.element_type("dtype", dtype::f32)}, {}));
}
template <class Op> void sequence_op(import_context& cx, const node&) { cx.out(cx.make(Op{}, cx.ins())); }

inline void split_to_sequence(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  i64 axis = cx.i("axis", 0);
  if (cx.has_rank(x)) axis = cx.axis(axis, cx.rank(x));
  cx.out(cx.make(op::split_to_sequence{.axis = axis, .keep_dims = cx.i("keepdims", 1) != 0}, cx.ins()));
}
inline void concat_from_sequence(import_context& cx, const node&) {
  cx.out(cx.make(op::concat_from_sequence{.axis = cx.i("axis"), .new_axis = cx.i("new_axis", 0) != 0}, {cx.in(0)}));
}

/// The body for each item of the first sequence, with the items of the others and whole tensors; a sequence per output.
inline void sequence_map(import_context& cx, const node&) {
  const graph& body = cx.g("body");
  const import_context::values in = cx.all_ins();
  if (in.empty() || cx.type_of(in[0]).kind != ir::type_kind::sequence || body.inputs.size() != in.size())
    cx.bad("the body does not fit the inputs");
  import_context::values lists;
  for (const value_info& v : body.outputs)
    lists.push_back(cx.make(op::sequence_empty{.type = require_dtype(v.type.element, "output '" + v.name + "'")}, {}));
  const auto results = write_repeat(
      cx, cx.make(op::sequence_length{}, {in[0]}), {}, lists, 0,
      [&](value_id i, value_id goes_on, const import_context::values& made) {
        import_context::values arguments;
        for (const value_id v : in)
          arguments.push_back(cx.type_of(v).kind == ir::type_kind::sequence ? cx.make(op::sequence_at{}, {v, i}) : v);
        const auto results = cx.inline_graph(body, arguments);
        import_context::values out{goes_on};
        for (size_t k = 0; k < made.size(); ++k) out.push_back(cx.make(op::sequence_insert{}, {made[k], results[k]}));
        return out;
      });
  write_outputs(cx, results);
}

inline void optional(import_context& cx, const node&) {
  ir::type t;
  t.kind = ir::type_kind::optional;
  import_context::values operands;
  if (cx.has(0)) {
    operands.push_back(cx.in(0));
    t.parts = {cx.mod()[operands[0]].type};
  } else {
    const attribute* const a = cx.find("type");
    if (!a || a->types.empty()) cx.bad("an Optional without an element needs the attribute 'type'");
    t.parts = {cx.mod().intern(to_type({"type", a->types.front()}, cx.mod(), cx.options()))};
  }
  const op::optional_of op;
  const type_id types[1] = {cx.mod().intern(t)};
  cx.out(cx.mod().result(cx.at().make_erased(ir::info_of<op::optional_of>, &op, operands, types, 0)));
}

inline bool is_optional(import_context& cx, value_id v) { return cx.type_of(v).kind == ir::type_kind::optional; }

inline void optional_has_element(import_context& cx, const node&) {
  if (!cx.has(0) || !is_optional(cx, cx.in(0))) return cx.out(cx.scalar(dtype::boolean, cx.has(0) ? 1 : 0));
  cx.out(cx.make(op::optional_has{}, {cx.in(0)}));
}
inline void optional_get_element(import_context& cx, const node&) {
  cx.out(is_optional(cx, cx.in(0)) ? cx.make(op::optional_get{}, {cx.in(0)}) : cx.in(0));
}

}  // namespace handlers

std::span<const registered_operator> families::sequence() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"ConcatFromSequence", concat_from_sequence, "", 11, 1, 1, "axis:i! new_axis:i", "*"},
      {"Optional", optional, "", 15, {0, 1}, 1, "type:tp", "*"},
      {"OptionalGetElement", optional_get_element, "", 15, 1, 1, "", "*"},
      {"OptionalHasElement", optional_has_element, "", 15, {0, 1}, 1, "", "*"},
      {"SequenceAt", sequence_op<op::sequence_at>, "", 11, 2, 1, "", "* i"},
      {"SequenceConstruct", sequence_op<op::sequence_of>, "", 11, {1, arity::any}, 1, "", "*"},
      {"SequenceEmpty", sequence_empty, "", 11, 0, 1, "dtype:i"},
      {"SequenceErase", sequence_op<op::sequence_erase>, "", 11, {1, 2}, 1, "", "* i"},
      {"SequenceInsert", sequence_op<op::sequence_insert>, "", 11, {2, 3}, 1, "", "* * i"},
      {"SequenceLength", sequence_op<op::sequence_length>, "", 11, 1, 1, "", "*"},
      {"SequenceMap", sequence_map, "", 17, {1, arity::any}, {1, arity::any}, "body:g!", "*"},
      {"SplitToSequence", split_to_sequence, "", 11, {1, 2}, 1, "axis:i keepdims:i", "* i"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
