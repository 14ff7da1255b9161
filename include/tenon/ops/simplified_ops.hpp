/// @file simplified_ops: what ops can be simplified to.
#pragma once

#include <tenon/ops/fwd.hpp>

namespace tenon {

/// `passes::simplify` says that it emits these, and orders are judged by it; so an op's own `simplify` can make no
/// other.
using simplified_ops = ops<op::constant, op::add, op::mul, op::cast, op::reshape, op::expand, op::transpose>;

}  // namespace tenon
