/// @file winograd.lower: loop nests of convolutions by transformed tiles. The tiles of a block are transformed into
/// scratch, each place of all tiles is a matrix product by the weights of that place, and what comes out is transformed
/// back panel by panel: scratch stays in the second-level cache.
#pragma once

#include <tenon/ops/graph/winograd.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op { void lower(const winograd_conv&, lower_context&); }  // namespace tenon::op
