/// @file attention.lower: loop nests of attention: a block of queries by all keys, or by one block of keys after the
/// other, whose scores stay in the second-level cache.
#pragma once

#include <tenon/ops/graph/attention.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op { void lower(const attention&, lower_context&); }  // namespace tenon::op
