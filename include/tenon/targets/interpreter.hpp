/// @file interpreter: runs modules by the reference evaluation of their ops; needs no LLVM, and is slow and right.
#pragma once

#include <tenon/build.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/lift_lambdas.hpp>

namespace tenon::targets {

struct reference_device {
  static constexpr fixed_string name = "reference";
  static constexpr device_kind kind = device_kind::cpu;
};

/// A target whose code is the module itself: its pipeline ends in `optimization`.
struct interpreter {
  static constexpr fixed_string name = "interpreter";
  using device = reference_device;
  struct code_generator {
    using requires_facts = facts<>;
  };
  using ends_in = phases::optimization;
  using pipeline = tenon::pipeline<passes::lift_lambdas, passes::inline_calls, passes::infer_shapes>;
};

}  // namespace tenon::targets
