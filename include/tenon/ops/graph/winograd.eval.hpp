/// @file winograd.eval: reference evaluation of convolutions by transformed tiles, in double.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/winograd.hpp>

namespace tenon::op { void evaluate(const winograd_conv&, eval_context&); }  // namespace tenon::op
