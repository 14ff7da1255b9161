/// @file normalization.lower: loop nests of normalizations.
#pragma once

#include <tenon/ops/graph/normalization.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op { void lower(const lrn&, lower_context&); }  // namespace tenon::op
