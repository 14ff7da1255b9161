/// @file block_product.eval: reference evaluation of products by matrices of a few bits; sums are kept in double.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/block_product.hpp>

namespace tenon::op { void evaluate(const matmul_nbits&, eval_context&); }  // namespace tenon::op
