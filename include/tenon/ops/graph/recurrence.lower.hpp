/// @file recurrence.lower: loop nests of recurrent cells.
#pragma once

#include <tenon/ops/graph/recurrence.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op { void lower(const recurrence&, lower_context&); }  // namespace tenon::op
