/// @file packed.eval: evaluations of ops/graph/packed.hpp.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/packed.hpp>

namespace tenon::op {

void evaluate(const call_packed&, eval_context&);
void evaluate(const call_pure_packed&, eval_context&);

}  // namespace tenon::op
