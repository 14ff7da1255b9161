/// @file recurrence.lower: loop nests of recurrent cells.
#pragma once

#include <tenon/lower.hpp>
#include <tenon/ops/graph/recurrence.hpp>

namespace tenon::op { void lower(const recurrence&, lower_context&); }  // namespace tenon::op
