/// @file bind_threads: binds the independent loops of kernels to a grid of threads.
///
/// Before: loop.for %i {independent} { loop.for %j {independent} { … loop.for %k { … } } }
/// After:  loop.for %i {parallel} { loop.for %j {parallel} { … loop.for %k { … } } }: a thread for each (i, j)
/// Each nest of independent loops at the top of a kernel becomes one grid, as deep as it does nothing else beside its
/// inner loop. A contraction becomes such a nest, over its rows and columns, with loops over k that carry a sum. Loops
/// that were parallel elsewhere, and vector loops, are serial again: one thread runs them. Cost:
/// O(ops · loops of a kernel). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/facts/threads_bound.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon::passes {

struct bind_threads {
  static constexpr fixed_string name = "bind_threads";
  using runs_in = phases::lowering;
  using needs = facts<>;
  using gives = facts<fact::threads_bound>;
  using keeps = facts<fact::memory_planned, fact::static_shapes>;
  using emits = loop_ops;
  using moves = effects<effect::reads, effect::writes>;  // iterations of independent loops
  using leaves = effects<effect::random, effect::allocates>;
  using needs_of_device = capabilities<capability::thread_blocks>;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::givers_of<tenon::fact::threads_bound> {
  using type = tenon::pass_list<tenon::passes::bind_threads>;
};
