/// @file reduce.eval: the reference evaluation of reductions.
///
/// Floats accumulate in double in row-major order and round once; integers in 64 bits, and wrap.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/reduce.hpp>

namespace tenon::op {

void evaluate(const reduce_sum&, eval_context&);
void evaluate(const reduce_prod&, eval_context&);
void evaluate(const reduce_max&, eval_context&);
void evaluate(const reduce_min&, eval_context&);
void evaluate(const arg_max&, eval_context&);
void evaluate(const arg_min&, eval_context&);
void evaluate(const softmax&, eval_context&);
void evaluate(const log_softmax&, eval_context&);
void evaluate(const cumulative_sum&, eval_context&);
void evaluate(const cumulative_prod&, eval_context&);

}  // namespace tenon::op
