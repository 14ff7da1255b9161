/// @file control.eval.ipp: definitions of ops/graph/control.eval.hpp.
#pragma once

#include <tenon/ops/graph/control.eval.hpp>

namespace tenon::op {

/// The code says that it is the sizes: a session then makes code for these alone.
void evaluate(const raise& op, eval_context& cx) {
  throw other_sizes("raise: " + op.message, cx.mod().text(cx.mod()[cx.op()].location));
}

}  // namespace tenon::op
