/// @file normalization.eval: reference evaluation of normalizations.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/normalization.hpp>

namespace tenon::op { void evaluate(const lrn&, eval_context&); }  // namespace tenon::op
