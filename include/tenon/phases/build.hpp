/// @file build: explicit storage, and kernels ready for code generation.
///
/// Entered by `lower_builtins`. Invariants: no destination-passing calls; no pure-call wrappers; every function has a
/// target, and none says that it is `pure`: it writes to buffers, so it is impure or says that it is `forced_pure`.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>

namespace tenon::phases {

struct build {
  static constexpr fixed_string name = "build";
  using op_list = build_ops;
  using op_effects = effects<effect::reads, effect::writes, effect::allocates, effect::random, effect::sync>;
  using early_ops = loop_ops::with<op::return_>;  // kernels
};

}  // namespace tenon::phases
