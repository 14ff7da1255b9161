/// @file contraction.lower: loop nests of matrix products and convolutions, by `loop.contract` wherever its operands
/// allow: b's rows contiguous in n, no padding to guard.
#pragma once

#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

void lower(const matmul&, lower_context&);
void lower(const conv&, lower_context&);
void lower(const conv_transpose&, lower_context&);
value_id element(const pack_panels&, element_context&, const index_list& at);

}  // namespace tenon::op
