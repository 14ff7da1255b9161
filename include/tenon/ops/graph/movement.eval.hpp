/// @file movement.eval: reference evaluations of ops/graph/movement.hpp: each copies element by element.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/movement.hpp>

namespace tenon::op {

void evaluate(const reshape&, eval_context&);
void evaluate(const transpose&, eval_context&);
void evaluate(const expand&, eval_context&);
void evaluate(const slice&, eval_context&);
void evaluate(const concat&, eval_context&);
void evaluate(const pad&, eval_context&);
void evaluate(const tile&, eval_context&);
void evaluate(const range&, eval_context&);
void evaluate(const shape_of&, eval_context&);
void evaluate(const extents_of&, eval_context&);
void evaluate(const count_of&, eval_context&);
void evaluate(const trilu&, eval_context&);
void evaluate(const eye_like&, eval_context&);
void evaluate(const constant_of_shape&, eval_context&);
void evaluate(const reverse_sequence&, eval_context&);

}  // namespace tenon::op
