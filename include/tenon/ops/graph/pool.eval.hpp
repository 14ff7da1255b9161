/// @file pool.eval: reference evaluation of pools.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/pool.hpp>

namespace tenon::op {

void evaluate(const max_pool&, eval_context&);
void evaluate(const average_pool&, eval_context&);
void evaluate(const lp_pool&, eval_context&);

}  // namespace tenon::op
