/// @file optimization: one graph of tensors, in top-level functions.
///
/// Entered by `lift_lambdas`. Holds graph ops, kernel calls, dataflow regions and calls between top-level functions.
/// Invariant: no inner functions. The kernels that it calls are functions of phase `lowering` or `build` already.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>
#include <tenon/phases/lowering.hpp>

namespace tenon::phases {

struct optimization {
  static constexpr fixed_string name = "optimization";
  using op_list = meta::concat_t<graph_ops, host_ops, call_ops>;
  using op_effects = effects<effect::random, effect::io>;
  static constexpr bool open = true;
  using calls_into = phase_list<lowering, build>;  // kernels that are finished
};

}  // namespace tenon::phases
