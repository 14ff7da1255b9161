/// @file eval_table: finds the reference evaluation of an op at run time.
///
/// `eval_table_of<ops<…>>` is made from a typelist; those of its ops that have no `evaluate` overload are named in one
/// compile error, unless the interpreter itself runs them (`is_structural`).
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/judge/op_set.hpp>
#include <tenon/meta/sentence.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/dataflow.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon {

struct eval_entry {
  const ir::op_info* info = nullptr;
  void (*evaluate)(const void* op, eval_context& cx) = nullptr;
  void (*evaluate_values)(const void* op,
                          value_context& cx) = nullptr;  ///< instead: an op on any values, with one result
};

/// Ops that the interpreter runs itself: they touch functions, regions or storage, not only tensors.
using structural_ops =
    ops<op::constant, op::return_, op::yield, op::call, op::closure, op::call_closure, op::fused, op::if_else,
        op::repeat, op::dataflow, op::call_kernel, op::view, op::alloc, op::constant_buffer, op::view_buffer,
        op::copy_buffer, op::call_dps, op::slot, op::call_native, loop::for_loop, loop::yield, loop::branch, loop::load,
        loop::store, loop::literal, loop::extent, loop::scalar, loop::convert, loop::contract>;

template <>
struct handles_op<reference_evaluation, loop::extent>
    : handled_by_default<"a kernel of no fixed size is not interpreted by itself: the graph that it was made from is"> {
};

template <class Op>
inline constexpr bool is_structural = structural_ops::contains<Op>;

template <class Op>
inline constexpr bool has_evaluation = requires(const Op& op, eval_context& cx) { evaluate(op, cx); } ||
                                       requires(const Op& op, value_context& cx) { evaluate(op, cx); };

namespace detail {
template <class Op>
struct is_evaluated {
  static constexpr bool value = has_evaluation<Op> || is_structural<Op>;
};
template <class Ops>
using evaluations_exist =
    coverage<"the interpreter", "declare 'void evaluate(const op&, tenon::eval_context&)' beside each",
             reference_evaluation, Ops, is_evaluated>;

template <class Op>
constexpr eval_entry entry_of() {
  if constexpr (requires(const Op& op, value_context& cx) { evaluate(op, cx); })
    return {&ir::info_of<Op>, nullptr,
            [](const void* op, value_context& cx) { evaluate(*static_cast<const Op*>(op), cx); }};
  else if constexpr (has_evaluation<Op>)
    return {&ir::info_of<Op>, [](const void* op, eval_context& cx) { evaluate(*static_cast<const Op*>(op), cx); },
            nullptr};
  else return {};
}
template <class... Ops>
std::span<const eval_entry> entries_of(meta::detail::box<ops<Ops...>>) {
  static constexpr eval_entry entries[] = {entry_of<Ops>()..., eval_entry{}};
  return {entries, sizeof...(Ops)};
}
}  // namespace detail

/// The evaluations of a list of ops; `run` and `interpret` take it for ops that are not built in.
template <class Ops>
std::span<const eval_entry> eval_table_of() {
  using check = detail::evaluations_exist<Ops>;
  meta::answer_t<check>::accept();
  if constexpr (check::ok) return detail::entries_of(meta::detail::box<Ops>{});
  else return {};
}

}  // namespace tenon
