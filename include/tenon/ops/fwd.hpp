/// @file fwd: the built-in ops by name, and the lists that phases are made of.
///
/// An op that is missing here does not exist for any phase. Nothing is defined: the judge knows ops by name.
#pragma once

#include <tenon/judge/duplication.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon {
namespace op {
// graph
struct constant;
struct matmul;
struct conv;
struct conv_transpose;
struct pack_panels;
struct matmul_nbits;
struct attention;
struct winograd_conv;
struct max_pool;
struct average_pool;
struct lp_pool;
struct lrn;
struct recurrence;
struct reshape;
struct transpose;
struct expand;
struct slice;
struct concat;
struct pad;
struct tile;
struct range;
struct shape_of;
struct extents_of;
struct count_of;
struct trilu;
struct eye_like;
struct constant_of_shape;
struct reverse_sequence;
struct gather;
struct gather_elements;
struct gather_nd;
struct scatter_elements;
struct scatter_nd;
struct top_k;
struct one_hot;
struct non_zero;
struct compress;
struct unique;
struct non_max_suppression;
struct resize;
struct grid_sample;
struct affine_grid;
struct max_unpool;
struct col2im;
struct roi_align;
struct abs;
struct acos;
struct acosh;
struct add;
struct asin;
struct asinh;
struct atan;
struct atanh;
struct bit_and;
struct bit_cast;
struct bit_not;
struct bit_or;
struct bit_xor;
struct cast;
struct ceil;
struct cos;
struct cosh;
struct dequantize;
struct div;
struct equal;
struct erf;
struct exp;
struct expm1;
struct floor;
struct fmod;
struct greater;
struct greater_equal;
struct is_inf;
struct is_nan;
struct less;
struct less_equal;
struct log;
struct log1p;
struct logical_and;
struct logical_not;
struct logical_or;
struct logical_xor;
struct maximum;
struct minimum;
struct mod;
struct mul;
struct neg;
struct not_equal;
struct pow;
struct reciprocal;
struct round;
struct rsqrt;
struct shift_left;
struct shift_right;
struct sigmoid;
struct sign;
struct sin;
struct sinh;
struct sqrt;
struct sub;
struct tan;
struct tanh;
struct trunc;
struct where;
struct arg_max;
struct arg_min;
struct cumulative_prod;
struct cumulative_sum;
struct log_softmax;
struct reduce_max;
struct reduce_min;
struct reduce_prod;
struct reduce_sum;
struct softmax;
// on the host
struct if_else;
struct repeat;
struct raise;
struct sequence_empty;
struct sequence_of;
struct sequence_at;
struct sequence_insert;
struct sequence_erase;
struct sequence_length;
struct split_to_sequence;
struct concat_from_sequence;
struct optional_of;
struct optional_has;
struct optional_get;
struct string_concat;
struct string_split;
struct string_normalize;
struct regex_full_match;
struct format_text;
struct parse_text;
struct lookup;
struct decode_image;
struct draw_seed;
struct call_packed;
struct call_pure_packed;
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

/// Computations on tensors.
using computations =
    ops<op::matmul, op::conv, op::conv_transpose, op::pack_panels, op::matmul_nbits, op::attention, op::winograd_conv,
        op::max_pool, op::average_pool, op::lp_pool, op::lrn, op::recurrence, op::reshape, op::transpose, op::expand,
        op::slice, op::concat, op::pad, op::tile, op::range, op::shape_of, op::extents_of, op::count_of, op::trilu,
        op::eye_like, op::constant_of_shape, op::reverse_sequence, op::gather, op::gather_elements, op::gather_nd,
        op::scatter_elements, op::scatter_nd, op::top_k, op::one_hot, op::non_zero, op::compress, op::unique,
        op::non_max_suppression, op::resize, op::grid_sample, op::affine_grid, op::max_unpool, op::col2im,
        op::roi_align, op::abs, op::acos, op::acosh, op::add, op::asin, op::asinh, op::atan, op::atanh, op::bit_and,
        op::bit_cast, op::bit_not, op::bit_or, op::bit_xor, op::cast, op::ceil, op::cos, op::cosh, op::dequantize,
        op::div, op::equal, op::erf, op::exp, op::expm1, op::floor, op::fmod, op::greater, op::greater_equal,
        op::is_inf, op::is_nan, op::less, op::less_equal, op::log, op::log1p, op::logical_and, op::logical_not,
        op::logical_or, op::logical_xor, op::maximum, op::minimum, op::mod, op::mul, op::neg, op::not_equal, op::pow,
        op::reciprocal, op::round, op::rsqrt, op::shift_left, op::shift_right, op::sigmoid, op::sign, op::sin, op::sinh,
        op::sqrt, op::sub, op::tan, op::tanh, op::trunc, op::where, op::arg_max, op::arg_min, op::cumulative_prod,
        op::cumulative_sum, op::log_softmax, op::reduce_max, op::reduce_min, op::reduce_prod, op::reduce_sum,
        op::softmax>;

/// What the host runs between kernels: control flow, and ops on values that kernels do not know.
using control_ops = ops<op::if_else, op::repeat>;
using host_ops =
    meta::concat_t<control_ops,
                   ops<op::raise, op::sequence_empty, op::sequence_of, op::sequence_at, op::sequence_insert,
                       op::sequence_erase, op::sequence_length, op::split_to_sequence, op::concat_from_sequence,
                       op::optional_of, op::optional_has, op::optional_get, op::string_concat, op::string_split,
                       op::string_normalize, op::regex_full_match, op::format_text, op::parse_text, op::lookup,
                       op::decode_image, op::draw_seed, op::call_packed, op::call_pure_packed>>;

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

// The ops that have effects, for whoever sees only their declarations (tests/judge/duplication_test.cpp holds it).
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
