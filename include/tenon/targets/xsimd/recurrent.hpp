/// @file recurrent: recurrent cells of `targets::xsimd`: a product of the states of the whole batch for each step, then
/// their gates.
#pragma once

#include <array>

#include <tenon/ops/graph/recurrence.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

/// Are its functions among those that cells are made with most often?
bool has_gate_kernels(const op::recurrence& cell);

struct recurrent_step final : step {
  const kernel_table* k = nullptr;
  op::recurrent_cell cell = op::recurrent_cell::simple;
  bool reverse = false, reset_last = false, coupled = false;
  float clip = 0;                              ///< none where it is 0
  std::array<loop::scalar_fn, 3> functions{};  ///< in the order of op::recurrence
  /// Slots; -1 where there is none. `lengths` are i64, or i32.
  int products = -1, weight = -1, first_h = -1, first_c = -1, bias = -1, lengths = -1, peepholes = -1;
  int y = -1, h = -1, c = -1;
  bool wide_lengths = true;
  i64 steps = 0, batch = 0, hidden = 0;
  i64 panel = 0;
  bool packed = false;  ///< the weight is [panels, hidden, panel]; else [hidden, gates * hidden]

  void run(const frame& f) const override;
};

}  // namespace tenon::xsimd_kernels
