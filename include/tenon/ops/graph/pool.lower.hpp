/// @file pool.lower: loop nests of pools; the innermost independent loop runs along the result's last dimension.
#pragma once

#include <tenon/ops/graph/pool.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

void lower(const max_pool&, lower_context&);
void lower(const average_pool&, lower_context&);
void lower(const lp_pool&, lower_context&);

}  // namespace tenon::op
