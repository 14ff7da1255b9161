/// @file block_product.lower: loop nests of products by matrices of a few bits. One row, or a few, reads each word of a
/// panel once and dequantizes it in registers; many rows dequantize a panel into scratch, and are a contraction by
/// that.
#pragma once

#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op { void lower(const matmul_nbits&, lower_context&); }  // namespace tenon::op
