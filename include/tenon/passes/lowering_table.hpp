/// @file lowering_table: finds the loop-level meaning of a graph op at run time.
///
/// Every op of `graph_ops` has `element` or `lower`, or says why not (`handles_op<loop_nests, Op>`); those that have
/// nothing are named in one compile error where the table is made. A user's op joins in for one compilation, by a line
/// beside it:
///
///     template <>
///     struct tenon::lower_with<tenon::passes::legalize_ops, mine::swish> : tenon::native_form<mine::swish> {};
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/context.hpp>
#include <tenon/judge/effect.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon {

template <>
struct handles_op<loop_nests, op::constant> : handled_by_default<"constants stay, and kernels read them"> {};
template <>
struct handles_op<loop_nests, op::bit_cast>
    : handled_by_default<"the same bytes, differently seen: it becomes a view"> {};
template <>
struct handles_op<loop_nests, op::non_zero>
    : handled_by_default<"the shape of its result depends on values: the host runs it"> {};
template <>
struct handles_op<loop_nests, op::compress>
    : handled_by_default<"the shape of its result depends on values: the host runs it"> {};
template <>
struct handles_op<loop_nests, op::unique>
    : handled_by_default<"the shape of its result depends on values: the host runs it"> {};
template <>
struct handles_op<loop_nests, op::non_max_suppression>
    : handled_by_default<"the shape of its result depends on values: the host runs it"> {};

struct lowering_entry {
  const ir::op_info* info = nullptr;
  value_id (*element)(const void* op, element_context& cx, const index_list& at) = nullptr;
  void (*lower)(const void* op, lower_context& cx) = nullptr;
};

/// What ops beside the built-in ones are lowered by in this compilation; in the context, for `legalize_ops` and `fuse`.
struct more_lowerings {
  std::vector<lowering_entry> entries;
};

const lowering_entry* find_lowering(const ir::op_info& info, const more_lowerings& more = {});
inline bool has_element(const ir::op_info& info, const more_lowerings& more = {}) {
  const lowering_entry* e = find_lowering(info, more);
  return e != nullptr && e->element != nullptr;
}
inline bool has_lower(const ir::op_info& info, const more_lowerings& more = {}) {
  const lowering_entry* e = find_lowering(info, more);
  return e != nullptr && e->lower != nullptr;
}

namespace detail {
template <class Op>
constexpr lowering_entry lowering_of() {
  lowering_entry e{&ir::info_of<Op>, nullptr, nullptr};
  if constexpr (requires(const Op& op, element_context& cx, const index_list& at) { element(op, cx, at); })
    e.element = [](const void* op, element_context& cx, const index_list& at) {
      return element(*static_cast<const Op*>(op), cx, at);
    };
  if constexpr (requires(const Op& op, lower_context& cx) { lower(op, cx); })
    e.lower = [](const void* op, lower_context& cx) { lower(*static_cast<const Op*>(op), cx); };
  return e;
}
template <class Op>
struct has_loop_nests {
  static constexpr bool value = lowering_of<Op>().element != nullptr || lowering_of<Op>().lower != nullptr;
};
template <class Ops>
using loop_nests_exist =
    coverage<"the table of loop nests", "declare 'element' or 'lower' beside each", loop_nests, Ops, has_loop_nests>;
template <class... Ops>
std::span<const lowering_entry> lowering_entries(meta::detail::box<ops<Ops...>>) {
  static constexpr lowering_entry entries[] = {lowering_of<Ops>()..., lowering_entry{}};
  return {entries, sizeof...(Ops)};
}
}  // namespace detail

/// The loop nests of a list of ops.
template <class Ops>
std::span<const lowering_entry> lowering_table_of() {
  using check = detail::loop_nests_exist<Ops>;
  meta::answer_t<check>::accept();
  if constexpr (check::ok) return detail::lowering_entries(meta::detail::box<Ops>{});
  else return {};
}

/// The loop nests of a user's op, found as those of built-in ops are: by `element` or `lower` beside it.
template <class Op>
struct native_form {
  // A kernel is called by `call_kernel`, which has no effects: two calls could become one.
  static_assert(
      meta::size_v<effects_of_t<Op>> == 0,
      "tenon-E016: pass 'legalize_ops' deletes, merges or moves ops, and does not say how it treats the effects of "
      "this op: a native form is for ops without effects; expand it in a pass of your own");
  static void provide(context& cx) {
    constexpr lowering_entry entry = detail::lowering_of<Op>();
    static_assert(entry.element != nullptr || entry.lower != nullptr,
                  "tenon-E006: pass 'legalize_ops' eliminates this op and has no code for it: declare 'element' or "
                  "'lower' beside "
                  "the op, before its 'lower_with'");
    more_lowerings* known = cx.find<more_lowerings>();
    if (known == nullptr) known = &cx.set(more_lowerings{});
    for (const lowering_entry& e : known->entries)
      if (e.info == entry.info) return;
    known->entries.push_back(entry);
  }
};

}  // namespace tenon
