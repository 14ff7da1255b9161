/// @file interpreter: runs modules by the reference evaluation of their ops; needs no LLVM, and is slow and right.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/build.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/targets/parts.hpp>

namespace tenon::targets {

struct reference_device : tenon::detail::in_host_memory {
  static constexpr fixed_string name = "reference";
  static constexpr device_kind kind = device_kind::cpu;
};

/// Evaluates the ops of a module, one after the other.
struct evaluator {
  static constexpr fixed_string name = "evaluator";
  using code_format = formats::module_file;
  using abi = abis::interpreted;
  /// Errors: "program.entry" where the module has no entry; "program.format" where it is of values in buffers, as
  /// modules are that code is generated from: it would take the outputs' places for inputs.
  static std::unique_ptr<executable> load(const ir::module& m);
};

/// A target whose code is the module itself: its pipeline ends in `optimization`.
struct interpreter {
  static constexpr fixed_string name = "interpreter";
  using device = reference_device;
  struct code_generator {
    static constexpr fixed_string name = "none";
    using code_format = formats::module_file;
    using requires_facts = facts<>;
  };
  using format = formats::module_file;
  using abi = abis::interpreted;
  using runtime = evaluator;
  using ends_in = phases::optimization;
  using pipeline = tenon::pipeline<passes::lift_lambdas, passes::inline_calls, passes::infer_shapes>;
};

}  // namespace tenon::targets
