/// @file lowering: calls to kernels in destination-passing form, and the kernels as loop nests.
///
/// Entered by `to_lowering`. Invariant: no arithmetic graph op is left.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>
#include <tenon/phases/build.hpp>

namespace tenon::phases {

struct lowering {
  static constexpr fixed_string name = "lowering";
  using op_list = lowering_ops;
  using op_effects = effects<effect::reads, effect::writes, effect::allocates, effect::random>;
  using calls_into = phase_list<build>;
  using early_ops = loop_ops::with<op::return_>;  // kernels; whoever calls comes with the module
};

}  // namespace tenon::phases
