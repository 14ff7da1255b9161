/// @file fwd: the built-in ops by name, and the lists that phases are made of.
///
/// An op that is missing here does not exist for any phase. Nothing is defined: the judge knows ops by name.
#pragma once

#include <tenon/judge/duplication.hpp>
#include <tenon/judge/op_set.hpp>
#include <tenon/ops/graph/elementwise_table.hpp>

namespace tenon {
// The names of ops of which there are many, each once: they are declared, and listed. Those that are one scalar
// function stand in ops/graph/elementwise_table.hpp.
// clang-format off
#define TENON_COMPUTATIONS(op)                                                                                         \
  op(matmul) op(conv) op(conv_transpose) op(pack_panels) op(matmul_nbits) op(attention) op(winograd_conv)              \
  op(max_pool) op(average_pool) op(lp_pool) op(lrn) op(recurrence) op(reshape) op(transpose) op(expand) op(slice)      \
  op(concat) op(pad) op(tile) op(range) op(shape_of) op(extents_of) op(count_of) op(trilu) op(eye_like)                \
  op(constant_of_shape) op(reverse_sequence) op(gather) op(gather_elements) op(gather_nd) op(scatter_elements)         \
  op(scatter_nd) op(top_k) op(one_hot) op(non_zero) op(compress) op(unique) op(non_max_suppression) op(resize)         \
  op(grid_sample) op(affine_grid) op(max_unpool) op(col2im) op(roi_align) op(determinant) op(inverse) op(bit_cast)     \
  op(cast) op(dequantize) op(is_inf) op(where) op(arg_max) op(arg_min) op(cumulative_prod) op(cumulative_sum)          \
  op(log_softmax) op(reduce_max) op(reduce_min) op(reduce_prod) op(reduce_sum) op(softmax)
#define TENON_VALUE_OPS(op)                                                                                            \
  op(raise) op(sequence_empty) op(sequence_of) op(sequence_at) op(sequence_insert) op(sequence_erase)                  \
  op(sequence_length) op(split_to_sequence) op(concat_from_sequence) op(optional_of) op(optional_has)                  \
  op(optional_get) op(string_concat) op(string_split) op(string_normalize) op(regex_full_match)                        \
  op(number_to_string) op(string_tokenize) op(string_to_number) op(lookup) op(murmur_hash) op(decode_image)            \
  op(draw_seed) op(call_packed) op(call_pure_packed)
// clang-format on

namespace op {
#define TENON_DECLARE(name, ...) struct name;
struct constant;
TENON_COMPUTATIONS(TENON_DECLARE)
TENON_ELEMENTWISE_OPS(TENON_DECLARE)
struct if_else;
struct repeat;
TENON_VALUE_OPS(TENON_DECLARE)
#undef TENON_DECLARE
// functions, calls, results
struct return_;
struct yield;
struct call;
struct fused;
struct dataflow;
struct call_kernel;
struct view;
struct closure;
struct call_closure;
// external code
struct call_external;
// destination passing
struct alloc;
struct constant_buffer;
struct view_buffer;
struct copy_buffer;
struct call_dps;
// explicit storage
struct slot;
struct call_native;
// borders between the parts of a program
struct transfer;
struct launch;
struct await;
}  // namespace op
namespace loop {
struct for_loop;
struct yield;
struct branch;
struct load;
struct store;
struct literal;
struct scalar;
struct convert;
struct extent;
struct contract;
}  // namespace loop

namespace detail {
template <class, class... Ops>
using listed = ops<Ops...>;
}  // namespace detail
#define TENON_LIST(name, ...) , op::name
/// Computations on tensors.
using computations = detail::listed<void TENON_COMPUTATIONS(TENON_LIST) TENON_ELEMENTWISE_OPS(TENON_LIST)>;

/// What the host runs between kernels: control flow, and ops on values that kernels do not know.
using control_ops = ops<op::if_else, op::repeat>;
using host_ops = meta::concat_t<control_ops, detail::listed<void TENON_VALUE_OPS(TENON_LIST)>>;
#undef TENON_LIST
#undef TENON_COMPUTATIONS
#undef TENON_VALUE_OPS

/// What graphs of tensors are made of.
using graph_ops = computations::with<op::constant>;

/// Calls, results, and what groups ops, in graphs.
using call_ops = ops<op::return_, op::yield, op::call, op::fused, op::dataflow, op::call_kernel, op::view>;

/// What kernels are made from: all computations, alone or in fused groups. Constants need no code.
using legalizable_ops = computations::with<op::fused>;

/// Calls of code that an external code generator made. Only the side phase `partitioned` lists them: pipelines that go
/// on with them say so, by `with_ops<op::call_external>`, and end in `optimization`, or lower them themselves.
using external_ops = ops<op::call_external>;

/// What only front ends say.
using front_end_ops = ops<op::closure, op::call_closure>;

/// The bodies of kernels.
using loop_ops = ops<loop::for_loop, loop::yield, loop::branch, loop::load, loop::store, loop::literal, loop::scalar,
                     loop::extent, loop::convert, loop::contract>;

/// Destination passing.
using buffer_ops = ops<op::alloc, op::constant_buffer, op::view_buffer, op::copy_buffer, op::call_dps>;

/// What `lowering` may hold.
using lowering_ops = meta::concat_t<ops<op::return_>, buffer_ops, loop_ops>;

/// Explicit storage.
using build_only_ops = ops<op::slot, op::call_native>;

/// What joins the parts of a program that run on several devices.
using link_ops = ops<op::transfer, op::launch, op::await>;
/// What `build` may hold.
using build_ops =
    meta::concat_t<ops<op::return_, op::constant_buffer, op::view_buffer, op::copy_buffer>, build_only_ops, loop_ops>;

/// All of them, each once.
using built_in_ops = meta::unique_t<
    meta::concat_t<graph_ops, host_ops, call_ops, external_ops, front_end_ops, lowering_ops, build_ops, link_ops>>;

// The ops whose results share memory of an operand, and those that have effects, for whoever sees only their
// declarations (tests/soft/duplication_test.cpp holds it).
template <>
inline constexpr bool declared_alias<op::reshape> = true;
template <>
inline constexpr bool declared_alias<op::bit_cast> = true;
template <>
inline constexpr bool declared_alias<op::view> = true;
template <>
inline constexpr bool declared_alias<op::view_buffer> = true;
template <>
struct declared_effects<op::draw_seed> {
  using type = effects<effect::random>;
};
template <>
struct declared_effects<op::call_packed> {
  using type = effects<effect::io>;
};
template <>
struct declared_effects<op::await> {
  using type = effects<effect::sync>;
};
template <>
struct declared_effects<op::alloc> {
  using type = effects<effect::allocates>;
};
template <>
struct declared_effects<op::copy_buffer> {
  using type = effects<effect::reads, effect::writes>;
};
template <>
struct declared_effects<op::call_dps> {
  using type = effects<effect::reads, effect::writes>;
};
template <>
struct declared_effects<op::call_native> {
  using type = effects<effect::reads, effect::writes>;
};
template <>
struct declared_effects<loop::load> {
  using type = effects<effect::reads>;
};
template <>
struct declared_effects<loop::store> {
  using type = effects<effect::writes>;
};
template <>
struct declared_effects<loop::contract> {
  using type = effects<effect::reads, effect::writes>;
};
}  // namespace tenon
