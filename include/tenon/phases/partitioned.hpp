/// @file partitioned: a graph of which parts stand in functions of their own, each for an external code generator.
///
/// A side phase of `optimization`: entered by `partition_for<T>`, left by `run_external_codegen<T>`, which leads back.
/// It holds what `optimization` holds, and calls of code that other generators made before. Invariants: a function that
/// is constrained to a target and is no entry is called, has no calls in it, and is all that its target's code
/// generator sees.
#pragma once

#include <tenon/phases/optimization.hpp>

namespace tenon {
namespace ir { class module; }
namespace phases {

struct partitioned {
  static constexpr fixed_string name = "partitioned";
  using side_of = optimization;
  using op_list = meta::concat_t<optimization::op_list, external_ops>;
  using op_effects = optimization::op_effects;
  using calls_into = optimization::calls_into;
  static constexpr bool open = true;
  /// Throws "phase.partitioned" naming function and op.
  static void verify(const ir::module& m);
};

}  // namespace phases
}  // namespace tenon
