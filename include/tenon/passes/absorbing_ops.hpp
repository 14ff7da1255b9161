/// @file absorbing_ops: ops that can have a constant operand as an attribute instead: those with an overload of
/// `absorb`.
#pragma once

#include <tenon/ops/fwd.hpp>

namespace tenon::passes {

using absorbing_ops = ops<op::reshape, op::expand, op::slice, op::pad, op::tile, op::trilu, op::constant_of_shape,
                          op::top_k, op::one_hot, op::resize, op::affine_grid, op::max_unpool, op::col2im>;

}  // namespace tenon::passes
