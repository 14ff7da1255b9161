/// @file optimization: one graph of tensors, in top-level functions.
///
/// Entered by `lift_lambdas`. Holds graph ops, kernel calls and calls between top-level functions.
/// Invariant: no inner functions.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>

namespace tenon::phases {

struct optimization {
  static constexpr fixed_string name = "optimization";
  using op_list = meta::concat_t<graph_ops, call_ops, loop_ops>;
  using op_effects = effects<effect::random, effect::reads, effect::writes, effect::allocates>;
  static constexpr bool open = true;
};

}  // namespace tenon::phases
