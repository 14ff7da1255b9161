/// @file contraction.eval: reference evaluation of matrix products and convolutions; sums are kept in double.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/contraction.hpp>

namespace tenon::op {

void evaluate(const matmul&, eval_context&);
void evaluate(const conv&, eval_context&);
void evaluate(const conv_transpose&, eval_context&);
void evaluate(const pack_panels&, eval_context&);

}  // namespace tenon::op
