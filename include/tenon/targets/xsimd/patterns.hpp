/// @file patterns: what `targets::xsimd` has kernels for: single ops, which `one_step` (targets/xsimd/rules.hpp) joins.
#pragma once

#include <tenon/compile/external/match.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/xsimd/rules.hpp>

namespace tenon::xsimd_kernels {

template <fixed_string Name, class P, fixed_string WhyNot>
using with_kernel = named<Name, such_that<P, &has_kernel, WhyNot>>;

template <class Ops>
struct one_of_list;
template <class... Ops>
struct one_of_list<ops<Ops...>> {
  using type = one_of<Ops...>;
};
template <class Ops>
using any_one_of = typename one_of_list<Ops>::type;

using patterns = pattern_list<
    with_kernel<"conv", pattern<op::conv, any, any, maybe<any>>,
                "f32 images with channels last, padded by ops of their own">,
    with_kernel<"winograd_conv", pattern<op::winograd_conv, any, any, maybe<any>>,
                "f32 images of known heights and widths">,
    with_kernel<"conv_transpose", pattern<op::conv_transpose, any, any, maybe<any>>,
                "f32 images with channels last, padded by ops of their own">,
    with_kernel<"matmul", pattern<op::matmul, any, any>, "f32 matrices">,
    with_kernel<"recurrence", pattern<op::recurrence, any, any, any, maybe<any>, maybe<any>, maybe<any>, maybe<any>>,
                "f32, and gates of sigmoid, tanh and relu">,
    with_kernel<"pool", pattern<one_of<op::max_pool, op::average_pool>, any>, "f32 images, and no indices">,
    with_kernel<"lrn", pattern<op::lrn, any>, "f32 images with channels last">,
    with_kernel<"elimination", pattern<one_of<op::determinant, op::inverse>, any>, "f32">,
    with_kernel<"softmax", pattern<one_of<op::softmax, op::log_softmax>, any>, "f32">,
    with_kernel<"reduce", pattern<one_of<op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_prod>, any>,
                "f32, and axes that are neighbours">,
    with_kernel<"position", pattern<one_of<op::arg_max, op::arg_min>, any>, "f32, and the last axis">,
    with_kernel<"resize", pattern<op::resize, any>, "f32 images, and nearest or linear sampling of two axes">,
    with_kernel<"unary", pattern<any_one_of<unary_ops>, any>, "f32">,
    with_kernel<"cast", pattern<op::cast, any>, "f32">,
    with_kernel<"binary", pattern<any_one_of<binary_ops>, any, any>, "f32">,
    with_kernel<"where", pattern<op::where, any, any, any>, "f32">,
    with_kernel<"gather", pattern<op::gather, any, any>, "indices of i32 or i64">,
    with_kernel<"movement", pattern<one_of<op::reshape, op::transpose, op::slice, op::pad>, any>, "known extents">,
    with_kernel<"expand", pattern<op::expand, any, maybe<any>>, "known extents">,
    with_kernel<"concat", pattern<op::concat, rest<any>>, "known extents">>;

}  // namespace tenon::xsimd_kernels
