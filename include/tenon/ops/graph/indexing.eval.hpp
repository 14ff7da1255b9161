/// @file indexing.eval: reference evaluations of ops/graph/indexing.hpp. See there for indices out of range.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/indexing.hpp>

namespace tenon::op {

void evaluate(const gather&, eval_context&);
void evaluate(const gather_elements&, eval_context&);
void evaluate(const gather_nd&, eval_context&);
void evaluate(const scatter_elements&, eval_context&);
void evaluate(const scatter_nd&, eval_context&);
void evaluate(const top_k&, eval_context&);
void evaluate(const one_hot&, eval_context&);
void evaluate(const non_zero&, eval_context&);
void evaluate(const compress&, eval_context&);
void evaluate(const unique&, eval_context&);
void evaluate(const non_max_suppression&, eval_context&);

}  // namespace tenon::op
