/// @file vectorize: chooses the loops of kernels that run several iterations at once.
///
/// Before: loop.for %i = 0 to %n { store(load %x[%i] …) }      After: loop.for {kind = vector} %i = 0 to %n { … }
/// The innermost independent loop whose accesses are contiguous; or, inside of it, a reduction whose accesses are.
/// Cost: O(ops · loop depth). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct vectorize {
  static constexpr fixed_string name = "vectorize";
  using runs_in = phases::lowering;
  using needs = facts<>;
  // What others say of loops it has never heard of.
  using keeps = facts<fact::loops_scheduled, fact::memory_planned, fact::static_shapes>;
  using emits = ops<>;
  using changes = ops<loop::for_loop>;
  using moves = effects<effect::reads, effect::writes>;  // iterations of independent loops
  using leaves = effects<effect::random, effect::allocates>;
  using not_between = after_parallel;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
