/// @file pool: one value for each window of an image: maximum, mean, p-norm. ONNX: MaxPool, AveragePool, LpPool.
///
/// Images have 1 to 3 spatial dimensions and the layout that the op names; pads are all begins, then all ends. Empty
/// lists stand for strides and dilations of 1 and for no padding. With `ceil_mode` a last window may overhang.
#pragma once

#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

/// `%y(, %at) = max_pool(%x)`: with `indices` also where each maximum is, as i64: its number among the elements of x in
/// channels_first order (whatever the layout), or with `column_major` counting the first spatial dimension fastest.
struct max_pool {
  static constexpr fixed_string name = "max_pool";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = -1, .fusion = {.anchor = true}};
  std::vector<i64> kernel{}, strides{}, dilations{}, pads{};
  bool ceil_mode = false;
  data_layout layout = data_layout::channels_first;
  bool indices = false, column_major = false;
  TENON_ATTRIBUTES(kernel, strides, dilations, pads, ceil_mode, layout, indices, column_major)
};

/// `%y = average_pool(%x)`: the mean of a window's elements; padding counts as zeros only with `count_include_pad`
/// (what overhangs because of ceil_mode never counts).
struct average_pool {
  static constexpr fixed_string name = "average_pool";
  static constexpr op_traits traits{
      .min_operands = 1, .max_operands = 1, .fusion = {.anchor = true}, .excess = {excess_precision::computes}};
  std::vector<i64> kernel{}, strides{}, dilations{}, pads{};
  bool ceil_mode = false, count_include_pad = false;
  data_layout layout = data_layout::channels_first;
  TENON_ATTRIBUTES(kernel, strides, dilations, pads, ceil_mode, count_include_pad, layout)
};

/// `%y = lp_pool(%x)`: (sum of |x|^p)^(1/p) over a window.
struct lp_pool {
  static constexpr fixed_string name = "lp_pool";
  static constexpr op_traits traits{
      .min_operands = 1, .max_operands = 1, .fusion = {.anchor = true}, .excess = {excess_precision::computes}};
  std::vector<i64> kernel{}, strides{}, dilations{}, pads{};
  bool ceil_mode = false;
  data_layout layout = data_layout::channels_first;
  i64 p = 2;
  TENON_ATTRIBUTES(kernel, strides, dilations, pads, ceil_mode, layout, p)
};

/// Where a maximum is is a decision by values.
constexpr excess_precision excess(const max_pool& p) {
  return p.indices ? excess_precision::none : excess_precision::moves;
}

void infer(const max_pool&, ir::infer_context&);
void infer(const average_pool&, ir::infer_context&);
void infer(const lp_pool&, ir::infer_context&);

void evaluate(const max_pool&, eval_context&);
void evaluate(const average_pool&, eval_context&);
void evaluate(const lp_pool&, eval_context&);

bool move_transpose(max_pool&, std::vector<i64>& order, u32 given);
bool move_transpose(average_pool&, std::vector<i64>& order, u32 given);
bool move_transpose(lp_pool&, std::vector<i64>& order, u32 given);

void lower(const max_pool&, lower_context&);
void lower(const average_pool&, lower_context&);
void lower(const lp_pool&, lower_context&);

}  // namespace tenon::op
