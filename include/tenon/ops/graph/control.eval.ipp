/// @file control.eval.ipp: definitions of ops/graph/control.eval.hpp.
#pragma once

#include <tenon/ops/graph/control.eval.hpp>

namespace tenon::op {

TENON_INLINE void evaluate(const raise& op, eval_context& cx) { cx.fail(op.message); }

}  // namespace tenon::op
