/// @file control.eval.ipp: evaluations of ops/graph/control.hpp; regions are run by the interpreter itself.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/control.hpp>

namespace tenon::op {

/// The code says that it is the sizes: a session then makes code for these alone.
void evaluate(const raise& op, eval_context& cx) {
  throw other_sizes(op.message, cx.mod().text(cx.mod()[cx.op()].location), {}, op.sizes, static_cast<int>(op.branch));
}

}  // namespace tenon::op
