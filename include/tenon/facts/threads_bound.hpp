/// @file threads_bound: every parallel loop of a kernel is bound to a grid of threads.
///
/// Code for processors with thousands of threads relies on it: a thread of its own runs each iteration, in no order,
/// and threads of one grid do not wait for each other. ir/grid.hpp says what that asks of loops.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::fact {

struct threads_bound {
  static constexpr fixed_string name = "threads_bound";
  /// Bound loops have races, too: of no two iterations one writes what the other touches (ir/races.hpp).
  static void check(const ir::module& m);
};

}  // namespace tenon::fact
