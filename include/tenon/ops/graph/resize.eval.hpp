/// @file resize.eval: reference evaluations of ops/graph/resize.hpp: a sum over the taps of every result element.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/resize.hpp>

namespace tenon::op {

void evaluate(const resize&, eval_context&);
void evaluate(const grid_sample&, eval_context&);
void evaluate(const affine_grid&, eval_context&);

}  // namespace tenon::op
