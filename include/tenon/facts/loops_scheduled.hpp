/// @file loops_scheduled: every kernel's loops say how they run: which is parallel, which is a vector loop.
///
/// A performance fact: code generation works without it, one thread and one lane at a time.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::fact {

struct loops_scheduled {
  static constexpr fixed_string name = "loops_scheduled";
  /// No parallel loop runs inside of another, or inside of a vector loop, and no two iterations of one,
  /// or of an independent one, touch an element that one writes: by ir/races.hpp and interpret/loop_orders.hpp.
  static void check(const ir::module& m);
};

}  // namespace tenon::fact
