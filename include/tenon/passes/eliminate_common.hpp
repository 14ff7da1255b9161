/// @file eliminate_common: ops without effects that compute the same from the same operands are computed once.
///
/// Before: %1 = add(%x, %y); %2 = add(%y, %x)          After: %1 = add(%x, %y), also for %2
/// Constants are equal when their elements are, bit by bit; calls, when they call the same pure function. Ops with
/// regions stay as they are; a region sees what was computed around it, unless it keeps what stands in it.
/// Cost: O(ops + bytes of constants). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct eliminate_common {
  static constexpr fixed_string name = "eliminate_common";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = graph_facts;
  using emits = ops<>;
  using merges = effects<>;
  using keeps_inside = any_effects;
  using leaves = side_effects;
  using not_between = while_grouped;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
