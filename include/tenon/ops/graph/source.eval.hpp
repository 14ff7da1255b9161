/// @file source.eval: evaluations of ops/graph/source.hpp.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/source.hpp>

namespace tenon::op {

void evaluate(const decode_image&, eval_context&);
void evaluate(const draw_seed&, eval_context&);

}  // namespace tenon::op
