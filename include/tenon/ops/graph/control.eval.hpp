/// @file control.eval: evaluations of ops/graph/control.hpp; regions are run by the interpreter itself.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/control.hpp>

namespace tenon::op {

/// Always an error: "eval".
void evaluate(const raise&, eval_context&);

}  // namespace tenon::op
