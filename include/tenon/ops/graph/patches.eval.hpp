/// @file patches.eval: reference evaluations of ops/graph/patches.hpp.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/patches.hpp>

namespace tenon::op {

void evaluate(const max_unpool&, eval_context&);
void evaluate(const col2im&, eval_context&);
void evaluate(const roi_align&, eval_context&);

}  // namespace tenon::op
