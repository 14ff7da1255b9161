/// @file normalization: local response normalization. Batch, instance and layer normalization are made of reductions
/// and elementwise ops by the front ends.
#pragma once

#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

/// `%y = lrn(%x)`: x / (bias + alpha / size * s)^beta, where s sums the squares of `size` channels around the
/// element's: from c - floor((size - 1) / 2) to c + ceil((size - 1) / 2). x has 2 or more dimensions.
struct lrn {
  static constexpr fixed_string name = "lrn";
  static constexpr op_traits traits{
      .min_operands = 1, .max_operands = 1, .fusion = {.anchor = true}, .excess = {excess_precision::computes}};
  i64 size = 1;
  double alpha = 1e-4, beta = 0.75, bias = 1;
  data_layout layout = data_layout::channels_first;
  TENON_ATTRIBUTES(size, alpha, beta, bias, layout)
};

void infer(const lrn&, ir::infer_context&);

void evaluate(const lrn&, eval_context&);

bool move_transpose(lrn&, std::vector<i64>& order, u32 given);

void lower(const lrn&, lower_context&);

}  // namespace tenon::op
