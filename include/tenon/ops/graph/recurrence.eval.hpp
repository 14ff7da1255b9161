/// @file recurrence.eval: reference evaluation of recurrent cells.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/recurrence.hpp>

namespace tenon::op { void evaluate(const recurrence&, eval_context&); }  // namespace tenon::op
