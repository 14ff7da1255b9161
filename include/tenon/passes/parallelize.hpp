/// @file parallelize: chooses the loops of kernels that run on several threads.
///
/// Before: loop.for %i = 0 to %n {independent} { … }
/// After:  loop.for {kind = parallel, grain = g} %i = 0 to %n { … }
/// The outermost independent loop with enough work for two tasks; a contraction that is alone is split along its
/// longest m dimension first. A loop whose number of iterations is not known may run once (a batch often does): where
/// each iteration is worth several tasks, the loops inside of it are chosen. Kernels that have a parallel loop stay as
/// they are, and all do when the target runs one thread. Cost: O(ops). Idempotent.
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

struct parallelize {
  static constexpr fixed_string name = "parallelize";
  using runs_in = phases::lowering;
  using needs = facts<>;
  using gives = facts<fact::loops_scheduled>;
  using keeps = facts<fact::memory_planned, fact::static_shapes>;  // what others say of loops it has never heard of
  using emits = loop_ops;
  using moves = effects<effect::reads, effect::writes>;  // iterations of independent loops
  using leaves = effects<effect::random, effect::allocates>;
  using not_between = after_tiling;
  i64 least_work = 20000;  ///< cycles that are worth a task
  TENON_ATTRIBUTES(least_work)
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::givers_of<tenon::fact::loops_scheduled> {
  using type = tenon::pass_list<tenon::passes::parallelize>;
};
