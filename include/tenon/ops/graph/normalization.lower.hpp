/// @file normalization.lower: loop nests of normalizations.
#pragma once

#include <tenon/lower.hpp>
#include <tenon/ops/graph/normalization.hpp>

namespace tenon::op { void lower(const lrn&, lower_context&); }  // namespace tenon::op
