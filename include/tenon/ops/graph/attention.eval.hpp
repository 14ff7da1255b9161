/// @file attention.eval: reference evaluation of attention; scores, weights and sums are kept in double.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/attention.hpp>

namespace tenon::op { void evaluate(const attention&, eval_context&); }  // namespace tenon::op
